"""Detection: determine from an agent's source for which API it is written.

Each feature that only one API has is evidence for that API, with a weight for its reliability: names that are imported
from the framework, members of its boards and states, the arguments of moves, and the access to boards. The files that
sudokuai.py imports count in full, and other files of the folder count a quarter. A tie, including the case without
evidence, selects the new API: such an agent works with both, and the new states contain more information.
"""

from __future__ import annotations

import ast
from collections import Counter
from os import PathLike

from csp_sudoku.framework.sources import SourceFile, absolute, others, reached

OLD, NEW = "v12", "v14"

MODULE = ("competitive_sudoku", "sudoku")

NAMES = {
    OLD: {"load_sudoku", "load_sudoku_from_text", "print_board", "save_sudoku"},
    NEW: {
        *("parse_game_state", "parse_properties", "parse_sudoku_board", "print_game_state", "print_sudoku_board"),
        *("SudokuSettings", "allowed_squares", "pretty_print_game_state", "pretty_print_sudoku_board", "Square"),
    },
}
"""The names that only the module of one API has."""

MEMBERS = {
    OLD: {"f2rc", "rc2f"},
    NEW: {
        *("allowed_squares1", "allowed_squares2", "occupied_squares1", "occupied_squares2", "index2square"),
        *("is_classic_game", "player_squares", "square2index"),
    },
}
"""The members that only the boards and states of one API have."""

WEIGHTS = {"name": 6, "member": 4, "build": 4, "board": 3, "turn": 3, "field": 2}
"""The weight of each kind of evidence."""

ENOUGH = 4
"""Maximum count of evidence of one kind, because repetition adds no certainty."""

OTHERS = 0.25
"""The weight of a file that the agent does not import."""


def detect_api(folder: str | PathLike[str]) -> str:
    """Return the API for which the agent of a folder is written: "v12" or "v14"."""
    place = absolute(folder)
    main = reached(place)
    found = weigh(main)
    for api, weight in weigh(list(others(place, main))).items():
        found[api] = found[api] + OTHERS * weight
    return OLD if found[OLD] > found[NEW] else NEW


def weigh(sources: list[SourceFile]) -> dict[str, float]:
    """Return the weight of the evidence for each API.

    >>> from pathlib import Path
    >>> weigh([SourceFile(Path(), ast.parse("board.get(0, 1); TabooMove((0, 1), 2); state.player_squares()"))])
    {'v12': 3.0, 'v14': 8.0}
    """
    counts: Counter[tuple[str, str]] = Counter()
    for source in sources:
        _Reader(source, counts).visit(source.tree)
    return {
        api: float(sum(weight * min(counts[api, kind], ENOUGH) for kind, weight in WEIGHTS.items()))
        for api in (OLD, NEW)
    }


class _Reader(ast.NodeVisitor):
    """Counts the evidence in one file."""

    def __init__(self, source: SourceFile, counts: Counter[tuple[str, str]]) -> None:
        self._counts = counts
        self._moves = _move_names(source.tree)

    def _add(self, kind: str, api: str | None) -> None:
        if api is not None:
            self._counts[api, kind] += 1

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Count the names that are imported from the framework's module."""
        if node.module == ".".join(MODULE):
            for alias in node.names:
                self._add("name", _owner(NAMES, alias.name))

    def visit_Call(self, node: ast.Call) -> None:
        """Count the calls that build moves, read and write boards, and call `current_player`."""
        called = node.func
        if _last_name(called) in self._moves:
            self._add("build", _built(node))
        elif isinstance(called, ast.Attribute) and _is_board(called.value):
            usual = {"get": {2: OLD, 1: NEW}, "put": {3: OLD, 2: NEW}}.get(called.attr, {})
            parts = {"get": 1, "put": 2}.get(called.attr)  # get(*cell), put(*cell, value): only the old API takes these
            starred = OLD if len(node.args) == parts and isinstance(node.args[0], ast.Starred) else None
            self._add("board", starred if _is_starred(node) else usual.get(len(node.args) + len(node.keywords)))
        if isinstance(called, ast.Attribute) and called.attr == "current_player":
            self._add("turn", OLD)
            self.visit(called.value)
        else:
            self.visit(called)
        for part in (*node.args, *node.keywords):
            self.visit(part)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Count the members that only one API has."""
        self._add("member", _owner(MEMBERS, node.attr))
        if node.attr == "current_player" and _last_name(node.value) != "self":
            self._add("turn", NEW)
        elif "move" in _last_name(node.value).lower():
            self._add("field", {"i": OLD, "j": OLD, "square": NEW}.get(node.attr))
        self.generic_visit(node)


def _owner(table: dict[str, set[str]], name: str) -> str | None:
    return next((api for api, names in table.items() if name in names), None)


def _move_names(tree: ast.Module) -> set[str]:
    """Return the names of the framework's moves in a file, without those that it defines or imports from elsewhere."""
    names = {"Move", "TabooMove"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names.discard(node.name)
        elif isinstance(node, ast.ImportFrom):
            ours = node.module is not None and node.module.startswith(MODULE[0])
            for alias in node.names:
                if ours and alias.name in ("Move", "TabooMove"):
                    names.add(alias.asname or alias.name)
                elif not ours and node.level == 0:
                    names.discard(alias.asname or alias.name)
    return names


def _built(node: ast.Call) -> str | None:
    """Return the API whose moves take the arguments of this call, or None."""
    keywords = {keyword.arg for keyword in node.keywords}
    if keywords & {"i", "j"}:
        return OLD
    if "square" in keywords:
        return NEW
    if _is_starred(node):  # Move(*cell, value): only the old API takes the cell in two parts
        return OLD if len(node.args) == 2 and isinstance(node.args[0], ast.Starred) else None
    return {3: OLD, 2: NEW}.get(len(node.args) + len(node.keywords))


def _is_starred(node: ast.Call) -> bool:
    return any(isinstance(part, ast.Starred) for part in node.args) or any(key.arg is None for key in node.keywords)


def _is_board(node: ast.expr) -> bool:
    """Whether an expression is a board, by its name. The class is excluded: a call through it has one argument more."""
    name = _last_name(node)
    return name.lower().endswith("board") and name != "SudokuBoard"


def _last_name(node: ast.expr) -> str:
    """Return the last name of a.b.c. A call or an index is skipped; any other expression gives an empty name."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
