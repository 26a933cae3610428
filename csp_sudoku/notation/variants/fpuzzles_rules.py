"""The rules of f-puzzles: the constraints for each key of the JSON object.

    "antiknight": true                                                 a rule of the whole board
    "thermometer": [{"lines": [["R1C1", "R2C2"]]}]                     lines
    "killercage": [{"cells": ["R1C1", "R1C2"], "value": "10"}]         cells with a value, which may be missing
    "sandwichsum": [{"cell": "R0C3", "value": "15"}]                   a clue beside the board

Keys that only draw something are ignored. Any other key is an error, because ignoring a rule would change the puzzle.
An empty entry, for example a clue without a value, is no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.chess import AntiKing, AntiKnight
from csp_sudoku.constraints.dots import Difference, PairSum, Ratio
from csp_sudoku.constraints.indexing import BoxIndexer, ColumnIndexer, RowIndexer
from csp_sudoku.constraints.marks import Even, Maximum, Minimum, Odd, Quadruple
from csp_sudoku.constraints.neighbours import Entropic, Modular, Neighbours, Whispers
from csp_sudoku.constraints.outside import LittleKiller, Sandwich, Skyscraper, XSum, diagonal_from, seen_from
from csp_sudoku.constraints.regions import Diagonal, DisjointGroups, ExtraRegion
from csp_sudoku.constraints.sets import Between, Lockout, Nabner, Renban
from csp_sudoku.constraints.sums import Arrow, DoubleArrow, RegionSumLine, Zipper
from csp_sudoku.constraints.thermometers import Clone, Palindrome, SlowThermometer, Thermometer
from csp_sudoku.errors import ConstraintError
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.variants.json_value import JsonValue

Reader = Callable[[JsonValue, Geometry], Iterable[Constraint]]
"""A function from the value of a key, and the geometry of the board, to constraints."""

DRAWN = frozenset(
    (
        *("line", "circle", "rectangle", "text", "cage", "fogofwar", "foglight", "triggereffect", "highlightConflicts"),
        *("disabledlogic", "truecandidatesoptions", "metadata", "successMessage", "settings"),
    )
)
"""The keys that draw something or set up a tool; they are not rules."""

DECORATION = frozenset(
    (
        *("c", "cArray", "color", "colour", "opacity", "style"),
        *("width", "height", "size", "angle", "fontSize", "thickness"),
        *("fromConstraint", "isNewConstraint", "name", "id", "uuid"),
    )
)
"""The keys within an entry that define its look, besides those that end in C, such as outlineC."""

LARGEST = 9999
"""Upper bound of every number in a clue."""

DIRECTIONS = {"DR": (1, 1), "DL": (1, -1), "UR": (-1, 1), "UL": (-1, -1)}
"""The direction of a little killer, as steps down and to the right."""

XV_TOTALS = {"X": 10, "V": 5}
"""The sums of the marks X and V."""


def fields_of(entry: JsonValue, *known: str) -> dict[str, JsonValue]:
    """Return the fields of an entry; raise NotationError for one that is neither `known` nor decoration."""
    fields = entry.fields()
    for key, value in fields.items():
        if key not in known and key not in DECORATION and not key.endswith("C") and not value.is_empty:
            raise value.fail(f"a key among {', '.join(known)} in {entry.path}", repr(key))
    return fields


def built(place: JsonValue, geometry: Geometry, kind: type[Constraint], *values: Any) -> Constraint:
    """Return the constraint of a kind with these fields; raise NotationError, with `place`, if they are invalid."""
    try:
        constraint = kind(*values)
        constraint.require_fits(geometry)
    except ConstraintError as error:
        raise place.fail(f"a constraint that makes sense as {place.path}", str(error)) from None
    return constraint


def number_of(fields: dict[str, JsonValue], least: int = 0, key: str = "value") -> int | None:
    """Return the number in a field, or None if the field is missing or blank; `least` is a lower bound (default 0)."""
    value = fields.get(key)
    return None if value is None or value.is_empty else value.whole(least, LARGEST)


def once(cells: Sequence[int]) -> list[int]:
    """Return the cells, each once; a loop may name its first cell again.

    >>> once([3, 4, 5, 3])
    [3, 4, 5]
    """
    return list(dict.fromkeys(cells))


def reading_order(circle: Sequence[int], size: int) -> tuple[int, ...]:
    """Return the cells of a circle in the order in which its number is read, on a board with N = `size`.

    The order is from left to right, or from top to bottom; a circle that is not straight keeps its order.

    >>> reading_order([3, 2], 9), reading_order([11, 2], 9), reading_order([12, 2], 9)
    ((2, 3), (2, 11), (12, 2))
    """
    is_straight = len({cell // size for cell in circle}) == 1 or len({cell % size for cell in circle}) == 1
    return tuple(sorted(circle) if is_straight else circle)


def _flag(*constraint: Any) -> Reader:
    """Return the reader of a rule that is true or false; `constraint` is its class and its fields."""
    kind, *values = constraint

    def read(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
        if value.flag():
            yield built(value, geometry, kind, *values)

    return read


def _lines(
    kind: type[Constraint],
    least: int = 2,
    *,
    is_set: bool = False,
    takes_value: bool = False,
    default: Callable[[int], int] | None = None,
) -> Reader:
    """Return the reader of lines.

    A line of fewer than `least` cells (default 2) demands nothing. With `is_set`, the order of the cells does not
    matter. With `takes_value`, an entry may have a number; `default` is a function from N to the number for an entry
    without one (None: the default of the constraint).
    """

    def read(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
        for entry in value.items():
            fields = fields_of(entry, "lines", *(["value"] if takes_value else []))
            number = number_of(fields)
            if number is None and default is not None:
                number = default(geometry.size)
            for line in _cell_lists(fields):
                cells = line.cells(geometry.size)
                if len(cells) >= least:
                    cells = once(cells) if is_set else cells
                    yield built(line, geometry, kind, cells, *([] if number is None else [number]))

    return read


def _entropic_lines(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
    """Yield the constraints of entropic lines.

    If 3 does not divide the number of values, the middle range has another size than the two outer ones. Then cells one
    and two steps apart are in different ranges, which the constraints state as relations between pairs.
    """
    size = geometry.size
    if size % 3 == 0:
        yield from _lines(Entropic)(value, geometry)
        return
    outer = (size + 1) // 3
    ranges = [(number > outer) + (number > size - outer) for number in range(1, size + 1)]
    pairs = [(a + 1, b + 1) for a in range(size) for b in range(size) if ranges[a] != ranges[b]]
    for entry in value.items():
        for line in _cell_lists(fields_of(entry, "lines")):
            cells = line.cells(size)
            for part in (cells, cells[::2], cells[1::2]):
                if len(part) > 1:
                    yield built(line, geometry, Neighbours, part, pairs)


def _cell_lists(fields: dict[str, JsonValue]) -> Iterator[JsonValue]:
    return fields["lines"].items() if "lines" in fields else iter(())


def _arrows(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
    """Yield an arrow for each line of each entry; a line begins in the circle."""
    for entry in value.items():
        fields = fields_of(entry, "lines", "cells")
        circle = reading_order(once(_cells(fields, geometry)), geometry.size)
        for line in _cell_lists(fields):
            shaft = line.cells(geometry.size)
            if shaft and shaft[0] in circle:
                del shaft[0]
            if shaft:
                yield built(line, geometry, Arrow, circle, shaft)


def _cages(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
    for entry in value.items():
        fields = fields_of(entry, "cells", "value")
        cells = once(_cells(fields, geometry))
        total = number_of(fields) or None  # 0 stands for no sum
        if cells or total is not None:
            yield built(entry, geometry, Killer, cells, total)


def _regions(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
    for entry in value.items():
        cells = once(_cells(fields_of(entry, "cells"), geometry))
        if cells:
            yield built(entry, geometry, ExtraRegion, cells)


def _pairs(kind: type[Constraint], default: int) -> Reader:
    """Return the reader of marks between two cells; `default` is the number of a mark without one, 0 for no mark."""

    def read(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
        for entry in value.items():
            fields = fields_of(entry, "cells", "value")
            number = number_of(fields)
            if number is None:
                number = default
            if number or default:
                yield built(entry, geometry, kind, _cells(fields, geometry), number)

    return read


def _xv(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
    for entry in value.items():
        fields = fields_of(entry, "cells", "value")
        mark = fields.get("value")
        if mark is None or mark.is_empty:
            continue
        total = XV_TOTALS.get(mark.text().strip().upper())
        if total is None:
            raise mark.error("X or V")
        yield built(entry, geometry, PairSum, _cells(fields, geometry), total)


def _quadruples(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
    for entry in value.items():
        fields = fields_of(entry, "cells", "values")
        values = [item.whole(1, geometry.size) for item in fields["values"].items()] if "values" in fields else []
        if values:
            yield built(entry, geometry, Quadruple, _cells(fields, geometry), values)


def _clones(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
    for entry in value.items():
        fields = fields_of(entry, "cells", "cloneCells")
        cells = _cells(fields, geometry)
        copies = _cells(fields, geometry, "cloneCells")
        if len(cells) != len(copies):
            raise entry.fail(f"as many cloneCells as cells in {entry.path}", f"{len(copies)} and {len(cells)}")
        pairs = [(cell, copy) for cell, copy in zip(cells, copies, strict=True) if cell != copy]
        if pairs:
            yield built(entry, geometry, Clone, [cell for cell, _ in pairs], [copy for _, copy in pairs])


def _marks(kind: type[Constraint]) -> Reader:
    """Return the reader of marks on single cells."""

    def read(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
        for entry in value.items():
            for cell in _marked(entry, geometry):
                yield built(entry, geometry, kind, cell)

    return read


def _extremes(kind: type[Constraint]) -> Reader:
    """Return the reader of minima or maxima, which are one constraint on all marked cells."""

    def read(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
        cells = once([cell for entry in value.items() for cell in _marked(entry, geometry)])
        if cells:
            yield built(value, geometry, kind, cells)

    return read


def _marked(entry: JsonValue, geometry: Geometry) -> list[int]:
    fields = fields_of(entry, "cell", "cells")
    one = [fields["cell"].cell(geometry.size)] if "cell" in fields and not fields["cell"].is_empty else []
    return once([*one, *_cells(fields, geometry)])


def _outside(kind: type[Constraint], least: int = 0) -> Reader:
    """Return the reader of clues beside rows and columns; `least` is a lower bound of the number (default 0)."""

    def read(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
        for entry in value.items():
            fields = fields_of(entry, "cell", "value")
            number = number_of(fields, least)
            if number is None:
                continue
            place = fields.get("cell") or JsonValue(None, f"{entry.path}.cell", entry.fail)
            row, column = place.place(geometry.size, outside=True)
            try:
                cells = seen_from(geometry, row, column)
            except ConstraintError:
                raise place.error("a cell beside a row or a column, such as R0C1") from None
            yield built(entry, geometry, kind, cells, number)

    return read


def _little_killers(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
    for entry in value.items():
        fields = fields_of(entry, "cell", "direction", "cells", "value")
        total = number_of(fields) or None  # 0 stands for no sum
        if total is None:
            continue
        cells, seen = _cells(fields, geometry), _diagonal(fields, geometry)
        if cells and seen and set(cells) != set(seen):
            raise fields["cells"].error("the cells that the clue and its direction point at")
        yield built(entry, geometry, LittleKiller, seen or cells, total)


def _diagonal(fields: dict[str, JsonValue], geometry: Geometry) -> list[int]:
    """Return the cells that a little killer's clue points at; none if the clue has no position or no direction."""
    place, direction = fields.get("cell"), fields.get("direction")
    if place is None or place.is_empty or direction is None or direction.is_empty:
        return []
    steps = DIRECTIONS.get(direction.text().strip().upper())
    if steps is None:
        raise direction.error(f"a direction among {', '.join(DIRECTIONS)}")
    row, column = (at + step for at, step in zip(place.place(geometry.size, outside=True), steps, strict=True))
    if not (0 <= row < geometry.size and 0 <= column < geometry.size):
        raise direction.error(f"a direction that leads from {place.data} onto the board")
    return list(diagonal_from(geometry, geometry.cell(row, column), *steps))


def _indexers(kind: type[Constraint]) -> Reader:
    def read(value: JsonValue, geometry: Geometry) -> Iterator[Constraint]:
        for entry in value.items():
            for cell in once(_cells(fields_of(entry, "cells"), geometry)):
                yield built(entry, geometry, kind, cell)

    return read


def _cells(fields: dict[str, JsonValue], geometry: Geometry, key: str = "cells") -> list[int]:
    return fields[key].cells(geometry.size) if key in fields else []


RULES: dict[str, Reader] = {
    "diagonal+": _flag(Diagonal, False),
    "diagonal-": _flag(Diagonal, True),
    "antiknight": _flag(AntiKnight),
    "antiking": _flag(AntiKing),
    "disjointgroups": _flag(DisjointGroups),
    "killercage": _cages,
    "arrow": _arrows,
    "thermometer": _lines(Thermometer),
    "slowthermometer": _lines(SlowThermometer),
    "whispers": _lines(Whispers, takes_value=True),
    "germanwhispers": _lines(Whispers, takes_value=True),
    "dutchwhispers": _lines(Whispers, takes_value=True, default=lambda size: (size + 1) // 2 - 1),
    "renban": _lines(Renban, is_set=True),
    "palindrome": _lines(Palindrome),
    "nabner": _lines(Nabner, is_set=True),
    "regionsumline": _lines(RegionSumLine),
    "betweenline": _lines(Between, 3),
    "lockout": _lines(Lockout, takes_value=True, default=lambda size: size // 2),
    "lockoutline": _lines(Lockout, takes_value=True, default=lambda size: size // 2),
    "entropicline": _entropic_lines,
    "modularline": _lines(Modular, takes_value=True),
    "zipperline": _lines(Zipper),
    "doublearrow": _lines(DoubleArrow, 3),
    "extraregion": _regions,
    "clone": _clones,
    "quadruple": _quadruples,
    "difference": _pairs(Difference, 1),
    "ratio": _pairs(Ratio, 2),
    "sum": _pairs(PairSum, 0),
    "xv": _xv,
    "odd": _marks(Odd),
    "even": _marks(Even),
    "minimum": _extremes(Minimum),
    "maximum": _extremes(Maximum),
    "rowindexer": _indexers(RowIndexer),
    "columnindexer": _indexers(ColumnIndexer),
    "boxindexer": _indexers(BoxIndexer),
    "sandwichsum": _outside(Sandwich),
    "xsum": _outside(XSum),
    "skyscraper": _outside(Skyscraper),
    "littlekillersum": _little_killers,
}
"""The reader of every key that stands for constraints; `fpuzzles_absences` reads "negative" and "nonconsecutive"."""
