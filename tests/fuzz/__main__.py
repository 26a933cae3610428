"""The command: python -m tests.fuzz."""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice

from tests.fuzz.runner import KINDS, Outcome, Report, Worker, cases, run

DESCRIPTION = "Run random cases of every kind: each engine of csp_sudoku against a slow reference."

EPILOG = """A case is made from its kind and seed alone. Each failure is one line that ends with the command which
repeats it. The column "open" counts the cases that the slow reference could not decide within its budget of nodes; in
these, the engines are compared as far as the reference has come. The exit code is 1 if a case failed, else 0."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases that a command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=DESCRIPTION, epilog=EPILOG)
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--minutes", type=_positive, default=10, help="begin cases for this long (default: 10)")
    amount.add_argument("--cases", type=int, help="run this many cases instead: the same ones for the same seed")
    amount.add_argument("--repeat", type=_case, metavar="KIND:SEED", help="run one case, with the traceback")
    parser.add_argument("--seed", type=int, help="the seed of the first case (default: from the date and time)")
    parser.add_argument("--only", type=_kinds, default=list(KINDS), metavar="KIND,…", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes (default: 1)")
    asked = parser.parse_args(arguments)
    if asked.jobs < 1 or (asked.cases is not None and asked.cases < 1):
        parser.error("expected --jobs and --cases of at least 1")
    if asked.repeat:
        return _repeat(*asked.repeat)
    seed = int(time.strftime("%y%m%d%H%M")) * 10**6 if asked.seed is None else asked.seed
    print(f"seed {seed}, kinds {', '.join(asked.only)}", flush=True)
    todo = cases(asked.only, seed)
    if asked.cases is not None:
        return _run(islice(todo, asked.cases), asked.jobs, None)
    return _run(todo, asked.jobs, 60 * asked.minutes)


def _run(todo, jobs: int, seconds: float | None) -> int:
    """Run cases, for so long at most; print each failure, and the table in the end."""
    report, started = Report(), time.monotonic()
    progress = Progress(report, started, seconds)
    try:
        for outcome in run(todo, jobs=jobs, until=lambda: seconds is not None and time.monotonic() - started > seconds):
            report.add(outcome)
            if outcome.verdict == "failed":
                progress.clear()
                print(outcome.line, flush=True)
            progress.show()
    except KeyboardInterrupt:
        progress.clear()
        print("interrupted; so far:", flush=True)
    progress.clear()
    print(report.table(), flush=True)
    return int(report.failures > 0)


def _repeat(kind: str, seed: int) -> int:
    """Run one case in a worker, with its traceback if it fails."""
    outcome: Outcome = next(run(iter([(kind, seed)]), worker=Worker))
    print(outcome.details + outcome.line if outcome.verdict == "failed" else f"{outcome.verdict} {kind}:{seed}")
    return int(outcome.verdict == "failed")


class Progress:
    """The line on a terminal that says how far the run is; nothing elsewhere."""

    def __init__(self, report: Report, started: float, seconds: float | None) -> None:
        self._report, self._started, self._seconds = report, started, seconds
        self._is_shown = sys.stderr.isatty()
        self._last = 0.0

    def show(self) -> None:
        """Write the line anew, a few times per second at most."""
        now = time.monotonic()
        if not self._is_shown or now - self._last < 0.2:
            return
        self._last, spent = now, now - self._started
        limit = "" if self._seconds is None else f" of {self._seconds:.0f}"
        line = f"{self._report.cases} cases, {self._report.failures} failures, {spent:.0f}{limit} s"
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Wipe the line."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, found {text}")
    return number


def _kinds(text: str) -> list[str]:
    kinds = text.split(",")
    for kind in kinds:
        if kind not in KINDS:
            raise argparse.ArgumentTypeError(f"expected kinds among {', '.join(KINDS)}, found {kind!r}")
    return kinds


def _case(text: str) -> tuple[str, int]:
    kind, _, seed = text.partition(":")
    if not seed.isdecimal():
        raise argparse.ArgumentTypeError(f"expected KIND:SEED, found {text!r}")
    return _kinds(kind)[0], int(seed)


if __name__ == "__main__":
    sys.exit(main())
