"""Lines of text that say what an item of work came to, and the digest of many lines.

Only what is exact is written: integers, names, boards, moves. A float is written with six decimals; those that are
written are sums of points and means of playouts, which are the same bit by bit on all processors with IEEE arithmetic.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.moves.move import Move

SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"
"""How the values of a board are written, from 0 (empty) to 25."""

DIGITS = 16
"""Number of hexadecimal digits of a digest to show; they need not withstand forgery."""


def line(item, /, **facts):
    """The line of an item: its name, and what is known of it.

    >>> line("2x2 half", status="solved", nodes=3, value=0.5)
    '2x2 half: status=solved nodes=3 value=0.500000'
    """
    return f"{item}: " + " ".join(f"{name}={written(fact)}" for name, fact in facts.items())


def written(fact):
    """A fact as text; TypeError for what has no text that is the same everywhere, such as a set.

    >>> written([None, True, 7, (1, 2), Move(0, 1, 2)])
    '[none,yes,7,[1,2],r1c2=2]'
    """
    match fact:
        case None:
            return "none"
        case bool() | np.bool_():
            return "yes" if fact else "no"
        case enum.Enum():
            return str(fact.value)
        case str():
            return fact
        case int() | np.integer():
            return str(int(fact))
        case float() | np.floating():
            return f"{float(fact):.6f}"
        case Move():
            return f"r{fact.row + 1}c{fact.col + 1}={fact.value}"
        case Board():
            return "".join(SYMBOLS[value] for value in fact.values)
        case np.ndarray():
            return short(fact.astype(fact.dtype.newbyteorder("<")).tobytes())
        case tuple() | list():
            return f"[{','.join(map(written, fact))}]"
    raise TypeError(f"expected a fact with a text that is the same everywhere; found {type(fact).__name__}")


def short(data):
    """A short digest of bytes, for data that is too long for a line."""
    return hashlib.sha256(data).hexdigest()[:12]


def digest(lines: Iterable[str]):
    """The digest of lines."""
    return hashlib.sha256("".join(f"{text}\n" for text in lines).encode()).hexdigest()[:DIGITS]
