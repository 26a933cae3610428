"""classify_moves: the exact map of a board, by one of several engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import NamedTuple

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.compiled.loading import Stopwatch
from csp_sudoku.errors import expect_name, hints_keywords, renamed_keyword
from csp_sudoku.moves.move_map import MoveMap
from csp_sudoku.solvers.base import Deadline, Limits

Classify = Callable[[Board, Deadline], MoveMap]
"""The signature of an engine: it returns the map of a board. Complete engines decide every move before the deadline."""


class Engine(NamedTuple):
    """An engine: its module, the name of its function, and its description for `--help`."""

    module: str
    help: str
    is_complete: bool = True
    """Whether the engine decides every move, given enough time."""
    function: str = "classify"

    def load(self) -> Classify:
        """Import the module of the engine and return its function."""
        classify: Classify = getattr(import_module(f"csp_sudoku.moves.engines.{self.module}"), self.function)
        return classify


ENGINES: Mapping[str, Engine] = {
    "search": Engine("search", "compiled searches that share solutions and learned clauses"),
    "cpsat": Engine("cpsat", "CP-SAT: solutions that cover the moves, then one proof that the rest are bombs"),
    "naive": Engine("naive", "a solver call for every move: slow and simple"),
    "rule": Engine("rule", "a rule on rows of blocks that finds only some bombs", is_complete=False),
    "rule-columns": Engine(
        "rule", "the same rule on columns of blocks", is_complete=False, function="classify_by_columns"
    ),
}


@renamed_keyword("deadline", "time_limit")
@hints_keywords
def classify_moves(board: BoardLike, engine: str = "auto", time_limit: float | None = None) -> MoveMap:
    """Return the map of all moves of a board: safe, bomb, or unknown if not decided within `time_limit` seconds.

    `board` is a `Board`, or a text or a table that `Board.of` makes one of. `engine` is a name in `ENGINES` (default
    "auto", which is "search", or "cpsat" for a board with constraints). Every verdict is exact; the engines differ in
    speed, and only the rules leave moves unknown without a limit. "search" and the rules refuse boards with
    constraints. `time_limit` bounds the time in seconds, without compiling and loading (default None: no limit).

    >>> from csp_sudoku.board import Board
    >>> classify_moves(Board.parse("12.. .... ...3 .4..")).bombs[:3]
    [Move(row=0, col=2, value=4), Move(row=1, col=0, value=3), Move(row=1, col=2, value=3)]
    """
    if not isinstance(board, Board):
        board = Board.of(board)
    limits = Limits(seconds=time_limit)
    name = engine
    if engine == "auto":
        name = "cpsat" if board.geometry.constraints else "search"
    expect_name("engine", name, ["auto", *ENGINES])
    stopwatch = Stopwatch()
    found = ENGINES[name].load()(board, Deadline(limits.seconds))
    found.effort = replace(found.effort, loading_seconds=stopwatch.loading_seconds())
    return found
