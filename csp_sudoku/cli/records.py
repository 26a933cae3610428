"""Game records for the commands: they are read from files one by one, and their problems are collected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_sudoku.cli.arguments import STDIN
from csp_sudoku.cli.codes import BAD, DONE, NO, worst
from csp_sudoku.cli.inputs import piped
from csp_sudoku.cli.output import complain, number
from csp_sudoku.errors import SudokuError

if TYPE_CHECKING:
    from csp_sudoku.game.record import GameRecord
    from csp_sudoku.game.verification import Problem, Replay


class RecordedGame(NamedTuple):
    """A record, with its source and its number there."""

    record: GameRecord
    source: str
    number: int

    def replay(self) -> Replay:
        """Return a replay of the record."""
        from csp_sudoku.game.verification import Replay

        return Replay(self.record)

    def title(self) -> str:
        """Return the source, the shape, the mode, the players, and the time and the seed if the record has them."""
        return f"{self}: {self.record.heading()}"

    def difference(self, problems: list[Problem]) -> str:
        """Return the first problem, and the number of the others."""
        more = f" (and {number(len(problems) - 1, 'more difference')})" if len(problems) > 1 else ""
        return f"{self}: {problems[0]}{more}"

    def __str__(self) -> str:
        return f"{self.source}, game {self.number}"


class RecordedGames:
    """The games of the files, one after the other, and their problems. An error ends the reading of its file."""

    def __init__(self, files: Sequence[str]) -> None:
        self.files = files or piped("a GAME, or game records on standard input")
        self.count = 0
        """The number of games that were read."""
        self.code = DONE
        self.problems: list[dict[str, Any]] = []
        """The problems, as JSON objects."""

    def __iter__(self) -> Iterator[RecordedGame]:
        from csp_sudoku.game.reading import read_records

        for file in self.files:
            source, count = STDIN if file == "-" else file, 0
            try:
                for record in read_records(file):
                    count += 1
                    self.count += 1
                    yield RecordedGame(record, source, count)
            except SudokuError as error:
                complain(str(error))
                self._add(source, count + 1, None, str(error), BAD)

    def judge(self, game: RecordedGame, problems: Iterable[Problem]) -> None:
        """Add the problems that a replay has found."""
        for problem in problems:
            self._add(game.source, game.number, problem.turn, problem.difference, NO)

    def refuse(self, game: RecordedGame, message: str) -> None:
        """Report that a game cannot be shown as requested."""
        complain(f"{game}: {message}")
        self._add(game.source, game.number, None, message, BAD)

    def _add(self, source: str, number: int, turn: int | None, message: str, code: int) -> None:
        self.problems.append({"source": source, "game": number, "turn": turn, "problem": message})
        self.code = worst([self.code, code])
