"""The text forms of boards and states of the new API: reading, writing, and drawing them."""

from __future__ import annotations

import re

from csp_sudoku.errors import NotationError
from csp_sudoku.framework.board_text import is_new_form, properties, read_board
from csp_sudoku.framework.boards import Square, board_as_text, board_from_text
from csp_sudoku.framework.v14.state import (
    GameState,
    Move,
    SudokuBoard,
    TabooMove,
    allowed_squares,
    sign_of,
    state_as_text,
)

_SQUARE = r"\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\)"
_MOVE = rf"{_SQUARE}\s*->\s*(\d{{1,9}})"
_NUMBER = r"(-?\d{1,18})"


def parse_properties(text: str) -> dict[str, str]:
    """Return the values of a text of key = value lines, by their keys."""
    return properties(text)


def parse_sudoku_board(text: str) -> SudokuBoard:
    """Return the board of a text in either form."""
    return board_from_text(SudokuBoard, text)


def print_sudoku_board(board: SudokuBoard) -> str:
    """Return a board in the old text form."""
    return board_as_text(board)


def print_game_state(game_state: GameState) -> str:
    """Return a state in the new text form; `parse_game_state` reads it back.

    >>> print(print_game_state(GameState(SudokuBoard(2, 2))), end="")
    rows = 2
    columns = 2
    board =
       .   .   .   .
       .   .   .   .
       .   .   .   .
       .   .   .   .
    taboo-moves = []
    moves = []
    scores = [0, 0]
    current-player = 1
    """
    return state_as_text(game_state)


def parse_game_state(text: str, playmode: str = "rows") -> GameState:
    """Return the state of a text in the new form; a text in the old form gives the start of a game on its board.

    The text gives the squares on which a player may play; if it does not, they follow from `playmode` (default "rows").
    A move that is also among the taboo moves counts as a taboo move.
    """
    board = parse_sudoku_board(text)
    entries = properties(text) if is_new_form(text) else {}
    taboo = [TabooMove((row, column), value) for row, column, value in _on_board(entries, "taboo-moves", _MOVE, board)]
    played = [Move((row, column), value) for row, column, value in _on_board(entries, "moves", _MOVE, board)]
    scores = [number for (number,) in _read(entries, "scores", _NUMBER)] or [0, 0]
    player = ([number for (number,) in _read(entries, "current-player", _NUMBER)] or [1])[0]
    if len(scores) != 2 or player not in (1, 2):
        raise NotationError("two scores and the current player, 1 or 2", f"{scores} and {player}")
    moves = [TabooMove(move.square, move.value) if move in taboo else move for move in played]
    state = GameState(_initial_board(text, entries, board, moves), board, taboo, moves, scores, player)
    if playmode != "classic":
        state.allowed_squares1, state.allowed_squares2 = _allowed(entries, board, playmode)
        owners = read_board(text).owners
        state.occupied_squares1, state.occupied_squares2 = (
            _squares(entries, f"occupied-squares{player}", board)
            if f"occupied-squares{player}" in entries
            else [board.index2square(k) for k, owner in enumerate(owners) if owner == player]
            for player in (1, 2)
        )
    return state


def _initial_board(text: str, entries: dict[str, str], board: SudokuBoard, moves: list[Move]) -> SudokuBoard:
    """Return the board at the start: the one in the text, or else the board without the moves that were played."""
    initial = SudokuBoard(board.m, board.n)
    if "initial-board" in entries:
        initial.squares = read_board(text, "initial-board").values
        return initial
    initial.squares = board.squares.copy()
    for move in moves:
        if not isinstance(move, TabooMove):
            initial.put(move.square, SudokuBoard.empty)
    return initial


def _allowed(entries: dict[str, str], board: SudokuBoard, playmode: str) -> tuple[list[Square], list[Square]]:
    if "allowed-squares1" in entries and "allowed-squares2" in entries:
        return _squares(entries, "allowed-squares1", board), _squares(entries, "allowed-squares2", board)
    return allowed_squares(board, playmode)


def _squares(entries: dict[str, str], key: str, board: SudokuBoard) -> list[Square]:
    return [(row, column) for row, column in _on_board(entries, key, _SQUARE, board)]


def _on_board(entries: dict[str, str], key: str, pattern: str, board: SudokuBoard) -> list[tuple[int, ...]]:
    """Read an entry as `_read` does, for a pattern that begins with a square.

    Raise NotationError if a square is not on the board.
    """
    found = _read(entries, key, pattern)
    for row, column, *_ in found:
        if max(row, column) >= board.N:
            expected = f"squares from (0,0) to ({board.N - 1},{board.N - 1}), counted from 0, in {key}"
            raise NotationError(expected, f"({row},{column})")
    return found


def _read(entries: dict[str, str], key: str, pattern: str) -> list[tuple[int, ...]]:
    """Return the integers of each part of an entry; the parts must match the pattern, and commas separate them."""
    text = entries.get(key, "").strip()
    inner = text.removeprefix("[").removesuffix("]").strip()
    if inner and not re.fullmatch(rf"{pattern}(\s*,\s*{pattern})*\s*,?", inner):
        raise NotationError(f"a list as the value of {key}", repr(text[:40]))
    return [tuple(map(int, part.groups())) for part in re.finditer(pattern, inner)]


def pretty_print_sudoku_board(board: SudokuBoard, gamestate: GameState | None = None) -> str:
    """Draw a board with lines between its blocks; with a `gamestate`, signs show the player that has filled a square.

    >>> print(pretty_print_sudoku_board(SudokuBoard(2, 2)).splitlines()[1])
    |  -   -  |  -   -  |
    """
    sign = sign_of(gamestate) if gamestate is not None else lambda _square: " "
    border = ("+" + "-" * (4 * board.n + 1)) * board.m + "+"
    lines = []
    for row in range(board.N):
        words = [f"{board.get((row, column)) or '-':>3}{sign((row, column))}" for column in range(board.N)]
        parts = ["".join(words[start : start + board.n]) for start in range(0, board.N, board.n)]
        lines += [border] if row % board.m == 0 else []
        lines.append("|" + " |".join(parts) + " |")
    return "\n".join([*lines, border]) + "\n"


def pretty_print_game_state(game_state: GameState) -> str:
    """Draw a state: the points, the board, the player to move, and the squares on which that player may play."""
    squares = game_state.player_squares()
    where = "everywhere" if squares is None else ", ".join(f"({row},{column})" for row, column in squares) or "nowhere"
    return (
        f"Score: {game_state.scores[0]} - {game_state.scores[1]}\n"
        f"{pretty_print_sudoku_board(game_state.board, game_state)}"
        f"Player {game_state.current_player} may play: {where}\n"
    )
