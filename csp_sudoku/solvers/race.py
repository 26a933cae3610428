"""A race on one hard board: learning searches of isomorphs of the board, each in a thread; the first answer counts.

How long a search takes on a hard board is a matter of luck: where it takes ten seconds, it may take one on an isomorph.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from random import Random
from typing import TYPE_CHECKING

from csp_sudoku.board import Board
from csp_sudoku.solvers.base import Limits, Result, Status
from csp_sudoku.solvers.isomorphs import Isomorphism
from csp_sudoku.solvers.parallel import Threads

if TYPE_CHECKING:
    from csp_sudoku.candidates import Masks
    from csp_sudoku.solvers.learning.solver import Learning

SEED = 1
"""The seed of the isomorphs, so that each race has the same runners."""


def race(solver: Learning, board: Board, masks: Masks, limits: Limits, jobs: int) -> Result:
    """Solve a plain board in `jobs` threads: one searches the board itself, the others search isomorphs.

    `masks` are the candidates that an earlier propagation has left. `limits` bound each search. The result is that of
    the search which decides the board first; if none does, that of the board itself.
    """
    random = Random(SEED)
    ways = [None, *(Isomorphism(board.geometry, random) for _ in range(jobs - 1))]

    def run(way: Isomorphism | None) -> Result:
        if way is None:
            return solver.counted(solver.run(board, limits, candidates=masks))
        result = solver.counted(solver.run(way.of(board), limits, candidates=way.masks(masks)))
        return result if result.solution is None else result._replace(solution=way.back(result.solution))

    with Threads(jobs) as threads:
        runs = [threads.executor.submit(run, way) for way in ways]
        return _first(runs, threads)


def _first(runs: list[Future[Result]], threads: Threads) -> Result:
    """The first result that is decided, or else that of the first search; the other searches are ended."""
    waiting = set(runs)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for one in done:
            if one.result().status is not Status.UNKNOWN:
                threads.stop()
                return one.result()
    return runs[0].result()
