"""Writing the JSON object of f-puzzles: the inverse of `fpuzzles_reading` and `fpuzzles_rules`.

A constraint is written as the rule of the same name. If f-puzzles lacks the rule, the constraint is written as extra
regions, provided that regions of N cells are equivalent; otherwise a ConstraintError names the constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, cast

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.chess import AntiKing, AntiKnight
from csp_sudoku.constraints.dots import Difference, NoDifference, NonConsecutive, NoPairSum, NoRatio, PairSum, Ratio
from csp_sudoku.constraints.indexing import BoxIndexer, ColumnIndexer, RowIndexer
from csp_sudoku.constraints.marks import Even, Maximum, Minimum, Odd, OneOf, Quadruple
from csp_sudoku.constraints.neighbours import Entropic, Modular, Whispers
from csp_sudoku.constraints.outside import LittleKiller, Sandwich, Skyscraper, XSum, diagonal_from, seen_from
from csp_sudoku.constraints.regions import AllDifferent, Diagonal, DisjointGroups, ExtraRegion
from csp_sudoku.constraints.sets import Between, Lockout, Nabner, Renban
from csp_sudoku.constraints.sums import Arrow, DoubleArrow, RegionSumLine, Zipper
from csp_sudoku.constraints.thermometers import Clone, Palindrome, SlowThermometer, Thermometer
from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import ConstraintError, OptionError, ShapeError
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.grid import Grid
from csp_sudoku.notation.variants.fpuzzles_absences import absences
from csp_sudoku.notation.variants.fpuzzles_reading import LEAST_SIZE, MOST_SIZE, usual_geometry
from csp_sudoku.notation.variants.fpuzzles_rules import DIRECTIONS, XV_TOTALS, reading_order
from csp_sudoku.notation.variants.json_value import JsonValue

Entry = dict[str, Any]


def object_of(grid: Grid, *, zero_based: bool = False) -> dict[str, Any]:
    """Return a puzzle as the JSON object of f-puzzles.

    ShapeError if f-puzzles has no boards of that size; ConstraintError if it has no rule for a constraint of `grid`;
    OptionError with `zero_based` (default False), because values count from 1.
    """
    geometry = grid.geometry
    size = geometry.size
    if zero_based:
        raise OptionError("expected values that count from 1 in a puzzle of f-puzzles; found values from 0")
    if not LEAST_SIZE <= size <= MOST_SIZE:
        raise ShapeError(f"expected from {LEAST_SIZE} to {MOST_SIZE} rows in a puzzle of f-puzzles; found {size}")
    cells = _cells(geometry, grid.values)
    found: dict[str, Any] = {"size": size}
    details = grid.details
    texts = {"title": details.title, "author": details.author, "ruleset": details.rules}
    found |= {key: text for key, text in texts.items() if text}
    found["grid"] = [cells[start : start + size] for start in range(0, size * size, size)]
    constraints = cast("tuple[Constraint, ...]", geometry.constraints)
    for region in geometry.extra:
        _add(found, "extraregion", {"cells": _names(geometry, region)})
    for constraint in constraints:
        if isinstance(constraint, OneOf):
            _write_candidates(cells[constraint.cell], constraint, geometry)
        elif not isinstance(constraint, _ABSENCES):
            _write(found, geometry, constraint)
    _write_absences(found, geometry, constraints)
    if details.solution is not None:
        found["solution"] = list(details.solution)
    return found


def _cells(geometry: Geometry, values: bytes) -> list[Entry]:
    """Return an object for each cell, with its value and the number of its block, if that is not the usual one."""
    usual = usual_geometry(geometry.size)
    cells: list[Entry] = [{"value": value, "given": True} if value else {} for value in values]
    if geometry.blocks != usual.blocks:
        for cell, entry in enumerate(cells):
            entry["region"] = geometry.block_of[cell] if geometry.blocks else cell // geometry.size
    return cells


def _write_candidates(cell: Entry, constraint: OneOf, geometry: Geometry) -> None:
    """Add the values that a cell may have; f-puzzles supports this only for empty cells."""
    allowed = set(constraint.values) & set(cell.get("givenPencilMarks", constraint.values))
    if not allowed or cell.get("value", next(iter(allowed))) not in allowed:
        raise _unknown(constraint, geometry, " that leaves a value to the cell")
    if "value" not in cell:
        cell["givenPencilMarks"] = sorted(allowed)


def _names(geometry: Geometry, cells: Iterable[int]) -> list[str]:
    """Return the names of cells, such as "R4C2"."""
    return [cell_name(*geometry.row_column(cell)).upper() for cell in cells]


def _add(found: dict[str, Any], key: str, entry: Entry) -> None:
    found.setdefault(key, []).append(entry)


def _unknown(constraint: Constraint, geometry: Geometry, why: str = "") -> ConstraintError:
    known = f"a rule of f-puzzles{why}"
    return ConstraintError(f"expected {known}; found {constraint.name}: {constraint.describe(geometry)}")


def _write(found: dict[str, Any], geometry: Geometry, constraint: Constraint) -> None:
    """Add a constraint to the object."""
    kind = type(constraint)
    if kind in _FLAGS:
        found[_FLAGS[kind]] = True
    elif isinstance(constraint, Diagonal):
        found["diagonal-" if constraint.falling else "diagonal+"] = True
    elif kind in _LINES:
        _add(found, _LINES[kind], _line(constraint, geometry))
    elif kind in _CLUES:
        _add(found, _CLUES[kind], _clue(constraint, geometry))
    elif kind in _MARKS:
        cells = constraint.named_cells()
        for name in _names(geometry, cells):
            _add(found, _MARKS[kind], {"cell": name})
    elif kind in _INDEXERS:
        entries = found.setdefault(_INDEXERS[kind], [{"cells": []}])
        entries[0]["cells"] += _names(geometry, constraint.named_cells())
    elif kind in _ENTRIES:
        key, entry = _ENTRIES[kind](constraint, geometry)
        _add(found, key, entry)
    elif (regions := constraint.regions(geometry)) is not None:
        for region in regions:
            _add(found, "extraregion", {"cells": _names(geometry, region)})
    else:
        raise _unknown(constraint, geometry)


def _line(constraint: Any, geometry: Geometry) -> Entry:
    """Return the entry of a line; its number is omitted if it is the default."""
    if isinstance(constraint, DoubleArrow) and len(constraint.cells) < 3:
        raise _unknown(constraint, geometry, " with a line of at least 3 cells")
    entry: Entry = {"lines": [_names(geometry, constraint.cells)]}
    if isinstance(constraint, Whispers) and constraint.difference not in (None, (geometry.size + 1) // 2):
        entry["value"] = str(constraint.difference)
    if isinstance(constraint, Modular) and constraint.modulus != 3:
        entry["value"] = str(constraint.modulus)
    if isinstance(constraint, Lockout):
        difference = (geometry.size - 1) // 2 if constraint.difference is None else constraint.difference
        if difference != geometry.size // 2:
            entry["value"] = str(difference)
    return entry


def _clue(constraint: Any, geometry: Geometry) -> Entry:
    """Return the entry of a clue beside a row or a column."""
    size = geometry.size
    number = constraint.count if isinstance(constraint, Skyscraper) else constraint.total
    for at in range(size):
        for row, column in ((-1, at), (size, at), (at, -1), (at, size)):
            if seen_from(geometry, row, column) == constraint.cells:
                return {"cell": f"R{row + 1}C{column + 1}", "value": str(number)}
    raise _unknown(constraint, geometry, " on the cells of a row or a column")


def _little_killer(constraint: LittleKiller, geometry: Geometry) -> tuple[str, Entry]:
    row, column = geometry.row_column(constraint.cells[0])
    for direction, (down, right) in DIRECTIONS.items():
        place = row - down, column - right
        outside = any(at in (-1, geometry.size) for at in place)
        if outside and diagonal_from(geometry, constraint.cells[0], down, right) == constraint.cells:
            return "littlekillersum", {
                "cell": f"R{place[0] + 1}C{place[1] + 1}",
                "direction": direction,
                "cells": _names(geometry, constraint.cells),
                "value": str(constraint.total),
            }
    raise _unknown(constraint, geometry, " on the cells of a diagonal, from border to border")


def _arrow(constraint: Arrow, geometry: Geometry) -> tuple[str, Entry]:
    if reading_order(constraint.circle, geometry.size) != constraint.circle:
        raise _unknown(constraint, geometry, ", which reads a circle from left to right and from top to bottom")
    row, column = geometry.row_column(constraint.shaft[0])

    def steps(cell: int) -> int:
        return max(abs(cell // geometry.size - row), abs(cell % geometry.size - column))

    start = min(constraint.circle, key=steps)
    names = _names(geometry, constraint.circle)
    return "arrow", {"cells": names, "lines": [_names(geometry, (start, *constraint.shaft))]}


def _cage(constraint: Killer, geometry: Geometry) -> tuple[str, Entry]:
    entry: Entry = {"cells": _names(geometry, constraint.cells)}
    if constraint.total is not None:
        if constraint.total == 0:
            raise _unknown(constraint, geometry, ", in which a cage of 0 has no sum")
        entry["value"] = str(constraint.total)
    return "killercage", entry


def _different(constraint: AllDifferent, geometry: Geometry) -> tuple[str, Entry]:
    key = "extraregion" if isinstance(constraint, ExtraRegion) else "killercage"
    return key, {"cells": _names(geometry, constraint.cells)}


def _mark(key: str, number: int | None, constraint: Constraint, geometry: Geometry) -> tuple[str, Entry]:
    """Return the entry of a mark between two cells; `number` is None if it is the default."""
    entry: Entry = {"cells": _names(geometry, constraint.named_cells())}
    return key, entry if number is None else {**entry, "value": str(number)}


def _pair_sum(constraint: PairSum, geometry: Geometry) -> tuple[str, Entry]:
    mark = next((mark for mark, total in XV_TOTALS.items() if total == constraint.total), None)
    if mark is None:
        return _mark("sum", constraint.total, constraint, geometry)
    return "xv", {"cells": _names(geometry, constraint.cells), "value": mark}


def _quadruple(constraint: Quadruple, geometry: Geometry) -> tuple[str, Entry]:
    return "quadruple", {"cells": _names(geometry, constraint.cells), "values": list(constraint.values)}


def _clone(constraint: Clone, geometry: Geometry) -> tuple[str, Entry]:
    names = _names(geometry, constraint.cells)
    return "clone", {"cells": names, "cloneCells": _names(geometry, constraint.copies)}


_FLAGS: dict[type, str] = {AntiKnight: "antiknight", AntiKing: "antiking", DisjointGroups: "disjointgroups"}
_LINES: dict[type, str] = {
    Thermometer: "thermometer",
    SlowThermometer: "slowthermometer",
    Whispers: "whispers",
    Renban: "renban",
    Palindrome: "palindrome",
    Nabner: "nabner",
    RegionSumLine: "regionsumline",
    Between: "betweenline",
    Lockout: "lockout",
    Entropic: "entropicline",
    Modular: "modularline",
    Zipper: "zipperline",
    DoubleArrow: "doublearrow",
}
_CLUES: dict[type, str] = {Sandwich: "sandwichsum", XSum: "xsum", Skyscraper: "skyscraper"}
_MARKS: dict[type, str] = {Odd: "odd", Even: "even", Minimum: "minimum", Maximum: "maximum"}
_INDEXERS: dict[type, str] = {RowIndexer: "rowindexer", ColumnIndexer: "columnindexer", BoxIndexer: "boxindexer"}
_ENTRIES: dict[type, Callable[[Any, Geometry], tuple[str, Entry]]] = {
    Killer: _cage,
    AllDifferent: _different,
    ExtraRegion: _different,
    Arrow: _arrow,
    LittleKiller: _little_killer,
    Difference: lambda c, geometry: _mark("difference", c.difference if c.difference != 1 else None, c, geometry),
    Ratio: lambda c, geometry: _mark("ratio", c.ratio if c.ratio != 2 else None, c, geometry),
    PairSum: _pair_sum,
    Quadruple: _quadruple,
    Clone: _clone,
}
_ABSENCES = (NonConsecutive, NoDifference, NoRatio, NoPairSum)
_ABSENCE_KEYS: tuple[dict[str, Any], ...] = (
    {"nonconsecutive": True},
    {"negative": ["difference"]},
    {"nonconsecutive": True, "negative": ["difference"]},
    {"negative": ["ratio"]},
    {"negative": ["xv"]},
    {"negative": ["sum"]},
    {"negative": ["xv", "sum"]},
)


def _write_absences(found: dict[str, Any], geometry: Geometry, constraints: Sequence[Constraint]) -> None:
    """Add the rules about absent marks; ConstraintError if f-puzzles would interpret them differently.

    Each name of a rule is tried; the writer keeps the one that is read back as this constraint.
    """
    marks = [constraint for constraint in constraints if not isinstance(constraint, _ABSENCES)]
    for constraint in constraints:
        if not isinstance(constraint, _ABSENCES):
            continue
        for keys in _ABSENCE_KEYS:
            alone = {key: JsonValue(value, key, _never) for key, value in keys.items()}
            if list(map(_meaning, absences(alone, geometry.plain, marks))) == [_meaning(constraint)]:
                names = [*found.get("negative", []), *keys.get("negative", [])]
                found |= {**keys, **({"negative": names} if names else {})}
                break
        else:
            raise _unknown(constraint, geometry, " about the pairs without a mark")


def _meaning(constraint: Constraint) -> list[object]:
    """Return a key for a rule about absent marks: its class, and its pairs and numbers regardless of their order."""
    sets = [getattr(constraint, field.name) for field in fields(constraint)]
    return [
        type(constraint),
        *(frozenset(frozenset(x) if isinstance(x, tuple) else x for x in found) for found in sets),
    ]


def _never(expected: str, found: str) -> Any:
    raise AssertionError(f"the writer writes what the reader reads: {expected}; {found}")
