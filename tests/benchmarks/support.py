"""The common parts of the tests of the benchmarks: tiny puzzles, the command in this process, and its modules."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path

import csp_sudoku as cs
from csp_sudoku.cli.main import execute


def module(name):
    """A module of the benchmarks, which a clone has elsewhere than a wheel."""
    return import_module(f"csp_sudoku.benchmarks.{name}")


def puzzles(*shapes):
    """For each shape, a solution without the values 1 and 2."""
    found = []
    for m, n in shapes:
        solution = cs.solve(cs.Board.empty(m, n), "backtracking").solution
        found.append(solution.without(cell for cell, value in enumerate(solution.cells) if value < 3))
    return found


def write_puzzles(path: Path, *shapes) -> str:
    """A file of such puzzles."""
    path.write_text("".join(" ".join(map(str, board.cells)) + "\n" for board in puzzles(*shapes)), encoding="utf-8")
    return str(path)


def bench(capsys, *arguments, code=0):
    """The output of `csp-sudoku bench … --json`, which must end with this code."""
    before = list(sys.path)
    try:
        assert execute(["bench", *map(str, arguments)]) == code
    finally:
        sys.path[:] = before
    out = capsys.readouterr().out
    return json.loads(out) if "--json" in arguments else out


def raw_runs(folder: Path, name: str):
    """The raw runs of a benchmark, without the notes on the machine, and on when it was begun and ended."""
    lines = (folder / "results" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [run for run in map(json.loads, lines) if "case" in run]


def environment():
    """The environment of a process that finds this package wherever it starts."""
    home = str(Path(cs.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))}
