"""A measurement in a process of its own, which can be killed: item by item, each within its limit.

The clock is the CPU time of that process, so that other work on the machine has little effect, and hidden threads are
charged. The parent watches the clock: it kills a process that takes more than the limit for an item, with all processes
that it has started, and a new process continues with the next item. While a process sleeps, the wall clock counts.
(RLIMIT_CPU could replace that, but with it Linux rounds the CPU clock of the process to ticks of some milliseconds.)

The work is a generator `work(common, items)` of this package, which yields messages; each is a kind with its content:

    ready   the process is warmed up, and the seconds that this took; limits count from here on
    part    the result of the next item
    parts   the results of the next items
    pass    the seconds of all items in a further pass
    watch   from here on the work enforces the limits itself, because it waits for a program
    charge  the CPU seconds of a program that the work has run
    trouble the reason why results are missing
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
"""The limit for importing, compiling and solving easy boards, in CPU seconds."""
USED_UP = "all its seconds used up"
"""The reported reason if a subject was too slow for the remaining items."""


class Budget(NamedTuple):
    """The limits for an item, and for all items together, in CPU seconds."""

    item: float
    total: float


@dataclass
class Measurement:
    """The result of a measurement."""

    ready: float | None = None
    """The time to import, compile and warm up, in CPU seconds."""
    parts: list[Any] = field(default_factory=list)
    """The results of the items so far; {"over": seconds} for an item that exceeded the limit."""
    passes: list[list[float]] = field(default_factory=list)
    """The seconds of all items, for each further pass."""
    trouble: str = ""
    """The reason why some results are missing; empty if none are."""
    spent: float = 0.0
    """The total time without the warm-up, in CPU seconds."""
    processor: str = ""

    def as_object(self) -> dict[str, Any]:
        """Return the outcome for JSON."""
        return dict(vars(self))


def measure(work: str, common: dict[str, Any], items: Sequence[Any], budget: Budget) -> dict[str, Any]:
    """Run `module:function` of this package on all items, as far as the budget allows, and return the outcome.

    `work` names the function, and `common` is its first argument.
    """
    outcome = Measurement(processor=processor())
    while len(outcome.parts) < len(items) and not outcome.trouble:
        left = Budget(budget.item, budget.total - outcome.spent)
        if left.total <= 0:
            outcome.trouble = USED_UP
            break
        with _Child(work, common, items[len(outcome.parts) :]) as child:
            charged = _follow(outcome, child, len(items), left)
        outcome.spent += charged
    return outcome.as_object()


def _follow(outcome: Measurement, child: _Child, total: int, budget: Budget) -> float:
    """Read the reports of a process until it ends or exceeds a limit; return the CPU seconds that it is charged.

    The CPU seconds of programs that it has run are added to the outcome at once.
    """
    ready_at: float | None = None
    last, is_watched = 0.0, True
    for message in child.messages():
        if message is None:
            if not is_watched:
                continue
            spent = child.since_report()
            if ready_at is None:
                if spent > WARM_UP_SECONDS:
                    outcome.trouble = f"not ready after {WARM_UP_SECONDS:g} s"
                    return 0.0
                continue
            if len(outcome.parts) == total:
                if spent > budget.item:
                    return last - ready_at  # the limit passed in a further pass
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
        elif kind == "pass" and len(content) == total:  # a process that began in the middle has no whole pass
            outcome.passes.append(content)
        elif kind == "watch":
            is_watched = False
        elif kind == "charge":
            outcome.spent += content
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
    """The measuring process; a context, which kills it at the end."""

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
        self._used = 0.0
        self._begin(0.0)

    def _begin(self, used: float) -> None:
        """Record that the process has sent a report, and now works on the next item."""
        self._reported, self._asleep = used, 0.0
        self._reported_at = self._looked_at = time.monotonic()

    def messages(self) -> Iterator[tuple[float, str, Any] | None]:
        """Yield the reports as CPU seconds, kind and content; None after each 0.1 s without one."""
        from csp_sudoku.sandbox.fork_server import readable

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
        """Return the CPU seconds since the last report, plus the wall-clock seconds in which the process slept.

        Waiting for a processor is not sleeping. Without /proc, all wall-clock seconds since the report count.
        """
        from csp_sudoku.sandbox.processes import entry

        now, found = time.monotonic(), entry(self._process.pid)
        if found is None:
            return now - self._reported_at
        used = found.ticks / os.sysconf("SC_CLK_TCK")
        if used == self._used and found.state != "R":
            self._asleep += now - self._looked_at
        self._used, self._looked_at = used, now
        return max(0.0, used - self._reported) + self._asleep

    def code(self) -> int:
        """Wait for the process to end, and return its exit code."""
        return self._process.wait()

    def last_words(self) -> str:
        """Return the last line that it wrote to standard error."""
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
    """Run as the measuring process: read the order on standard input, and write the reports to standard output."""
    from importlib import import_module

    if sys.platform == "linux":
        from csp_sudoku.sandbox.processes import die_with_parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    order = json.loads(sys.stdin.buffer.readline())
    if sys.platform == "linux":
        die_with_parent(order["parent"])
    sys.path.append(order["path"])
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the output of a solver is not a report

    def report(kind: str, content: Any = None) -> None:
        reports.write(json.dumps([time.process_time(), kind, content]).encode() + b"\n")
        reports.flush()

    module, _, function = order["work"].partition(":")
    try:
        work = getattr(import_module(f"csp_sudoku.benchmarks.{module}"), function)
        for kind, content in work(order["common"], order["items"]):
            report(kind, content)
    except Exception as error:  # noqa: BLE001 - an error in a measurement is a result
        report("trouble", f"{type(error).__name__}: {error}".splitlines()[0][:200])


if __name__ == "__main__":
    _main()
