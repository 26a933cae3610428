"""csp-sudoku results: report the results in a store of games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.games import require_different, require_folder, require_writable
from csp_sudoku.cli.match import failure_lines
from csp_sudoku.cli.output import bold, number, say, warn, writing
from csp_sudoku.errors import OptionError, SudokuError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.arena.head_to_head import PairingResult
    from csp_sudoku.arena.standings import StoredGames
    from csp_sudoku.arena.store import Store


@click.command(
    "results",
    short_help="Report the results stored in a database of games.",
    epilog="""\b
Examples:
  csp-sudoku results results.db
  csp-sudoku results results.db --by board
  csp-sudoku results results.db --players greedy,naive,random --markdown table.md --plot pictures
  csp-sudoku results results.db --json | jq '.pairings[]'
  csp-sudoku results results.db --records games.jsonl && csp-sudoku replay --verify games.jsonl

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@click.argument("store", metavar="STORE", type=click.Path())
@click.option("--by", metavar="PART[,PART]...", help="Split each pairing by board, time or mode.")
@click.option(
    "--players",
    "chosen",
    metavar="A,B[,C]...",
    help="Report only the games between these players.  [default: all players]",
)
@click.option("--json", "as_json", is_flag=True, help="Print only one JSON object, for programs.")
@click.option(
    "--markdown",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    help='Write the tables as Markdown to OUT; with "-", print only them.',
)
@click.option("--plot", metavar="DIR", type=click.Path(), help="Draw the scores and the ratings to pictures in DIR.")
@click.option(
    "--records",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help='Write the records of all games, of all players, to FILE, one per line; with "-", print only them.',
)
def command(
    store: str,
    by: str | None,
    chosen: str | None,
    as_json: bool,
    markdown: str | None,
    plot: str | None,
    records: str | None,
) -> int:
    """Report the results in STORE, the file in which match and tournament keep their games.

    The report has the tables of a tournament, as far as the games in STORE allow: Elo ratings with 95 % intervals, the
    crosstable and the failures. Below them are the results of every two players. A pairing counts the games of both
    sides: it does not matter who moved first. The 95 % interval of the score comes from the pairs of games with the
    same board and the same random numbers. The games of a player against itself are in no table.
    """
    from csp_sudoku.arena.head_to_head import pairing_results
    from csp_sudoku.arena.standings import StoredGames
    from csp_sudoku.arena.store import Store
    from csp_sudoku.players.spec import player_names

    parts = [] if by is None else [part.strip() for part in by.split(",")]
    require_different({"STORE": store, "--records": records, "--markdown": markdown})
    _require_one_output({"--json": as_json, "--markdown -": markdown == "-", "--records -": records == "-"})
    if markdown is not None:
        require_writable(markdown)
    with Store(store, create=False) as kept:
        games = list(kept.games())
        names = player_names(sorted({player for game in games for player in (game.first, game.second)}))
        if chosen is not None:
            names = _chosen(chosen, names)
        pairings = pairing_results(games, parts, names)
        played = StoredGames(games, names, store)
        if plot is not None:
            require_folder(plot, "pictures")
        if records is not None:
            _export(kept, records)
    count = sum(game.first in names and game.second in names for game in games)
    if markdown is not None:
        _write(played, markdown)
    if plot is not None and played.players:
        from csp_sudoku.arena.report import draw

        with writing(plot):
            draw(played, plot)
    if as_json:
        say(json.dumps(_as_object(count, pairings, played)))
    elif "-" not in (records, markdown):
        say(bold(f"# {store}: {number(count, 'game')}"))
        _show(pairings, played, names)
    if records != "-":
        warn(_warning(pairings, names))
    return DONE


def _chosen(text: str, names: Mapping[str, str]) -> dict[str, str]:
    """Return the players of a store that the text names, with their names in tables."""
    found: dict[str, str] = {}
    for name in (part.strip() for part in text.split(",")):
        player = next((player for player in names if name in (player, names[player])), None)
        if player is None:
            player = _read(name)
        if player not in names:
            expect_name("player of the store", name, names.values())
        found[player] = names[player]
    if len(found) < 2:
        raise OptionError(f"expected two players of the store or more; found {text!r}")
    return found


def _read(name: str) -> str:
    """Return the name of a player in a store, with the absolute path of its folder; the text itself without one."""
    from csp_sudoku.players.spec import Spec

    try:
        return str(Spec.read(name))
    except SudokuError:
        return name


def _require_one_output(options: Mapping[str, bool]) -> None:
    """Raise OptionError if two of these options print on standard output; `options` states which ones are given."""
    given = [option for option, is_given in options.items() if is_given]
    if len(given) > 1:
        raise OptionError(f"expected one output on standard output; found {' and '.join(given)}")


def _write(played: StoredGames, path: str) -> None:
    """Write the tables as Markdown, or print them if the path is "-"."""
    from csp_sudoku.arena.report import markdown

    text = markdown(played).rstrip("\n")
    if path == "-":
        say(text)
        return
    with writing(path):
        Path(path).write_text(f"{text}\n", "utf-8", "backslashreplace")  # file names may not be UTF-8


def _as_object(count: int, pairings: Sequence[PairingResult], played: StoredGames) -> dict[str, Any]:
    """Return everything as a JSON object."""
    return {
        "games": count,
        "players": [{"name": name, "spec": spec} for name, spec in zip(played.names, played.players, strict=True)],
        "boards": played.board_names,
        "times": list(played.times),
        **played.tables(),
        "pairings": [one.as_object() for one in pairings],
    }


def _show(pairings: Sequence[PairingResult], played: StoredGames, names: Mapping[str, str]) -> None:
    """Print the tables, and below them a line for each pairing."""
    from csp_sudoku.arena.report import tables

    if played.players:
        say(folded(f"\n{tables(played)}\n## Pairings\n"))
    for one in pairings:
        say(folded(_told(one, names), indent=4))


def _export(store: Store, path: str) -> None:
    """Write all records, one per line."""
    if path == "-":
        for record in store.records():
            say(record)
        return
    with writing(path), open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - the name as it was given
        for record in store.records():
            file.write(record + "\n")


def _told(one: PairingResult, names: Mapping[str, str]) -> str:
    first, second = names[one.first], names[one.second]
    part = "".join(f", {value:g} s" if name == "time" else f", {value}" for name, value in one.part.items())
    results = f"wins {one.wins}, draws {one.draws}, losses {one.losses}; points {one.points}:{one.points_against}"
    low, high = one.score_interval
    score = f"score {one.score:.1%}, 95 % interval {low:.1%} to {high:.1%}"
    lines = [f"{first} against {second}{part}: {number(one.games, 'game')}; {results}; {score}"]
    tallies = zip((first, second), (one.failures, one.failures_against), strict=True)
    return "\n".join([*lines, *(f"  {line}" for line in failure_lines(tallies))])


def _warning(pairings: Sequence[PairingResult], names: Mapping[str, str]) -> str | None:
    """Return the warning on the first failure in the store, with all games of its player."""
    from csp_sudoku.arena.failures import FailureTally, warning

    tallies: dict[str, FailureTally] = {}
    for one in pairings:
        for player, failures in ((one.first, one.failures), (one.second, one.failures_against)):
            tallies.setdefault(names[player], FailureTally()).merge(failures)
    return warning(tallies.items())
