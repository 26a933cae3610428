"""The champion's thinking: it computes the exact move map, builds two games from it, and searches them alternately.

The filling game takes the values of cells from one completion of the board. If the board has other completions and few
empty cells, the game of all completions is searched as well; its verdict is exact and final. Until that verdict is
known, the filling game chooses the cell, and the possible values for that cell are compared with each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import log2
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from csp_sudoku.board import Board
from csp_sudoku.candidates import Given
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.engines.search import search_for
from csp_sudoku.moves.move import Move
from csp_sudoku.search.completions.game import CompletionGame, completion_game
from csp_sudoku.search.endings.endgame import Endgame
from csp_sudoku.search.filling.model import FillingModel, model_of
from csp_sudoku.search.playouts.kept_tree import KeptTree
from csp_sudoku.search.playouts.tree import ROOM, Playouts
from csp_sudoku.solvers.base import Deadline, Limits
from csp_sudoku.solvers.registry import get_solver

from .quick import any_move, is_decided, is_far, quick_move
from .stages import PROOF_SHARE, Guess, Proof, Stage, Truth, by_turns

if TYPE_CHECKING:
    from csp_sudoku.moves.move_map import MoveMap

    from .book import Book

MAP_SECONDS, MAP_SHARE = 0.15, 0.3
"""Upper bounds on the time for the move map: in seconds, and as a share of the turn.

On large boards the map may still be incomplete when this time is over; the search then uses the known part of it.
"""

MAP_PIECE = 0.03
"""Time of one piece of the search for the map, in seconds. The champion proposes a move after each piece, so that even
a short turn has a proposal."""

POSITIONS, FEWEST_POSITIONS = 400_000, 1 << 10
"""Capacity of the playout tree in positions: per second of the turn, and the minimum. Allocation costs time."""

VALUE_GAMES, VALUE_ROOM = 3000, 1 << 12
"""Number of playouts that value one move when the values of a cell are compared, and the capacity of their tree."""

VALUE_SECONDS = 0.02
"""Time limit for the move map after a value that is compared, in seconds."""

VALUE_SHARE = 0.3
"""Share of the time that goes to comparing the values of a cell, until all of them are valued."""


PROVABLE, PROVABLE_SECONDS = 16, 0.06
"""Limits of the stage Proof if the endings do not fit: a number of empty cells, in a turn of this many seconds.

Each doubling of the turn allows one more cell, because each empty cell doubles the time. A proof improves little on the
playouts anyway.
"""

SOME_DAY = 20
"""Maximum number of empty cells for which the stage Truth runs at all."""

USUAL_SECONDS = 0.5
"""Length of a turn that the player assumes until it knows better, in seconds."""

BITS = ((9, 12), (11, 15), (12, 18))
"""Table sizes of Truth, as pairs (maximum number of empty cells, log2). A larger table costs cache misses."""

MOST_BITS = 20
"""log2 of the table size of Truth for more empty cells than `BITS` lists."""


WARMING_UP = (
    "1234 34.. .... ....",
    "1234 3412 21.. ....",
    "1234567.. 4567891.. 789123456 214365897 365897214 897214365 531642978 642978531 978531642",
)
"""Small positions for warming up: with several completions, with one, and of 3×3, which has kernels of its own."""


def warm_up() -> None:
    """Load or compile all kernels and tables that a turn needs, so that no turn has to wait for them.

    The tables cover the shapes from 2×2 to 5×5. The champion thinks about each warm-up position without a deadline, so
    that every search runs, even if the first one takes long to compile.
    """
    Referee.warm_up()
    for m, n in product(range(2, 6), repeat=2):
        search_for(Board.empty(m, n))
    for text in WARMING_UP:
        kept = None
        for _ in range(2):
            thinking = Thinking(GameState.start(Board.parse(text)), kept=kept)
            for _ in thinking.proposals(Deadline(None)):
                pass
            kept = thinking.kept()


class Thinking:
    """The champion's thinking about one position.

    `state` is the position. `completions` are completions known from earlier turns (default none); those that do not
    fit the board are left out. `book` holds openings (default none). `rng` seeds the playouts, and chooses among mirror
    images of a move of the book; without it the choice is always the same. `seconds` is the expected length of the turn
    (default 0.5); searches that would take longer are not started. `horizon` is the number of empty cells above which
    the first safe move of a classic game is final (default 0, which stands for max(64, 4·N)), unless it lets the
    opponent complete a region; that move is also final if the game is decided. `kept` is a tree of an earlier turn
    (default none), which the playouts continue if they can.
    """

    def __init__(
        self,
        state: GameState,
        completions: Sequence[bytes] = (),
        book: Book | None = None,
        rng: Random | None = None,
        seconds: float = USUAL_SECONDS,
        horizon: int = 0,
        kept: KeptTree | None = None,
    ) -> None:
        self.state = state
        self._kept = kept
        self._playouts: Playouts | None = None
        self._horizon = horizon
        self._begun = perf_counter()
        self._seconds = seconds
        self.completions = list(filter(Given(state.board.values).fits, completions))
        self._book = book
        self._rng = rng

    def proposals(self, deadline: Deadline) -> Iterator[Move]:
        """Yield better and better moves until the deadline.

        The first move comes at once. It is safe if a completion is known; otherwise it may be a bomb.
        """
        is_new = not self.completions
        if is_new:
            yield from any_move(self.state)
            if not self._is_completed(deadline):
                return
        completion = self.completions[0]
        quick = quick_move(self.state, completion)
        yield quick.move
        far = is_far(self.state, quick, self._horizon)
        if is_decided(self.state) or (far and not is_new):
            return
        known = self._book and self._book.move(self.state, self._rng)
        if known:
            yield known
            return
        for moves in self._maps(deadline):
            if len(moves.witnesses):
                self.completions = [witness.tobytes() for witness in moves.witnesses]
                completion = self.completions[0]
            yield quick.move  # the same move again, since the caller may save the completions after each proposal
        if not far:
            yield from self._searched(moves, completion, deadline)

    def _maps(self, deadline: Deadline) -> Iterator[MoveMap]:
        """Yield the move map, as far as it is known, after every piece of the search and at its end."""
        search = search_for(self.state.board)
        until = Deadline(_less(min(MAP_SECONDS, MAP_SHARE * self._seconds), deadline))
        is_late = True
        while is_late:
            piece = Deadline(_less(MAP_PIECE, until))
            search.run(piece)
            is_late = piece.passed() and not until.passed()
            yield search.map(0.0)

    def kept(self) -> KeptTree | None:
        """The tree for the next turn: the tree of this turn, or the kept one if this turn built none."""
        return self._playouts.kept() if self._playouts else self._kept

    def _searched(self, moves: MoveMap, completion: bytes, deadline: Deadline) -> Iterator[Move]:
        """Yield the best moves that the searches of both games find."""
        model, rng = model_of(self.state, moves, completion), self._rng or Random(0)
        values = None if model.is_exact else _Values(self.state, moves, rng)
        stages = self._stages(moves, model, rng)
        found: Move | None = None
        latest: Move | None = None
        depth, begun = 0, perf_counter()
        for stage, result in by_turns(stages):
            if result is not None and isinstance(stage, Truth):
                yield stage.move(result)
                if latest and stage.keeps(result, latest, deadline):
                    yield latest
                return
            if result is not None:
                best = stage.move(result)
                if best != found or result.depth > depth:
                    found, depth = best, result.depth
                    latest = values.best(found) if values else found
                    yield latest
            if values and found and values.seconds < VALUE_SHARE * (perf_counter() - begun):
                values.go_on(found)
                if values.best(found) != latest:
                    latest = values.best(found)
                    yield latest
            stage.settle(result, stages)
            if deadline.passed():
                return
        if values and found:
            while values.go_on(found) and not deadline.passed():
                pass
            yield values.best(found)

    def _stages(self, moves: MoveMap, model: FillingModel, rng: Random) -> list[Stage]:
        """Return the searches that this turn is long enough for."""
        truth = None if model.is_exact else self._truth(moves)
        room = min(ROOM, max(FEWEST_POSITIONS, 1 << int(self._seconds * POSITIONS).bit_length()))
        self._playouts = Playouts(model, rng, room, kept=self._kept)
        stages: list[Stage] = [Guess(self._playouts)]
        share = PROOF_SHARE / (1 + (PROOF_SHARE if truth is None else 2 * PROOF_SHARE))
        share *= 1 if model.is_exact else 1 - VALUE_SHARE
        endgame = Endgame(model, self._seconds, self._begun + self._seconds, share)
        if endgame.has_endings or len(model.cells) <= _provable(self._seconds):
            stages.append(Proof(endgame, model))
        if truth is not None:
            stages.append(Truth(truth))
        return stages

    def _truth(self, moves: MoveMap) -> CompletionGame | None:
        """The game of all completions; None if the board has too many empty cells or the game has no room."""
        empty = self.state.board.values.count(0)
        if empty > SOME_DAY:
            return None
        return completion_game(self.state, moves, next((bits for most, bits in BITS if empty <= most), MOST_BITS))

    def _is_completed(self, deadline: Deadline) -> bool:
        """Search for a completion of the board, and return whether one was found before the deadline."""
        result = get_solver("auto").solve(self.state.board, Limits(deadline.left()))
        if result.solution is not None:
            self.completions.append(result.solution.values)
        return bool(self.completions)


class _Values:
    """Compares the values for a cell: playouts estimate the game after each of them, which has bombs of its own."""

    def __init__(self, state: GameState, moves: MoveMap, rng: Random) -> None:
        self._state = state
        self._moves = moves
        self._rng = rng
        self._games: dict[Move, float] = {}
        """For each move, the value of the position after it for the other side, in points."""
        self.seconds = 0.0
        """The time that the comparisons have taken so far, in seconds."""

    def best(self, move: Move) -> Move:
        """The move on the same cell that is worst for the other side; `move` itself until all of them are valued."""
        options = self._options(move)
        if len(options) < 2 or any(option not in self._games for option in options):
            return move
        return min(options, key=self._games.__getitem__)

    def go_on(self, move: Move) -> bool:
        """Value one more move on the cell of `move`, and return whether there was one left to value."""
        begun = perf_counter()
        options = self._options(move)
        missing = next((option for option in options if option not in self._games), None)
        if missing is None or len(options) < 2:
            return False
        self._games[missing] = self._value(missing)
        self.seconds += perf_counter() - begun
        return True

    def _options(self, move: Move) -> list[Move]:
        """The safe moves on the cell of `move`; an empty list if `move` is not known to be safe."""
        options = [safe for safe in self._safe_values(move) if safe not in self._state.taboo]
        return options if move in options else []

    def _safe_values(self, move: Move) -> list[Move]:
        cell = self._state.board.geometry.cell(move.row, move.col)
        mask = int(self._moves.safe_masks[cell])
        return [Move(move.row, move.col, value) for value in range(1, mask.bit_length() + 1) if mask >> value - 1 & 1]

    def _value(self, move: Move) -> float:
        """The value of the position after `move` for the other side, in points."""
        after, _ = self._state.place(move)
        if after.is_over:
            return 0.0
        sign = 1
        if after.must_pass:
            after, sign = after.play(None)[0], -1
        search = search_for(after.board)
        search.run(Deadline(VALUE_SECONDS))
        moves = search.map(0.0)
        completion = moves.witnesses[0].tobytes() if len(moves.witnesses) else self._witness(move)
        playouts = Playouts(model_of(after, moves, completion), self._rng, VALUE_ROOM)
        playouts.play(VALUE_GAMES)
        return sign * playouts.verdict().value

    def _witness(self, move: Move) -> bytes:
        """A completion, among the witnesses of the map, that has the value of `move`."""
        cell = self._state.board.geometry.cell(move.row, move.col)
        fitting = self._moves.witnesses[self._moves.witnesses[:, cell] == move.value]
        return bytes(fitting[0].tobytes())


def _provable(seconds: float) -> int:
    """The maximum number of empty cells for which Proof runs without endings, in a turn of this many seconds.

    >>> [_provable(seconds) for seconds in (0, 0.1, 0.5, 2)]
    [16, 16, 19, 21]
    """
    return PROVABLE + int(log2(max(seconds, PROVABLE_SECONDS) / PROVABLE_SECONDS))


def _less(seconds: float, deadline: Deadline) -> float:
    left = deadline.left()
    return seconds if left is None else min(seconds, left)
