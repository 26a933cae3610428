"""Game records as the commands read them: one after the other from files, and what is found wrong with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_sudoku.cli.codes import BAD, DONE, NO, worst
from csp_sudoku.cli.inputs import STDIN, piped
from csp_sudoku.cli.output import complain, number
from csp_sudoku.errors import SudokuError

if TYPE_CHECKING:
    from csp_sudoku.game.record import GameRecord, Player
    from csp_sudoku.game.verification import Problem, Replay


class Game(NamedTuple):
    """A record and where it came from."""

    record: GameRecord
    source: str
    number: int

    def replay(self) -> Replay:
        """The record, to be played again."""
        from csp_sudoku.game.verification import Replay

        return Replay(self.record)

    def title(self) -> str:
        """Where it came from, the shape, the mode, the players, and what the record says of time and seed."""
        record = self.record
        first, second = map(player_name, record.players)
        parts = [f"{self}: {record.board.geometry.name} {record.mode}", f"{first} against {second}"]
        if record.time is not None:
            per_turn = isinstance(record.time, int | float)
            parts.append(f"{record.time:g} s per turn" if per_turn else f"time {json.dumps(record.time)}")
        if record.seed is not None:
            parts.append(f"seed {record.seed}")
        return ", ".join(parts)

    def difference(self, problems: list[Problem]) -> str:
        """The first of the problems, and how many more there are."""
        more = f" (and {number(len(problems) - 1, 'more difference')})" if len(problems) > 1 else ""
        return f"{self}: {problems[0]}{more}"

    def end(self) -> str:
        """The score, who wins, and why the game ended, as the record has it."""
        record = self.record
        (first, second), (ours, theirs) = record.scores, record.result
        end = "a draw" if ours == theirs else f"player {1 if ours > theirs else 2} wins"
        return f"{first}:{second}, {end} ({record.reason})"

    def __str__(self) -> str:
        return f"{self.source}, game {self.number}"


class Games:
    """The games of the files, one after the other, and what is found about them. A file that is bad ends there."""

    def __init__(self, files: Sequence[str]) -> None:
        self.files = files or piped("a GAME, or game records on standard input")
        self.count = 0
        """The games that were read."""
        self.code = DONE
        self.problems: list[dict[str, Any]] = []
        """What is wrong, as JSON shows it."""

    def __iter__(self) -> Iterator[Game]:
        from csp_sudoku.game.reading import read_records

        for file in self.files:
            source, count = STDIN if file == "-" else file, 0
            try:
                for record in read_records(file):
                    count += 1
                    self.count += 1
                    yield Game(record, source, count)
            except SudokuError as error:
                complain(str(error))
                self._add(source, count + 1, None, str(error), BAD)

    def judge(self, game: Game, problems: Iterable[Problem]) -> None:
        """Take in what a replay has found."""
        for problem in problems:
            self._add(game.source, game.number, problem.turn, problem.difference, NO)

    def refuse(self, game: Game, message: str) -> None:
        """Complain that a game cannot be shown as it was asked."""
        complain(f"{game}: {message}")
        self._add(game.source, game.number, None, message, BAD)

    def _add(self, source: str, number: int, turn: int | None, message: str, code: int) -> None:
        self.problems.append({"source": source, "game": number, "turn": turn, "problem": message})
        self.code = worst([self.code, code])


def player_name(player: Player) -> str:
    """What a record calls a player."""
    name = player if isinstance(player, str) else player.get("name")
    text = name if isinstance(name, str) else json.dumps(player)
    return text if text.isprintable() else repr(text)
