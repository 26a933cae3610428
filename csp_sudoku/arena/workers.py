"""Workers: who does many things at once, through the Executor interface: threads of this program, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

ATTEMPTS = 3
"""How often a thing is given up to a cluster whose workers have ended; each time it tries several of them."""

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Workers:
    """Who works."""

    executor: Executor
    jobs: int
    """On how many things at a time."""
    losses: tuple[type[BaseException], ...] = ()
    """The errors that say that something was lost with its worker, and is to be done again."""

    def run(
        self,
        work: Callable[[Item], Outcome],
        items: Iterable[Item],
        jobs: int | None = None,
        is_over: Callable[[], bool] | None = None,
    ) -> Iterator[tuple[Item, Outcome]]:
        """The items, of which so many are worked on at a time, and what has come of each, as it comes.

        No other is begun, and none waited for, once `is_over` says that it is enough. If one fails, those come first
        that are done.
        """
        waiting = iter(items)
        running: dict[Future[Outcome], tuple[Item, int]] = {}
        try:
            while is_over is None or not is_over():
                for item in islice(waiting, (jobs or self.jobs) - len(running)):
                    running[self.executor.submit(work, item)] = item, 1
                if not running:
                    return
                failure: Exception | None = None
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    item, attempt = running.pop(future)
                    try:
                        outcome = future.result()
                    except Exception as error:  # noqa: BLE001 - the first one is raised below
                        if isinstance(error, self.losses) and attempt < ATTEMPTS:
                            running[self.executor.submit(work, item)] = item, attempt + 1
                        else:
                            failure = failure or error
                    else:
                        yield item, outcome
                if failure is not None:
                    raise failure
        finally:
            for future in running:
                future.cancel()
