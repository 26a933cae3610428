"""csp-sudoku results: report the results in a store of games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.games import require_different
from csp_sudoku.cli.match import failure_lines
from csp_sudoku.cli.output import bold, number, say, warn, writing
from csp_sudoku.errors import SudokuError

if TYPE_CHECKING:
    from csp_sudoku.arena.head_to_head import PairingResult
    from csp_sudoku.arena.store import Store


@click.command(
    "results",
    short_help="Report the results stored in a database of games.",
    epilog="""\b
Examples:
  csp-sudoku results results.db
  csp-sudoku results results.db --by board
  csp-sudoku results results.db --json | jq '.pairings[]'
  csp-sudoku results results.db --records games.jsonl && csp-sudoku replay --verify games.jsonl

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@click.argument("store", metavar="STORE", type=click.Path())
@click.option("--by", metavar="PART[,PART]...", help="Split each pairing by board, time or mode.")
@click.option("--json", "as_json", is_flag=True, help="Print only one JSON object, for programs.")
@click.option(
    "--records",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help='Write the records of all games to FILE, one per line; with "-", print only them.',
)
def command(store: str, by: str | None, as_json: bool, records: str | None) -> int:
    """Report the results of every two players in STORE, the file in which match and tournament keep their games.

    A pairing counts the games of both sides: it does not matter who moved first. The 95 % interval of the score comes
    from the pairs of games with the same board and the same random numbers.
    """
    from csp_sudoku.arena.store import Store

    parts = [] if by is None else [part.strip() for part in by.split(",")]
    require_different({"STORE": store, "--records": records})
    with Store(store, create=False) as kept:
        pairings = kept.pairings(parts)
        if records is not None:
            _export(kept, records)
            if records == "-":
                return DONE
        if as_json:
            say(json.dumps({"games": kept.count, "pairings": [one.as_object() for one in pairings]}))
        else:
            say(bold(f"# {store}: {number(kept.count, 'game')}"))
            for one in pairings:
                say(folded(_told(one), indent=4))
        warn(_warning(pairings))
    return DONE


def _export(store: Store, path: str) -> None:
    """Write all records, one per line."""
    if path == "-":
        for record in store.records():
            say(record)
        return
    with writing(path), open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - the name as it was given
        for record in store.records():
            file.write(record + "\n")


def _told(one: PairingResult) -> str:
    first, second = _names(one.first, one.second)
    part = "".join(f", {value:g} s" if name == "time" else f", {value}" for name, value in one.part.items())
    results = f"wins {one.wins}, draws {one.draws}, losses {one.losses}; points {one.points}:{one.points_against}"
    low, high = one.score_interval
    score = f"score {one.score:.1%}, 95 % interval {low:.1%} to {high:.1%}"
    lines = [f"{first} against {second}{part}: {number(one.games, 'game')}; {results}; {score}"]
    tallies = zip((first, second), (one.failures, one.failures_against), strict=True)
    return "\n".join([*lines, *(f"  {line}" for line in failure_lines(tallies))])


def _warning(pairings: list[PairingResult]) -> str | None:
    """Return the warning on the first failure in the store, with all games of its player."""
    from csp_sudoku.arena.failures import FailureTally, warning

    tallies: dict[str, FailureTally] = {}
    for one in pairings:
        first, second = _names(one.first, one.second)
        for name, failures in ((first, one.failures), (second, one.failures_against)):
            tallies.setdefault(name, FailureTally()).merge(failures)
    return warning(tallies.items())


def _names(first: str, second: str) -> tuple[str, str]:
    """Return the labels of the players; their full names, if their folders no longer exist."""
    from csp_sudoku.players.spec import Spec, labels

    try:
        ours, theirs = labels([Spec.read(first), Spec.read(second)])
    except SudokuError:
        return first, second
    return ours, theirs
