"""The part of a record about a board that is no plain m×n one: its blocks, its extra regions, and its rules.

    blocks    N texts of N letters: the cells with the same letter are a block; an empty list if there are no blocks.
              It is left out if the blocks are the usual ones of m rows and n columns
    regions   the extra regions, which score as rows do: lists of squares; left out if there are none
    rules     the rules as lines of the notation `variant`, such as "killer 10 r1c1 r1c2"; left out if there are none

Rules count rows and columns from 1, as they are written by hand; the squares of regions count from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from csp_sudoku.errors import ConstraintError, NotationError, ShapeError
from csp_sudoku.geometry import Geometry

PARTS = ("blocks", "regions", "rules")
"""The keys of the part."""

_LABELS = "abcdefghijklmnopqrstuvwxy"


def part_of(geometry: Geometry) -> dict[str, Any]:
    """Return the keys of a record that say what is special about a geometry; none for a plain m×n one.

    >>> from csp_sudoku.constraints.cages import Killer
    >>> part_of(Geometry.standard(2, 2)), part_of(Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3)))
    ({}, {'rules': ['killer 3 r1c1 r1c2']})
    """
    if geometry.is_standard:
        return {}
    found: dict[str, Any] = {}
    size = geometry.size
    if not _has_usual_blocks(geometry):
        labels = "".join(_LABELS[block] for block in geometry.block_of) if geometry.blocks else ""
        found["blocks"] = [labels[start : start + size] for start in range(0, len(labels), size)]
    if geometry.extra:
        found["regions"] = [[list(geometry.row_column(cell)) for cell in region] for region in geometry.extra]
    if geometry.constraints:
        from csp_sudoku.notation.variants.rules import write_rule

        found["rules"] = [write_rule(cast("Any", rule), geometry.plain) for rule in geometry.constraints]
    return found


def geometry_with(m: int, n: int, part: dict[str, Any]) -> Geometry:
    """Return the geometry of a record with blocks of `m` rows and `n` columns, and the keys `part`.

    The values of the part are lists of texts, or of lists of pairs of integers. ShapeError or NotationError if they
    make no board.

    >>> geometry = Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"])
    >>> geometry_with(geometry.m, geometry.n, part_of(geometry)) == geometry
    True
    """
    size = m * n
    layout: Sequence[str] | None = part.get("blocks")
    if layout is None:
        plain = Geometry.standard(m, n)
    elif not layout:
        plain = Geometry.latin(size)
    else:
        named = Geometry.irregular(layout)  # raises ShapeError for labels that are no blocks
        labels = "".join(layout)
        order = sorted(named.blocks, key=lambda block: labels[block[0]])
        plain = Geometry(m, n, order, name=named.name)
    if part.get("regions"):
        extra = [tuple(row * size + column for row, column in region) for region in part["regions"]]
        plain = Geometry(m, n, plain.blocks, extra, f"{plain.name} with extra regions")
    if not part.get("rules"):
        return plain
    from csp_sudoku.notation.variants.rules import read_rule

    def fail(expected: str, found: str, column: int) -> NotationError:
        return NotationError(expected, found, column=column)

    return plain.with_constraints(*[rule for line in part["rules"] for rule in read_rule(line, 1, plain, fail)])


def require_recordable(geometry: Geometry) -> None:
    """Raise ShapeError if a record cannot hold a geometry, such as one with a constraint that is in no table."""
    try:
        is_same = geometry_with(geometry.m, geometry.n, part_of(geometry)) == geometry
    except (ConstraintError, NotationError, ShapeError):
        is_same = False
    if not is_same:
        raise ShapeError(f"expected a board whose blocks and rules can be written; found {geometry!r}")


def _has_usual_blocks(geometry: Geometry) -> bool:
    return geometry.m > 1 and geometry.blocks == Geometry.standard(geometry.m, geometry.n).blocks
