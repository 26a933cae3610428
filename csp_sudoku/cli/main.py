"""The program csp-sudoku: it runs one command line, and prints every error as one line.

The handler of Ctrl-C is installed before anything else is imported. The commands are in `group`, the exit codes in
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
from csp_sudoku.cli.standard_streams import StreamError, guard_streams
from csp_sudoku.compiled.lean import skip_scipy

GARBAGE_THRESHOLD = 50_000
"""Number of allocations between two garbage collections.

With Python's default of 700, importing numba takes 0.08 s more CPU time.
"""


def run() -> NoReturn:
    """Run the program, as `csp-sudoku` or `python -m csp_sudoku` does, and end the process."""
    obey_interrupts()
    gc.set_threshold(GARBAGE_THRESHOLD)
    guard_streams()
    skip_scipy()
    if "_CSP_SUDOKU_COMPLETE" in os.environ:  # The shell requests completions, which click prints.
        from csp_sudoku.cli.group import main

        main(prog_name="csp-sudoku")
    _leave(execute(sys.argv[1:]))


def _leave(code: int) -> NoReturn:
    """End the process as the interpreter does, but let the operating system free its memory.

    Destroying the modules of numba and numpy one by one takes 0.26 s of CPU time, half of the total for a small puzzle.
    """
    interpreter: Any = threading
    interpreter._shutdown()  # This waits for the threads that are not daemons.
    finishing: Any = atexit
    finishing._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):  # The stream is closed, or its reader has gone away.
                stream.flush()
    os._exit(code)


def execute(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; an error is printed as one line on standard error."""
    import click

    from csp_sudoku.cli.group import main
    from csp_sudoku.cli.output import complain, found
    from csp_sudoku.cli.preparing import tell_compiling
    from csp_sudoku.compiled.loading import compiling_seconds
    from csp_sudoku.errors import SudokuError, UndecidedError

    compiled_before = compiling_seconds()
    try:
        with main.make_context("csp-sudoku", list(arguments)) as context:
            code = main.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
        tell_compiling(compiled_before)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        complain(error.format_message())
    except StreamError as error:
        _drop_output()
        if error.is_closed_pipe:
            return DONE
        with suppress(OSError):  # it may have been standard error
            complain(f"expected to write all output; found {found(error)}")
    except SudokuError as error:
        complain(str(error))
    except OSError as error:
        complain(_told(error))
    except UndecidedError as error:
        complain(str(error))
        return UNDECIDED
    else:
        return code or DONE
    return BAD


def _told(error: OSError) -> str:
    """Return the message of a system error: with the file that could not be used, else with the place of the error."""
    from textwrap import shorten
    from traceback import walk_tb

    from csp_sudoku.cli.output import found

    if error.filename is not None:
        file = error.filename if isinstance(error.filename, int) else os.fsdecode(error.filename)
        return f"expected to open, read or change {shorten(str(file), 200, placeholder='…')!r}; found {found(error)}"
    *_, (frame, line) = walk_tb(error.__traceback__)
    place = f"{os.path.basename(frame.f_code.co_filename)}, line {line}"  # noqa: PTH119
    return f"expected no error of the operating system; found {found(error)} (raised in {place})"


def _drop_output() -> None:
    """Discard the output that is still buffered, so that the interpreter ends without an error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
