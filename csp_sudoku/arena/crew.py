"""Crew: who plays many games at once, through the Executor interface: threads of this program, or a Dask cluster.

The players are processes of their own anyway, so threads are enough to watch over their games. What is finished is in
the store before the next game starts, and the store decides what is still to be played.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from csp_sudoku.arena.fixture import Fixture, Summary
from csp_sudoku.arena.nursery import Nursery
from csp_sudoku.arena.store import Store
from csp_sudoku.arena.workers import Workers
from csp_sudoku.errors import OptionError
from csp_sudoku.game.record import GameRecord

REACH = 10.0
"""Seconds in which a scheduler must answer."""

OnGame = Callable[[Fixture, Summary], object]


class AbandonedGameError(Exception):
    """A game is played no further, for nobody wants to know how it ends."""


class Crew(Workers):
    """Who plays: so many games at a time."""

    def play(
        self,
        fixtures: Iterable[Fixture],
        store: Store,
        on_game: OnGame | None = None,
        is_over: Callable[[], bool] | None = None,
    ) -> None:
        """Play what is not in the store, and keep it there; `on_game` is told of every game, in the store or not.

        Games are begun in the order of the fixtures, until `is_over` says that it is enough.
        """
        told = on_game or (lambda *_: None)
        seen = set[str]()

        def missing() -> Iterator[Fixture]:
            for fixture in fixtures:
                if fixture.key not in seen:
                    seen.add(fixture.key)
                    known = store.get(fixture)
                    if known is None:
                        yield fixture
                    else:
                        told(fixture, known)
                if is_over is not None and is_over():
                    return

        for fixture, record in self.run(play_fixture, missing(), is_over=is_over):
            store.add(fixture, record)
            told(fixture, store.get(fixture) or Summary.of(record))  # another process may have been the first


@contextmanager
def local_crew(jobs: int = 1) -> Iterator[Crew]:
    """A crew of so many threads. At the end, games that go on are abandoned after their turn."""
    stopped = threading.Event()
    with Nursery() as nursery:
        pool = ThreadPoolExecutor(jobs, "game", initializer=_settle, initargs=(nursery, stopped))
        try:
            yield Crew(pool, jobs)
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)


@contextmanager
def cluster_crew(scheduler: str, jobs: int | None = None) -> Iterator[Crew]:
    """A crew of the workers of a Dask cluster; as many jobs as they have threads, unless told otherwise.

    A game whose worker ends is played again by another. It counts once: what comes back first is kept. The workers need
    this package, and the players at the same places.
    """
    try:
        from distributed import Client
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise OptionError('expected dask.distributed, which "csp-sudoku[cluster]" brings; found none') from error
    try:
        make: Any = Client  # it has no types
        client = make(scheduler, timeout=REACH, set_as_default=False)
    except (OSError, ValueError) as error:
        raise OptionError(f"expected a scheduler at {scheduler}; found {_first_line(error)}") from error
    try:
        count = jobs or sum(client.nthreads().values())
        if not count:
            raise OptionError(f"expected workers at the scheduler {scheduler}; found none")
        with client.get_executor(pure=False) as executor:
            try:
                yield Crew(executor, count, (KilledWorker, FutureCancelledError))
            finally:
                executor.shutdown(wait=False)
    finally:
        with suppress(Exception):  # a scheduler that has ended is no reason to say so now
            client.close(timeout=1)


def play_fixture(fixture: Fixture) -> GameRecord:
    """The record of a game, played here and now, by a thread of a crew or by a worker of a cluster."""
    stopped: threading.Event | None = getattr(_here, "stopped", None)

    def look_up(*_: Any) -> None:
        if stopped is not None and stopped.is_set():
            raise AbandonedGameError

    look_up()
    return fixture.play(getattr(_here, "nursery", None) or _shared_nursery(), on_turn=look_up)


_here = threading.local()
_lock = threading.Lock()
_nurseries: dict[int, Nursery] = {}


def _settle(nursery: Nursery, stopped: threading.Event) -> None:
    """What a thread of a crew has."""
    _here.nursery, _here.stopped = nursery, stopped


def _shared_nursery() -> Nursery:
    """The nursery of this process, which ends with it: a worker of a cluster has no other end."""
    with _lock:
        if os.getpid() not in _nurseries:
            _nurseries[os.getpid()] = Nursery()
        return _nurseries[os.getpid()]


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
