"""csp-sudoku results: what is in a store of games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.games import require_different
from csp_sudoku.cli.output import bold, number, say
from csp_sudoku.errors import NotationError, SudokuError

if TYPE_CHECKING:
    from csp_sudoku.arena.store import PairingResult, Store


@click.command(
    "results",
    short_help="Tell what is in a store of games.",
    epilog="""\b
Examples:
  csp-sudoku results results.db
  csp-sudoku results results.db --json | jq '.pairings[]'
  csp-sudoku results results.db --records games.jsonl && csp-sudoku replay --verify games.jsonl

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@click.argument("store", metavar="STORE", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else, for programs.")
@click.option(
    "--records",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help='Write the records of all games to FILE, one per line; "-" is standard output, and nothing else is printed.',
)
def command(store: str, as_json: bool, records: str | None) -> int:
    """Tell what is in STORE, which match and tournament keep their games in: the results of every two players.

    Both sides of a pairing count: it does not matter who moved first.
    """
    from csp_sudoku.arena.store import Store

    require_different({"STORE": store, "--records": records})
    with Store(store, create=False) as kept:
        if records is not None:
            _export(kept, records)
            if records == "-":
                return DONE
        pairings = kept.pairings()
        if as_json:
            say(json.dumps({"games": kept.count, "pairings": [one._asdict() for one in pairings]}))
        else:
            say(bold(f"# {store}: {number(kept.count, 'game')}"))
            for one in pairings:
                say(_told(one))
    return DONE


def _export(store: Store, path: str) -> None:
    """Write all records, a line each."""
    if path == "-":
        for record in store.records():
            say(record)
        return
    try:
        with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - the name as it was given
            for record in store.records():
                file.write(record + "\n")
    except OSError as error:
        raise NotationError("a file to write", (error.strerror or str(error)).lower(), source=path) from error


def _told(one: PairingResult) -> str:
    first, second = _names(one.first, one.second)
    results = f"wins {one.wins}, draws {one.draws}, losses {one.losses}"
    return f"{first} against {second}: {number(one.games, 'game')}; {results}; points {one.points}:{one.points_against}"


def _names(first: str, second: str) -> tuple[str, str]:
    """What the players are called, whose folders may be gone by now."""
    from csp_sudoku.players.spec import Spec, labels

    try:
        ours, theirs = labels([Spec.read(first), Spec.read(second)])
    except SudokuError:
        return first, second
    return ours, theirs
