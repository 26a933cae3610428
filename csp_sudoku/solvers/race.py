"""A race on one hard board: learning searches of isomorphs of the board, each in a thread; the first answer wins.

The time of a search on a hard board varies by chance: a search that takes ten seconds may take one on an isomorph. The
searches also exchange the short clauses that they learn (`solvers.learning.exchange`). The moment at which a clause
arrives depends on the threads; so the time of a race differs from run to run, and of several solutions the race may
find another one.
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
    from csp_sudoku.solvers.learning.exchange import Mailbox
    from csp_sudoku.solvers.learning.solver import Learning

SEED = 1
"""The seed of the isomorphs, so that each race on a board has the same searches."""


def race(solver: Learning, board: Board, masks: Masks, limits: Limits, jobs: int) -> Result:
    """Solve a plain board in `jobs` threads: one searches the board itself, the others search isomorphs.

    `masks` are the candidates that an earlier propagation has left. `limits` bound each search. The result comes from
    the search that decides the board first, or if none does, from the search of the board itself.
    """
    from csp_sudoku.solvers.learning.exchange import mailboxes

    random = Random(SEED)
    ways = [None, *(Isomorphism(board.geometry, random) for _ in range(jobs - 1))]

    def run(way: Isomorphism | None, mailbox: Mailbox) -> Result:
        itself, its_masks = (board, masks) if way is None else (way.of(board), way.masks(masks))
        search = solver.run(itself, limits, candidates=its_masks, mailbox=mailbox)
        result = solver.counted(search)
        if way is None or result.solution is None:
            return result
        return result._replace(solution=way.back(result.solution))

    with Threads(jobs) as threads:
        runs = [threads.executor.submit(run, *each) for each in zip(ways, mailboxes(ways), strict=True)]
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
