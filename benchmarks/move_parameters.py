"""The best parameters of CP-SAT for the map of every move (engine `cpsat`), as a Markdown table.

    python benchmarks/move_parameters.py [--only NAME…] [--boards NAME…] [--limit S]

The boards are random solutions in which a number of cells stay filled. Every row makes the maps of the same boards, one
after the other, in this process, with one worker. An entry is the mean CPU time of a map over a group of boards, in
milliseconds, including building the model, and in brackets the mean number of calls of CP-SAT. A quick map is made
three times, and the best time counts. ">" stands before a mean with maps that were not complete within the limit.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ortools.sat.python.cp_model_helper import SatParameters

from csp_sudoku.board import Board
from csp_sudoku.moves.engines import naive
from csp_sudoku.moves.engines.cpsat import PARAMETERS, Steering, classify
from csp_sudoku.moves.move_map import MoveMap
from csp_sudoku.puzzles.generate import random_solution
from csp_sudoku.solvers.base import Deadline
from csp_sudoku.solvers.cpsat.solver import TUNED, CpSat

QUICK = 0.5
"""Time below which a map is made three times, in CPU seconds."""

SHORT = {**TUNED, "cp_model_probing_level": 0}

Classify = Callable[[Board, Deadline], MoveMap]


class Group(NamedTuple):
    """A group of similar boards: their shape, their number of filled cells, and the number of boards."""

    m: int
    n: int
    filled: int
    boards_each: int

    def boards(self) -> Iterator[Board]:
        """Yield the boards, the same in every run."""
        for number in range(self.boards_each):
            rng = random.Random(f"moves {self.m} {self.n} {self.filled} {number}")
            solution = random_solution(self.m, self.n, rng)
            cells = range(solution.geometry.cell_count)
            yield solution.without(rng.sample(cells, len(cells) - self.filled))


GROUPS: Mapping[str, Group] = {
    "9×9, 24 cells": Group(3, 3, 24, 3),
    "9×9, empty": Group(3, 3, 0, 1),
    "16×16, 40 %": Group(4, 4, 102, 3),
    "16×16, 30 %": Group(4, 4, 77, 3),
    "25×25, 50 %": Group(5, 5, 312, 1),
    "25×25, 40 %": Group(5, 5, 250, 1),
    "25×25, 42 %": Group(5, 5, 260, 4),
}


def _led(goal: str = "clause", hints: str = "none", improvements: int = 0, **parameters: Any) -> Steering:
    """Return a guidance with the tuned parameters and some further ones."""
    return Steering(goal, hints, improvements, {**TUNED, **parameters})


def _best(goal: str = "clause", hints: str = "unseen", improvements: int = 0, **parameters: Any) -> Steering:
    return Steering(goal, hints, improvements, {**PARAMETERS, **parameters})


SETTINGS: Mapping[str, Steering] = {
    "CP-SAT's defaults, clause": Steering(hints="none", parameters={}),
    "CP-SAT's defaults, unseen hinted": Steering(parameters={}),
    "tuned, clause": _led(),
    "tuned, assumption": _led("assumption"),
    "tuned, unseen hinted": _led(hints="unseen"),
    "tuned, unseen hinted true, seen false": _led(hints="all"),
    "tuned, objective, first solution": _led(improvements=1),
    "tuned, objective, third solution": _led(improvements=3),
    "tuned, unseen hinted, presolve on": _led(hints="unseen", cp_model_presolve=True),
    "short: tuned, no probing": Steering(hints="none", parameters=SHORT),
    "short, objective, first solution": Steering(hints="none", improvements=1, parameters=SHORT),
    "short, unseen hinted": Steering(parameters=SHORT),
    "short, … for 100 conflicts": _best(hint_conflict_limit=100),
    "short, … for 300 conflicts": _best(hint_conflict_limit=300),
    "best: short, … for 1000 conflicts": _best(),
    "short, … for 10000 conflicts": _best(hint_conflict_limit=10000),
    "best, assumption": _best("assumption"),
    "best, seen hinted false, too": _best(hints="all"),
    "best, objective, first solution": _best(improvements=1),
    "best, objective, first solution, hints for 300 conflicts": _best(improvements=1, hint_conflict_limit=300),
    "best, objective, second solution": _best(improvements=2),
    "best, polarity true": _best(initial_polarity=SatParameters.Polarity.POLARITY_TRUE),
    "best, hint search": _best(search_branching=SatParameters.SearchBranching.HINT_SEARCH),
    "best, phase saving": _best(use_phase_saving=True),
    "best, inprocessing": _best(use_sat_inprocessing=True),
    "best, presolve on": _best(cp_model_presolve=True),
    "best, presolve and probing on": _best(cp_model_presolve=True, cp_model_probing_level=2),
}

NAIVE = "a call for every move, tuned"


def _classify_by(name: str) -> Classify:
    if name == NAIVE:
        solver = CpSat()
        return lambda board, deadline: naive.classify(board, deadline, solver)
    steering = SETTINGS[name]
    return lambda board, deadline: classify(board, deadline, steering)


def measured(board: Board, make_map: Classify, limit: float) -> tuple[float, MoveMap]:
    """Return the CPU seconds of a map, and the map; `limit` is in seconds."""
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        found = make_map(board, Deadline(limit))
        seconds = time.process_time() - started
        best = min(best, seconds)
        if seconds > QUICK:
            break
    return best, found


def field(boards: list[Board], make_map: Classify, limit: float) -> str:
    """Return an entry of the table."""
    runs = [measured(board, make_map, limit) for board in boards]
    seconds = sum(each for each, _ in runs) / len(runs)
    solves = sum(found.effort.solves for _, found in runs) / len(runs)
    late = "" if all(found.is_complete for _, found in runs) else "> "
    return f"{late}{1000 * seconds:.1f} ({solves:.0f})"


def table(names: list[str], groups: list[str], limit: float) -> Iterator[str]:
    """Yield the lines of the table, each as soon as it is measured."""
    boards = {name: list(GROUPS[name].boards()) for name in groups}
    yield "| setting | " + " | ".join(groups) + " |"
    yield "|---|" + "---:|" * len(groups)
    for name in names:
        make_map = _classify_by(name)
        make_map(boards[groups[0]][0], Deadline(limit))  # the first call also pays for loading
        fields = [field(boards[group], make_map, limit) for group in groups]
        yield f"| {name} | " + " | ".join(fields) + " |"


def main() -> None:
    """Read the command line, and print the table."""
    names = [NAIVE, *SETTINGS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", default=names)
    parser.add_argument("--boards", nargs="+", choices=GROUPS, metavar="NAME", default=list(GROUPS))
    parser.add_argument("--limit", type=float, default=3.0, help="seconds for one map")
    arguments = parser.parse_args()
    for line in table(arguments.only, arguments.boards, arguments.limit):
        print(line, flush=True)


if __name__ == "__main__":
    main()
