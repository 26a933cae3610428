"""A screen on which a person plays: the arrow keys move about the board on the terminal, and digits are values.

The program takes over the screen for one turn at a time. During the opponent's turn the terminal works as usual, so
that the turns are printed as lines, and Ctrl-C ends the program properly.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import textwrap
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from csp_sudoku.cli.drawing import ASCII, draw_position
from csp_sudoku.cli.human import NO_UNDO, LinePlayer, as_thought, last_move, told_last
from csp_sudoku.cli.interrupt import interruptible
from csp_sudoku.evaluation.advice import Adviser, objection
from csp_sudoku.notation.symbols import LABELS

if TYPE_CHECKING:
    from csp_sudoku.arena.play import TurnPlayer
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move
    from csp_sudoku.sandbox.client import Thought

ENTER = (10, 13)
ERASE = (8, 127, 32)
TAB = 9
MESSAGE_LINES = 4
"""Number of lines below the board for messages."""
OTHER_LINES = 4
"""Number of lines for the score, the help and blank lines."""
MISSED_KEYS = 100
"""Maximum number of consecutive reads without a key; then the terminal counts as closed, and the person resigns."""


def person(names: list[str], *, quiet: bool) -> TurnPlayer:
    """Return the person at the terminal: on the board with arrow keys if the terminal can do that, else line by line.

    `names` are the names of both players. With `quiet`, the dialogue is on standard error, line by line, because a
    program reads standard output.
    """
    lines = LinePlayer(quiet=quiet)
    return ScreenPlayer(names, lines) if not quiet and is_available() else lines


def is_available() -> bool:
    """Return whether the screen can be used: input and output are a terminal that can move the cursor."""
    streams = (sys.stdin, sys.stdout)
    if not all(stream is not None and stream.isatty() for stream in streams) or os.environ.get("TERM") in (
        None,
        "dumb",
    ):
        return False
    try:
        import curses

        curses.setupterm()
    except (ImportError, curses.error):
        return False
    return True


class Resigns(Exception):  # noqa: N818 - no error
    """The person has resigned."""


class ScreenPlayer:
    """A person at a terminal; `names` are the names of both players, and `lines` plays on one that is too small."""

    def __init__(self, names: list[str], lines: LinePlayer) -> None:
        self.names = names
        self.lines = lines

    def think(self, state: GameState, seconds: float, *, full_time: bool = False) -> Thought:
        """Show the board until the person has chosen a move that does not lose at once, or has resigned."""
        drawing = _drawn(state)
        size = shutil.get_terminal_size()
        if size.columns < max(map(len, drawing)) or size.lines < len(drawing) + MESSAGE_LINES + OTHER_LINES:
            return self.lines.think(state, seconds, full_time=full_time)
        import curses

        started = monotonic()
        turn = ScreenTurn(state, self.names, self.lines.adviser)
        try:
            with interruptible():
                return as_thought(curses.wrapper(turn.run), started)
        except Resigns:
            return as_thought(None, started)
        except KeyboardInterrupt:  # the terminal is restored, so the command can end as on any Ctrl-C
            signal.raise_signal(signal.SIGINT)
            raise


class ScreenTurn:
    """One turn on the screen: the cursor, the value that is typed, and the message below the board.

    >>> from csp_sudoku.board import Board
    >>> from csp_sudoku.game.state import GameState
    >>> turn = ScreenTurn(GameState.start(Board.parse("12.. .... .... ....")), ["human", "greedy"], Adviser())
    >>> turn.cursor, turn.press(ord("3")), str(turn.press(10))
    ((0, 2), None, 'r1c3=3')
    """

    def __init__(self, state: GameState, names: list[str], adviser: Adviser) -> None:
        self.state = state
        self.names = names
        self.adviser = adviser
        self.cursor = self._first_square()
        self.value = 0
        """The value that is typed but not yet played; 0 if there is none."""
        self.message = ""
        self.shows_map = False
        self.asked_to_resign = False

    def _first_square(self) -> tuple[int, int]:
        """The square of the last move, or the first open one."""
        found = last_move(self.state)
        if found is not None:
            return found
        moves = self.state.moves()
        return (moves[0].row, moves[0].col) if moves else (0, 0)

    def run(self, screen: Any) -> Move:
        """Draw the board and read keys until a move is played; raise Resigns if the person resigns."""
        import curses

        with suppress(curses.error):  # not every terminal supports these
            curses.curs_set(1)
            curses.use_default_colors()
            for number, colour in enumerate((curses.COLOR_GREEN, curses.COLOR_RED), 1):
                curses.init_pair(number, colour, -1)
        screen.clear()  # otherwise the screen of the previous turn would flash up
        missed = 0
        while missed < MISSED_KEYS:
            self._draw(screen)
            key = screen.getch()
            missed = missed + 1 if key == curses.ERR else 0
            move = self.press(key)
            if move is not None:
                return move
        raise Resigns

    def press(self, key: int) -> Move | None:
        """Handle a key; return the move that it plays, or None. Raise Resigns at the second q."""
        import curses

        asked, self.asked_to_resign = self.asked_to_resign, False
        steps = {
            curses.KEY_UP: (-1, 0),
            curses.KEY_DOWN: (1, 0),
            curses.KEY_LEFT: (0, -1),
            curses.KEY_RIGHT: (0, 1),
        }
        size = self.state.board.size
        if key in steps:
            (row, col), (down, right) = self.cursor, steps[key]
            self.cursor, self.value = ((row + down) % size, (col + right) % size), 0
        elif value := self._value_of(key):
            self.value, self.message = value, ""
        elif key in (*ENTER, curses.KEY_ENTER):
            return self._play()
        elif key in (*ERASE, curses.KEY_BACKSPACE, curses.KEY_DC):
            self.value = 0
        elif key == ord("?"):
            self.message = self.adviser.hint(self.state)
        elif key in (ord("m"), TAB):
            self.shows_map = not self.shows_map
        elif key == ord("u"):
            self.message = NO_UNDO
        elif key == ord("q"):
            if asked:
                raise Resigns
            self.asked_to_resign, self.message = True, "press q again to resign"
        return None

    def _play(self) -> Move | None:
        """The move of the typed value; None, with a message, if there is no value, or if the move loses at once."""
        from csp_sudoku.moves.move import Move

        if not self.value:
            self.message = "type a value first"
            return None
        move = Move(*self.cursor, self.value)
        self.message = objection(self.state, move)
        return None if self.message else move

    def _value_of(self, key: int) -> int:
        """The value that a key stands for; 0 if this board has no such value. The letter A stands for 10, and so on."""
        label = chr(key).upper() if 0 <= key < 128 else ""
        value = LABELS.find(label) if label else 0
        return value if 0 < value <= self.state.board.size else 0

    def _draw(self, screen: Any) -> None:
        """Draw the board, the score, the message and the help."""
        import curses

        screen.erase()
        lines = _drawn(self.state)
        for row, line in enumerate(lines):
            _put(screen, row, 0, line)
        for cell in range(self.state.board.geometry.cell_count):
            self._draw_cell(screen, *self.state.board.geometry.row_column(cell))
        first, second = self.state.scores
        score = f"{self.names[0]} {first} : {second} {self.names[1]}; you are player {self.state.player}"
        _put(screen, len(lines), 0, score + told_last(self.state), curses.A_BOLD)
        told = [self.message] if self.message else []
        if self.shows_map:
            told.append(self.adviser.cell(self.state, *self.cursor))
        width = max(20, screen.getmaxyx()[1] - 1)
        wrapped = [part for text in told for part in textwrap.wrap(text, width)][:MESSAGE_LINES]
        for row, line in enumerate(wrapped, len(lines) + 1):
            _put(screen, row, 0, line)
        _put(screen, len(lines) + MESSAGE_LINES + 2, 0, self.help_line())
        with suppress(curses.error):  # the position is outside a screen that has become smaller
            screen.move(*place_of(self.state, *self.cursor))
        screen.refresh()

    def _draw_cell(self, screen: Any, row: int, col: int) -> None:
        """Redraw a cell in its style: bold givens, the typed value in reverse, and the map as colours and marks."""
        import curses

        board, width = self.state.board, len(str(self.state.board.size))
        value, style = board[row, col], curses.A_NORMAL
        text = str(value or ".")
        if (row, col) == self.cursor and self.value:
            text, style = str(self.value), curses.A_REVERSE
        elif self.state.initial[row, col]:
            style = curses.A_BOLD
        elif self.shows_map and not value:
            has_bomb = int(self.adviser.map(board).bomb_masks[board.geometry.cell(row, col)]) != 0
            text = "*" if has_bomb else "."
            style = curses.color_pair(2 if has_bomb else 1) if curses.has_colors() else curses.A_NORMAL
        line, column = place_of(self.state, row, col)
        _put(screen, line, column - width + 1, text.rjust(width), style)

    def help_line(self) -> str:
        """The keys, on one line."""
        size = self.state.board.size
        values = f"1-{size}" if size < 10 else f"1-9 A-{LABELS[size]}"
        the_map = "Tab" if size >= LABELS.index("M") else "m"
        return f"arrows, {values} and Enter play; ? hint, {the_map} map, q resign"


def _drawn(state: GameState) -> list[str]:
    """The drawing of the board, in characters that the terminal can show."""
    text = draw_position(state.board, state.initial, last_move(state), colour=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = text.translate(ASCII)
    return text.splitlines()


def place_of(state: GameState, row: int, col: int) -> tuple[int, int]:
    """The line and the column of the last character of a cell in the drawing."""
    m, n, width = state.board.m, state.board.n, len(str(state.board.size)) + 1
    return 1 + row + row // m, 2 + col * (width + 1) + 2 * (col // n) + width - 1


def _put(screen: Any, line: int, column: int, text: str, style: int = 0) -> None:
    """Write a text; parts that do not fit on a screen that has become smaller are omitted."""
    import curses

    lines, columns = screen.getmaxyx()
    if line >= lines or column >= columns:
        return
    with suppress(curses.error):  # the last position of the screen, where the cursor cannot advance
        screen.addnstr(line, column, text, columns - column, style)
