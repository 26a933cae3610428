"""The rules about pairs of neighbours without a mark, and the marks that exempt a pair from them."""

from __future__ import annotations

from collections.abc import Sequence

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.dots import Difference, NoDifference, NoPairSum, NoRatio, PairSum, Ratio

ABSENCES: dict[type[Constraint], tuple[type[Constraint], ...]] = {
    NoDifference: (Difference, Ratio),
    NoRatio: (Difference, Ratio),
    NoPairSum: (PairSum,),
}
"""For each rule, the marks that exempt a pair. A pair with one of the two kropki marks may have the other relation."""


def marked_pairs(marks: Sequence[Constraint], rule: type[Constraint]) -> list[tuple[int, int]]:
    """Return the pairs of cells that their marks exempt from a rule, each once and in ascending order.

    `marks` are the constraints of the board, and `rule` is the class of the rule.

    >>> marked_pairs([Ratio((1, 0)), Difference((0, 1)), PairSum((4, 5), 10)], NoRatio)
    [(0, 1)]
    """
    found = [mark.named_cells() for mark in marks if isinstance(mark, ABSENCES[rule])]
    return sorted({(min(cells), max(cells)) for cells in found})
