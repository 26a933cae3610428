"""Our solvers and the ones that pip installs, on files of puzzles, in one run: a Markdown table for each file.

    python benchmarks/solvers.py FILE… [--solver NAME…] [--peer NAME…|all|none] [--limit K] [--time-limit S]
                                       [--repeat R] [--json OUT.json] [--markdown]

Every solver has a process of its own for each file and is measured in CPU seconds, with building its model, without
parsing, imports, compiling and a first easy board. Every answer is verified. A solver that uses up its seconds for a
file is measured on the puzzles it got to. `pip install -e '.[bench]'` installs the peers.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measure import Measurement, Plan, measure
from models import Puzzle
from peers import PEERS
from report import as_json, head, machine, table
from subjects import DEFAULT_NAMES, OUR_NAMES, Subject, subjects, versions

import csp_sudoku as cs


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for; the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        files = {file: _puzzles(file, asked.limit) for file in asked.files}
    except cs.SudokuError as error:
        print(error, file=sys.stderr)
        return 2
    rows = subjects(_named(asked.solver, OUR_NAMES), _named(asked.peer, tuple(PEERS)))
    command = shlex.join(["python", "benchmarks/solvers.py", *(sys.argv[1:] if arguments is None else arguments)])
    packages = versions(rows)
    out = _Output(rendered=sys.stdout.isatty() and not asked.markdown)
    out.write(head(command, packages))
    record: dict[str, Any] = {"command": command, "machine": machine(), "versions": packages, "files": []}
    code = 0
    for file, puzzles in files.items():
        measured, is_complete = _measure_all(Path(file).name, rows, Plan(puzzles, asked.time_limit), asked.repeat)
        shapes = sorted({f"{puzzle.m}×{puzzle.n}" for puzzle in puzzles})
        title = f"## {Path(file).name}: {len(puzzles)} of {' and '.join(shapes)}"
        out.write([title, "", *table(puzzles, measured), ""])
        record["files"].append(
            {"file": file, "puzzles": len(puzzles), "shapes": shapes, "rows": [as_json(row) for row in measured]}
        )
        if asked.json:  # after each file, so that a run that is killed leaves what it had
            Path(asked.json).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        if any(row.count("wrong") for row in measured):
            code = 1
        if not is_complete:
            code = 130
            break
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="puzzles in any notation that csp_sudoku reads")
    parser.add_argument(
        "--solver", nargs="+", metavar="NAME", choices=[*OUR_NAMES, "all", "none"], default=list(DEFAULT_NAMES),
        help=f"of ours: {', '.join(OUR_NAMES)}, all or none (default: {' '.join(DEFAULT_NAMES)})",
    )  # fmt: skip
    parser.add_argument(
        "--peer", nargs="+", metavar="NAME", choices=[*PEERS, "all", "none"], default=["all"],
        help=f"{', '.join(PEERS)}, all or none (default: all)",
    )  # fmt: skip
    parser.add_argument("--limit", type=_positive(int), metavar="K", help="only the first K puzzles of each file")
    parser.add_argument(
        "--time-limit", type=_positive(float), metavar="S", default=60.0,
        help="CPU seconds for one solver on one file (default: 60)",
    )  # fmt: skip
    parser.add_argument(
        "--repeat", type=_positive(int), metavar="R", default=5,
        help="rounds in which the solvers take turns, within the time limit; the fastest pass counts (default: 5)",
    )  # fmt: skip
    parser.add_argument("--json", metavar="OUT", help="write all times to this file")
    parser.add_argument("--markdown", action="store_true", help="plain Markdown on a terminal, too")
    return parser


def _positive(kind: type) -> Any:
    def positive(text: str) -> Any:
        value = kind(text)
        if not value > 0:
            raise ValueError(text)
        return value

    return positive


def _named(names: Sequence[str], every: Sequence[str]) -> Sequence[str]:
    if "all" in names:
        return every
    return [name for name in dict.fromkeys(names) if name != "none"]


def _puzzles(file: str, limit: int | None) -> list[Puzzle]:
    """The puzzles of a file, read by our own reader."""
    found = []
    for board in cs.load_many(file):
        found.append(Puzzle(board.m, board.n, board.cells))
        if len(found) == limit:
            break
    if not found:
        raise cs.SudokuError(f"{file}: expected puzzles; found none")
    return found


def _measure_all(file: str, rows: Sequence[Subject], plan: Plan, rounds: int) -> tuple[list[Measurement], bool]:
    """The measurements of all rows, and whether they are complete; not after Ctrl-C."""
    measured = [Measurement(row, len(plan.puzzles)) for row in rows]
    with _Progress(file) as progress:
        try:
            for number in range(rounds):
                for row in measured:
                    if number == 0 or row.may_go_on(plan):
                        measure(row, plan, progress.show)
        except KeyboardInterrupt:
            for row in measured:
                if len(row.first) < row.total and not row.trouble:
                    row.trouble = "interrupted"
            return measured, False
    return measured, True


class _Progress:
    """One line on standard error, if that is a terminal."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._is_shown = sys.stderr.isatty()
        self._next = 0.0

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def show(self, row: Measurement) -> None:
        """What is being measured and how far it is."""
        if not self._is_shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.2
        done = f"pass {len(row.passes)}: {len(row.passes[-1])}/{row.total}" if row.passes else "getting ready"
        line = f"{self._file} · {row.subject.label} · {done} · {row.spent():.1f} s"
        print(f"\r\x1b[K{line[:110]}", end="", file=sys.stderr, flush=True)


class _Output:
    """Markdown as it is, or drawn on a terminal."""

    def __init__(self, *, rendered: bool) -> None:
        self._rendered = rendered

    def write(self, lines: Sequence[str]) -> None:
        text = "\n".join(lines)
        if self._rendered:
            from rich.console import Console
            from rich.markdown import Markdown

            Console().print(Markdown(text))
        else:
            print(text, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # between two measurements
        sys.exit(130)
