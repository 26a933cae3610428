"""Reading the JSON object of f-puzzles: the board with its blocks and givens, then its rules.

    {"size": 9, "grid": [[{"value": 5, "given": true}, {"region": 3}, …], …], "killercage": […], …}

A value counts only if it is given; other values are the progress of a player, as are `centerPencilMarks` and
`cornerPencilMarks`. `givenPencilMarks` are the values that a cell may have.

A cell without `region` is in its usual block. Sizes that are not a product of two smaller numbers, such as 7, have no
blocks. If the groups of cells are not N groups of N cells, they are not blocks, but the values in each group still
differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.marks import OneOf
from csp_sudoku.constraints.regions import ExtraRegion
from csp_sudoku.errors import ClashError
from csp_sudoku.geometry import Geometry, default_shape
from csp_sudoku.notation.grid import Details, Grid
from csp_sudoku.notation.variants.fpuzzles_absences import absences
from csp_sudoku.notation.variants.fpuzzles_rules import DRAWN, RULES, built
from csp_sudoku.notation.variants.json_value import Fail, JsonValue

LEAST_SIZE, MOST_SIZE = 3, 16
"""The smallest and the largest N."""

PUZZLE = frozenset(("size", "grid", "negative", "nonconsecutive", "solution", "title", "author", "ruleset"))
"""The keys that are neither rules nor drawings."""

NOTES = frozenset(
    (
        *("name", "source", "url", "video", "date", "id", "difficulty", "rating", "tags", "version"),
        *("comment", "description"),
    )
)
"""The keys under which collections keep notes about a puzzle."""

PROGRESS = frozenset(("candidates", "c", "cArray", "highlight", "highlights", "color", "tcerror"))
"""The keys of a cell for the progress of a player or a colour, besides those that end in Marks and Colors."""


def grid_of(data: Any, fail: Fail) -> Grid:
    """Return the grid of a puzzle from its JSON object `data`; raise NotationError at the first mistake.

    `fail` makes the errors.
    """
    puzzle = JsonValue(data, "", fail)
    fields = puzzle.fields()
    for key, value in fields.items():
        is_note = key in NOTES or isinstance(value.data, str)  # rules are flags and lists
        if not (key in RULES or key in DRAWN or key in PUZZLE or is_note or value.is_empty):
            raise fail("a rule of f-puzzles that is known", repr(key))
    if "grid" not in fields:
        raise fail("the key grid in a puzzle of f-puzzles", "no grid")
    cells = _cells(fields)
    size = len(cells)
    plain, constraints = _blocks(cells, size)
    values = bytes(_given(cell, size) for row in cells for cell in row)
    constraints += _candidates(cells, plain, values)
    for key, value in fields.items():
        if key in RULES:
            constraints += RULES[key](value, plain)
    constraints += absences(fields, plain, constraints)
    refuse_clash(plain, values, fields["grid"])
    return Grid.on(plain.with_constraints(*constraints), values, _details(fields, size))


def _cells(fields: dict[str, JsonValue]) -> list[list[dict[str, JsonValue]]]:
    """Return the fields of each cell, row by row."""
    grid = fields["grid"]
    rows = [list(row.items()) for row in grid.items()]
    size = len(rows)
    if not LEAST_SIZE <= size <= MOST_SIZE:
        raise grid.fail(f"from {LEAST_SIZE} to {MOST_SIZE} rows in grid", str(size))
    for at, row in enumerate(rows):
        if len(row) != size:
            raise grid.fail(f"{size} cells in grid[{at}], as there are {size} rows", str(len(row)))
    if "size" in fields and not fields["size"].is_empty and fields["size"].whole(1, 99) != size:
        raise fields["size"].error(f"the number of rows, {size},")
    return [[_fields(cell) for cell in row] for row in rows]


def _fields(cell: JsonValue) -> dict[str, JsonValue]:
    fields = {} if cell.is_empty else cell.fields()
    for key, value in fields.items():
        known = key in PROGRESS or key.endswith(("Marks", "Colors")) or key in ("value", "given", "region")
        if not (known or value.is_empty):
            raise cell.fail(f"a key of a cell that is known as {cell.path}", repr(key))
    return fields


def _blocks(cells: list[list[dict[str, JsonValue]]], size: int) -> tuple[Geometry, list[Constraint]]:
    """Return the geometry without rules, and a constraint for each group of cells that is not a block."""
    usual = usual_geometry(size)
    groups: dict[int, list[int]] = {}
    named = False
    for cell, fields in enumerate(fields for row in cells for fields in row):
        label = usual.block_of[cell] if usual.blocks else cell // size
        if "region" in fields:
            named = True
            if fields["region"].data is None:
                continue
            label = fields["region"].whole(0, size * size)
        groups.setdefault(label, []).append(cell)
    if not named:
        return usual, []
    place = next(fields["region"] for row in cells for fields in row if "region" in fields)
    return geometry_of(size, list(map(tuple, groups.values())), place)


def geometry_of(size: int, groups: list[tuple[int, ...]], place: JsonValue) -> tuple[Geometry, list[Constraint]]:
    """Return the geometry of a board with N = `size` whose blocks are groups of cells.

    If they are not N groups of N cells, the geometry has no blocks, and there is a constraint for each group. `place`
    is their position, for errors.
    """
    regions = sorted(tuple(sorted(group)) for group in groups)
    covered = {cell for region in regions for cell in region}
    if [len(region) for region in regions] == [size] * size and len(covered) == size * size:
        return geometry_with_blocks(size, regions), []
    latin = Geometry.latin(size)
    return latin, [built(place, latin, ExtraRegion, region) for region in regions if len(region) > 1]


def usual_geometry(size: int) -> Geometry:
    """Return the geometry with the usual blocks of a size, or without blocks if the size has none.

    >>> [usual_geometry(size).name for size in (6, 7, 8)]
    ['2x3', 'latin 7', '2x4']
    """
    if any(size % m == 0 for m in range(2, size)):
        return Geometry.standard(*default_shape(size))
    return Geometry.latin(size)


def geometry_with_blocks(size: int, blocks: list[tuple[int, ...]]) -> Geometry:
    """Return the geometry with these N blocks of N cells, in the order of their first cells.

    If a shape m×n has these blocks, the geometry is plain; if the blocks are the rows or the columns, it has no blocks.

    >>> geometry_with_blocks(4, [(0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12, 13), (10, 11, 14, 15)])
    <Geometry 2x2>
    """
    for m in range(1, size + 1):
        if size % m:
            continue
        n = size // m
        tops = [(top, left) for top in range(0, size, m) for left in range(0, size, n)]
        if blocks == [tuple((t + r) * size + le + c for r in range(m) for c in range(n)) for t, le in tops]:
            return Geometry.latin(size) if 1 in (m, n) else Geometry.standard(m, n)
    label = {cell: number for number, block in enumerate(blocks) for cell in block}
    return Geometry.irregular([[label[row * size + column] for column in range(size)] for row in range(size)])


def _given(fields: dict[str, JsonValue], size: int) -> int:
    """Return the value of a cell if it is given, else 0."""
    value, given = fields.get("value"), fields.get("given")
    if value is None or value.is_empty or given is None or not given.flag():
        return 0
    return value.whole(0, size)


def _candidates(cells: list[list[dict[str, JsonValue]]], plain: Geometry, values: bytes) -> list[Constraint]:
    """Return a constraint for each cell whose values are restricted."""
    found = []
    for cell, fields in enumerate(fields for row in cells for fields in row):
        marks = fields.get("givenPencilMarks")
        if marks is None or marks.is_empty or values[cell]:
            continue
        allowed = sorted({mark.whole(1, plain.size) for mark in marks.items()})
        if len(allowed) < plain.size:
            found.append(built(marks, plain, OneOf, cell, allowed))
    return found


def refuse_clash(plain: Geometry, values: bytes, place: JsonValue) -> None:
    """Raise NotationError if two values clash; `place` is their position."""
    try:
        plain.require_no_clash(values)
    except ClashError as error:
        expected, _, found = str(error).removeprefix("expected ").partition("; found ")
        raise place.fail(expected, found) from None


def _details(fields: dict[str, JsonValue], size: int) -> Details:
    given = {key: value for key, value in fields.items() if not value.is_empty}
    title, author, rules = (given[key].text() if key in given else "" for key in ("title", "author", "ruleset"))
    return Details(title, author, rules, solution_of(fields["solution"], size) if "solution" in fields else None)


def solution_of(value: JsonValue, size: int) -> bytes | None:
    """Return the N·N values of a solution; None if some are missing."""
    if value.is_empty:
        return None
    data = value.data
    if isinstance(data, str):
        data = data.split(",") if "," in data else list(data.strip())
    items = JsonValue(data, value.path, value.fail).items()
    cells = [cell for item in items for cell in (item.items() if isinstance(item.data, list) else _alone(item))]
    if len(cells) != size * size:
        raise value.fail(f"{size * size} values as {value.path}", str(len(cells)))
    if any(cell.is_empty or cell.data in (".", "?", "0", 0) for cell in cells):
        return None
    return bytes(cell.whole(1, size) for cell in cells)


def _alone(item: JsonValue) -> Iterator[JsonValue]:
    yield item
