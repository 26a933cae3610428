"""Formatting of numbers and Markdown tables."""

from __future__ import annotations

import statistics
from collections.abc import Container, Sequence


def aligned(lines: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Return a Markdown table that is also readable as plain text; the columns `left` hold words, all others numbers.

    >>> print("\\n".join(aligned([["who", "s"], ["a", "1.25"]], left={0})))
    | who |    s |
    |-----|-----:|
    | a   | 1.25 |
    """
    shown = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]

    def joined(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "| " + " | ".join(padded) + " |"

    rules = ["-" * (width + 2) if place in left else "-" * (width + 1) + ":" for place, width in enumerate(widths)]
    return [joined(shown[0]), "|" + "|".join(rules) + "|", *map(joined, shown[1:])]


def number(value: float) -> str:
    """Return a number with three significant digits.

    >>> number(12345), number(1.234), number(0.01234), number(0)
    ('12,300', '1.23', '0.0123', '0')
    """
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def ms(seconds: float) -> str:
    """Return a time in milliseconds as text."""
    return number(1000 * seconds)


def share(value: float) -> str:
    """Return a share as a percentage."""
    return f"{value:.1%}"


def median(values: Sequence[float]) -> float:
    """Return the median; NaN if there are no values."""
    return statistics.median(values) if values else float("nan")
