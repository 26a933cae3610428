"""csp-sudoku tournament: play many players against each other, on many boards and with many times per turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.aliases import renamed_option, tell_new_name
from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.contest import Contest, ContestCommand, games_option, plays_many
from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.games import require_different, require_folder, require_writable, turn_time
from csp_sudoku.cli.inputs import reader, whole
from csp_sudoku.cli.output import say, warn, writing
from csp_sudoku.errors import OptionError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.arena.tournament import Tournament

TABLES_JSON, TABLES_MARKDOWN = "tables.json", "tables.md"
"""The files of --out FOLDER beside the pictures."""


class TournamentCommand(ContestCommand):
    """The command tournament, which accepts --json FILE of the version before; --json is a flag now."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_json_file(args))


def with_json_file(arguments: list[str]) -> list[str]:
    """Return the command line with --json-file FILE in place of the old --json FILE.

    FILE is "-", a name that ends with .json, or anything after "=": no player is meant.

    >>> with_json_file(["A", "--json", "table.json", "B"]), with_json_file(["--json", "A", "B"])
    (['A', '--json-file', 'table.json', 'B'], ['--json', 'A', 'B'])
    >>> with_json_file(["--json=x", "--", "--json", "-"])
    ['--json-file=x', '--', '--json', '-']
    """
    found: list[str] = []
    for place, argument in enumerate(arguments):
        if argument == "--":
            return found + arguments[place:]
        value = "".join(arguments[place + 1 : place + 2])
        is_old = argument.startswith("--json=") or (argument == "--json" and (value == "-" or value.endswith(".json")))
        found.append(argument.replace("--json", "--json-file", 1) if is_old else argument)
    return found


@reader
def form_name(name: str) -> str:
    """Check the name of a pairing system, and return it."""
    from csp_sudoku.arena.tournament import FORMATS

    expect_name("pairing system", name, FORMATS)
    return name


@reader
def turn_times(text: str) -> tuple[float, ...]:
    """Read times per turn, in seconds, separated by commas.

    >>> turn_times("0.5,1")
    (0.5, 1.0)
    """
    found = tuple(turn_time(part) for part in text.split(","))
    if len(set(found)) < len(found):
        raise OptionError(f"expected different times; found {text!r}")
    return found


@click.command(
    "tournament",
    cls=TournamentCommand,
    short_help="Play a tournament of many players.",
    epilog="""\b
Examples:
  csp-sudoku tournament random greedy naive --boards empty-2x2 random-3x3 --games 20 --store results.db
  csp-sudoku tournament ./mine greedy naive --system gauntlet --time 0.1,0.5,1 --games 50 --jobs 4
  csp-sudoku tournament random greedy naive --games 10 --out results --json | jq .standings

\b
Exit codes: 0 the games were played, 2 bad input or usage, 130 interrupted;
the games so far are reported, and kept in the store.""",
)
@click.argument("players", nargs=-1, required=True, metavar="A B [C]...", shell_complete=completion.players)
@renamed_option(
    "--system",
    "form",
    old="--format",
    metavar="NAME",
    type=form_name,
    shell_complete=completion.systems,
    default="round-robin",
    show_default=True,
    help="Pairing system: round-robin, gauntlet (A against every other player) or swiss.",
)
@click.option(
    "--rounds",
    metavar="N",
    type=whole(1),
    help="Number of rounds of a swiss tournament.  [default: enough for one winner]",
)
@click.option(
    "--time",
    "times",
    metavar="S[,S]...",
    type=turn_times,
    default="0.5",
    show_default=True,
    help="Seconds per turn; each pairing plays at each of these times.",
)
@games_option("10", "Number of games for each pairing on each board at each time.")
@click.option("--json", "as_json", is_flag=True, help="Print only one JSON object with all numbers, for programs.")
@renamed_option(
    "--out",
    "folder",
    old="--plot",
    metavar="FOLDER",
    type=click.Path(),
    help="Write the tables as Markdown and as JSON, and pictures of the scores and the ratings, to files in FOLDER.",
)
@click.option("--json-file", type=click.Path(allow_dash=True), hidden=True, help="Old: write all numbers to a file.")
@click.option("--markdown", type=click.Path(allow_dash=True), hidden=True, help="Old: write the tables to a file.")
@plays_many
def command(
    players: tuple[str, ...],
    form: str,
    rounds: int | None,
    times: tuple[float, ...],
    games: int,
    as_json: bool,
    folder: str | None,
    json_file: str | None,
    markdown: str | None,
    contest: Contest,
) -> int:
    """Play the players A, B, C… against each other, and report how strong they are.

    Each pairing plays K games on each board at each time, in pairs: both with the same board and the same random
    numbers, once from either side. Strengths are Elo ratings from the Bradley-Terry model, with 95 % intervals.

    With a store, an interrupted tournament continues, and more players, boards, times or games cost only what is
    missing. A store knows a player by its name or folder and its options: after changing its code, use another store.

    Failures of the players, such as crashes and timeouts, are counted, and a warning names the first one.
    """
    from csp_sudoku.arena.tournament import Tournament
    from csp_sudoku.players.spec import Spec, labels

    if json_file == "-":
        tell_new_name("--json -", "--json")
    elif json_file is not None:
        tell_new_name("--json FILE", "--out FOLDER")
    if markdown is not None:
        tell_new_name("--markdown FILE", "--out FOLDER")
    as_json = as_json or json_file == "-"
    _require_outputs(json_file, markdown, folder, as_json=as_json)
    require_different({"--store": contest.file, "--json": json_file, "--markdown": markdown})
    if rounds is not None and form != "swiss":
        raise OptionError(f"expected --rounds only with --system swiss; found --system {form}")
    specs = [Spec.parse(player) for player in players]
    names = [str(spec) for spec in specs]
    event = Tournament(names, labels(specs), contest.boards, times, games, form, rounds, contest.seed, contest.terms)
    isolation = contest.tell_isolation()

    def tell() -> None:
        _tell(event, isolation, json_file, markdown, folder, as_json=as_json)

    with contest.session(event.total, tell) as (pool, store, bar):

        def count(*_: object) -> None:
            bar.note = "  ".join(f"{name} {points:g} of {played}" for name, points, played in event.leaders())
            bar.step()

        event.play(pool, store, count)
    tell()
    if folder is not None:
        from csp_sudoku.arena.report import draw

        with writing(folder):
            draw(event, folder)
    return DONE


def _require_outputs(json_file: str | None, markdown: str | None, folder: str | None, *, as_json: bool) -> None:
    """Raise SudokuError now, and not after the games, if an output cannot be written."""
    if as_json and markdown == "-":
        raise OptionError("expected one of --json and --markdown on standard output; found both")
    for path in (json_file, markdown):
        if path is not None:
            require_writable(path)
    if folder is not None:
        require_folder(folder, "results")
        for name in (TABLES_JSON, TABLES_MARKDOWN):
            require_writable(str(Path(folder) / name))


def _tell(
    event: Tournament,
    isolation: dict[str, list[str]],
    json_file: str | None,
    markdown_file: str | None,
    folder: str | None,
    *,
    as_json: bool,
) -> None:
    """Write the requested files without the pictures, and print the tables, or with `as_json` the object.

    `isolation` is added to the object.
    """
    from csp_sudoku.arena.failures import warning
    from csp_sudoku.arena.report import markdown

    found = event.as_object() | isolation
    numbers, tables = json.dumps(found, indent=1), markdown(event).rstrip("\n")
    outputs: list[tuple[str | Path | None, str]] = [(json_file, numbers), (markdown_file, tables)]
    if folder is not None:
        outputs += [(Path(folder) / TABLES_JSON, numbers), (Path(folder) / TABLES_MARKDOWN, tables)]
    for path, text in outputs:
        if path is not None and path != "-":
            with writing(path):
                Path(path).write_text(f"{text}\n", "utf-8", "backslashreplace")  # file names may not be UTF-8
    if as_json:
        say(json.dumps(found))
    else:
        say(tables if markdown_file == "-" else folded(tables))
    warn(warning((one.player, one.failures) for one in event.standings()))
