"""One solver on one file of puzzles, in a process of its own that can be killed.

The clock is the CPU time of that process, so that other work on the machine disturbs little and hidden threads are
charged. It runs while answers are asked for and stands still while they are verified and reported. Answers are
reported one by one; only puzzles that take less than a fifth of a millisecond go by the gulp, because reading the
clock and verifying would disturb them.

When the budget of CPU seconds is used up, the process ends after the puzzle, or is killed in it. The parent sees to
that: RLIMIT_CPU would do it, but Linux then rounds the CPU clock of the process to its ticks of some milliseconds.

Machines have slow minutes. So all solvers take turns for several rounds, as far as their budget allows; in a round
the puzzles are gone through at least once, and the fastest pass of all counts.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from models import Cells, Puzzle, is_completion
from subjects import Subject, runner, warmed_up

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
WARM_UP_SECONDS = 120
"""CPU seconds to import, to compile and to solve an easy board."""
QUICK = 0.0002
"""Seconds per puzzle below which several are measured by one reading of the clock."""
GULP = 0.01
"""Seconds that such a gulp takes at most, about."""


PASSES, ROUND = 10, 0.5
"""Passes of a round at most, and CPU seconds after which it has enough of them."""


class Plan(NamedTuple):
    """What to measure, and the CPU seconds for each solver."""

    puzzles: list[Puzzle]
    seconds: float


@dataclass
class Measurement:
    """What came out for one solver on one file."""

    subject: Subject
    total: int
    ready_seconds: float | None = None
    """CPU seconds to import, compile and warm up."""
    passes: list[list[tuple[float, str]]] = field(default_factory=list)
    """For each pass the CPU seconds and the verdict of each puzzle: solved, wrong or unsolved."""
    cut_seconds: float = 0.0
    """What was spent in the first pass on a puzzle that the budget did not suffice for."""
    trouble: str = ""
    """Why there is no more."""

    @property
    def best(self) -> list[tuple[float, str]]:
        """The fastest complete pass, or else the first as far as it came."""
        complete = [each for each in self.passes if len(each) == self.total]
        return min(complete, key=lambda each: sum(seconds for seconds, _ in each)) if complete else self.first

    @property
    def first(self) -> list[tuple[float, str]]:
        """The first pass as far as it came."""
        return self.passes[0] if self.passes else []

    @property
    def seconds(self) -> list[float]:
        """The CPU seconds of each puzzle."""
        return [seconds for seconds, _ in self.best]

    def count(self, verdict: str) -> int:
        """How many puzzles ended so; wrong ones of any pass count."""
        passes = self.passes if verdict == "wrong" else [self.best]
        return max((sum(each == verdict for _, each in times) for times in passes), default=0)

    def may_go_on(self, plan: Plan) -> bool:
        """Whether another round would tell more."""
        return bool(self.passes) and len(self.first) == self.total and self.spent() < plan.seconds

    def spent(self) -> float:
        """The CPU seconds of all passes so far."""
        return sum(seconds for each in self.passes for seconds, _ in each)


def measure(result: Measurement, plan: Plan, progress: Callable[[Measurement], None] = lambda _: None) -> None:
    """Add one round to what is known of a solver: its process from beginning to end.

    On Ctrl-C the process is ended, and the result holds what came before.
    """
    if not result.subject.is_installed():
        result.trouble = "not installed"
        return
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    rest = plan._replace(seconds=plan.seconds - result.spent())
    process = context.Process(target=_work, args=(sender, result.subject, rest), daemon=True)
    try:
        with _interrupts_ignored():
            process.start()
        sender.close()
        _follow(result, plan, receiver, _Clock(process.pid or 0), progress)
    except EOFError:
        process.join()
        if process.exitcode:
            result.trouble = result.trouble or f"ended with code {process.exitcode}"
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
        receiver.close()
    if len(result.first) == result.total:
        result.trouble = ""  # it was in a repetition


def _follow(
    result: Measurement, plan: Plan, receiver: Connection, clock: _Clock, progress: Callable[[Measurement], None]
) -> None:
    """Take in what the process reports, until it ends (EOFError) or has used up its seconds."""
    is_ready = False
    while True:
        if receiver.poll(0.2):
            cpu_seconds, kind, content = receiver.recv()
            clock.last_report(cpu_seconds)
            is_ready = is_ready or kind == "ready"
            _note(result, plan, kind, content)
        elif not is_ready:
            if clock.since_report() > WARM_UP_SECONDS:
                result.trouble = f"not ready after {WARM_UP_SECONDS} s"
                return
        elif clock.since_report() > plan.seconds - result.spent():
            _note(result, plan, "over", None)
            if len(result.first) < result.total:
                result.cut_seconds = clock.since_report()
            return
        progress(result)


class _Clock:
    """The CPU seconds that another process has used since its last report."""

    def __init__(self, pid: int) -> None:
        self._file = Path(f"/proc/{pid}/stat")
        self._reported = 0.0
        self._reported_at = time.monotonic()

    def last_report(self, cpu_seconds: float) -> None:
        """There is a report, made when the process had used so much."""
        self._reported = cpu_seconds
        self._reported_at = time.monotonic()

    def since_report(self) -> float:
        """The CPU seconds since then; by the wall clock where there is no /proc, or if the process only waits."""
        waited = time.monotonic() - self._reported_at
        try:
            fields = self._file.read_text().rpartition(")")[2].split()
        except OSError:
            return waited
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") - self._reported
        return max(used, waited / 10)


def _note(result: Measurement, plan: Plan, kind: str, content: Any) -> None:
    if kind == "ready":
        result.ready_seconds = result.ready_seconds or content
    elif kind == "pass":
        result.passes.append([])
    elif kind == "done":
        result.passes[-1] += content
    elif kind == "over":
        result.trouble = f"{plan.seconds:g} s used up"
    else:
        result.trouble = content


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Start a process that leaves Ctrl-C to this one; it inherits what is ignored."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(sender: Connection, subject: Subject, plan: Plan) -> None:
    """The process: warm up, then the passes; everything goes to the sender at once."""
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what a peer prints is not ours

    def report(kind: str, content: Any = None) -> None:
        sender.send((time.process_time(), kind, content))

    try:
        started = time.process_time()
        run = runner(subject)
        for m, n in sorted({(puzzle.m, puzzle.n) for puzzle in plan.puzzles}):
            warmed_up(subject, run, m, n)
        tasks = [run.prepare(puzzle) for puzzle in plan.puzzles]
        report("ready", time.process_time() - started)
        left, enough = plan.seconds, plan.seconds - ROUND
        for _ in range(PASSES):
            report("pass")
            done = 0
            for seconds, answers in _timed(run.answers(tasks)):
                puzzles = plan.puzzles[done : done + len(answers)]
                verdicts = map(_verdict, map(run.cells, answers), puzzles)
                report("done", [(seconds / len(answers), verdict) for verdict in verdicts])
                done += len(answers)
                left -= seconds
                if left <= 0:
                    report("over")
                    return
            if left <= enough:
                return
    except Exception as error:  # noqa: BLE001 - a peer's failure is a result
        report("trouble", f"{type(error).__name__}: {error}"[:80])


def _timed(answers: Iterator[Any]) -> Iterator[tuple[float, list[Any]]]:
    """Answers in gulps, each with the CPU seconds it took: single ones, unless they come very quickly."""
    gulp = 1
    while True:
        before = time.process_time()
        got = list(islice(answers, gulp))
        seconds = time.process_time() - before
        if not got:
            return
        yield seconds, got
        each = seconds / len(got)
        gulp = min(2 * gulp, max(1, int(GULP / max(each, 1e-9)))) if each < QUICK else 1


def _verdict(cells: Cells | None, puzzle: Puzzle) -> str:
    if cells is None:
        return "unsolved"
    return "solved" if is_completion(cells, puzzle) else "wrong"
