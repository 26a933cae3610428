"""csp-sudoku replay: verify recorded games by the exact rules, and show them step by step."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.drawing import draw_position
from csp_sudoku.cli.inputs import number_between, whole
from csp_sudoku.cli.legend import legend
from csp_sudoku.cli.output import bold, colours, duration, number, say
from csp_sudoku.cli.pictures import (
    html_option,
    log_option,
    logs_of,
    require_one_game,
    svg_option,
    with_files,
    write_svg,
    write_text,
)
from csp_sudoku.cli.progress import Bar
from csp_sudoku.cli.records import RecordedGame, RecordedGames
from csp_sudoku.errors import OptionError

if TYPE_CHECKING:
    from csp_sudoku.game.outcome import Outcome
    from csp_sudoku.game.state import GameState
    from csp_sudoku.game.verification import Problem, Replay, ReplayedTurn

MAP_S = 2.0
"""Default time limit for the moves of one position of a page, in seconds; only 25×25 boards may need more."""


@click.command(
    "replay",
    short_help="Verify recorded games, and show them step by step.",
    epilog="""\b
Examples:
  csp-sudoku replay game.json
  csp-sudoku replay --last tournament.jsonl
  csp-sudoku replay --step 12 game.json
  csp-sudoku replay --step 12 --svg position.svg game.json
  csp-sudoku replay --html game.html --log logs game.json
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
@svg_option("the position of --step or --last", "games")
@html_option("the game, to step through it in a browser,")
@log_option
@click.option(
    "--time-limit",
    type=number_between(0, inf),
    metavar="SECONDS",
    help=f"With --html: leave moves undecided after this many seconds per position.  [default: {MAP_S:g}]",
)
def command(
    files: tuple[str, ...],
    verify: bool,
    last: bool,
    step: int | None,
    as_json: bool,
    svg: Path | None,
    html: Path | None,
    logs: str | None,
    time_limit: float | None,
) -> int:
    """Verify the games of GAME by the exact rules, and show them step by step.

    GAME may hold one record or many, as JSON or JSON Lines; "-", or no GAME, is standard input. The command judges
    every turn again: the move, whether it is a bomb, the points, the result. If a record contradicts the rules, a line
    reports the turn and the difference, and the replay of this game ends.

    The page of --html shows every position with its safe moves and its bombs, and needs neither a network nor another
    file. `csp-sudoku analyse --html` adds the values.
    """
    _require_one({"--verify": verify, "--last": last, "--step": step is not None, "--json": as_json})
    if svg is not None and step is None and not last:
        raise OptionError("expected --svg with --step or --last, which choose the position; found neither")
    if time_limit is not None and html is None:
        raise OptionError("expected --time-limit with --html; found it alone")
    is_quiet = verify or as_json or (html is not None and step is None and not last)
    printed = logs_of(logs, html)
    games = RecordedGames(files)
    pages: list[str] = []
    with Bar("replaying") as bar:
        for game, (picture, page) in with_files(games, svg, html):
            if step is not None and step > len(game.record.turns):
                games.refuse(game, f"expected a step from 0 to {len(game.record.turns)}; found {step}")
                continue
            replay, written = game.replay(), []
            steps: list[ReplayedTurn] = []
            for view in _chosen(replay, steps, step, last=last):
                if is_quiet:
                    continue
                if picture is not None:
                    write_svg(picture, view.state)
                    written.append(f"drawing in {picture}")
                with bar.aside():
                    say(f"{_told(game, view)}\n{_drawn(game, view)}\n")
            games.judge(game, replay.problems)
            if page is not None:
                pages.append(str(page))
                require_one_game(printed, page, html)
                _write_page(page, replay, steps, printed, MAP_S if time_limit is None else time_limit, bar)
                written.append(f"page in {page}")
            bar.step()
            if not as_json:
                with bar.aside():
                    lines = [_verdict(game, replay.problems), *(f"{game}: {file}" for file in written)]
                    say("\n".join(lines) + ("" if is_quiet else "\n"))
    if as_json:
        found = {"games": games.count, "valid": games.code == DONE, "problems": games.problems}
        say(json.dumps(found | ({"pages": pages} if html is not None else {})))
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


def _views(replay: Replay, steps: list[ReplayedTurn]) -> Iterator[_View]:
    """Yield the start, and the position after each turn that the rules allow; add every turn to `steps`."""
    yield _View(replay.start, None, None)
    for step in replay:
        steps.append(step)
        if step.outcome is not None:
            yield _View(step.state, step, step.outcome)


def _chosen(replay: Replay, steps: list[ReplayedTurn], number: int | None, *, last: bool) -> Iterable[_View]:
    """Return the views to show; in every case the game is replayed to its end, and its turns are added to `steps`."""
    views = _views(replay, steps)
    if last:
        return deque(views, maxlen=1)
    return (view for view in views if number is None or view.number == number)


def _write_page(
    path: Path, replay: Replay, steps: list[ReplayedTurn], logs: tuple[str, ...], time_limit: float, bar: Bar
) -> None:
    """Write the page of a game; `bar` counts its positions."""
    from csp_sudoku.pages import replay_page

    write_text(path, replay_page(replay, steps, logs=logs, time_limit=time_limit, on_position=bar.step))


def _told(game: RecordedGame, view: _View) -> str:
    """Describe a view in words: the turn and its outcome, or at the start the title of the game."""
    if view.step is None or view.outcome is None:
        return "\n".join([bold(f"# {game.title()}"), *legend(game.record.board, colour=colours())])
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


def _drawn(game: RecordedGame, view: _View) -> str:
    move = view.outcome.move if view.outcome is not None else None
    last = None if move is None else (move.row, move.col)
    return draw_position(view.state.board, game.record.board, last, colour=colours())


def _verdict(game: RecordedGame, problems: list[Problem]) -> str:
    """Return the result of the replay, in one line."""
    if problems:
        return game.difference(problems)
    return f"{game}: right, {number(len(game.record.turns), 'turn')}; {game.record.ending()}"
