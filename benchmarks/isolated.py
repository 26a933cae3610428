"""A measurement in a process of its own, which can be killed: item after item, each within its limit.

The clock is the CPU time of that process, so that other work on the machine disturbs little and hidden threads are
charged. The parent watches it: a process that takes more than the limit for an item is killed, with all that it has
started, and a new one goes on with the next item. Who sleeps is watched by the wall clock meanwhile. (RLIMIT_CPU would
do that, but Linux then rounds the CPU clock of the process to its ticks of some milliseconds.)

What is done is a generator `work(common, items)` of this package, which yields messages, a kind and what belongs to it:

    ready   it is warmed up, which took so many seconds; from here on limits count
    part    the result of the next item
    parts   the results of the next items
    pass    the seconds of all items once more
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .environment import one_thread, processor

WARM_UP_SECONDS = 120.0
"""CPU seconds to import, to compile and to solve easy boards."""
USED_UP = "all its seconds used up"
"""The trouble of who was too slow for the rest of the items."""


class Budget(NamedTuple):
    """CPU seconds: for an item, and for all of them together."""

    item: float
    total: float


@dataclass
class Outcome:
    """What came of a measurement."""

    ready: float | None = None
    """CPU seconds to import, compile and warm up."""
    parts: list[Any] = field(default_factory=list)
    """What was yielded for each item, as far as it came; {"over": seconds} for those that ran into the limit."""
    passes: list[list[float]] = field(default_factory=list)
    """The seconds of all items, for each further time."""
    trouble: str = ""
    """Why there is no more."""
    spent: float = 0.0
    """The CPU seconds of all that, without getting ready."""
    processor: str = ""

    def as_object(self) -> dict[str, Any]:
        """The same for JSON."""
        return dict(vars(self))


def measure(work: str, common: dict[str, Any], items: Sequence[Any], budget: Budget) -> dict[str, Any]:
    """The outcome of `module:function` of this package on all items, as far as the budget lasts."""
    outcome = Outcome(processor=processor())
    while len(outcome.parts) < len(items) and not outcome.trouble:
        left = Budget(budget.item, budget.total - outcome.spent)
        if left.total <= 0:
            outcome.trouble = USED_UP
            break
        with _Child(work, common, items[len(outcome.parts) :]) as child:
            outcome.spent += _follow(outcome, child, len(items), left)
    return outcome.as_object()


def _follow(outcome: Outcome, child: _Child, total: int, budget: Budget) -> float:
    """Take in what a process reports, until it ends or is over its limit; the CPU seconds that it was charged."""
    ready_at: float | None = None
    last = 0.0
    for message in child.messages():
        if message is None:
            spent = child.since_report()
            if ready_at is None:
                if spent > WARM_UP_SECONDS:
                    outcome.trouble = f"not ready after {WARM_UP_SECONDS:g} s"
                    return 0.0
                continue
            if len(outcome.parts) == total:
                if spent > budget.item:
                    return last - ready_at  # it was in a repetition
            elif spent > budget.item or last - ready_at + spent > budget.total:
                if spent > budget.item:
                    outcome.parts.append({"over": spent})
                else:
                    outcome.trouble = USED_UP
                return last - ready_at + spent
            continue
        last, kind, content = message
        if kind == "ready":
            ready_at = last
            outcome.ready = outcome.ready if outcome.ready is not None else content
        elif kind == "part":
            outcome.parts.append(content)
        elif kind == "parts":
            outcome.parts += content
        elif kind == "pass" and len(content) == total:  # and not of a process that began in the middle
            outcome.passes.append(content)
        elif kind == "trouble":
            outcome.trouble = content
        if ready_at is not None and last - ready_at > budget.total and len(outcome.parts) < total:
            outcome.trouble = outcome.trouble or USED_UP
            break
    else:
        if len(outcome.parts) < total and not outcome.trouble:
            outcome.trouble = f"ended with code {child.code()}{child.last_words()}"
    return 0.0 if ready_at is None else last - ready_at


class _Child:
    """The process; a context, which ends it."""

    def __init__(self, work: str, common: dict[str, Any], items: Sequence[Any]) -> None:
        order = {"work": work, "common": common, "items": list(items), "parent": os.getpid(), "path": str(Path.cwd())}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "csp_sudoku.benchmarks.isolated"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, env=one_thread(),
            start_new_session=True,
        )  # fmt: skip
        assert self._process.stdin is not None
        with suppress(BrokenPipeError), self._process.stdin as stdin:
            stdin.write(json.dumps(order).encode() + b"\n")
        self._stat = Path(f"/proc/{self._process.pid}/stat")
        self._used = 0.0
        self._begin(0.0)

    def _begin(self, used: float) -> None:
        """It has reported something: from now on, it is at the next item."""
        self._reported, self._asleep = used, 0.0
        self._reported_at = self._looked_at = time.monotonic()

    def messages(self) -> Iterator[tuple[float, str, Any] | None]:
        """What it reports: its CPU seconds, a kind, a content; None where there is nothing for a moment."""
        from csp_sudoku.arena.nursery import readable

        assert self._process.stdout is not None
        descriptor, rest = self._process.stdout.fileno(), b""
        while True:
            if not readable(descriptor, 0.1):
                yield None
                continue
            data = os.read(descriptor, 1 << 20)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                seconds, kind, content = json.loads(line)
                self._begin(seconds)
                yield seconds, kind, content

    def since_report(self) -> float:
        """The CPU seconds since the last report, and those by the wall in which it slept; without /proc, all of these.

        Who waits for a processor does not sleep.
        """
        now = time.monotonic()
        try:
            fields = self._stat.read_text().rpartition(")")[2].split()
        except OSError:
            return now - self._reported_at
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if used == self._used and fields[0] != "R":
            self._asleep += now - self._looked_at
        self._used, self._looked_at = used, now
        return max(0.0, used - self._reported) + self._asleep

    def code(self) -> int:
        """Its exit code."""
        return self._process.wait()

    def last_words(self) -> str:
        """The last line that it wrote to standard error."""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f": {lines[-1][:200]}" if lines else ""

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._errors.close()


def _main() -> None:
    """The process: what is to be done is on standard input, what comes of it goes to standard output."""
    from importlib import import_module

    if sys.platform == "linux":
        from csp_sudoku.arena.processes import die_with_parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    order = json.loads(sys.stdin.buffer.readline())
    if sys.platform == "linux":
        die_with_parent(order["parent"])
    sys.path.append(order["path"])
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a solver prints is not ours

    def report(kind: str, content: Any = None) -> None:
        reports.write(json.dumps([time.process_time(), kind, content]).encode() + b"\n")
        reports.flush()

    module, _, function = order["work"].partition(":")
    try:
        work = getattr(import_module(f"csp_sudoku.benchmarks.{module}"), function)
        for kind, content in work(order["common"], order["items"]):
            report(kind, content)
    except Exception as error:  # noqa: BLE001 - what goes wrong in a measurement is a result
        report("trouble", f"{type(error).__name__}: {error}".splitlines()[0][:200])


if __name__ == "__main__":
    _main()
