"""Compiling ahead: all kernels that an engine, a command or a player needs, side by side in processes of their own.

A kernel is compiled at its first use on a computer, which takes seconds, and is loaded from a cache from then on.
`warm_up` compiles before that. Kernels that share helpers form a group, which one process compiles. There is one
process per processor, and it compiles one group after another: each process would import numba again, and compile the
helpers that two groups share again. When a group is done, a marker in the cache's folder says so, and nothing is
started for it any more.

`prepare` compiles what the players of a game need before any process that plays is started, so no turn is lost to
compiling. `prepare_command` does the same for a command, before its clock starts.

    python -m csp_sudoku.warm_up    compiles the groups that standard input names, one per line
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Self

from csp_sudoku.compiled.loading import Stopwatch, add_compiling, loading
from csp_sudoku.errors import SudokuError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move_map import MoveMap
    from csp_sudoku.search.filling.model import FillingModel

CHAMPION = ("learning", "completions", "nine", "search", "filling", "playouts", "endings", "matching")
"""The groups that the champion needs, those that take longest first."""

NEEDS: Mapping[str, Sequence[str]] = {
    "auto": ("learning", "nine", "search", "matching"),
    "backtracking": ("search", "matching"),
    "learning": ("learning", "matching"),
    "exact-cover": ("exact-cover",),
    "moves": ("learning", "nine", "rule"),
    "value": CHAMPION,
    "analyse": CHAMPION,
    "champion": CHAMPION,
    "neat": ("networks",),
}
"""The names that `warm_up` accepts, and the groups that each of them needs."""

PLAYER = ("auto", "moves")
"""The names that every game needs: the referee's solver, and the move map that tells bombs from safe moves."""

BAR = 20
"""Width of the progress bar of `prepare`, in characters."""

ANNOUNCED_GROUPS = 2
"""Minimum number of groups for which `prepare` prints a line, because it takes more than a second or two."""


class WarmUpError(SudokuError):
    """A group of kernels could not be compiled."""


def needed(names: Iterable[str] = ()) -> list[str]:
    """Return the groups that these names need, or all groups.

    >>> needed(["backtracking", "exact-cover"])
    ['search', 'exact-cover', 'matching']
    """
    wanted: set[str] = set()
    for name in names:
        expect_name("name to warm up", name, NEEDS)
        wanted.update(NEEDS[name])
    return [group for group in GROUPS if group in wanted or not wanted]


def is_ready(group: str) -> bool:
    """Return whether the group's kernels are in the cache."""
    return _marker(group).exists()


def warm_up(
    names: Iterable[str] = (), *, jobs: int | None = None, on_progress: Callable[[int, int], None] | None = None
) -> int:
    """Compile what is not in the cache yet, and return how many groups that were.

    `names` are keys of NEEDS, or empty for everything; `jobs` processes work at a time (default: one for each
    processor). `on_progress` is called with the number of groups done and the number to do, at first with 0.
    """
    missing = [group for group in needed(names) if not is_ready(group)]
    if not missing:
        return 0
    if on_progress:
        on_progress(0, len(missing))
    workers = min(jobs or os.cpu_count() or 1, len(missing))
    idle: SimpleQueue[CompilingProcess] = SimpleQueue()

    def compile_next(group: str) -> None:
        process = idle.get()
        try:
            process.compile(group)
        finally:
            idle.put(process)

    with ExitStack() as stack:
        processes = [stack.enter_context(CompilingProcess()) for _ in range(workers)]
        pool = ThreadPoolExecutor(workers)
        stack.callback(pool.shutdown, cancel_futures=True)
        for process in processes:
            stack.callback(process.kill)  # before the threads that wait for it, after a failure or Ctrl-C
            idle.put(process)
        for done, future in enumerate(as_completed([pool.submit(compile_next, group) for group in missing]), 1):
            future.result()
            if on_progress:
                on_progress(done, len(missing))
    return len(missing)


class CompilingProcess:
    """A process that compiles one group of kernels after another, as a context manager.

    The process ends when its standard input is closed, so it does not outlive this one, however this one ends.
    """

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - closed at exit
        self._process = subprocess.Popen(
            [sys.executable, "-m", "csp_sudoku.warm_up"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def compile(self, group: str) -> None:
        """Compile a group, and wait until it is in the cache; raise WarmUpError if that fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):  # the process has ended, which its output shows
            self._process.stdin.write(f"{group}\n")
            self._process.stdin.flush()
        if self._process.stdout.readline().rstrip("\n") != group:
            code = self._process.wait()
            self._errors.seek(0)
            last = (self._errors.read().strip().splitlines() or [f"exit code {code}"])[-1]
            raise WarmUpError(f"expected to compile the kernels of {group!r}; found {last}")

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        with suppress(OSError):  # what a process that has ended did not read
            self._process.communicate()
        self._errors.close()


def prepare(players: Iterable[str]) -> None:
    """Compile what these players and the referee need, unless it is in the cache; say so on standard error.

    `players` are names of registered players, with or without options; of other players only what all need is compiled.
    """
    known = sorted({name for name in (text.partition("?")[0] for text in players) if name in NEEDS})
    _prepare((*PLAYER, *known), " and ".join(known) or "the players")


def prepare_command(name: str) -> None:
    """Compile what a command needs, unless it is in the cache; say so on standard error. `name` is a key of NEEDS."""
    _prepare((name,), name)


@cache
def _prepare(names: tuple[str, ...], label: str) -> None:
    """Compile what these names need; `label` says on standard error for what."""

    def announce(done: int, total: int) -> None:
        if total >= ANNOUNCED_GROUPS:
            line = f"csp-sudoku: preparing {label}, once for this computer: {done} of {total}"
            if sys.stderr.isatty():  # one line, which is drawn again and again
                bar = "█" * (BAR * done // total)
                print(f"\r{line} {bar:░<{BAR}}", end="\n" * (done == total), file=sys.stderr, flush=True)  # noqa: T201
            else:
                print(line, file=sys.stderr, flush=True)  # noqa: T201

    stopwatch = Stopwatch()
    with _preparing, loading():
        is_new = warm_up(names, on_progress=announce)
    if is_new:
        add_compiling(stopwatch.loading_seconds())


_preparing = threading.Lock()  # games that begin at the same time wait for the same kernels


def compile_group(group: str) -> None:
    """Compile a group of kernels, or load them, in this process, and mark it as done."""
    GROUPS[group]()
    _marker(group).touch()


def serve() -> None:
    """Compile the groups that standard input names, one per line, and print the name of each that is done.

    A thread reads standard input, so that the process ends in the middle of a compilation when its parent has ended.
    """
    groups: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        with open(0, encoding="utf-8", closefd=False) as lines:
            for line in lines:
                groups.put(line.rstrip("\n"))
        os._exit(0)

    threading.Thread(target=read, name="groups", daemon=True).start()
    while True:
        group = groups.get()
        compile_group(group)
        print(group, flush=True)  # noqa: T201


def _marker(group: str) -> Path:
    """Return the file that says that a group is in the cache, for this Python, numba, processor and installation.

    The place of the installation is part of it, because numba keeps the code of each source file apart.
    """
    import numba
    from llvmlite import binding

    from csp_sudoku.compiled.compilation import cache_folder

    place = hashlib.sha256(str(Path(__file__).parent).encode()).hexdigest()[:12]
    kind = f"{platform.python_version()}-{numba.__version__}-{binding.get_host_cpu_name()}-{place}"
    return cache_folder() / f"{group}-{kind}.ready"


def _search() -> None:
    from csp_sudoku.solvers.registry import get_solver

    get_solver("backtracking").solve(_empty())


def _nine() -> None:
    from csp_sudoku.board import Board
    from csp_sudoku.moves.engines.search import NineSearch
    from csp_sudoku.solvers.base import NO_LIMITS
    from csp_sudoku.solvers.nine.run import NineRun

    board = Board.empty(3, 3)
    NineRun(board, NO_LIMITS, 1)
    NineSearch(board)


def _matching() -> None:
    import numpy as np

    from csp_sudoku.solvers.matching import matched

    matched(_empty().geometry, np.full(16, 15, np.uint32))


def _learning() -> None:
    from csp_sudoku.moves.engines.search import LearningSearch
    from csp_sudoku.solvers.base import NO_LIMITS
    from csp_sudoku.solvers.incremental import Incremental
    from csp_sudoku.solvers.learning.run import LearningRun

    LearningRun(_empty(), NO_LIMITS, 1)
    Incremental(_empty())
    LearningSearch(_empty())


def _exact_cover() -> None:
    from csp_sudoku.solvers.registry import get_solver

    get_solver("exact-cover").solve(_empty())


def _rule() -> None:
    from csp_sudoku.moves.engines import rule
    from csp_sudoku.solvers.base import Deadline

    rule.classify(_empty(), Deadline(None))


def _filling() -> None:
    from csp_sudoku.search.filling.deepening import Deepening

    Deepening(_model(), bits=1)


def _playouts() -> None:
    from random import Random

    from csp_sudoku.search.playouts.tree import Playouts

    playouts = Playouts(_model(), Random(0), 1 << 4)
    Playouts(_model(), Random(0), 1 << 4, kept=playouts.kept())


def _endings() -> None:
    from csp_sudoku.search.endings.table import Endings

    Endings(_model(), 1 << 20)


def _completions() -> None:
    from csp_sudoku.search.completions.game import CompletionGame

    state, moves, completion = _position()
    CompletionGame(state, moves, [completion], bits=1)


def _networks() -> None:
    from csp_sudoku.neuroevolution.phases import warm_up as compile_networks

    compile_networks()


GROUPS: Mapping[str, Callable[[], None]] = {
    "learning": _learning,
    "completions": _completions,
    "nine": _nine,
    "search": _search,
    "filling": _filling,
    "playouts": _playouts,
    "networks": _networks,
    "rule": _rule,
    "endings": _endings,
    "exact-cover": _exact_cover,
    "matching": _matching,
}
"""The groups of kernels, those that take longest first."""


def _empty() -> Board:
    from csp_sudoku.board import Board

    return Board.empty(2, 2)


def _position() -> tuple[GameState, MoveMap, bytes]:
    """Return a position with one empty cell, the map of its moves made by hand, and its completion."""
    import numpy as np

    from csp_sudoku.board import Board
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.move_map import Effort, MoveMap

    board = Board.parse("1234 3412 2143 432.")
    legal = np.zeros(16, np.uint32)
    legal[15] = 1
    moves = MoveMap(board, legal, legal.copy(), np.zeros_like(legal), solvable=True, effort=Effort("naive"))
    return GameState.start(board), moves, board.place(3, 3, 1).values


def _model() -> FillingModel:
    from csp_sudoku.search.filling.model import model_of

    return model_of(*_position())


if __name__ == "__main__":
    serve()
