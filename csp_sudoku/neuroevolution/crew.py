"""Crew: who judges the networks of a generation, this process or several; what they find is the same."""

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
from csp_sudoku.neuroevolution.settings import Settings

Item = TypeVar("Item")
Found = TypeVar("Found")

CHUNKS = 4
"""Pieces of work for each process: some take longer than others."""


class Crew:
    """Judges networks, in so many processes at a time."""

    def __init__(self, executor: Executor | None, jobs: int) -> None:
        self.executor = executor
        self.jobs = jobs

    def fitness(self, settings: Settings, number: int, networks: Sequence[Network]) -> list[float]:
        """The fitness of each network in a generation: of phase one, and of phase two if it passes."""
        scores = self.scores(settings, number, networks)
        passed = [place for place, score in enumerate(scores) if score.has_passed]
        found = [PASSED * score.first for score in scores]
        survived = self._knock_out(settings, number, [networks[place] for place in passed])
        for place, share in zip(passed, survived, strict=True):
            found[place] += PASSED + PLAYED * scores[place].second + SURVIVED * share
        return found

    def scores(self, settings: Settings, number: int, networks: Sequence[Network]) -> list[Score]:
        """What each network is worth by itself."""
        return self._spread(_scores, settings, number, networks)

    def _knock_out(self, settings: Settings, number: int, networks: Sequence[Network]) -> list[float]:
        """The share of the rounds that each network survives, in groups by lot; the last one left survives all."""
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
        work: Callable[[Settings, int, Sequence[Item]], list[Found]],
        settings: Settings,
        number: int,
        items: Sequence[Item],
    ) -> list[Found]:
        if self.executor is None:
            return work(settings, number, items)
        size = max(1, -(-len(items) // (CHUNKS * self.jobs)))
        chunks = [items[start : start + size] for start in range(0, len(items), size)]
        tasks = [self.executor.submit(work, settings, number, chunk) for chunk in chunks]
        return list(chain.from_iterable(task.result() for task in tasks))


def _scores(settings: Settings, number: int, networks: Sequence[Network]) -> list[Score]:
    return [generation(settings, number).score(network) for network in networks]


def _duels(settings: Settings, number: int, groups: Sequence[Sequence[Network]]) -> list[list[float]]:
    return [generation(settings, number).duels(group) for group in groups]


@contextmanager
def crew_of(jobs: int) -> Iterator[Crew]:
    """A crew of so many processes, which end with this one, however that ends; for one job, of this process itself."""
    if jobs == 1:
        yield Crew(None, 1)
        return
    processes = multiprocessing.get_context("spawn")  # a fork would take over locks of compiled code's threads
    with ProcessPoolExecutor(jobs, processes, _settle) as executor:
        try:
            yield Crew(executor, jobs)
        finally:
            executor.shutdown(cancel_futures=True)


def _settle() -> None:
    """A process of a crew leaves Ctrl-C to its parent, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
