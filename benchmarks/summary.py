"""The table at the top of the README: the latest measurements in a few rows, from the JSON of the benchmarks.

python -m csp_sudoku.benchmarks.summary    prints the table
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from .peers import PEERS
from .tables import aligned, median, number

RESULTS = Path(__file__).parent / "results"

HEAD = ("measured", "csp_sudoku", "the fastest of the others", "")


class Row(NamedTuple):
    """A row of the table, and the location of its figures."""

    what: str
    benchmark: str
    """The name of the benchmark: its file in `results/`."""
    group: str
    """The puzzles or positions, as the figures of the benchmark name them."""
    ours: str
    """The name of our figure."""
    is_other: Callable[[str], bool]
    """Whether a figure of this name belongs to a third-party program."""


def _is_peer(name: str) -> bool:
    """Whether a figure belongs to a solver that pip installs."""
    return name in {peer.label for peer in PEERS.values()}


def _is_sat(name: str) -> bool:
    """Whether a figure of a move map belongs to a solver of python-sat."""
    return name.startswith("python-sat")


ROWS = (
    Row("solve a hard 9×9, `solve`", "solvers", "hard 9×9", "csp_sudoku auto", _is_peer),
    Row("… among many, `solve_many`", "solvers", "hard 9×9", "csp_sudoku auto, solve_many", _is_peer),
    Row("solve a hard 16×16", "solvers", "hard 16×16", "csp_sudoku auto", _is_peer),
    Row("solve a hard 25×25", "giants", "hard 25×25", "csp_sudoku auto", _is_peer),
    Row("every bomb of a 9×9", "bombs", "3×3, random cells of a random solution", "search", _is_sat),
    Row("every bomb of a 25×25", "bombs", "5×5, random cells of a random solution", "search", _is_sat),
)
"""The rows; each compares two figures of one run."""


def figures(benchmark: str, group: str) -> dict[str, float]:
    """Return the medians of a benchmark's figures in a group, in seconds, by the names of the subjects."""
    data = _results(benchmark)
    split = ((entry["name"].split(" | "), entry["values"]) for entry in data["entries"])
    return {names[2]: median(values) for names, values in split if names[1] == group}


def champion() -> str:
    """Return the champion's record in the last tournament of the gallery, as a sentence."""
    standings = _results("agents")["sections"][0]
    columns, rows = standings["columns"], standings["rows"]
    row = dict(zip(columns, next(row for row in rows if row[1] == "champion"), strict=True))
    won, drawn, lost = row["won/drawn/lost"].split("/")
    return (
        f"Against {len(rows) - 1} players of the gallery, the champion won {won} games, drew {drawn} and lost {lost}."
    )


def table() -> str:
    """Return the table as Markdown."""
    lines = [HEAD]
    for row in ROWS:
        found = figures(row.benchmark, row.group)
        other, seconds = min(
            ((name, value) for name, value in found.items() if row.is_other(name)), key=lambda it: it[1]
        )
        ours = found[row.ours]
        lines.append((row.what, _time(ours), f"{_time(seconds)}, {other}", f"{number(seconds / ours)} times"))
    return "\n".join(aligned(lines, left={0, 2}))


def _results(benchmark: str) -> Any:
    return json.loads((RESULTS / f"{benchmark}.json").read_text(encoding="utf-8"))


def _time(seconds: float) -> str:
    """Return a time with its unit.

    >>> _time(0.0000092), _time(0.0123)
    ('9.2 µs', '12.3 ms')
    """
    return f"{number(1e6 * seconds)} µs" if seconds < 0.001 else f"{number(1e3 * seconds)} ms"


if __name__ == "__main__":
    print(table(), champion(), sep="\n\n")
