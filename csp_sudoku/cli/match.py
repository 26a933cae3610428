"""csp-sudoku match: many games between two players, and which of them is stronger."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.contest import ContestCommand, crew_of, named_boards, scheduler_option, telling
from csp_sudoku.cli.inputs import number_between, reader, whole
from csp_sudoku.cli.output import bold, number, say
from csp_sudoku.cli.play import api_name, mode_name
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import OptionError

if TYPE_CHECKING:
    from csp_sudoku.arena.match import Match
    from csp_sudoku.arena.statistics import Sprt


@reader
def sequential_test(text: str) -> Sprt:
    """A sequential test."""
    from csp_sudoku.arena.statistics import Sprt

    return Sprt.parse(text)


@reader
def turn_time(text: str) -> float:
    """The seconds per turn."""
    from csp_sudoku.arena.game import LONGEST

    seconds = number_between(0, inf)(text)
    if not 0 < seconds <= LONGEST:
        raise OptionError(f"expected a time per turn of more than 0 and at most {LONGEST} seconds; found {text!r}")
    return seconds


@click.command(
    "match",
    cls=ContestCommand,
    short_help="Play many games between two players.",
    epilog="""\b
Examples:
  csp-sudoku match greedy random --boards empty-2x3 --games 100 --jobs 4
  csp-sudoku match ./new/agent7 ./old/agent7 --boards random-3x3 hard-3x3 --time 0.5 --store results.db
  csp-sudoku match ./new/agent7 greedy --games 2000 --sprt elo0=0,elo1=20 --store results.db --json

\b
Exit codes: 0 the games were played, whoever won them, 2 bad input or usage,
130 interrupted; what is done is told, and kept in the store.""",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--boards",
    metavar="FILE...",
    multiple=True,
    help="The boards: files with one or many, names of those in boards/, or empty-MxN.  [default: empty-3x3]",
)
@click.option(
    "--games", metavar="K", type=whole(1), default="100", show_default=True, help="How many games, on all boards."
)
@click.option(
    "--time", "seconds", metavar="S", type=turn_time, default="0.5", show_default=True, help="Seconds per turn."
)
@click.option("--jobs", metavar="J", type=whole(1), help="How many games are played at a time.  [default: 1]")
@click.option(
    "--mode",
    metavar="NAME",
    type=mode_name,
    default="classic",
    show_default=True,
    help="Where one may play: classic, rows, border or random.",
)
@click.option(
    "--seed", metavar="N", type=whole(0), default="0", show_default=True, help="The same seed repeats a match."
)
@click.option("--store", metavar="FILE", type=click.Path(), help="Keep each game in FILE, and play only what it lacks.")
@click.option(
    "--sprt",
    metavar="elo0=E,elo1=E",
    type=sequential_test,
    help="Stop when it is decided whether A is stronger by elo0 or by elo1; also alpha=P,beta=P.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else, for programs.")
@click.option("--api", metavar="NAME", type=api_name, help="The framework API of its agents: v12 or v14.")
@click.option("--full-time", is_flag=True, help="A turn takes all its time, though its player is done.")
@click.option("--memory", metavar="MB", type=whole(1), help="Megabytes of memory of each of a player's processes.")
@scheduler_option
def command(
    first: str,
    second: str,
    boards: tuple[str, ...],
    games: int,
    seconds: float,
    jobs: int | None,
    mode: str,
    seed: int,
    store: str | None,
    sprt: Sprt | None,
    as_json: bool,
    api: str | None,
    full_time: bool,
    memory: int | None,
    scheduler: str | None,
) -> int:
    """Play many games between the players A and B, and tell by how much A is stronger.

    Games come in pairs, with the same board and the same random numbers: in one of them A moves first, in the other B.
    The pairs take the boards in turn. The Elo difference and its interval are worked out from the pairs.

    A store knows a player by its name or folder and its options: after changing its code, use another store.
    """
    from csp_sudoku.arena.fixture import Terms
    from csp_sudoku.arena.match import Match
    from csp_sudoku.arena.store import IN_MEMORY, Store
    from csp_sudoku.game.rules import mode_named
    from csp_sudoku.players.spec import Spec, labels

    players = [Spec.parse(first), Spec.parse(second)]
    starts = named_boards(boards or ("empty-3x3",))
    terms = Terms(mode_named(mode), seed, api, full_time, memory)
    match = Match(str(players[0]), str(players[1]), starts, games=games, seconds=seconds, terms=terms, sprt=sprt)
    names = labels(players)

    def tell() -> None:
        told = match.as_object() | {"first": names[0], "second": names[1]}
        say(json.dumps(told) if as_json else _report(match, told))

    with (
        Store(IN_MEMORY if store is None else store) as kept,
        Bar("playing", len(match.fixtures)) as bar,
        telling(tell),
        crew_of(jobs, scheduler) as crew,
    ):

        def take(*result: Any) -> None:
            match.take(*result)
            bar.step()

        crew.play(match.fixtures, kept, take, lambda: match.is_over)
    tell()
    return DONE


def _report(match: Match, told: dict[str, Any]) -> str:
    """What a person reads."""
    points, skips = told["points_per_game"], told["skips_per_game"]
    lines = [
        bold(f"# {told['first']} against {told['second']}, {number(told['games'], 'game')}"),
        f"wins {told['wins']}, draws {told['draws']}, losses {told['losses']}; score {told['score']:.1%}",
        f"points per game {points[0]:.2f} : {points[1]:.2f}",
        f"skips per game {skips[0]:.2f} : {skips[1]:.2f}",
        f"pairs by score {' '.join(map(str, told['pairs']))} (of 0, ½, 1, 1½, 2)",
        bold(f"Elo difference {difference(told['elo'])}, 95 % interval {interval(*told['elo_interval'])}"),
    ]
    if match.sprt is not None:
        lines.append(_verdict(match, told["sprt"]))
    return "\n".join(lines)


def difference(elo: float) -> str:
    """An Elo difference with its sign.

    >>> difference(12.34), difference(-1200)
    ('+12', '-1200 or less')
    """
    from csp_sudoku.arena.statistics import LIMIT

    beyond = " or more" if elo >= LIMIT else " or less" if elo <= -LIMIT else ""
    return f"{elo:+.0f}{beyond}"


def interval(low: float, high: float) -> str:
    """An interval of Elo differences."""
    return f"{difference(low)} to {difference(high)}"


def _verdict(match: Match, test: dict[str, Any]) -> str:
    """What came of the sequential test, and why."""
    low, high = test["bounds"]
    ratio = f"log-likelihood ratio {test['ratio']:.2f}"
    after = f"after {number(test['pairs'], 'pair')}"
    if match.decision is None:
        return f"sprt: not decided {after}, {ratio} between {low:.2f} and {high:.2f}"
    bound = f"at most {low:.2f}" if test["accepted"] == "elo0" else f"at least {high:.2f}"
    return f"sprt: stopped, {test['accepted']}={test[test['accepted']]:g} accepted {after}: {ratio} is {bound}"
