"""Workers: a pool that runs many jobs in parallel, through the Executor interface, in threads or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

ATTEMPTS = 3
"""Maximum number of submissions of an item whose workers have ended; at each, a cluster tries several of them."""

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Workers:
    """A pool of workers."""

    executor: Executor
    jobs: int
    """The number of items that are processed at a time."""
    losses: tuple[type[BaseException], ...] = ()
    """The errors which mean that an item was lost with its worker, so that it is submitted again."""

    def run(
        self,
        work: Callable[[Item], Outcome],
        items: Iterable[Item],
        jobs: int | None = None,
        is_over: Callable[[], bool] | None = None,
    ) -> Iterator[tuple[Item, Outcome]]:
        """Work on the items, and yield each item with its result, as the results arrive.

        `jobs` is the number of items at a time (default: the number of the pool). Once `is_over` returns True, the pool
        begins no item and waits for none. If an item fails, the finished ones are yielded before its error is raised.
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
