"""csp-sudoku match: play many games between two players, and report which one is stronger."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.contest import Contest, ContestCommand, games_option, plays_many
from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.games import turn_time
from csp_sudoku.cli.inputs import reader
from csp_sudoku.cli.output import bold, number, say, warn

if TYPE_CHECKING:
    from csp_sudoku.arena.failures import FailureTally
    from csp_sudoku.arena.match import Match
    from csp_sudoku.arena.statistics import Sprt


@reader
def sequential_test(text: str) -> Sprt:
    """Read a sequential test, such as elo0=0,elo1=20."""
    from csp_sudoku.arena.statistics import Sprt

    return Sprt.parse(text)


@click.command(
    "match",
    cls=ContestCommand,
    short_help="Play a match of many games between two players.",
    epilog="""\b
Examples:
  csp-sudoku match greedy random --boards empty-2x3 --games 100 --jobs 4
  csp-sudoku match ./new/agent7 ./old/agent7 --boards random-3x3 hard-3x3 --time 0.5 --store results.db
  csp-sudoku match ./new/agent7 greedy --games 2000 --sprt elo0=0,elo1=20 --store results.db --json

\b
Exit codes: 0 the games were played, whoever won them, 2 bad input or usage,
130 interrupted; the games so far are reported, and kept in the store.""",
)
@click.argument("first", metavar="A", shell_complete=completion.players)
@click.argument("second", metavar="B", shell_complete=completion.players)
@games_option("100", "Number of games, on all boards together.")
@click.option(
    "--time", "seconds", metavar="S", type=turn_time, default="0.5", show_default=True, help="Seconds per turn."
)
@click.option(
    "--sprt",
    metavar="elo0=E,elo1=E",
    type=sequential_test,
    help="Stop when a sequential test decides whether A is stronger by elo0 or by elo1 Elo. alpha=P and beta=P set its "
    "error probabilities (default 0.05).",
)
@click.option("--json", "as_json", is_flag=True, help="Print only one JSON object, for programs.")
@plays_many
def command(
    first: str, second: str, games: int, seconds: float, sprt: Sprt | None, as_json: bool, contest: Contest
) -> int:
    """Play many games between the players A and B, and report by how much A is stronger.

    Games come in pairs with the same board and the same random numbers: A moves first in one of them, and B in the
    other. The pairs take the boards in turn. The Elo difference and its interval are computed from the pairs.

    A store identifies a player by its name or folder and its options: after changing its code, use another store.

    Failures of the players, such as crashes and timeouts, are counted, and a warning names the first one.
    """
    from csp_sudoku.arena.failures import warning
    from csp_sudoku.arena.match import Match
    from csp_sudoku.players.spec import Spec, labels

    players = [Spec.parse(first), Spec.parse(second)]
    one, other = map(str, players)
    match = Match(
        one, other, contest.boards, games=games, seconds=seconds, seed=contest.seed, terms=contest.terms, sprt=sprt
    )
    names = labels(players)
    isolation = contest.tell_isolation()

    def tell() -> None:
        told = match.as_object() | {"first": names[0], "second": names[1]} | isolation
        say(json.dumps(told) if as_json else folded(_report(match, told), indent=4))
        warn(warning(zip(names, match.failures, strict=True)))

    with contest.session(len(match.scheduled_games), tell) as (pool, store, bar):

        def take(*result: Any) -> None:
            match.take(*result)
            live = match.live
            bar.note = f"{names[0]} {live.wins} won, {live.draws} drawn, {live.losses} lost"
            bar.step()

        pool.play(match.scheduled_games, store, take, lambda: match.is_over)
    tell()
    return DONE


def _report(match: Match, told: dict[str, Any]) -> str:
    """Return the report for people."""
    points, skips = told["points_per_game"], told["skips_per_game"]
    lines = [
        bold(f"# {told['first']} against {told['second']}, {number(told['games'], 'game')}"),
        f"wins {told['wins']}, draws {told['draws']}, losses {told['losses']}; score {told['score']:.1%}",
        f"points per game {points[0]:.2f} : {points[1]:.2f}",
        f"skips per game {skips[0]:.2f} : {skips[1]:.2f}",
        *failure_lines(zip((told["first"], told["second"]), match.failures, strict=True)),
        f"pairs by score {' '.join(map(str, told['pairs']))} (of 0, ½, 1, 1½, 2)",
        bold(f"Elo difference {difference(told['elo'])}, 95 % interval {interval(*told['elo_interval'])}"),
    ]
    if match.sprt is not None:
        lines.append(_verdict(match, told["sprt"]))
    return "\n".join(lines)


def failure_lines(tallies: Iterable[tuple[str, FailureTally]]) -> list[str]:
    """Return a line for each player that has failed; the players are given by name."""
    return [f"failures of {name}, {failures}" for name, failures in tallies if failures.games]


def difference(elo: float) -> str:
    """Return an Elo difference with its sign, as text.

    >>> difference(12.34), difference(-0.3), difference(-1200)
    ('+12', '0', '-1200 or less')
    """
    from csp_sudoku.arena.statistics import LIMIT, elo_text

    beyond = " or more" if elo >= LIMIT else " or less" if elo <= -LIMIT else ""
    return f"{elo_text(elo)}{beyond}"


def interval(low: float, high: float) -> str:
    """Return an interval of Elo differences as text."""
    return f"{difference(low)} to {difference(high)}"


def _verdict(match: Match, test: dict[str, Any]) -> str:
    """Describe the result of the sequential test, and its reason."""
    low, high = test["bounds"]
    ratio = f"log-likelihood ratio {test['ratio']:z.2f}"
    after = f"after {number(test['pairs'], 'pair')}"
    if match.decision is None:
        return f"sprt: not decided {after}, {ratio} between {low:.2f} and {high:.2f}"
    bound = f"at most {low:.2f}" if test["accepted"] == "elo0" else f"at least {high:.2f}"
    return f"sprt: stopped, {test['accepted']}={test[test['accepted']]:zg} accepted {after}: {ratio} is {bound}"
