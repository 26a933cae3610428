"""csp-sudoku replay: recorded games, played again by the exact rules and shown step by step."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from csp_sudoku.cli.codes import BAD, DONE, NO, worst
from csp_sudoku.cli.drawing import draw_position
from csp_sudoku.cli.inputs import STDIN, whole
from csp_sudoku.cli.output import bold, colours, complain, duration, number, say
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import OptionError, SudokuError

if TYPE_CHECKING:
    from csp_sudoku.game.outcome import Outcome
    from csp_sudoku.game.record import GameRecord, Player
    from csp_sudoku.game.state import GameState
    from csp_sudoku.game.verification import Problem, Replay, Step


@click.command(
    "replay",
    short_help="Verify recorded games, and show them step by step.",
    epilog="""\b
Examples:
  csp-sudoku replay game.json
  csp-sudoku replay --last tournament.jsonl
  csp-sudoku replay --step 12 game.json
  csp-sudoku replay --json tournament.jsonl | jq .valid

\b
Exit codes: 0 all games are right, 1 a game is not what the rules make of it,
2 bad input or usage, 130 interrupted.""",
)
@click.argument("files", nargs=-1, metavar="[GAME]...")
@click.option("--verify", is_flag=True, help="Only verify: a line per game.")
@click.option("--last", is_flag=True, help="Show the last position only.")
@click.option("--step", type=whole(0), metavar="N", help="Show the position after N turns only; 0 is the start.")
@click.option("--json", "as_json", is_flag=True, help="Only verify: one JSON object for all games, for programs.")
def command(files: tuple[str, ...], verify: bool, last: bool, step: int | None, as_json: bool) -> int:
    """Verify the games of GAME by the exact rules, and show them step by step.

    GAME may hold one record or many, as JSON or JSON Lines; "-", or none at all, is standard input. Every turn is
    judged anew: the move, whether it is a bomb, the points, the result. Where a game goes another way than its record
    says, a line tells the turn and the difference, and the replay of this game ends.
    """
    _require_one({"--verify": verify, "--last": last, "--step": step is not None, "--json": as_json})
    games = _Games(files or _piped())
    with Bar("replaying") as bar:
        for game in games:
            if step is not None and step > len(game.record.turns):
                games.refuse(game, f"expected a step from 0 to {len(game.record.turns)}; found {step}")
                continue
            replay = game.replay()
            if verify or as_json:
                deque(replay, maxlen=0)
            else:
                for view in _chosen(replay, step, last=last):
                    with bar.aside():
                        say(f"{_told(game, view)}\n{_drawn(game, view)}\n")
            games.judge(game, replay.problems)
            bar.step()
            if not as_json:
                with bar.aside():
                    say(_verdict(game, replay.problems) + ("" if verify else "\n"))
    if as_json:
        say(json.dumps({"games": games.count, "valid": games.code == DONE, "problems": games.problems}))
    return games.code


def _require_one(options: dict[str, bool]) -> None:
    given = [name for name, wanted in options.items() if wanted]
    if len(given) > 1:
        raise OptionError(f"expected at most one of {', '.join(options)}; found {' and '.join(given)}")


def _piped() -> tuple[str, ...]:
    """Standard input in place of files, unless that is a terminal where nobody knows that they are to type."""
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("expected a GAME, or game records on standard input")
    return ("-",)


class _Game(NamedTuple):
    """A record and where it came from."""

    record: GameRecord
    source: str
    number: int

    def replay(self) -> Replay:
        from csp_sudoku.game.verification import Replay

        return Replay(self.record)

    def __str__(self) -> str:
        return f"{self.source}, game {self.number}"


class _Games:
    """The games of the files, one after the other, and what is found about them. A file that is bad ends there."""

    def __init__(self, files: Iterable[str]) -> None:
        self.files = files
        self.count = 0
        """The games that were read."""
        self.code = DONE
        self.problems: list[dict[str, Any]] = []
        """What is wrong, as JSON shows it."""

    def __iter__(self) -> Iterator[_Game]:
        from csp_sudoku.game.reading import read_records

        for file in self.files:
            source, count = STDIN if file == "-" else file, 0
            try:
                for record in read_records(file):
                    count += 1
                    self.count += 1
                    yield _Game(record, source, count)
            except SudokuError as error:
                complain(str(error))
                self._add(source, count + 1, None, str(error), BAD)

    def judge(self, game: _Game, problems: Iterable[Problem]) -> None:
        """Take in what a replay has found."""
        for problem in problems:
            self._add(game.source, game.number, problem.turn, problem.difference, NO)

    def refuse(self, game: _Game, message: str) -> None:
        """Complain that a game cannot be shown as it was asked."""
        complain(f"{game}: {message}")
        self._add(game.source, game.number, None, message, BAD)

    def _add(self, source: str, number: int, turn: int | None, message: str, code: int) -> None:
        self.problems.append({"source": source, "game": number, "turn": turn, "problem": message})
        self.code = worst([self.code, code])


class _View(NamedTuple):
    """A position of a game, and the step that led to it: None at the start."""

    state: GameState
    step: Step | None
    outcome: Outcome | None

    @property
    def number(self) -> int:
        return 0 if self.step is None else self.step.number


def _views(replay: Replay) -> Iterator[_View]:
    """The start, and the position after each turn that the rules allow."""
    yield _View(replay.start, None, None)
    for step in replay:
        if step.outcome is not None:
            yield _View(step.state, step, step.outcome)


def _chosen(replay: Replay, number: int | None, *, last: bool) -> Iterable[_View]:
    """The views to show; whichever they are, the game is replayed to its end."""
    if last:
        return deque(_views(replay), maxlen=1)
    return (view for view in _views(replay) if number is None or view.number == number)


def _told(game: _Game, view: _View) -> str:
    """A view in words: the turn and what came of it, or the title of the game."""
    if view.step is None or view.outcome is None:
        return bold(f"# {game}: {_title(game.record)}")
    taken = "" if view.step.turn.seconds is None else f", after {duration(view.step.turn.seconds)}"
    score = f"{view.state.scores[0]}:{view.state.scores[1]}"
    return f"turn {view.step.number}{taken}: {view.outcome}{_completed(view)}; {score}"


def _completed(view: _View) -> str:
    """The regions that the last move has completed."""
    if view.outcome is None or view.outcome.move is None or not view.outcome.reward:
        return ""
    from csp_sudoku.game.rules import completed_regions

    board, move = view.state.board, view.outcome.move
    names = [board.geometry.region_name(region) for region in completed_regions(board, move.row, move.col)]
    return f" for {', '.join(names)}"


def _title(record: GameRecord) -> str:
    """The shape, the mode, the players, and what the record says of time and seed."""
    first, second = (_name(player) for player in record.players)
    parts = [f"{record.board.geometry.name} {record.mode}", f"{first} against {second}"]
    if record.time is not None:
        per_turn = isinstance(record.time, int | float)
        parts.append(f"{record.time:g} s per turn" if per_turn else f"time {json.dumps(record.time)}")
    if record.seed is not None:
        parts.append(f"seed {record.seed}")
    return ", ".join(parts)


def _name(player: Player) -> str:
    name = player if isinstance(player, str) else player.get("name")
    text = name if isinstance(name, str) else json.dumps(player)
    return text if text.isprintable() else repr(text)


def _drawn(game: _Game, view: _View) -> str:
    move = view.outcome.move if view.outcome is not None else None
    last = None if move is None else (move.row, move.col)
    return draw_position(view.state.board, game.record.board, last, colour=colours())


def _verdict(game: _Game, problems: list[Problem]) -> str:
    """What the replay has shown, in one line."""
    record = game.record
    if problems:
        more = f" (and {number(len(problems) - 1, 'more difference')})" if len(problems) > 1 else ""
        return f"{game}: {problems[0]}{more}"
    (first, second), (ours, theirs) = record.scores, record.result
    end = "a draw" if ours == theirs else f"player {1 if ours > theirs else 2} wins"
    return f"{game}: right, {number(len(record.turns), 'turn')}; {first}:{second}, {end} ({record.reason})"
