"""Posts the comparison of lines of cells as numbers, whose digits are the values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from csp_sudoku.constraints.posting import FALSE, INFINITY

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Literal, Posting


def post_less(posting: Posting, line: Sequence[int], other: Sequence[int], begins: Literal) -> Literal:
    """A literal that is true if and only if a line is less than another one that begins with the same value.

    If `begins` is false, the first values differ, and the result is false. Two lines that begin alike must differ
    somewhere.
    """
    if begins == FALSE:
        return FALSE
    is_less = posting.new_literal()
    posting.clause((~is_less, begins))
    agrees = begins  # whether the two lines hold the same values up to here
    for one, two in zip(line[1:], other[1:], strict=True):
        if one == two:
            continue
        is_equal = posting.new_literal()
        for condition, domain in ((is_equal, (0, 0)), (~is_equal, (-INFINITY, -1, 1, INFINITY))):
            with posting.only_if(condition):
                posting.sum([(1, two), (-1, one)], domain)
        decides = posting.all_of((agrees, ~is_equal))
        for order, sign in ((is_less, 1), (~is_less, -1)):
            with posting.only_if(decides), posting.only_if(order):
                posting.sum([(sign, two), (-sign, one)], (1, INFINITY))
        agrees = posting.all_of((agrees, is_equal))
    posting.clause([~agrees])
    return is_less
