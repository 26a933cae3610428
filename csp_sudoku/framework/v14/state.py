"""Boards, moves and states of the new API."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from copy import deepcopy

from csp_sudoku.errors import OptionError
from csp_sudoku.framework.board_text import EMPTY, SIGNS
from csp_sudoku.framework.boards import BoardBase, Copied, MoveBase, Square, rows

MODES = ("classic", "rows", "border", "random")
"""The play modes."""


class SudokuSettings:
    """The settings that the framework's scripts change."""

    print_ascii_states = False


class Move(MoveBase):
    """A value in a square."""

    parts = ("square", "value")

    def __init__(self, square: Square, value: int) -> None:
        self.square = square
        self.value = value

    def place(self) -> Square:
        """Return the row and the column."""
        row, column = self.square
        return row, column


class TabooMove(Move):
    """A move after which the sudoku has no solution."""


class SudokuBoard(BoardBase):
    """A sudoku board. Indices are not checked: a column beyond the last one is a square of the next row."""

    def put(self, square: Square, value: int) -> None:
        """Write a value into a square."""
        self.squares[self.square2index(square)] = value

    def get(self, square: Square) -> int:
        """Return the value in a square."""
        return self.squares[self.square2index(square)]

    def square2index(self, square: Square) -> int:
        """Return the index of a square in `squares`."""
        return self.N * square[0] + square[1]

    def index2square(self, k: int) -> Square:
        """Return the square of an index in `squares`."""
        return divmod(k, self.N)


class GameState(Copied):
    """A game: the initial and the current board, the player to move, and the allowed and occupied squares of each side.

    The lists of squares are None in the play mode classic. If one of the two boards is missing, it follows from the
    other one and the moves; if both are missing, both are empty and 2×2.

    The lists `taboo_moves` and `moves` are empty by default, `scores` are [0, 0], and `current_player` is 1. The other
    lists are None by default.
    """

    def __init__(
        self,
        initial_board: SudokuBoard | None = None,
        board: SudokuBoard | None = None,
        taboo_moves: list[TabooMove] | None = None,
        moves: list[Move] | None = None,
        scores: list[int] | None = None,
        current_player: int = 1,
        allowed_squares1: list[Square] | None = None,
        allowed_squares2: list[Square] | None = None,
        occupied_squares1: list[Square] | None = None,
        occupied_squares2: list[Square] | None = None,
    ) -> None:
        self.taboo_moves = [] if taboo_moves is None else taboo_moves
        self.moves = [] if moves is None else moves
        self.initial_board, self.board = _boards(initial_board, board, self.moves)
        self.scores = [0, 0] if scores is None else scores
        self.current_player = current_player
        self.allowed_squares1 = allowed_squares1
        self.allowed_squares2 = allowed_squares2
        self.occupied_squares1 = occupied_squares1
        self.occupied_squares2 = occupied_squares2

    def is_classic_game(self) -> bool:
        """Return whether both players may play everywhere."""
        return self.allowed_squares1 is None and self.allowed_squares2 is None

    def occupied_squares(self) -> list[Square] | None:
        """Return the squares that the current player has filled: the list itself, not a copy."""
        return self.occupied_squares1 if self.current_player == 1 else self.occupied_squares2

    def player_squares(self) -> list[Square] | None:
        """Return the squares on which the current player may play, sorted; None if there is no restriction.

        They are the empty ones of the allowed squares and of the neighbours of the occupied squares.
        """
        allowed = self.allowed_squares1 if self.current_player == 1 else self.allowed_squares2
        if allowed is None:
            return None
        size, squares = self.board.N, self.board.squares
        reached = {(row, column) for row, column in allowed}
        for row, column in self.occupied_squares() or ():
            reached.update(
                (near_row, near_column)
                for near_row in range(max(row - 1, 0), min(row + 2, size))
                for near_column in range(max(column - 1, 0), min(column + 2, size))
            )
        return sorted(square for square in reached if squares[size * square[0] + square[1]] == SudokuBoard.empty)

    def __str__(self) -> str:
        return state_as_text(self)


def _boards(
    initial: SudokuBoard | None, board: SudokuBoard | None, moves: list[Move]
) -> tuple[SudokuBoard, SudokuBoard]:
    """Return the initial and the current board. As in the framework, moves that became taboo count as placed."""
    if initial is not None and board is not None:
        return initial, board
    if initial is not None:
        board = deepcopy(initial)
        for move in moves:
            board.put(move.square, move.value)
        return initial, board
    if board is not None:
        initial = deepcopy(board)
        for move in moves:
            initial.put(move.square, SudokuBoard.empty)
        return initial, board
    return SudokuBoard(2, 2), SudokuBoard(2, 2)


def allowed_squares(board: SudokuBoard, playmode: str) -> tuple[list[Square], list[Square]]:
    """Return the squares that a play mode allows to each player at the start of a game; no squares for classic.

    `playmode` is one of MODES; any other text raises OptionError. The mode random draws from the module `random`.

    >>> allowed_squares(SudokuBoard(2, 2), "rows")
    ([(0, 0), (0, 1), (0, 2), (0, 3)], [(3, 0), (3, 1), (3, 2), (3, 3)])
    >>> allowed_squares(SudokuBoard(2, 2), "classic")
    ([], [])
    """
    last = board.N - 1
    whole = [board.index2square(k) for k in range(board.N * board.N)]
    if playmode == "classic":
        return [], []
    if playmode == "rows":
        return [square for square in whole if square[0] == 0], [square for square in whole if square[0] == last]
    if playmode == "border":
        border = in_order([square for square in whole if {0, last} & {*square}], board.N)
        return border, border.copy()
    if playmode == "random":
        drawn = generate_random_tuples(board.N)
        return sorted(drawn[: board.N]), sorted(drawn[board.N :])
    raise OptionError(f"expected a play mode among {', '.join(MODES)}; found {playmode!r}")


def in_order(squares: Iterable[Square], size: int) -> list[Square]:
    """Return squares in the order in which the framework lists the squares of a play mode.

    The top and the bottom row come first, then the other squares column by column.

    `size` is the number of rows of the board.

    >>> in_order([(1, 0), (1, 2), (2, 1), (0, 2)], 3)
    [(0, 2), (2, 1), (1, 0), (1, 2)]
    """
    return sorted(squares, key=lambda at: (0, *at) if at[0] in (0, size - 1) else (1, at[1], at[0]))


def generate_random_tuples(N: int) -> list[Square]:  # noqa: N803 - agents may pass it by name
    """Return 2N different random squares of a board with N rows."""
    return random.sample([divmod(k, N) for k in range(N * N)], 2 * N)


def state_as_text(game_state: GameState) -> str:
    """Return a state in the new text form."""
    board = game_state.board
    lines = [f"rows = {board.m}", f"columns = {board.n}"]
    if game_state.initial_board.squares != board.squares:
        lines += ["initial-board =", *rows(game_state.initial_board)]
    lines += ["board =", *(_signed_rows(game_state) if _has_owners(game_state) else rows(board))]
    lines += [
        f"taboo-moves = {game_state.taboo_moves}",
        f"moves = {game_state.moves}",
        f"scores = {list(game_state.scores)}",
        f"current-player = {game_state.current_player}",
    ]
    for kind in ("allowed", "occupied"):
        for player in (1, 2):
            squares = getattr(game_state, f"{kind}_squares{player}")
            if squares is not None:
                listed = ", ".join(f"({row},{column})" for row, column in squares)
                lines.append(f"{kind}-squares{player} = {listed}".rstrip())
    return "\n".join(lines) + "\n"


def _has_owners(game_state: GameState) -> bool:
    return bool(game_state.occupied_squares1 or game_state.occupied_squares2)


def _signed_rows(game_state: GameState) -> list[str]:
    """Return a line per row of the board; a value that a player has filled in carries the sign of that player."""
    board, sign = game_state.board, sign_of(game_state)
    words = [f"{value or EMPTY:>4}{sign(board.index2square(k))}" for k, value in enumerate(board.squares)]
    return ["".join(words[start : start + board.N]).rstrip() for start in range(0, board.N * board.N, board.N)]


def sign_of(game_state: GameState) -> Callable[[Square], str]:
    """Return a function that maps a square to the sign of the player that has filled it, or to a blank."""
    owned = {1: {*(game_state.occupied_squares1 or ())}, 2: {*(game_state.occupied_squares2 or ())}}
    return lambda square: next((sign for sign, player in SIGNS.items() if square in owned[player]), " ")
