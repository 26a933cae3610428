"""The answer to a position: its best move and value, exact or estimated.

The answer is exact if the game of all completions has room and can be searched in time. Otherwise it is an estimate by
the filling game, which takes its values from one completion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from csp_sudoku.search.completions.game import CompletionGame, completion_game
from csp_sudoku.search.endings.table import Endings
from csp_sudoku.search.filling.deepening import Deepening, SearchResult
from csp_sudoku.search.filling.model import model_of
from csp_sudoku.search.free_memory import free_bytes
from csp_sudoku.search.kernels.climbing import EXACT
from csp_sudoku.solvers.base import Deadline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move
    from csp_sudoku.moves.move_map import MoveMap

BITS = 22
"""log2 of the number of entries in the transposition table; 22 makes a table of 128 MB."""

LEAP = 22
"""Upper bound on the empty cells for which iterative deepening leaps to the exact value after a few depths."""

SHARE = 0.6
"""Share of the time that goes to the game of all completions; the rest is for an estimate."""


class GameSearch(Protocol):
    """The interface of the searches of both games. A move of a game is a number."""

    nodes: int
    """The number of nodes visited so far."""

    @property
    def position(self) -> NDArray[np.uint64]:
        """The root position of the search."""

    def numbers(self) -> list[int]:
        """The moves of the root position, as numbers."""

    def moves(self, number: int) -> Sequence[Move]:
        """The moves of the board that a move of the root position stands for."""

    def number_of(self, move: Move) -> int | None:
        """The move of the game that stands for a move of the board; None if the game has left that move out."""

    def after(self, position: NDArray[np.uint64], number: int) -> tuple[float, NDArray[np.uint64]]:
        """The points of a move, and the position after it from the point of view of the other side."""

    def value(
        self, position: NDArray[np.uint64], depth: int, deadline: Deadline, at_most: float | None = None
    ) -> float | None:
        """The value of a position by a search of `depth` moves; None if the deadline passes first.

        With `at_most`, the search only decides whether the value is at most that number, and returns a bound that
        proves it.
        """

    def best_known(self, position: NDArray[np.uint64]) -> int:
        """The best move of a position that the table knows; -1 if it knows none."""

    def must_pass(self, position: NDArray[np.uint64]) -> bool:
        """Whether the side to move has no open square, which is also true at the end of the game."""

    def passed(self, position: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The position after a pass."""

    def told(self, position: NDArray[np.uint64], number: int, played: Collection[Move]) -> Move:
        """A move of the board for a move of a position; it is none of the bombs in `played`."""


class PositionAnswer(NamedTuple):
    """The verdict on a position, and the search that found it."""

    search: GameSearch
    """The search; its table still contains the positions that it visited."""
    verdict: SearchResult
    """The value and the best move."""
    is_exact: bool
    """Whether the value is that of the real game."""
    deadline: Deadline
    """The deadline of the search. Its time starts once all kernels are compiled."""


def answer(state: GameState, moves: MoveMap, completion: bytes, seconds: float | None) -> PositionAnswer:
    """The answer to a position: exact if time suffices, else an estimate.

    `moves` is the move map of the position. An estimate takes the values of cells from `completion`. `seconds` bounds
    the time; None sets no limit.
    """
    game = _game(state, moves)
    if game is None:
        return estimate(state, moves, completion, seconds)
    rest = None if seconds is None else (1 - SHARE) * seconds
    return _proven(game, seconds, SHARE) or estimate(state, moves, completion, rest)


def proof(state: GameState, moves: MoveMap, seconds: float | None) -> PositionAnswer | None:
    """The exact answer for a board with several completions, by the game of all of them.

    None if the board has only one completion, or if the game has no room or is not solved in `seconds`.
    """
    game = _game(state, moves)
    return None if game is None else _proven(game, seconds, 1)


def _game(state: GameState, moves: MoveMap) -> CompletionGame | None:
    """The game of all completions; None if the board has only one, if the map is incomplete, or if it has no room."""
    if not moves.is_complete or len(moves.safe) == len(list(state.board.empty_cells())):
        return None
    return completion_game(state, moves)


def _proven(game: CompletionGame, seconds: float | None, share: float) -> PositionAnswer | None:
    """The answer by the game of all completions within a share of the time; None if that is too short."""
    deadline = Deadline(seconds)
    verdict = game.exact(Deadline(None if seconds is None else share * seconds))
    return None if verdict is None else PositionAnswer(game, verdict, is_exact=True, deadline=deadline)


def estimate(state: GameState, moves: MoveMap, completion: bytes, seconds: float | None) -> PositionAnswer:
    """The answer by the filling game of one completion; it is an estimate if the board has several.

    A search of depth 1 is always made, even if `seconds` have passed, so there is always an answer.
    """
    model = model_of(state, moves, completion)
    deepening = Deepening(model, BITS, Endings(model, free_bytes(), all_skips=True))
    deadline = Deadline(seconds)
    last = None
    for verdict in deepening.verdicts(deadline, leap=LEAP):
        last = verdict
    if last is None:  # there is always time for a search of depth 1
        last = next(deepening.verdicts(Deadline(None), most=1))
    return PositionAnswer(deepening, last, last.is_exact and model.is_exact, deadline)


def best_moves(search: GameSearch, verdict: SearchResult, deadline: Deadline) -> tuple[list[Move], bool]:
    """The moves that reach the value of the position, and whether all moves were compared before the deadline.

    The moves of the verdict are always among them.
    """
    depth = EXACT if verdict.is_exact else verdict.depth - 1
    found: list[Move] = []
    is_complete = True
    for number in search.numbers():
        if number != verdict.move:
            points, position = search.after(search.position, number)
            bound = points - verdict.value
            value = search.value(position, depth, deadline, bound)
            is_complete = is_complete and value is not None
            if value is None or value > bound:
                continue
        found += search.moves(number)
    return found, is_complete


def best_line(search: GameSearch, verdict: SearchResult, deadline: Deadline) -> Iterator[Move]:
    """The principal variation, as far as the table knows it or the deadline allows to search for it again.

    Where the table only has a bound for a position, its move may not be the best. So if the verdict is exact, each move
    has to keep the value; otherwise the position is searched again.
    """
    position, value = search.position, verdict.value
    played: set[Move] = set()
    while position[0]:  # empty cells, in both games
        if search.must_pass(position):
            position, value = search.passed(position), -value
            if search.must_pass(position):
                return
        number = search.best_known(position)
        if (
            verdict.is_exact
            and not _keeps(search, position, number, value, deadline)
            and search.value(position, EXACT, deadline) is not None
        ):
            number = search.best_known(position)
        if number < 0:
            return
        move = search.told(position, number, played)
        played.add(move)
        yield move
        points, position = search.after(position, number)
        value = points - value


def _keeps(search: GameSearch, position: NDArray[np.uint64], number: int, value: float, deadline: Deadline) -> bool:
    """Whether a move is known, and proven before the deadline to reach this value."""
    if number < 0:
        return False
    points, after = search.after(position, number)
    if not after[0]:
        return points == value
    bound = search.value(after, EXACT, deadline, points - value)
    return bound is not None and bound <= points - value
