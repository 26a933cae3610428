"""A pool evaluates the networks of a generation, in this process or in several; the results are the same."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import chain
from random import Random
from typing import TypeVar

from csp_sudoku.neuroevolution.network import Network
from csp_sudoku.neuroevolution.phases import GROUP, PASSED, PLAYED, SURVIVED, Score, generation
from csp_sudoku.neuroevolution.settings import EvolutionSettings

Item = TypeVar("Item")
Found = TypeVar("Found")

CHUNKS = 4
"""Number of pieces of work per process, which balances the load because some pieces take longer than others."""


class NetworkPool:
    """Evaluates networks with an executor of `jobs` processes, or in this process if `executor` is None."""

    def __init__(self, executor: Executor | None, jobs: int) -> None:
        self.executor = executor
        self.jobs = jobs

    def fitness(self, settings: EvolutionSettings, number: int, networks: Sequence[Network]) -> list[float]:
        """The fitness of each network in generation `number`, from phase one, and from phase two if it passes."""
        scores = self.scores(settings, number, networks)
        passed = [place for place, score in enumerate(scores) if score.has_passed]
        found = [PASSED * score.first for score in scores]
        survived = self.knock_out(settings, number, [networks[place] for place in passed])
        for place, share in zip(passed, survived, strict=True):
            found[place] += PASSED + PLAYED * scores[place].second + SURVIVED * share
        return found

    def scores(self, settings: EvolutionSettings, number: int, networks: Sequence[Network]) -> list[Score]:
        """The score of each network of generation `number` by itself, without the knock-out."""
        return self._spread(_scores, settings, number, networks)

    def knock_out(self, settings: EvolutionSettings, number: int, networks: Sequence[Network]) -> list[float]:
        """The share of the knock-out rounds that each network survives, from 0 to 1.

        Groups are drawn at random, and the best network of each group survives a round. The winner survives all rounds.
        """
        left = list(range(len(networks)))
        Random(generation(settings, number).shuffled).shuffle(left)
        rounds = [0] * len(networks)
        count = 0
        while len(left) > 1:
            groups = [left[start : start + GROUP] for start in range(0, len(left), GROUP)]
            margins = self._spread(_duels, settings, number, [[networks[place] for place in group] for group in groups])
            left = [group[found.index(max(found))] for group, found in zip(groups, margins, strict=True)]
            count += 1
            for place in left:
                rounds[place] += 1
        return [survived / max(count, 1) for survived in rounds]

    def _spread(
        self,
        work: Callable[[EvolutionSettings, int, Sequence[Item]], list[Found]],
        settings: EvolutionSettings,
        number: int,
        items: Sequence[Item],
    ) -> list[Found]:
        if self.executor is None:
            return work(settings, number, items)
        size = max(1, -(-len(items) // (CHUNKS * self.jobs)))
        chunks = [items[start : start + size] for start in range(0, len(items), size)]
        tasks = [self.executor.submit(work, settings, number, chunk) for chunk in chunks]
        return list(chain.from_iterable(task.result() for task in tasks))


def _scores(settings: EvolutionSettings, number: int, networks: Sequence[Network]) -> list[Score]:
    return [generation(settings, number).score(network) for network in networks]


def _duels(settings: EvolutionSettings, number: int, groups: Sequence[Sequence[Network]]) -> list[list[float]]:
    return [generation(settings, number).duels(group) for group in groups]


@contextmanager
def pool_of(jobs: int) -> Iterator[NetworkPool]:
    """A pool of `jobs` worker processes, which end with this process even if it is killed.

    With 1 job, this process does the work itself.
    """
    if jobs == 1:
        yield NetworkPool(None, 1)
        return
    processes = multiprocessing.get_context("spawn")  # a fork would copy locks that threads of compiled code hold
    with ProcessPoolExecutor(jobs, processes, _settle) as executor:
        try:
            yield NetworkPool(executor, jobs)
        finally:
            executor.shutdown(cancel_futures=True)


def _settle() -> None:
    """Set up a worker process: it ignores Ctrl-C, which its parent handles, and it exits when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
