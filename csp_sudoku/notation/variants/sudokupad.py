"""The format of SudokuPad, as far as it defines the rules of a puzzle.

    {"cells": [[{}, {"value": 5}, …], …], "regions": [[[0, 0], [0, 1], …], …], "cages": [{"cells": […], "value": 10}]}
    {cs:64,ce:[[,{v:5},…],…],re:[…],ca:[…]}          the same with short keys, and without redundant characters
    sclN4IgzglgXgpi…                                 either, as LZ-string in base64

It holds givens, blocks, cages with their sums and a few rules of the whole board. All other rules are drawings and
words. A puzzle with drawings is refused, because only a human reader can interpret them. Rules in words only are kept
as words, and not enforced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.cages import Killer, Sum
from csp_sudoku.constraints.chess import AntiKing, AntiKnight
from csp_sudoku.constraints.dots import NonConsecutive
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.grid import Details, Grid
from csp_sudoku.notation.variants.fpuzzles_reading import LEAST_SIZE, MOST_SIZE, geometry_of, refuse_clash, solution_of
from csp_sudoku.notation.variants.fpuzzles_rules import LARGEST, built, once
from csp_sudoku.notation.variants.json_value import Fail, JsonValue

DRAWINGS = ("lines", "arrows", "overlays", "underlays")
"""The keys of drawings, which may be rules."""

GLOBAL: dict[str, type[Constraint]] = {
    "antiknight": AntiKnight,
    "antiking": AntiKing,
    "nonconsecutive": NonConsecutive,
}
"""The rules of the whole board."""

_KNOWN = ("cells", "regions", "cages", "global", "metadata", "id", "cellSize", "settings", "foglight", "fogofwar")
_SHORT_KEYS = """
c color    ca cages      ct center     c1 borderColor   c2 backgroundColor   ce cells       cs cellSize
a arrows   o overlays    u underlays   w width          h height             v value        vd videos
l lines    r rounded     re regions    fs fontSize      th thickness         hl headLength  wp wayPoints
t title    te text       d duration    d2 d
""".split()  # noqa: SIM905 - a table
_SHORT = dict(zip(_SHORT_KEYS[::2], _SHORT_KEYS[1::2], strict=True))
_STRING = re.compile(r'("(?:[^"\\]|\\.)*")')
_TAG = re.compile(r"(title|author|rules|solution):\s*(.*)", re.DOTALL | re.IGNORECASE)


def expanded(text: str) -> str:
    """Return the JSON of a text in the short form, in which keys have no quotes and empty objects are omitted.

    >>> expanded("{ce:[[,{v:5}]],ca:[{unique:t}]}")
    '{"cells":[[{},{"value":5}]],"cages":[{"unique":true}]}'
    """
    if '"' not in text:
        text = text.replace("\\'", "\0").replace("'", '"').replace("\0", "'")
    parts = _STRING.split(text)
    for at in range(0, len(parts), 2):  # the other tokens are strings
        part = re.sub(r"([{,]\s*)([A-Za-z0-9]+):", lambda key: f'{key[1]}"{_SHORT.get(key[2], key[2])}":', parts[at])
        part = re.sub(r"([\[,])(?=[,\]])", r"\1{}", part)
        part = re.sub(r":([ft])(?=[,}\]])", lambda flag: ":false" if flag[1] == "f" else ":true", part)
        parts[at] = re.sub(r":(#[0F]|[0-9a-fA-F]{6})(?=[,}\]])", _colour, part)
    return "".join(parts)


def _colour(found: re.Match[str]) -> str:
    return f":{found[1]}" if found[1].isdigit() else f':"{found[1]}"'


def grid_of(data: Any, fail: Fail) -> Grid:
    """Return the grid of a puzzle from its JSON object `data`; raise NotationError at the first mistake.

    `fail` makes the errors.
    """
    fields = JsonValue(data, "", fail).fields()
    drawn = [
        f"{len(list(fields[key].items()))} {key}" for key in DRAWINGS if key in fields and not fields[key].is_empty
    ]
    if drawn:
        raise fail("a puzzle of SudokuPad whose rules are data", f"{', '.join(drawn)}, which only a reader understands")
    for key, value in fields.items():
        if key not in (*_KNOWN, *DRAWINGS) and isinstance(value.data, dict | list | bool) and not value.is_empty:
            raise fail("a part of a puzzle of SudokuPad that is known", repr(key))
    rows = [list(row.items()) for row in fields["cells"].items()]
    size = len(rows)
    if not LEAST_SIZE <= size <= MOST_SIZE or any(len(row) != size for row in rows):
        raise fail(f"from {LEAST_SIZE} to {MOST_SIZE} rows of as many cells", f"rows of {[len(row) for row in rows]}")
    plain, constraints = Geometry.latin(size), list[Constraint]()
    if "regions" in fields and not fields["regions"].is_empty:
        groups = [tuple(_cells(region, size)) for region in fields["regions"].items()]
        plain, constraints = geometry_of(size, groups, fields["regions"])
    values = bytes(_given(cell, size) for row in rows for cell in row)
    refuse_clash(plain, values, fields["cells"])
    said: dict[str, JsonValue] = {}
    for cage in fields["cages"].items() if "cages" in fields else ():
        constraints += _cage(cage, plain, said)
    constraints += _whole_board(fields, plain, said)
    title, author, rules = (_words(said[key]) if key in said else "" for key in ("title", "author", "rules"))
    known = "solution" in said and len(_words(said["solution"])) == size * size
    details = Details(title, author, rules, solution_of(said["solution"], size) if known else None)
    return Grid.on(plain.with_constraints(*constraints), values, details)


def _words(value: JsonValue) -> str:
    """Return a text, or the lines of a list of texts."""
    return "\n".join(item.text() for item in value.items()) if isinstance(value.data, list) else value.text()


def _given(cell: JsonValue, size: int) -> int:
    fields = {} if cell.is_empty else cell.fields()
    return fields["value"].whole(1, size) if "value" in fields and not fields["value"].is_empty else 0


def _cells(places: JsonValue, size: int) -> list[int]:
    """Return the cells of a list of rows and columns, which count from 0."""
    found = []
    for place in places.items():
        pair = [at.whole(0, size - 1) for at in place.items()]
        if len(pair) != 2:
            raise place.error("the row and the column of a cell")
        found.append(pair[0] * size + pair[1])
    return once(found)


def _cage(cage: JsonValue, plain: Geometry, said: dict[str, JsonValue]) -> Iterator[Constraint]:
    """Yield the constraint of a cage; a cage without cells is a text, which is added to `said`."""
    fields = cage.fields()
    value = fields.get("sum") or fields.get("value") or JsonValue(None, f"{cage.path}.value", cage.fail)
    tag = _TAG.fullmatch(value.data) if isinstance(value.data, str) else None
    cells = _cells(fields["cells"], plain.size) if "cells" in fields else []
    if tag is not None:
        said.setdefault(tag[1].lower(), JsonValue(tag[2], value.path, value.fail))
        return
    if not cells:
        return
    unique = fields["unique"].flag() if "unique" in fields else not value.is_empty
    hidden = "hidden" in fields and fields["hidden"].flag()
    if not value.is_empty:
        total = value.whole(1, LARGEST)
        yield built(cage, plain, *((Killer, cells, total) if unique else (Sum, cells, total)))
    elif unique:
        yield built(cage, plain, Killer, cells)
    elif not hidden:
        raise cage.fail(f"a cage with a sum, or with different values, as {cage.path}", "one of unknown meaning")


def _whole_board(fields: dict[str, JsonValue], plain: Geometry, said: dict[str, JsonValue]) -> Iterator[Constraint]:
    """Yield the constraints of the whole board; other texts of the puzzle are added to `said`."""
    names = {name.text().strip().lower(): name for name in (fields["global"].items() if "global" in fields else ())}
    for key, value in (fields["metadata"].fields() if "metadata" in fields else {}).items():
        if key in ("title", "author", "rules", "solution") and not value.is_empty:
            said[key] = value
        elif value.data is True or (key in GLOBAL and value.data == "true"):
            names[key.lower()] = value
    for name, place in names.items():
        if name not in GLOBAL:
            raise place.fail(f"a rule among {', '.join(GLOBAL)} as {place.path}", repr(name))
        yield built(place, plain, GLOBAL[name])
