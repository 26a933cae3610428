"""MoveTracker: the move map of a game's board, carried from turn to turn."""

from __future__ import annotations

from csp_sudoku.board import Board
from csp_sudoku.moves.move_map import MoveMap
from csp_sudoku.moves.searching import search_for
from csp_sudoku.solvers.base import Deadline, Limits
from csp_sudoku.solvers.loading import Stopwatch


class MoveTracker:
    """The exact map of a board that gets fuller, value by value.

    What is known stays known: a bomb is never proven again, and a safe move only if the last solution that showed it
    disagrees with what was placed.

    >>> tracker = MoveTracker(Board.parse("1... ..2. .3.. ...4"))
    >>> tracker.map
    <MoveMap 2x2: 12 safe, 8 bombs>
    >>> tracker.place(0, 1, 2)
    <MoveMap 2x2: 11 safe, 6 bombs>
    """

    def __init__(self, board: Board, deadline: float | None = None) -> None:
        stopwatch = Stopwatch()
        self._search = search_for(board)
        self._map = self._run(stopwatch, deadline)

    @property
    def board(self) -> Board:
        """The board as it is now."""
        return self._search.board

    @property
    def map(self) -> MoveMap:
        """What is known of its moves."""
        return self._map

    def place(self, row: int, col: int, value: int, deadline: float | None = None) -> MoveMap:
        """The map after one more value; MoveError, and nothing changes, if that is not legal.

        After a bomb the board has no completion, and every move is a bomb. Moves that are not decided after
        `deadline` seconds are unknown; the next call, or `go_on`, goes on with them.
        """
        stopwatch = Stopwatch()
        self._search.place(row, col, value)
        return self._run(stopwatch, deadline)

    def go_on(self, deadline: float | None = None) -> MoveMap:
        """The map after some more work on what is unknown."""
        return self._run(Stopwatch(), deadline)

    def move_to(self, board: Board, deadline: float | None = None) -> MoveMap:
        """The map of any board; what is known is used if the board extends the present one."""
        stopwatch = Stopwatch()
        if not board.extends(self.board):
            self._search = search_for(board)
            return self._run(stopwatch, deadline)
        for cell in self.board.empty_cells():
            if board.values[cell]:
                self._search.place(*board.geometry.row_column(cell), board.values[cell])
        return self._run(stopwatch, deadline)

    def _run(self, stopwatch: Stopwatch, deadline: float | None) -> MoveMap:
        self._search.run(Deadline(Limits(seconds=deadline).seconds))
        self._map = self._search.map(stopwatch.seconds())
        return self._map
