"""The csp-sudoku command: a run of the program, and the one line that every error becomes.

Nothing but the handling of Ctrl-C is imported before it is in force; the commands are in `group`, the exit codes in
`codes`.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from csp_sudoku.cli.codes import BAD, DONE, UNDECIDED
from csp_sudoku.cli.interrupt import obey_interrupts

GARBAGE_THRESHOLD = 50_000
"""Allocations between two collections of garbage; at Python's 700, importing numba takes 0.08 s of CPU more."""


def run() -> NoReturn:
    """The program: `csp-sudoku`, or `python -m csp_sudoku`."""
    obey_interrupts()
    gc.set_threshold(GARBAGE_THRESHOLD)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if "_CSP_SUDOKU_COMPLETE" in os.environ:  # the shell asks for completions; click answers
        from csp_sudoku.cli.group import main

        main(prog_name="csp-sudoku")
    _leave(execute(sys.argv[1:]))


def _leave(code: int) -> NoReturn:
    """End the process as the interpreter does, but leave its memory to the system.

    To destroy the modules of numba and numpy one by one takes 0.26 s of CPU, half of what a small puzzle takes in all.
    """
    interpreter: Any = threading
    interpreter._shutdown()  # waits for the threads that are not daemons
    finishing: Any = atexit
    finishing._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):  # closed, or nobody reads it any more
                stream.flush()
    os._exit(code)


def execute(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; every error has become one line on standard error."""
    from textwrap import shorten

    import click

    from csp_sudoku.cli.group import main
    from csp_sudoku.cli.output import complain
    from csp_sudoku.errors import SudokuError, UndecidedError

    try:
        with main.make_context("csp-sudoku", list(arguments)) as context:
            code = main.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        complain(error.format_message())
    except BrokenPipeError:
        _drop_output()
        return DONE
    except SudokuError as error:
        complain(str(error))
    except OSError as error:
        _drop_output()
        task = f"use {shorten(str(error.filename), 200, placeholder='…')!r}" if error.filename else "write all output"
        complain(f"expected to {task}; found {(error.strerror or str(error)).lower()}")
    except UndecidedError as error:
        complain(str(error))
        return UNDECIDED
    else:
        return code or DONE
    return BAD


def _drop_output() -> None:
    """Send what is still buffered for standard output nowhere, so that the interpreter ends in silence."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
