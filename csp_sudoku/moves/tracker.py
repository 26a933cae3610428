"""`MoveTracker`: the move map of a game's board, updated from turn to turn."""

from __future__ import annotations

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.compiled.loading import Stopwatch
from csp_sudoku.errors import renamed_keyword
from csp_sudoku.moves.engines.search import search_for
from csp_sudoku.moves.move_map import MoveMap
from csp_sudoku.solvers.base import Deadline, Limits

_renamed = renamed_keyword("deadline", "time_limit")


class MoveTracker:
    """The exact move map of a board that is filled value by value.

    The tracker reuses its results. A bomb stays a bomb, so it is proven once. A safe move is proven again only if the
    solution that proved it last disagrees with the value that was placed. `board` is the board at the start, a `Board`
    or what `Board.of` makes one of; if it has constraints, CP-SAT decides its moves. `time_limit` bounds the first map
    in seconds; None, the default, sets no limit.

    >>> tracker = MoveTracker(Board.parse("1... ..2. .3.. ...4"))
    >>> tracker.map
    <MoveMap 2x2: 12 safe, 8 bombs>
    >>> tracker.place(0, 1, 2)
    <MoveMap 2x2: 11 safe, 6 bombs>
    """

    @_renamed
    def __init__(self, board: BoardLike, time_limit: float | None = None) -> None:
        stopwatch = Stopwatch()
        self._search = search_for(Board.of(board))
        self._map = self._run(stopwatch, time_limit)

    @property
    def board(self) -> Board:
        """The current board."""
        return self._search.board

    @property
    def map(self) -> MoveMap:
        """The move map of the current board, as far as it is known."""
        return self._map

    @_renamed
    def place(self, row: int, col: int, value: int, time_limit: float | None = None) -> MoveMap:
        """Place a value and return the new map; MoveError if the move is not legal, and then nothing changes.

        `row` and `col` count from 0, and `value` is from 1 to N.

        After a bomb the board has no completion, so every move is a bomb. Moves that are not decided after `time_limit`
        seconds (default None: no limit) are unknown; the next call, or `go_on`, continues with them.
        """
        stopwatch = Stopwatch()
        self._search.place(row, col, value)
        return self._run(stopwatch, time_limit)

    @_renamed
    def go_on(self, time_limit: float | None = None) -> MoveMap:
        """Decide more of the unknown moves within `time_limit` seconds (default None: no limit), and return the map."""
        return self._run(Stopwatch(), time_limit)

    @_renamed
    def move_to(self, board: BoardLike, time_limit: float | None = None) -> MoveMap:
        """Move to any `board` and return its map; earlier results are reused if it extends the current one.

        `board` is a `Board`, or what `Board.of` makes one of.
        `time_limit` bounds the work in seconds (default None: no limit).
        """
        stopwatch = Stopwatch()
        board = Board.of(board)
        if not board.extends(self.board):
            self._search = search_for(board)
            return self._run(stopwatch, time_limit)
        for cell in self.board.empty_cells():
            if board.values[cell]:
                self._search.place(*board.geometry.row_column(cell), board.values[cell])
        return self._run(stopwatch, time_limit)

    def _run(self, stopwatch: Stopwatch, time_limit: float | None) -> MoveMap:
        self._search.run(Deadline(Limits(seconds=time_limit).seconds))
        self._map = self._search.map(stopwatch.seconds())
        return self._map
