"""What a command needs is compiled before its clock starts, and it is said afterwards how long compiling took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TypeVar

from csp_sudoku.cli.output import duration, remark
from csp_sudoku.compiled.loading import compiling_seconds

Item = TypeVar("Item")

LEAST_TOLD_S = 1.0
"""Minimum time of compiling that is reported at the end of a command, in seconds."""


def prepared(items: Iterable[Item], name: str) -> Iterator[Item]:
    """Return the items, once what a command needs for them is compiled.

    `name` is the name of the command in `warm_up.NEEDS`. Nothing is compiled before the first item is there, because
    the input may be bad.
    """
    items = iter(items)
    first = list(islice(items, 1))
    if first:
        from csp_sudoku.warm_up import prepare_command

        prepare_command(name)
    return chain(first, items)


def tell_compiling(before: float) -> None:
    """Report on standard error how long this command has waited for compiling, if that was long.

    `before` is what `compiling_seconds` returned when the command began.
    """
    seconds = compiling_seconds() - before
    if seconds >= LEAST_TOLD_S:
        remark(f"{duration(seconds)} went into compiling, once for this computer; no limit and no figure contains them")
