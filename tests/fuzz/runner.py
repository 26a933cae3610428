"""The runner: which kinds there are, how a case is run, the workers with their watchdog, and the table at the end.

Each worker is a process, so that a case that never ends, or that ends the process, is one failure and no more: the
system ends the worker after `CPU_LIMIT` seconds of CPU time in one case, kernels included, and a new one takes over.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count, cycle, islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.case import Budget, MismatchError, SpentError

KINDS: Mapping[str, int] = {
    "solvers": 3, "puzzles": 2, "moves": 4, "notation": 20, "files": 60, "games": 6, "values": 2, "framework": 10,
    "constraints": 20,
}  # fmt: skip
"""The kinds, each a module of this package, and how many cases of each a round has: they differ in cost."""

NODES = 20_000
"""Nodes that the reference may search in a case."""

CPU_LIMIT = 60
"""Seconds of CPU time after which a case counts as a hang; it is no deadline: a busy machine does not matter."""

STALL_LIMIT = 1200
"""Seconds by the clock after which a case that takes no CPU time, either, counts as one: a deadlock."""


class Outcome(NamedTuple):
    """The outcome of a case."""

    kind: str
    seed: int
    verdict: str
    """passed, open (the reference has spent its budget) or failed."""
    message: str = ""
    details: str = ""
    """The traceback, for a person who repeats the case."""
    seconds: float = 0.0
    """CPU time."""

    @property
    def line(self) -> str:
        """The one line of a failure, with the command that reproduces it."""
        message = " ".join(self.message.split())
        return f"FAILED {self.kind}:{self.seed} {message[:400]} | python -m tests.fuzz --repeat {self.kind}:{self.seed}"


def run_case(kind: str, seed: int) -> Outcome:
    """Run one case in this process."""
    started = time.process_time()
    verdict, message, details = "passed", "", ""
    try:
        check: Callable[[Random, Budget], None] = import_module(f"tests.fuzz.{kind}").check
        check(Random(f"{kind}:{seed}"), Budget(NODES))
    except SpentError:
        verdict = "open"
    except MismatchError as error:
        verdict, message, details = "failed", str(error), traceback.format_exc()
    except Exception as error:  # noqa: BLE001 - whatever a check does not expect is a failure of the product
        verdict, message, details = "failed", _unexpected(error), traceback.format_exc()
    return Outcome(kind, seed, verdict, message, details, time.process_time() - started)


def _unexpected(error: Exception) -> str:
    """An unexpected exception, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    return f"unexpected {type(error).__name__} at {where}: {error}"


def cases(kinds: list[str], seed: int) -> Iterator[tuple[str, int]]:
    """The cases of a run, without end: round by round, with seeds that go on from the first."""
    turns = [kind for kind in kinds for _ in range(KINDS.get(kind, 1))]
    return zip(cycle(turns), count(seed), strict=False)


@dataclass
class Tally:
    """The counts of one kind."""

    passed: int = 0
    open: int = 0
    failed: int = 0
    seconds: float = 0.0


@dataclass
class Report:
    """The results of a run so far."""

    tallies: dict[str, Tally] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Count an outcome."""
        tally = self.tallies.setdefault(outcome.kind, Tally())
        setattr(tally, outcome.verdict, getattr(tally, outcome.verdict) + 1)
        tally.seconds += outcome.seconds

    @property
    def cases(self) -> int:
        """How many cases were run."""
        return sum(tally.passed + tally.open + tally.failed for tally in self.tallies.values())

    @property
    def failures(self) -> int:
        """The number of failed cases."""
        return sum(tally.failed for tally in self.tallies.values())

    def table(self) -> str:
        """The table at the end of a run."""
        rows = [("kind", "cases", "open", "failures", "seconds")]
        order = [kind for kind in KINDS if kind in self.tallies]
        for kind in [*order, *(kind for kind in self.tallies if kind not in KINDS)]:
            tally = self.tallies[kind]
            done = tally.passed + tally.open + tally.failed
            rows.append((kind, str(done), str(tally.open), str(tally.failed), f"{tally.seconds:.1f}"))
        tallies = self.tallies.values()
        total = sum(tally.seconds for tally in tallies)
        rows.append(
            ("total", str(self.cases), str(sum(tally.open for tally in tallies)), str(self.failures), f"{total:.1f}")
        )
        return "\n".join(f"{row[0]:<10}" + "".join(f"{word:>10}" for word in row[1:]) for row in rows)


class Worker:
    """A process that runs cases, one at a time; it is replaced if a case ends it."""

    def __init__(self, cpu_limit: float = CPU_LIMIT, *, warm: bool = True) -> None:
        self._limits = cpu_limit, warm
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks as they are
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, *self._limits), daemon=True)
        self._process.start()
        theirs.close()
        self.case: tuple[str, int] | None = None
        self._is_ready = False
        self._since = time.monotonic()

    def begin(self, case: tuple[str, int]) -> None:
        """Hand over a case, once the worker is ready; RuntimeError if it cannot even begin."""
        if not self._is_ready:
            try:
                self._is_ready = self.connection.recv()
            except EOFError:
                raise RuntimeError("expected a worker that begins; found that it ended in its warm-up") from None
        self.case, self._since = case, time.monotonic()
        self.connection.send(case)

    def is_stalled(self) -> bool:
        """Whether the case at hand has had no answer for far too long."""
        return self.case is not None and time.monotonic() - self._since > STALL_LIMIT

    def finish(self) -> Outcome:
        """The outcome of the current case; if it has ended the worker, or has to, a new worker follows."""
        assert self.case is not None
        try:
            if not self.is_stalled() or self.connection.poll():
                outcome: Outcome = self.connection.recv()
                self.case = None
                return outcome
        except (EOFError, ConnectionResetError):
            pass
        outcome = Outcome(*self.case, "failed", self._end(), seconds=0.0)
        self._start()
        return outcome

    def _end(self) -> str:
        """End the process, if it has not ended by itself; why it had to."""
        if self.is_stalled():
            self._process.kill()
            self._process.join()
            return f"no answer within {STALL_LIMIT} s: a deadlock"
        self._process.join()
        number = -(self._process.exitcode or 0)
        if number in (signal.SIGXCPU, signal.SIGKILL):
            return f"no answer within {self._limits[0]} s of CPU time: a hang"
        name = signal.Signals(number).name if number > 0 else f"exit code {-number}"
        return f"the process died: {name}"

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self.connection.close()


def _work(connection: Connection, cpu_limit: float, warm: bool) -> None:
    """The life of a worker: Ctrl-C is for the main process, and the first cases do not wait for compilers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if warm:
        warm_up()
    connection.send(True)
    while True:
        try:
            kind, seed = connection.recv()
        except EOFError:
            return
        _limit_cpu(cpu_limit)
        connection.send(run_case(kind, seed))


def _limit_cpu(seconds: float) -> None:
    """Have the system end this process after so much more CPU time, whatever it is doing, without a core file."""
    if os.name != "posix":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def warm_up() -> None:
    """Load or compile the kernels before any case is timed."""
    from csp_sudoku import Board, classify_moves, get_solver, grade
    from csp_sudoku.evaluation.value import evaluate
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.classification import ENGINES
    from csp_sudoku.solvers.incremental import Incremental
    from csp_sudoku.solvers.registry import PRESETS, SOLVERS

    puzzle = Board.parse("1... ..2. .3.. ...4")
    for board in (puzzle, Board.empty(2, 2), Board.empty(3, 3)):
        for name in [*SOLVERS, *PRESETS]:
            get_solver(name).solve(board)
            get_solver(name).count(board, 2)
        for engine in ENGINES:
            classify_moves(board, engine)
    get_solver(bound=1).count(Board.empty(2, 3), 5)
    Incremental(puzzle, check=True).ask([(1, 2)])
    grade(puzzle)
    for mode in ("classic", "border"):
        for text in ("1243 3421 43.. 21..", "1243 34.. 43.. 21.."):
            evaluate(GameState.start(Board.parse(text), mode))


def run(
    todo: Iterator[tuple[str, int]],
    *,
    jobs: int = 1,
    until: Callable[[], bool] = lambda: False,
    tell: Callable[[Outcome], Any] = lambda outcome: None,
    worker: Callable[[], Worker] = Worker,
) -> Iterator[Outcome]:
    """Run cases in workers until there are no more, or no more are to be begun; outcomes as they come.

    `tell` is not needed by the runner itself; it is called with each outcome before that is yielded.
    """
    workers = [worker() for _ in range(jobs)]
    try:
        for one, case in zip(workers, islice(todo, jobs), strict=False):
            one.begin(case)
        while busy := {one.connection: one for one in workers if one.case is not None}:
            ready = wait(list(busy), timeout=5)
            for one in [busy[connection] for connection in ready] or [one for one in busy.values() if one.is_stalled()]:
                outcome = one.finish()
                tell(outcome)
                yield outcome
                case = None if until() else next(todo, None)
                if case is not None:
                    one.begin(case)
    finally:
        for one in workers:
            one.close()
