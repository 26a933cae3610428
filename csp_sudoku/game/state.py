"""GameState: a position of the game, as an immutable value; `play` returns the next one and the outcome.

A turn is judged in this order: a player without open squares is passed over; no proposal, or (0, 0, 0), loses; so does
a taboo move; so does an invalid one (no such square or value); so does an illegal one (the square is filled or not open
to the player, or a peer holds the value). Then the referee decides: a bomb is skipped and becomes taboo, any other move
is placed and rewarded. Then the opponent is to move. The game is over when a player has lost it by a turn, when the
board is full, or when neither player has an open square.

A player with open squares must propose a move: if it has none left (all are taboo, or none is legal), it loses whatever
it proposes. On a board with a completion this cannot happen, since every empty square has a safe value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_sudoku.board import Board, BoardLike
from csp_sudoku.coordinates import cell_name, move_name
from csp_sudoku.errors import MoveError, SudokuError
from csp_sudoku.game.outcome import Loss, Outcome, OutcomeKind
from csp_sudoku.game.rules import (
    PLAYERS,
    PlayMode,
    Square,
    Squares,
    allowed_squares,
    completed_regions,
    has_open_square,
    is_open,
    mode_named,
    open_squares,
    other,
    reward,
)
from csp_sudoku.moves.move import Move
from csp_sudoku.notebook import as_svg

if TYPE_CHECKING:
    from csp_sudoku.game.referee import Judge

NOTHING = Move(0, 0, 0)
"""The move that stands for no proposal."""

ENDLESS = 10**18
"""Upper bound of the absolute value of a proposal's numbers; larger ones are not accepted as integers."""

BOARD_FULL = "board full"
NEITHER_CAN_MOVE = "neither player can move"


class Played(NamedTuple):
    """A past move, and whether it was a skip: a bomb that has become taboo."""

    move: Move
    """The move."""
    skipped: bool
    """Whether the move was a bomb: nothing was placed, and it is taboo from then on."""


@dataclass(frozen=True, slots=True, repr=False)
class GameState:
    """A position of the game: hashable, comparable, small to pickle. `start` and `of` check their arguments.

    >>> state = GameState.start(Board.parse("12.. .... .... ...."))
    >>> state, outcome = state.play((1, 3, 1))
    >>> print(outcome, state, sep="; ")
    player 1 places r2c4=1; <GameState 2x2 classic, 1 move, 0:0, player 2 to move>
    >>> state, outcome = state.play((0, 2, 3))
    >>> state, outcome = state.play((0, 3, 4))
    >>> print(outcome, state.scores, sep="; ")
    player 1 places r1c4=4: 1 point; (1, 0)
    """

    board: Board
    """The current board."""
    initial: Board
    """The board at the start."""
    scores: tuple[int, int] = (0, 0)
    """The points of player 1 and of player 2 so far."""
    player: int = 1
    """The player to move, 1 or 2; in a lost game, the loser."""
    taboo: frozenset[Move] = frozenset()
    """The moves that are known to be bombs: neither player may propose them again."""
    history: tuple[Played, ...] = ()
    """The moves that were placed or skipped; a pass leaves no entry."""
    mode: PlayMode = PlayMode.CLASSIC
    """The play mode, which defines the squares on which each player may play."""
    allowed: tuple[Squares, Squares] | None = None
    """The squares of player 1 and of player 2; None in the mode classic."""
    occupied: tuple[Squares, Squares] = (frozenset(), frozenset())
    """The squares that player 1 and that player 2 have filled, in every mode."""
    loss: Loss | None = None
    """The reason why the player to move has lost the game; None if no player has lost it."""

    @staticmethod
    def start(
        board: BoardLike,
        mode: PlayMode | str = PlayMode.CLASSIC,
        rng: Random | None = None,
        *,
        allowed: tuple[Iterable[Square], Iterable[Square]] | None = None,
    ) -> GameState:
        """Return the state before the first turn on `board`, a `Board` or what `Board.of` makes one of.

        The mode random draws its squares from `rng`, unless `allowed` gives them. This does not check that the board
        has a completion; `Referee.require_solvable` does.
        """
        mode = mode_named(mode)
        board = Board.of(board)
        squares = _checked_allowed(board, mode, allowed, rng)
        return GameState(board, board, mode=mode, allowed=squares)

    @staticmethod
    def of(
        board: BoardLike,
        *,
        initial: BoardLike | None = None,
        scores: Iterable[int] = (0, 0),
        player: int | None = None,
        taboo: Iterable[Iterable[int]] = (),
        history: Iterable[tuple[Iterable[int], bool]] = (),
        mode: PlayMode | str = PlayMode.CLASSIC,
        allowed: tuple[Iterable[Square], Iterable[Square]] | None = None,
        occupied: tuple[Iterable[Square], Iterable[Square]] = ((), ()),
        loss: Loss | None = None,
    ) -> GameState:
        """Return the state of these parts; raise SudokuError if they contradict each other.

        `board` and `initial` are each a `Board`, or what `Board.of` makes one of. The moves that were skipped in
        `history` are taboo, whether `taboo` names them or not. Missing arguments follow from the history: `initial` is
        the board without the placed values, and `player` alternates. By default `scores` are 0:0, `mode` is classic,
        `allowed` has the squares of the mode, `occupied` is empty, and `loss` is None, because nobody has lost.

        >>> GameState.of(Board.parse("1... .... .... ...."), history=[((0, 0, 1), False), ((3, 3, 1), True)])
        <GameState 2x2 classic, 2 moves, 0:0, player 1 to move>
        """
        mode = mode_named(mode)
        board = Board.of(board)
        past = tuple(Played(_checked_move(board, move), bool(skipped)) for move, skipped in history)
        placed = [move for move, skipped in past if not skipped]
        squares = [(row, col) for row, col, _ in placed]
        if len(set(squares)) < len(squares):
            again = next(square for square in squares if squares.count(square) > 1)
            raise SudokuError(f"expected each square to be filled once in the history; found {cell_name(*again)} again")
        if initial is None:
            initial = board.without(board.geometry.cell(row, col) for row, col, _ in placed)
        initial = Board.of(initial)
        if not board.extends(initial):
            raise SudokuError("expected the board to have every value of the initial board; found another")
        for row, col, value in placed:
            if board[row, col] != value or initial[row, col]:
                found = f"{initial[row, col] or '.'} in the initial board and {board[row, col] or '.'} in the board"
                raise SudokuError(
                    f"expected {move_name(row, col, value)}, which was placed, to be there now; found {found}"
                )
        player = 1 + len(past) % 2 if player is None else player
        points = tuple(scores)
        if player not in PLAYERS:
            raise SudokuError(f"expected the player 1 or 2; found {player!r}")
        if len(points) != 2 or not all(isinstance(score, int) and score >= 0 for score in points):
            raise SudokuError(f"expected two scores of at least 0; found {points}")
        filled = _checked_pair(board, "occupied", occupied)
        for row, col in filled[0] | filled[1]:
            if not board[row, col]:
                raise SudokuError(f"expected a value on the occupied square {cell_name(row, col)}; found none")
        bombs = {move for move, skipped in past if skipped}.union(_checked_move(board, move) for move in taboo)
        open_to = _checked_allowed(board, mode, allowed, None)
        return GameState(
            board, initial, (points[0], points[1]), player, frozenset(bombs), past, mode, open_to, filled, loss
        )

    def squares(self, player: int | None = None) -> tuple[Square, ...] | None:
        """Return the empty squares on which a player may play, sorted; None if every empty square is open.

        The default is the player to move.
        """
        if self.allowed is None:
            return None
        who = (player or self.player) - 1
        return open_squares(self.board, self.allowed[who], self.occupied[who])

    def moves(self) -> list[Move]:
        """Return the moves that do not lose at once: legal moves on open squares that are not taboo, bombs included.

        The list is empty if the game is over.

        >>> state = GameState.start(Board.parse("12.. .... ..1. ...."), "rows")
        >>> [tuple(move) for move in state.moves()]
        [(0, 2, 3), (0, 2, 4), (0, 3, 3), (0, 3, 4)]
        """
        if self.loss is not None:
            return []
        board, taboo, size = self.board, self.taboo, self.board.size
        cells: Iterable[int] = board.empty_cells()
        if self.allowed is not None:
            cells = [row * size + col for row, col in self.squares() or ()]
        values, regions_of = board.values, board.geometry.regions_of
        held = [{values[cell] for cell in region} for region in board.geometry.regions]
        every = range(1, size + 1)
        moves = []
        for cell in cells:
            row, col = divmod(cell, size)
            taken = set().union(*[held[region] for region in regions_of[cell]])
            moves += [Move(row, col, value) for value in every if value not in taken]
        return [move for move in moves if move not in taboo] if taboo else moves

    def can_move(self, player: int) -> bool:
        """Return whether a player has an open square."""
        if self.allowed is None:
            return not self.board.is_full
        return has_open_square(self.board, self.allowed[player - 1], self.occupied[player - 1])

    @property
    def must_pass(self) -> bool:
        """Whether the player to move is passed over: it has no open square, and the opponent has one."""
        return self.loss is None and not self.can_move(self.player) and self.can_move(other(self.player))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: a player has lost, or no player has an open square."""
        return self.loss is not None or not (self.can_move(self.player) or self.can_move(other(self.player)))

    @property
    def result(self) -> tuple[float, float] | None:
        """The result, (1, 0), (0.5, 0.5) or (0, 1); None if the game goes on. A loss counts whatever the scores are."""
        if not self.is_over:
            return None
        if self.loss is not None:
            return (0, 1) if self.player == 1 else (1, 0)
        first, second = self.scores
        return (0.5, 0.5) if first == second else (1, 0) if first > second else (0, 1)

    @property
    def reason(self) -> str | None:
        """Why the game has ended: "board full", "neither player can move", "player 2 lost: taboo"; else None."""
        if self.loss is not None:
            return f"player {self.player} lost: {self.loss}"
        if not self.is_over:
            return None
        return BOARD_FULL if self.board.is_full else NEITHER_CAN_MOVE

    def play(self, move: object, referee: Judge | None = None) -> tuple[GameState, Outcome]:
        """Return the state after the turn of the player to move, and its outcome; raise MoveError if the game is over.

        `move` is a Move, or three integers; None, like (0, 0, 0), is no proposal, and anything else is invalid. If the
        player must pass, it does so, whatever `move` is. Without a `referee` (the default) a new one decides, just as
        exactly, but without the knowledge of earlier turns.
        """
        if not self.can_move(self.player) or self.loss is not None:
            return self._pass()
        if move is None:
            return self.lose(Loss.NO_PROPOSAL)
        proposal = as_move(move)
        if proposal is None:
            return self.lose(Loss.INVALID, detail=f"expected three integers; found {type(move).__name__}")
        if proposal == NOTHING:
            return self.lose(Loss.NO_PROPOSAL, proposal)
        if proposal in self.taboo:
            return self.lose(Loss.TABOO, proposal, "it was found to be a bomb before")
        try:
            proposal.require_on(self.board.size)
        except MoveError as error:
            return self.lose(Loss.INVALID, proposal, str(error))
        try:
            after = self._placed(proposal)
        except MoveError as error:
            return self.lose(Loss.ILLEGAL, proposal, str(error))
        if referee is None:
            from csp_sudoku.game.referee import Referee

            referee = Referee()
        return self._place(proposal, after) if referee.is_safe(self.board, proposal) else self.skip(proposal)

    def place(self, move: Move) -> tuple[GameState, Outcome]:
        """Return the state after a legal move that the caller knows to be safe; raise MoveError if it is not legal."""
        return self._place(move, self._placed(move))

    def skip(self, move: Move) -> tuple[GameState, Outcome]:
        """Return the state after a legal move that the caller knows to be a bomb."""
        outcome = Outcome(OutcomeKind.SKIPPED, self.player, move)
        state = GameState(
            self.board, self.initial, self.scores, other(self.player), self.taboo | {move},
            (*self.history, Played(move, True)), self.mode, self.allowed, self.occupied,
        )  # fmt: skip
        return state, outcome

    def lose(self, loss: Loss, move: Move | None = None, detail: str = "") -> tuple[GameState, Outcome]:
        """Return the state after the player to move has lost, for example by a crash.

        `loss` is the reason, `move` the proposal if there was one (default None), and `detail` explains the reason.
        """
        if self.is_over:
            raise self._over()
        state = GameState(
            self.board, self.initial, self.scores, self.player, self.taboo,
            self.history, self.mode, self.allowed, self.occupied, loss,
        )  # fmt: skip
        return state, Outcome(OutcomeKind.LOST, self.player, move, reason=loss, detail=detail)

    def _pass(self) -> tuple[GameState, Outcome]:
        if self.is_over:
            raise self._over()
        state = GameState(
            self.board, self.initial, self.scores, other(self.player), self.taboo,
            self.history, self.mode, self.allowed, self.occupied,
        )  # fmt: skip
        return state, Outcome(OutcomeKind.PASSED, self.player, None)

    def _placed(self, move: Move) -> Board:
        """Return the board with the move; raise MoveError if it is not legal."""
        row, col, value = move
        if self.allowed is not None:
            who = self.player - 1
            if not is_open(self.board.size, (row, col), self.allowed[who], self.occupied[who]):
                raise MoveError(f"expected a square that is open to player {self.player}; found {cell_name(row, col)}")
        return self.board.place(row, col, value)

    def _place(self, move: Move, after: Board) -> tuple[GameState, Outcome]:
        """Return the state after a move whose board is `after`."""
        row, col, _ = move
        points = reward(len(completed_regions(after, row, col)))
        (first, second), (mine, theirs) = self.scores, self.occupied
        if self.player == 1:
            first, mine = first + points, mine | {(row, col)}
        else:
            second, theirs = second + points, theirs | {(row, col)}
        state = GameState(
            after, self.initial, (first, second), other(self.player), self.taboo,
            (*self.history, Played(move, False)), self.mode, self.allowed, (mine, theirs),
        )  # fmt: skip
        return state, Outcome(OutcomeKind.PLACED, self.player, move, points)

    def _over(self) -> MoveError:
        return MoveError(f"expected a game that goes on; found one that is over ({self.reason})")

    def _repr_svg_(self) -> str:
        """Return the drawing that a notebook shows."""
        return as_svg(self)

    def __repr__(self) -> str:
        moves = f"{len(self.history)} move{'s' * (len(self.history) != 1)}"
        end = self.reason or f"player {self.player} to move"
        return f"<GameState {self.board.geometry.name} {self.mode}, {moves}, {self.scores[0]}:{self.scores[1]}, {end}>"


def as_move(proposal: Any) -> Move | None:
    """Return a proposal as a move, or None if it is not three integers; integers of numpy count too.

    >>> as_move([0, 2, 7]), as_move((0, 2)), as_move("027")
    (Move(row=0, col=2, value=7), None, None)
    """
    try:
        row, col, value = map(index, proposal)
    except (TypeError, ValueError):
        return None
    # Python refuses to print integers of thousands of digits, but an error message must show the number.
    return Move(row, col, value) if max(row, col, value) < ENDLESS and min(row, col, value) > -ENDLESS else None


def _checked_move(board: Board, move: Iterable[int]) -> Move:
    checked = as_move(move)
    if checked is None:
        raise MoveError(f"expected a move of three integers; found {move!r}")
    checked.require_on(board.size)
    return checked


def _checked_pair(board: Board, what: str, pair: tuple[Iterable[Square], Iterable[Square]]) -> tuple[Squares, Squares]:
    """Return the squares of both players; raise SudokuError if one is not on the board."""
    first, second = (frozenset((index(row), index(col)) for row, col in squares) for squares in pair)
    for row, col in first | second:
        if not (0 <= row < board.size and 0 <= col < board.size):
            last = cell_name(board.size - 1, board.size - 1)
            raise SudokuError(f"expected {what} squares from r1c1 to {last}; found {cell_name(row, col)}")
    return first, second


def _checked_allowed(
    board: Board,
    mode: PlayMode,
    given: tuple[Iterable[Square], Iterable[Square]] | None,
    rng: Random | None,
) -> tuple[Squares, Squares] | None:
    """Return the allowed squares of a mode; given squares must be the same, except in the mode random."""
    if given is None:
        return allowed_squares(board.geometry, mode, rng)
    checked = _checked_pair(board, "allowed", given)
    if mode is not PlayMode.RANDOM and checked != allowed_squares(board.geometry, mode):
        raise SudokuError(f"expected the allowed squares of the mode {mode}; found others")
    return checked
