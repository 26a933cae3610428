"""Printing: a result is flushed at once, and a complaint is one line on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike

import click

from csp_sudoku.cli.drawing import ASCII
from csp_sudoku.cli.standard_streams import StreamError
from csp_sudoku.errors import NotationError

LONGEST_MESSAGE, MESSAGE_END = 900, 200
"""Maximum number of characters of an error message, and how many of them come from its end if it is cut."""


def say(text: str) -> None:
    """Print a text and flush it; if the output's encoding lacks the box-drawing characters, print ASCII instead."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = text.translate(ASCII)
    click.echo(text)


def complain(message: str) -> None:
    """Print one line on standard error that begins with the program's name.

    The middle of a long message is left out: it quotes an argument, which may have any length.
    """
    line = " ".join(message.split())
    if len(line) > LONGEST_MESSAGE:
        line = f"{line[: LONGEST_MESSAGE - MESSAGE_END]}…{line[1 - MESSAGE_END :]}"
    click.echo(f"csp-sudoku: {line}", err=True)


def warn(message: str | None) -> None:
    """Print a warning as one line on standard error; nothing if there is none."""
    if message is not None:
        click.echo(" ".join(message.split()), err=True)


def found(error: OSError) -> str:
    """Return the text of a system error, as the end of a message.

    >>> found(FileNotFoundError(2, "No such file or directory", "x"))
    'no such file or directory'
    """
    return error.strerror.lower() if error.strerror else str(error) or type(error).__name__


@contextmanager
def writing(path: str | PathLike[str]) -> Iterator[None]:
    """Convert an OSError in the block to a NotationError that names the file, except for standard output."""
    try:
        yield
    except StreamError:
        raise
    except OSError as error:
        raise NotationError("a file to write", found(error), source=str(path)) from error


def remark(message: str) -> None:
    """Print a line like `complain`, but ignore a closed standard error, which must not change the exit code."""
    with suppress(OSError):
        complain(message)


def colours() -> bool:
    """Return whether to use bold type and colours: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def bold(text: str) -> str:
    """Return the text in bold type if `colours()`, else unchanged."""
    return click.style(text, bold=True) if colours() else text


def duration(seconds: float) -> str:
    """Return a time in `seconds` as text, with three digits and its unit.

    >>> duration(0), duration(0.0000123), duration(0.0456), duration(7.89123), duration(1234.5)
    ('0 µs', '12.3 µs', '45.6 ms', '7.89 s', '1234 s')
    """
    if seconds >= 1000:
        return f"{seconds:.0f} s"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def number(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural unless the count is 1.

    >>> number(1, "node"), number(12345, "backtrack")
    ('1 node', '12,345 backtracks')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
