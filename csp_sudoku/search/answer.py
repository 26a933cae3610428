"""The answer to a position: by the game of all its completions where that has room and time, else by that of one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from csp_sudoku.search.completion_game import CompletionGame, completion_game
from csp_sudoku.search.deepening import Deepening, Verdict
from csp_sudoku.search.endings import Endings
from csp_sudoku.search.free_memory import free_bytes
from csp_sudoku.search.kernels.climbing import EXACT
from csp_sudoku.search.model import model_of
from csp_sudoku.solvers.base import Deadline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move
    from csp_sudoku.moves.move_map import MoveMap

BITS = 22
"""Entries of the table, as a power of two: 128 MB."""

LEAP = 22
"""Empty cells up to which the exact value is searched for at once."""

SHARE = 0.6
"""Of the time, for the game of all completions; the rest is for an estimate."""


class Search(Protocol):
    """What both games can be asked. Moves of a game are numbers."""

    nodes: int

    @property
    def position(self) -> NDArray[np.uint64]:
        """Where the game stands."""

    def numbers(self) -> list[int]:
        """The moves of the game as it stands."""

    def moves(self, number: int) -> Sequence[Move]:
        """The moves of the board that one of them stands for."""

    def number_of(self, move: Move) -> int | None:
        """The move of the game that stands for one of the board; None if the game has left it out."""

    def after(self, position: NDArray[np.uint64], number: int) -> tuple[float, NDArray[np.uint64]]:
        """The points of a move, and the position after it, seen from the other side."""

    def value(
        self, position: NDArray[np.uint64], depth: int, deadline: Deadline, at_most: float | None = None
    ) -> float | None:
        """The value of a position, or whether it is at most so much; None if the time ends first."""

    def best_known(self, position: NDArray[np.uint64]) -> int:
        """The best move that is known of a position; -1 if none is."""

    def must_pass(self, position: NDArray[np.uint64]) -> bool:
        """Whether who is to move has no open square; so too at the end."""

    def passed(self, position: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The position after a pass."""

    def told(self, position: NDArray[np.uint64], number: int, played: Collection[Move]) -> Move:
        """A move of the board that a move of a position stands for, other than bombs played before."""


class Answer(NamedTuple):
    """What is known of a position."""

    search: Search
    verdict: Verdict
    is_exact: bool
    """Whether that is the value of the real game."""
    deadline: Deadline
    """When the time for it is over: it began when everything was compiled."""


def answer(state: GameState, moves: MoveMap, completion: bytes, seconds: float | None) -> Answer:
    """The answer to a position, whose map is `moves`; estimates take the values of cells from `completion`."""
    game = _game(state, moves)
    if game is None:
        return estimate(state, moves, completion, seconds)
    rest = None if seconds is None else (1 - SHARE) * seconds
    return _proven(game, seconds, SHARE) or estimate(state, moves, completion, rest)


def proof(state: GameState, moves: MoveMap, seconds: float | None) -> Answer | None:
    """The answer where the board has several completions, by the game of all of them; None without room or time."""
    game = _game(state, moves)
    return None if game is None else _proven(game, seconds, 1)


def _game(state: GameState, moves: MoveMap) -> CompletionGame | None:
    """The game of all completions, if there are several, and it has room."""
    if not moves.is_complete or len(moves.safe) == len(list(state.board.empty_cells())):
        return None
    return completion_game(state, moves)


def _proven(game: CompletionGame, seconds: float | None, share: float) -> Answer | None:
    """The answer by the game of all completions in a share of the time; None if that does not suffice."""
    deadline = Deadline(seconds)
    verdict = game.exact(Deadline(None if seconds is None else share * seconds))
    return None if verdict is None else Answer(game, verdict, is_exact=True, deadline=deadline)


def estimate(state: GameState, moves: MoveMap, completion: bytes, seconds: float | None) -> Answer:
    """The answer by one completion: an estimate if there are others."""
    model = model_of(state, moves, completion)
    deepening = Deepening(model, BITS, Endings(model, free_bytes(), all_skips=True))
    deadline = Deadline(seconds)
    last = None
    for verdict in deepening.verdicts(deadline, leap=LEAP):
        last = verdict
    if last is None:  # a single move ahead there is always time for
        last = next(deepening.verdicts(Deadline(None), most=1))
    return Answer(deepening, last, last.is_exact and model.is_exact, deadline)


def best_moves(search: Search, verdict: Verdict, deadline: Deadline) -> tuple[list[Move], bool]:
    """The moves whose value is that of the position, and whether time has sufficed for all; at least the verdict's."""
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


def best_line(search: Search, verdict: Verdict, deadline: Deadline) -> Iterator[Move]:
    """The best moves one after the other, as far as they are known, or time suffices to find them out again.

    Of a position of which it knows no more than a bound, the table may have a move that is not the best. So where the
    verdict is exact, a move has to keep the value, or the position is searched again.
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


def _keeps(search: Search, position: NDArray[np.uint64], number: int, value: float, deadline: Deadline) -> bool:
    """Whether a move is known, and proven in time to be worth this value."""
    if number < 0:
        return False
    points, after = search.after(position, number)
    if not after[0]:
        return points == value
    bound = search.value(after, EXACT, deadline, points - value)
    return bound is not None and bound <= points - value
