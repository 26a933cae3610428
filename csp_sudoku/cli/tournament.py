"""csp-sudoku tournament: many players against each other, on many boards and at many times."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.contest import ContestCommand, crew_of, named_boards, scheduler_option, telling
from csp_sudoku.cli.inputs import reader, whole
from csp_sudoku.cli.match import turn_time
from csp_sudoku.cli.output import say
from csp_sudoku.cli.play import _require_writable, api_name, mode_name
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import NotationError, OptionError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.arena.tournament import Tournament


@reader
def form_name(name: str) -> str:
    """The name of a format."""
    from csp_sudoku.arena.tournament import FORMATS

    expect_name("tournament format", name, FORMATS)
    return name


@reader
def turn_times(text: str) -> tuple[float, ...]:
    """Times per turn.

    >>> turn_times("0.5,1")
    (0.5, 1.0)
    """
    found = tuple(turn_time(part) for part in text.split(","))
    if len(set(found)) < len(found):
        raise OptionError(f"expected each time once; found {text!r}")
    return found


@click.command(
    "tournament",
    cls=ContestCommand,
    short_help="Play many players against each other.",
    epilog="""\b
Examples:
  csp-sudoku tournament random greedy naive --boards empty-2x2 random-3x3 --games 20 --store results.db
  csp-sudoku tournament ./mine greedy naive --format gauntlet --time 0.1,0.5,1 --games 50 --jobs 4
  csp-sudoku tournament random greedy naive --games 10 --markdown table.md --json table.json --plot pictures

\b
Exit codes: 0 the games were played, 2 bad input or usage,
130 interrupted; what is done is told, and kept in the store.""",
)
@click.argument("players", nargs=-1, required=True, metavar="A B [C]...")
@click.option(
    "--boards",
    metavar="FILE...",
    multiple=True,
    help="The boards: files with one or many, names of those in boards/, or empty-MxN.  [default: empty-3x3]",
)
@click.option(
    "--format",
    "form",
    metavar="NAME",
    type=form_name,
    default="round-robin",
    show_default=True,
    help="round-robin, gauntlet (A against each other one) or swiss.",
)
@click.option(
    "--rounds", metavar="N", type=whole(1), help="Rounds of a swiss tournament; by default as many as needed."
)
@click.option(
    "--time", "times", metavar="S[,S]...", type=turn_times, default="0.5", show_default=True, help="Seconds per turn."
)
@click.option(
    "--games",
    metavar="K",
    type=whole(1),
    default="10",
    show_default=True,
    help="Games for each pairing on each board at each time.",
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
    "--seed", metavar="N", type=whole(0), default="0", show_default=True, help="The same seed repeats a tournament."
)
@click.option("--store", metavar="FILE", type=click.Path(), help="Keep each game in FILE, and play only what it lacks.")
@click.option("--json", "json_file", metavar="OUT", type=click.Path(allow_dash=True), help="Write all numbers to OUT.")
@click.option("--markdown", metavar="OUT", type=click.Path(allow_dash=True), help="Write the tables to OUT.")
@click.option("--plot", metavar="DIR", type=click.Path(), help="Draw the scores and the ratings, as pictures in DIR.")
@click.option("--api", metavar="NAME", type=api_name, help="The framework API of its agents: v12 or v14.")
@click.option("--full-time", is_flag=True, help="A turn takes all its time, though its player is done.")
@click.option("--memory", metavar="MB", type=whole(1), help="Megabytes of memory of each of a player's processes.")
@scheduler_option
def command(
    players: tuple[str, ...],
    boards: tuple[str, ...],
    form: str,
    rounds: int | None,
    times: tuple[float, ...],
    games: int,
    jobs: int | None,
    mode: str,
    seed: int,
    store: str | None,
    json_file: str | None,
    markdown: str | None,
    plot: str | None,
    api: str | None,
    full_time: bool,
    memory: int | None,
    scheduler: str | None,
) -> int:
    """Play the players A, B, C… against each other, and tell how strong they are.

    Each pairing plays K games on each board at each time, in pairs: both with the same board and the same random
    numbers, once from either side. Strengths are Elo, after Bradley and Terry, with 95 % intervals. OUT may be "-", and
    only that is printed then.

    With a store a tournament goes on where it ended, whatever ended it, and more players, boards, times or games cost
    only what is missing. A store knows a player by its name or folder and its options: after changing its code, use
    another store.
    """
    from csp_sudoku.arena.fixture import Terms
    from csp_sudoku.arena.store import IN_MEMORY, Store
    from csp_sudoku.arena.tournament import Tournament
    from csp_sudoku.game.rules import mode_named
    from csp_sudoku.players.spec import Spec, labels

    if json_file == "-" and markdown == "-":
        raise OptionError("expected one of --json and --markdown on standard output; found both")
    if rounds is not None and form != "swiss":
        raise OptionError(f"expected --rounds with --format swiss; found {form}")
    for path in (json_file, markdown):
        if path is not None:
            _require_writable(path)
    if plot is not None:
        _require_folder(plot)
    specs = [Spec.parse(player) for player in players]
    contest = Tournament(
        [str(spec) for spec in specs],
        labels(specs),
        named_boards(boards or ("empty-3x3",)),
        times,
        games,
        form,
        rounds,
        Terms(mode_named(mode), seed, api, full_time, memory),
    )

    def tell() -> None:
        _tell(contest, json_file, markdown)

    with (
        Store(IN_MEMORY if store is None else store) as kept,
        Bar("playing", contest.total) as bar,
        telling(tell),
        crew_of(jobs, scheduler) as crew,
    ):

        def step(*_: Any) -> None:
            bar.step()

        contest.play(crew, kept, step)
    tell()
    if plot is not None:
        from csp_sudoku.arena.report import draw

        draw(contest, plot)
    return DONE


def _tell(contest: Tournament, json_file: str | None, markdown_file: str | None) -> None:
    """Write what was asked for; the tables to standard output, unless that is one of the files."""
    from csp_sudoku.arena.report import markdown

    outputs = {json_file: json.dumps(contest.as_object(), indent=1), markdown_file: markdown(contest).rstrip("\n")}
    for path, text in outputs.items():
        if path == "-":
            say(text)
        elif path is not None:
            Path(path).write_text(f"{text}\n", "utf-8")
    if "-" not in outputs:
        say(markdown(contest).rstrip("\n"))


def _require_folder(path: str) -> None:
    """Raise NotationError now, and not after the games, if there can be no pictures there."""
    place = Path(path)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotationError("a folder for pictures", (error.strerror or str(error)).lower(), source=path) from error
    if not os.access(place, os.W_OK):
        raise NotationError("a folder to write", "no permission", source=path)
