"""The keys "nonconsecutive" and "negative" of f-puzzles, which are rules about pairs of cells without a mark.

"nonconsecutive": true, "negative": ["ratio", "xv"]     no pair of neighbours without a mark has the relation
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.dots import Difference, NoDifference, NonConsecutive, NoPairSum, NoRatio, PairSum, Ratio
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.variants.absent_marks import marked_pairs
from csp_sudoku.notation.variants.fpuzzles_rules import XV_TOTALS, built
from csp_sudoku.notation.variants.json_value import JsonValue

NEGATIVE = ("difference", "ratio", "xv", "sum")
"""The names that "negative" may list."""


def absences(fields: dict[str, JsonValue], geometry: Geometry, marks: Sequence[Constraint]) -> Iterator[Constraint]:
    """Yield the constraints on neighbours without a mark, from the keys "nonconsecutive" and "negative".

    `fields` are the fields of the whole puzzle, and `marks` the constraints that were read from the other fields.
    Either kropki mark exempts a pair from both rules about kropki marks; likewise X, V or a sum exempt a pair from all
    rules about sums.
    """
    names = set()
    for item in fields["negative"].items() if "negative" in fields else ():
        name = item.text().strip().lower()
        if name not in NEGATIVE:
            raise item.error(f"a name among {', '.join(NEGATIVE)}")
        names.add(name)
    place = fields.get("negative") or JsonValue(None, "negative", next(iter(fields.values())).fail)
    kropki = marked_pairs(marks, NoRatio)
    differences = {mark.difference for mark in marks if isinstance(mark, Difference)} or {1}
    wanted = (differences if "difference" in names else set()) | ({1} if _is_set(fields, "nonconsecutive") else set())
    if wanted == {1} and not kropki:
        yield built(place, geometry, NonConsecutive)
    elif wanted:
        yield built(place, geometry, NoDifference, kropki, sorted(wanted))
    if "ratio" in names:
        ratios = {mark.ratio for mark in marks if isinstance(mark, Ratio)} | {2}
        yield built(place, geometry, NoRatio, kropki, sorted(ratios))
    sums = {mark.total for mark in marks if isinstance(mark, PairSum)} if "sum" in names else set()
    sums |= set(XV_TOTALS.values()) if "xv" in names else set()
    if sums:
        yield built(place, geometry, NoPairSum, marked_pairs(marks, NoPairSum), sorted(sums))


def _is_set(fields: dict[str, JsonValue], key: str) -> bool:
    return key in fields and fields[key].flag()
