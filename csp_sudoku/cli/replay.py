"""csp-sudoku replay: play recorded games again by the exact rules, and show them step by step."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.drawing import draw_position
from csp_sudoku.cli.inputs import whole
from csp_sudoku.cli.output import bold, colours, duration, number, say
from csp_sudoku.cli.progress import Bar
from csp_sudoku.cli.records import Game, RecordedGames
from csp_sudoku.errors import OptionError

if TYPE_CHECKING:
    from csp_sudoku.game.outcome import Outcome
    from csp_sudoku.game.state import GameState
    from csp_sudoku.game.verification import Problem, Replay, ReplayedTurn


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
@click.argument("files", nargs=-1, metavar="[GAME]...", shell_complete=completion.files)
@click.option("--verify", is_flag=True, help="Verify the games, and print one line for each.")
@click.option("--last", is_flag=True, help="Show only the last position of each game.")
@click.option("--step", type=whole(0), metavar="N", help="Show only the position after N turns; 0 is the start.")
@click.option("--json", "as_json", is_flag=True, help="Verify the games, and print one JSON object for programs.")
def command(files: tuple[str, ...], verify: bool, last: bool, step: int | None, as_json: bool) -> int:
    """Verify the games of GAME by the exact rules, and show them step by step.

    GAME may hold one record or many, as JSON or JSON Lines; "-", or no GAME, is standard input. The command judges
    every turn again: the move, whether it is a bomb, the points, the result. If a game differs from its record, a line
    names the turn and the difference, and the replay of this game ends.
    """
    _require_one({"--verify": verify, "--last": last, "--step": step is not None, "--json": as_json})
    games = RecordedGames(files)
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


class _View(NamedTuple):
    """A position of a game, and the step that led to it, which is None at the start."""

    state: GameState
    step: ReplayedTurn | None
    outcome: Outcome | None

    @property
    def number(self) -> int:
        return 0 if self.step is None else self.step.number


def _views(replay: Replay) -> Iterator[_View]:
    """Yield the start, and the position after each turn that the rules allow."""
    yield _View(replay.start, None, None)
    for step in replay:
        if step.outcome is not None:
            yield _View(step.state, step, step.outcome)


def _chosen(replay: Replay, number: int | None, *, last: bool) -> Iterable[_View]:
    """Return the views to show; in every case the game is replayed to its end."""
    if last:
        return deque(_views(replay), maxlen=1)
    return (view for view in _views(replay) if number is None or view.number == number)


def _told(game: Game, view: _View) -> str:
    """Describe a view in words: the turn and its outcome, or at the start the title of the game."""
    if view.step is None or view.outcome is None:
        return bold(f"# {game.title()}")
    taken = "" if view.step.turn.seconds is None else f", after {duration(view.step.turn.seconds)}"
    score = f"{view.state.scores[0]}:{view.state.scores[1]}"
    return f"turn {view.step.number}{taken}: {view.outcome}{_completed(view)}; {score}"


def _completed(view: _View) -> str:
    """Name the regions that the last move completed."""
    if view.outcome is None or view.outcome.move is None or not view.outcome.reward:
        return ""
    from csp_sudoku.game.rules import completed_regions

    board, move = view.state.board, view.outcome.move
    names = [board.geometry.region_name(region) for region in completed_regions(board, move.row, move.col)]
    return f" for {', '.join(names)}"


def _drawn(game: Game, view: _View) -> str:
    move = view.outcome.move if view.outcome is not None else None
    last = None if move is None else (move.row, move.col)
    return draw_position(view.state.board, game.record.board, last, colour=colours())


def _verdict(game: Game, problems: list[Problem]) -> str:
    """Return the result of the replay, in one line."""
    if problems:
        return game.difference(problems)
    return f"{game}: right, {number(len(game.record.turns), 'turn')}; {game.record.ending()}"
