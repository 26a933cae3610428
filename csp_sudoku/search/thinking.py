"""How the champion thinks: the exact move map, and the two games made of it, which are searched by turns.

The filling game takes the values of cells from one completion of the board. If there are others, and few cells are
left, the game of all completions is searched as well: what it says in the end is the truth. Until then the filling game
has the word, and the values for the cell that it chooses are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import log2
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.moves.searching import search_for
from csp_sudoku.search.completion_game import CompletionGame, completion_game
from csp_sudoku.search.deepening import Verdict
from csp_sudoku.search.endgame import Endgame
from csp_sudoku.search.kept_tree import KeptTree
from csp_sudoku.search.kernels.climbing import EXACT
from csp_sudoku.search.model import model_of
from csp_sudoku.search.playouts import ROOM, Playouts
from csp_sudoku.search.quick import any_move, is_decided, is_far, quick_move
from csp_sudoku.search.turns import Turn, by_turns
from csp_sudoku.solvers.base import Deadline, Limits
from csp_sudoku.solvers.registry import get_solver

if TYPE_CHECKING:
    from csp_sudoku.moves.move_map import MoveMap
    from csp_sudoku.search.book import Book

MAP_SECONDS, MAP_SHARE = 0.15, 0.3
"""For the map of a position, and how much of the turn at most; what is known by then of large boards has to do."""

MAP_PIECE = 0.03
"""How long it is searched for at a time: short turns are to be over later than that."""

POSITIONS, FEWEST_POSITIONS = 400_000, 1 << 10
"""New ones of a tree, at most, for each second of a turn, for room costs time, too; and in the shortest turns."""

VALUE_GAMES, VALUE_ROOM = 3000, 1 << 12
"""Playouts for each value of a cell that is compared with others, and room for their tree."""

VALUE_SECONDS = 0.02
"""For the map after one of them."""

VALUE_SHARE = 0.3
"""Of the time, for comparing values, as long as there are some to be compared."""


GUESS, PROOF, TRUTH = "guess", "proof", "truth"
"""What searches are after: good moves of the filling game; its value, if only without some skips; that of the game of
all completions."""

PROOF_SHARE = 4
"""How much more time goes into the latter two, each."""

PROVABLE, PROVABLE_SECONDS = 16, 0.06
"""Empty cells up to which the filling game's value is searched for in turns so long, if its endings have no room. Each
more takes about twice the time; playouts are not much better for having it."""

TRUTH_NODES = 30_000
"""Of the first slice of that game, where a node takes long: the other searches wait for it."""

SOME_DAY = 20
"""Empty cells up to which the game of all completions is searched at all."""

USUAL_SECONDS = 0.5
"""How long turns are, if nothing is known."""

BITS = ((9, 12), (11, 15), (12, 18))
"""Entries of that game's table, as a power of two, by the most empty cells: to touch more takes its time, too."""

MOST_BITS = 20
"""With more empty cells."""


WARMING_UP = (
    "1234 34.. .... ....",
    "1234 3412 21.. ....",
    "1234567.. 4567891.. 789123456 214365897 365897214 897214365 531642978 642978531 978531642",
)
"""Small positions: with several completions, with one, and that of the shape which has engines of its own."""


def warm_up() -> None:
    """Load or compile everything that thinking takes, so that no turn has to, and the tables of all usual shapes.

    The positions are thought about to their end: every search has its word, however long the first one took to compile.
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
    """The thoughts about one position.

    `completions` are solutions known from before; those that do not fit the board are left out. The random numbers
    are for playouts, and for the choice between mirror images of a move of the book: the first without them. In
    `seconds` the turn may be over: what takes longer before it is of use is not begun. With more empty cells than the
    `horizon` (0: the usual), or when nobody can catch up any more, the first safe move is the last. `kept` is a tree of
    an earlier turn, from which it goes on if it can.
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
        self.completions = _fitting(state.board, completions)
        self._book = book
        self._rng = rng

    def proposals(self, deadline: Deadline) -> Iterator[Move]:
        """Better and better moves: the first at once, and safe unless no completion is known."""
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
            yield quick.move  # once more: it is a chance to keep what is known
        if not far:
            yield from self._searched(moves, completion, deadline)

    def _maps(self, deadline: Deadline) -> Iterator[MoveMap]:
        """The map of the board, as much as is known of it: after every piece of its time, and in the end."""
        search = search_for(self.state.board)
        until = Deadline(_less(min(MAP_SECONDS, MAP_SHARE * self._seconds), deadline))
        is_late = True
        while is_late:
            piece = Deadline(_less(MAP_PIECE, until))
            search.run(piece)
            is_late = piece.passed() and not until.passed()
            yield search.map(0.0)

    def kept(self) -> KeptTree | None:
        """The tree for the next turn: this one's, or if there is none, what was kept before."""
        return self._playouts.kept() if self._playouts else self._kept

    def _searched(self, moves: MoveMap, completion: bytes, deadline: Deadline) -> Iterator[Move]:
        """The moves that the games find best."""
        model, rng = model_of(self.state, moves, completion), self._rng or Random(0)
        values = _Values(self.state, moves, rng)
        truth = None if model.is_exact else self._truth(moves)
        room = min(ROOM, max(FEWEST_POSITIONS, 1 << int(self._seconds * POSITIONS).bit_length()))
        self._playouts = playouts = Playouts(model, rng, room, kept=self._kept)
        turns = [Turn(GUESS, playouts.steps(), 1)]
        share = PROOF_SHARE / (1 + (PROOF_SHARE if truth is None else 2 * PROOF_SHARE))
        share *= 1 if model.is_exact else 1 - VALUE_SHARE
        endgame = Endgame(model, self._seconds, self._begun + self._seconds, share)
        proof = Turn(PROOF, endgame.steps(), PROOF_SHARE)
        if endgame.has_endings or len(model.cells) <= _provable(self._seconds):
            turns.append(proof)
        if truth is not None:
            turns.append(Turn(TRUTH, truth.steps(), PROOF_SHARE))
        found: Move | None = None
        latest: Move | None = None
        depth, begun = 0, perf_counter()
        for name, verdict in by_turns(turns):
            if verdict is not None and name == TRUTH and truth is not None:
                yield truth.moves(verdict.move)[0]
                if latest and _keeps(truth, verdict, latest, deadline):
                    yield latest
                return
            if verdict is not None:
                best = (playouts.model if name == GUESS else model).move(verdict.move)
                if best != found or verdict.depth > depth:
                    found, depth = best, verdict.depth
                    latest = values.best(found)
                    yield latest
            if not model.is_exact and found and values.seconds < VALUE_SHARE * (perf_counter() - begun):
                values.go_on(found)
                if values.best(found) != latest:
                    latest = values.best(found)
                    yield latest
            if name == PROOF:
                proof.share = PROOF_SHARE if endgame.is_in_time else 1 / PROOF_SHARE
                if verdict is not None:
                    turns[:] = [turn for turn in turns if turn.name != GUESS]
            if deadline.passed():
                return
        if not model.is_exact and found:
            while values.go_on(found) and not deadline.passed():
                pass
            yield values.best(found)

    def _truth(self, moves: MoveMap) -> CompletionGame | None:
        """The game of all completions, if it has room, and may be solved."""
        empty = self.state.board.values.count(0)
        if empty > SOME_DAY:
            return None
        game = completion_game(self.state, moves, next((bits for most, bits in BITS if empty <= most), MOST_BITS))
        if game is not None:
            game.first_nodes = TRUTH_NODES
        return game

    def _is_completed(self, deadline: Deadline) -> bool:
        """Whether the board has a completion, which is found in time."""
        result = get_solver("auto").solve(self.state.board, Limits(deadline.left()))
        if result.solution is not None:
            self.completions.append(result.solution.values)
        return bool(self.completions)


class _Values:
    """The values for a cell, compared by the games that they lead to: other values, other bombs."""

    def __init__(self, state: GameState, moves: MoveMap, rng: Random) -> None:
        self._state = state
        self._moves = moves
        self._rng = rng
        self._games: dict[Move, float] = {}
        """What the game after a move is worth to the other side."""
        self.seconds = 0.0
        """How long all that has taken."""

    def best(self, move: Move) -> Move:
        """The value for the move's cell whose game is worst for the other side; the move as long as one is unknown."""
        options = self._options(move)
        if len(options) < 2 or any(option not in self._games for option in options):
            return move
        return min(options, key=self._games.__getitem__)

    def go_on(self, move: Move) -> bool:
        """Find out what one more of the values is worth; whether there was one."""
        begun = perf_counter()
        options = self._options(move)
        missing = next((option for option in options if option not in self._games), None)
        if missing is None or len(options) < 2:
            return False
        self._games[missing] = self._value(missing)
        self.seconds += perf_counter() - begun
        return True

    def _options(self, move: Move) -> list[Move]:
        """The safe moves on a move's cell; none if it is a bomb."""
        options = [safe for safe in self._safe_values(move) if safe not in self._state.taboo]
        return options if move in options else []

    def _safe_values(self, move: Move) -> list[Move]:
        cell = self._state.board.geometry.cell(move.row, move.col)
        mask = int(self._moves.safe_masks[cell])
        return [Move(move.row, move.col, value) for value in range(1, mask.bit_length() + 1) if mask >> value - 1 & 1]

    def _value(self, move: Move) -> float:
        """What the game after a move is worth to the other side."""
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
        """A completion with a move."""
        cell = self._state.board.geometry.cell(move.row, move.col)
        fitting = self._moves.witnesses[self._moves.witnesses[:, cell] == move.value]
        return bytes(fitting[0].tobytes())


def _keeps(truth: CompletionGame, verdict: Verdict, move: Move, deadline: Deadline) -> bool:
    """Whether a move is worth as much as the best; if it was a guess, it may be worth more against those who err."""
    number = truth.number_of(move)
    if number is None:
        return False
    points, after = truth.after(truth.position, number)
    bound = points - verdict.value
    value = truth.value(after, EXACT, deadline, bound)
    return value is not None and value <= bound


def _provable(seconds: float) -> int:
    """The empty cells up to which the filling game's value is searched for without endings.

    >>> [_provable(seconds) for seconds in (0, 0.1, 0.5, 2)]
    [16, 16, 19, 21]
    """
    return PROVABLE + int(log2(max(seconds, PROVABLE_SECONDS) / PROVABLE_SECONDS))


def _fitting(board: Board, completions: Sequence[bytes]) -> list[bytes]:
    """The solutions that agree with a board."""
    same = [known for known in completions if len(known) == len(board.values)]
    grid = np.frombuffer(b"".join(same), np.uint8).reshape(len(same), len(board.values))
    given = np.frombuffer(board.values, np.uint8)
    fits = ((grid == given) | (given == 0)).all(axis=1)
    return [known for known, its in zip(same, fits, strict=True) if its]


def _less(seconds: float, deadline: Deadline) -> float:
    left = deadline.left()
    return seconds if left is None else min(seconds, left)
