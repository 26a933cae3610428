"""A race on one hard board: learning searches of isomorphs of the board, each in a thread; the first answer wins.

The time of a search on a hard board varies by chance: a search that takes ten seconds may take one on an isomorph.
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
"""The seed of the isomorphs, so that each race on a board has the same searches."""


def race(solver: Learning, board: Board, masks: Masks, limits: Limits, jobs: int) -> Result:
    """Solve a plain board in `jobs` threads: one searches the board itself, the others search isomorphs.

    `masks` are the candidates that an earlier propagation has left. `limits` bound each search. The result comes from
    the search that decides the board first, or if none does, from the search of the board itself.
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
    """The first decided result, or if there is none, that of the first search; the other searches are stopped."""
    waiting = set(runs)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for one in done:
            if one.result().status is not Status.UNKNOWN:
                threads.stop()
                return one.result()
    return runs[0].result()
