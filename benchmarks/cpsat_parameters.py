"""The effect of CP-SAT's encodings and parameters on a file of puzzles, as a Markdown table.

    python benchmarks/cpsat_parameters.py FILE… [--only NAME…] [--seeds K] [--givens G] [--limit S]

Every row solves the same puzzles to the first solution, in this process, with one worker. Times are CPU seconds and
include building the model. The times of hard puzzles are heavy-tailed, so a single run of each means little. A seed
shuffles the variables of the models. With --givens G, the seed also chooses G cells of the solution to add to a puzzle,
which turns a few puzzles into many similar ones of moderate difficulty. With 0 as the only seed, the puzzles are
unchanged.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from csp_sudoku.board import Board, load_many
from csp_sudoku.solvers.cpsat.model import Candidates, build
from csp_sudoku.solvers.cpsat.search import CpSatCall, is_complete
from csp_sudoku.solvers.cpsat.solver import ALWAYS, TUNED, CpSat

PLAIN = {"cp_model_presolve": False, "linearization_level": 0, "symmetry_level": 0}
QUICK = {**PLAIN, "use_sat_inprocessing": False, "use_phase_saving": False}
BUMP = {**QUICK, "also_bump_variables_in_conflict_reasons": True}
SLOW_DECAY = {**BUMP, "variable_activity_decay": 0.95, "glucose_max_decay": 0.99}


class Setting(NamedTuple):
    """A row of the table."""

    parameters: Mapping[str, Any]
    encoding: str = "boolean"
    propagate: bool = True


def _restarts(kind: str) -> dict[str, str]:
    return {"default_restart_algorithms": f"{kind}_RESTART"}


def _cleanup(period: int, bound: int) -> dict[str, int]:
    return {"clause_cleanup_period": period, "clause_cleanup_lbd_bound": bound}


SETTINGS: Mapping[str, Setting] = {
    "CP-SAT's defaults, Boolean": Setting({}, propagate=False),
    "CP-SAT's defaults, integer": Setting({}, "integer", propagate=False),
    "CP-SAT's defaults, Boolean, singles filled": Setting({}),
    "plain: presolve off, linearization 0, symmetry 0": Setting(PLAIN),
    "plain, integer": Setting(PLAIN, "integer"),
    "plain, Luby restarts": Setting({**PLAIN, **_restarts("LUBY")}),
    "plain, restarts by LBD": Setting({**PLAIN, **_restarts("LBD_MOVING_AVERAGE")}),
    "plain, restarts by level": Setting({**PLAIN, **_restarts("DL_MOVING_AVERAGE")}),
    "plain, no inprocessing": Setting({**PLAIN, "use_sat_inprocessing": False}),
    "plain, no phase saving": Setting({**PLAIN, "use_phase_saving": False}),
    "plain, bump reasons": Setting({**PLAIN, "also_bump_variables_in_conflict_reasons": True}),
    "plain, decay 0.95 to 0.99": Setting({**PLAIN, "variable_activity_decay": 0.95, "glucose_max_decay": 0.99}),
    "plain, ERWA": Setting({**PLAIN, "use_erwa_heuristic": True}),
    "plain, at-most-ones up to 10 as clauses": Setting({**PLAIN, "at_most_one_max_expansion_size": 10}),
    "quick: plain, no inprocessing, no phase saving": Setting(QUICK),
    "quick, bump reasons": Setting(BUMP),
    "quick, bump, decay": Setting(SLOW_DECAY),
    "quick, bump, decay, restarts by level": Setting({**SLOW_DECAY, **_restarts("DL_MOVING_AVERAGE")}),
    "quick, bump, decay, Luby": Setting({**SLOW_DECAY, **_restarts("LUBY")}),
    "quick, bump, decay, Luby, cleanup": Setting({**SLOW_DECAY, **_restarts("LUBY"), **_cleanup(3000, 2)}),
    "tuned: quick, bump, decay, cleanup every 3000 keeping LBD 2": Setting(TUNED),
    "tuned, singles left to CP-SAT": Setting(TUNED, propagate=False),
    "tuned, integer": Setting(TUNED, "integer"),
    "tuned, presolve on": Setting({**TUNED, "cp_model_presolve": True}),
    "tuned, cleanup every 1000": Setting({**TUNED, **_cleanup(1000, 2)}),
    "tuned, decay 0.98 to 0.995": Setting({**TUNED, "variable_activity_decay": 0.98, "glucose_max_decay": 0.995}),
    "tuned, phase saving": Setting({**TUNED, "use_phase_saving": True}),
    "tuned, inprocessing": Setting({**TUNED, "use_sat_inprocessing": True}),
}


class SolveRun(NamedTuple):
    """The result of one solve."""

    solved: bool
    seconds: float
    conflicts: int


def run(board: Board, setting: Setting, seed: int, limit: float) -> SolveRun:
    """Solve one board with one setting; `limit` is in seconds.

    A `seed` other than 0 shuffles the variables of the model.
    """
    started = time.process_time()
    candidates = Candidates.of(board)
    if setting.propagate:
        candidates.fill_singles()
    if not candidates.open_count:
        return SolveRun(solved=True, seconds=time.process_time() - started, conflicts=0)
    model = build(candidates, setting.encoding, seed)
    if model is None:
        raise ValueError(f"expected a puzzle with a solution; found {board.format('line')}")
    response = CpSatCall(model.model, {**ALWAYS, **setting.parameters, "max_time_in_seconds": limit}).finish()
    return SolveRun(is_complete(response), time.process_time() - started, response.num_conflicts)


def with_givens(boards: list[Board], givens: int, seeds: list[int]) -> Iterator[tuple[Board, int]]:
    """Yield, for each seed, the puzzles with `givens` more cells of their solutions."""
    solutions = [CpSat().solve(board).solution or board for board in boards] if givens else boards
    for seed in seeds:
        rng = random.Random(seed)
        for board, solution in zip(boards, solutions, strict=True):
            values = bytearray(board.values)
            for cell in rng.sample(list(board.empty_cells()), givens):
                values[cell] = solution.values[cell]
            yield Board(board.geometry, values), seed


def table(cases: list[tuple[Board, int]], names: list[str], limit: float) -> Iterator[str]:
    """Yield the lines of the table, each as soon as it is measured."""
    yield "| setting | solved | CPU s, total | ± | geometric mean, ms | worst, s | conflicts | per s | of the first |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    first = None
    for name in names:
        runs = [run(board, SETTINGS[name], seed, limit) for board, seed in cases]
        times = [each.seconds for each in runs]
        total, count = sum(times), len(times)
        error = math.sqrt(sum((t - total / count) ** 2 for t in times))
        geometric = 1000 * math.exp(sum(map(math.log, times)) / count)
        conflicts = sum(each.conflicts for each in runs)
        first = first or total
        yield (
            f"| {name} | {sum(each.solved for each in runs)}/{count} | {total:.2f} | {error:.2f} | {geometric:.1f} "
            f"| {max(times):.2f} | {conflicts} | {conflicts / total:.0f} | {total / first:.2f} |"
        )


def main() -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--only", nargs="+", choices=SETTINGS, metavar="NAME", default=list(SETTINGS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--givens", type=int, default=0)
    parser.add_argument("--first", type=int, help="so many puzzles of each file")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one puzzle")
    arguments = parser.parse_args()
    boards = [board for file in arguments.files for board in list(load_many(file))[: arguments.first]]
    cases = list(with_givens(boards, arguments.givens, arguments.seeds))
    run(boards[0], SETTINGS[arguments.only[0]], 0, 1.0)  # The first call also pays for loading.
    names = ", ".join(Path(file).name for file in arguments.files)
    print(f"{names}: {len(boards)} puzzles, {arguments.givens} givens added, seeds {arguments.seeds}\n")
    for line in table(cases, arguments.only, arguments.limit):
        print(line, flush=True)


if __name__ == "__main__":
    main()
