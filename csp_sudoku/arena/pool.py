"""A pool of games: it plays many at once, through the Executor interface, in threads or on a Dask cluster.

The players are processes of their own, so threads suffice to supervise their games. A finished game is in the store
before the next game starts, and the store decides which games are still missing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from csp_sudoku.arena.schedule import Schedule
from csp_sudoku.arena.scheduled_game import GameSummary, ScheduledGame
from csp_sudoku.arena.store import Store
from csp_sudoku.arena.workers import Workers
from csp_sudoku.errors import OptionError
from csp_sudoku.game.record import GameRecord
from csp_sudoku.sandbox.fork_server import ForkServer
from csp_sudoku.sandbox.terms import LOADER, GameTerms

REACH = 10.0
"""The timeout of the connection to a scheduler, in seconds."""

BATCH = 500
"""The number of games that are looked up in the store at a time."""

OnGame = Callable[[ScheduledGame, GameSummary], object]


class AbandonedGameError(Exception):
    """The error that stops a game whose result is no longer needed."""


@dataclass(frozen=True)
class GamePool(Workers):
    """A pool that plays a fixed number of games at a time."""

    _checked: set[tuple[str, GameTerms]] = field(default_factory=set, repr=False, compare=False)
    """The players that the pool has loaded before their first game, with their terms."""

    def play(
        self,
        scheduled_games: Collection[ScheduledGame],
        store: Store,
        on_game: OnGame | None = None,
        is_over: Callable[[], bool] | None = None,
    ) -> None:
        """Play the games that the store lacks, and add them to it.

        Games begin in the order of `scheduled_games`, until `is_over` returns True; without it, all are played.
        `on_game` is called for every game, including those that the store has already.

        Before the first game, each foreign player of a game that the store lacks is loaded once. Raise AgentError if
        one cannot be loaded.
        """
        told = on_game or (lambda *_: None)
        for _ in self.run(require_scheduled_player, self._unchecked(scheduled_games, store)):
            pass

        def missing() -> Iterator[ScheduledGame]:
            for batch in _batches(_distinct(scheduled_games)):
                known = store.summaries(batch)
                for scheduled_game in batch:
                    # another process may have added the game since
                    summary = known.get(scheduled_game.key) or store.get(scheduled_game)
                    if summary is None:
                        yield scheduled_game
                    else:
                        told(scheduled_game, summary)
                    if is_over is not None and is_over():
                        return

        for scheduled_game, record in self.run(play_scheduled_game, missing(), is_over=is_over):
            store.add(scheduled_game, record)
            told(
                scheduled_game, store.get(scheduled_game) or GameSummary.of(record)
            )  # another process may have been the first

    def _unchecked(self, scheduled_games: Collection[ScheduledGame], store: Store) -> list[tuple[str, GameTerms]]:
        """Return the foreign players of games that the store lacks, unless this pool has loaded them before."""
        found: dict[tuple[str, GameTerms], None] = {}
        entrants: set[tuple[str, GameTerms]] | None = None
        if isinstance(scheduled_games, Schedule):
            entrants = {(player, scheduled_games.terms) for player in scheduled_games.players if _is_foreign(player)}
            entrants -= self._checked
            if not entrants:
                return []
        for batch in _batches(scheduled_games):
            due = [scheduled_game for scheduled_game in batch if self._players(scheduled_game) - found.keys()]
            known = store.summaries(due)
            for scheduled_game in due:
                if scheduled_game.key not in known:
                    found.update(dict.fromkeys(sorted(self._players(scheduled_game), key=str)))
            if entrants is not None and entrants <= found.keys():
                break
        self._checked.update(found)
        return list(found)

    def _players(self, scheduled_game: ScheduledGame) -> set[tuple[str, GameTerms]]:
        """Return the foreign players of a game that this pool has not loaded yet, with their terms."""
        terms = scheduled_game.terms
        if terms.loader != LOADER:
            return set()
        players = {scheduled_game.first, scheduled_game.second}
        return {(player, terms) for player in players if _is_foreign(player)} - self._checked


def _batches(scheduled_games: Iterable[ScheduledGame]) -> Iterator[list[ScheduledGame]]:
    """Yield the games in batches."""
    games = iter(scheduled_games)
    while batch := list(islice(games, BATCH)):
        yield batch


def _distinct(scheduled_games: Iterable[ScheduledGame]) -> Iterator[ScheduledGame]:
    """Yield each game once; the games of a schedule are different."""
    if isinstance(scheduled_games, Schedule):
        yield from scheduled_games
        return
    seen = set[str]()
    for scheduled_game in scheduled_games:
        if scheduled_game.key not in seen:
            seen.add(scheduled_game.key)
            yield scheduled_game


@contextmanager
def local_pool(jobs: int = 1) -> Iterator[GamePool]:
    """Open a pool of `jobs` threads (default 1); at the end, unfinished games are abandoned after their turn."""
    stopped = threading.Event()
    with ForkServer() as fork_server:
        pool = ThreadPoolExecutor(jobs, "game", initializer=_settle, initargs=(fork_server, stopped))
        try:
            yield GamePool(pool, jobs)
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)


@contextmanager
def cluster_pool(scheduler: str, jobs: int | None = None) -> Iterator[GamePool]:
    """Open a pool of the workers of a Dask cluster.

    `scheduler` is the address of the cluster, and `jobs` the number of games at a time (default None: the number of
    threads of all workers). If a worker ends, another one plays its game again. Each game counts once: the first result
    is kept. The workers need this package, and the players at the same paths. Raise OptionError without a scheduler or
    without workers.
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
                yield GamePool(executor, count, (KilledWorker, FutureCancelledError))
            finally:
                executor.shutdown(wait=False)
    finally:
        with suppress(Exception):  # An error of a scheduler that has already ended is of no interest here.
            client.close(timeout=1)


def play_scheduled_game(scheduled_game: ScheduledGame) -> GameRecord:
    """Play a game in this thread or this worker of a cluster, and return its record."""
    stopped: threading.Event | None = getattr(_here, "stopped", None)

    def look_up(*_: Any) -> None:
        if stopped is not None and stopped.is_set():
            raise AbandonedGameError

    look_up()
    return scheduled_game.play(_fork_server(), on_turn=look_up)


def require_scheduled_player(player: tuple[str, GameTerms]) -> None:
    """Load a player in a process of its own; raise AgentError if it cannot be loaded. This runs where games run."""
    from csp_sudoku.arena.play import require_player

    spec, terms = player
    require_player(spec, terms, _fork_server())


@cache
def _is_foreign(player: str) -> bool:
    """Whether a player, as the text of its spec, does not come with this package: it is the path of a folder then."""
    return Path(player).is_absolute()


_here = threading.local()
_lock = threading.Lock()
_fork_servers: dict[int, ForkServer] = {}


def _settle(fork_server: ForkServer, stopped: threading.Event) -> None:
    """Initialise a thread of a pool."""
    _here.fork_server, _here.stopped = fork_server, stopped


def _fork_server() -> ForkServer:
    """Return the fork server of this thread's pool, or else that of this process."""
    return getattr(_here, "fork_server", None) or _shared_fork_server()


def _shared_fork_server() -> ForkServer:
    """Return the fork server of this process; it ends with the process, since a cluster's worker has no other end."""
    with _lock:
        if os.getpid() not in _fork_servers:
            _fork_servers[os.getpid()] = ForkServer()
        return _fork_servers[os.getpid()]


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
