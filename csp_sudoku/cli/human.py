"""A player for a person who types moves line by line: on a terminal, or through pipes.

The opponent runs in its own process under the clock, as always. The person plays in the process of the command, without
a clock. If a move would lose at once, the player explains why and asks again.
"""

from __future__ import annotations

import io
import re
import sys
from time import monotonic
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli.drawing import draw_counts, draw_position
from csp_sudoku.cli.output import colours, say
from csp_sudoku.coordinates import cell_name, parse_move
from csp_sudoku.errors import OptionError
from csp_sudoku.evaluation.advice import Adviser, objection

if TYPE_CHECKING:
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move import Move
    from csp_sudoku.sandbox.client import Thought

NO_UNDO = "a move of a game cannot be taken back"
"""The answer to a person who asks for that."""
QUESTIONS = "? hint, m map, m r1c2 one cell, q resign"
MAP_LEGEND = "in each empty cell: the number of safe moves, and after a star the number of bombs"
SQUARES_SHOWN = 12
"""Maximum number of open squares to list in a mode that restricts them."""
_CELL = re.compile(r"m\s+r(\d{1,3})c(\d{1,3})", re.ASCII | re.IGNORECASE)


def as_thought(move: Move | None, started: float) -> Thought:
    """Return the result of a person's turn that began at the time `started` of `monotonic`; no move means resigning."""
    from csp_sudoku.arena.play import answered

    return answered(move, monotonic() - started)


def last_move(state: GameState) -> tuple[int, int] | None:
    """Return the square of the last move if it was placed; None if it was a bomb, or if there was none."""
    if not state.history or state.history[-1].skipped:
        return None
    move = state.history[-1].move
    return move.row, move.col


class LinePlayer:
    """A person who types lines; with `quiet` (default False), the conversation is on standard error."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.adviser = Adviser()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are not text are no move either

    def think(self, state: GameState, seconds: float, *, full_time: bool = False) -> Thought:  # noqa: ARG002 - no clock
        """Ask until the person types a move that does not lose at once; at the end of the input, the person resigns."""
        started = monotonic()
        self._write(self._shown(state))
        while True:
            self._prompt(f"player {state.player}, your move (r1c2=3; {QUESTIONS}): ")
            line = sys.stdin.readline() if sys.stdin is not None else ""
            text = line.strip()
            if not line or text.lower() in ("q", "quit"):
                return as_thought(None, started)
            answer = self._answer(state, text)
            if not isinstance(answer, str):
                return as_thought(answer, started)
            self._write(answer)

    def _answer(self, state: GameState, text: str) -> str | Move:
        """Return the move of a line, or an answer as text if the move loses at once or the line is a question."""
        from csp_sudoku.moves.move import Move

        if text == "?":
            return self.adviser.hint(state)
        if text.lower() in ("u", "undo"):
            return NO_UNDO
        if text.lower() == "m":
            return f"{draw_counts(self.adviser.map(state.board), colour=colours())}\n{MAP_LEGEND}"
        if cell := _CELL.fullmatch(text):
            row, col = int(cell[1]) - 1, int(cell[2]) - 1
            size = state.board.size
            if not (0 <= row < size and 0 <= col < size):
                return f"expected a cell from r1c1 to {cell_name(size - 1, size - 1)}; found {text.split()[1]}"
            return self.adviser.cell(state, row, col)
        try:
            move = Move(*parse_move(text))
        except OptionError as error:
            return str(error)
        return objection(state, move) or move

    def _shown(self, state: GameState) -> str:
        """Return the position as text: the board, the scores, the last turn, and the open squares."""
        first, second = state.scores
        lines = [
            draw_position(state.board, state.initial, last_move(state), colour=colours()),
            f"{first}:{second}, you are player {state.player}{told_last(state)}",
        ]
        squares = state.squares()
        if squares is not None:
            names = [cell_name(*square) for square in squares[:SQUARES_SHOWN]]
            more = f" and {len(squares) - SQUARES_SHOWN} more" if len(squares) > SQUARES_SHOWN else ""
            lines.append(f"open to you: {', '.join(names)}{more}")
        return "\n".join(lines)

    def _prompt(self, text: str) -> None:
        """Show the prompt; on a terminal the input follows it, and through a pipe the answer begins a new line."""
        is_terminal = sys.stdin is not None and sys.stdin.isatty()
        click.echo(text, nl=not is_terminal, err=self.quiet)

    def _write(self, text: str) -> None:
        """Show a text."""
        if self.quiet:
            click.echo(text, err=True)
        else:
            say(text)


def told_last(state: GameState) -> str:
    """Return the last turn as the end of a sentence; an empty text before the first one."""
    if not state.history:
        return ""
    move, skipped = state.history[-1]
    return f"; the last move was {move}" + (", a bomb" if skipped else "")
