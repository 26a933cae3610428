"""Ctrl-C: an interrupted count ends properly, with the number found so far."""

from __future__ import annotations

import json
import signal
import threading

import pytest

from csp_sudoku.cli.interrupt import COMPILING, on_interrupt
from csp_sudoku.cli.main import execute
from csp_sudoku.solvers.backtracking.run import SearchRun
from csp_sudoku.solvers.base import Deadline, Status


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of solutions after each slice of the search; Ctrl-C comes after the third one."""
    found: list[int] = []
    work = SearchRun._slice

    def work_interrupted(run: SearchRun) -> Status | None:
        status = work(run)
        found.append(run.counters().solutions)
        if len(found) == 3:
            signal.raise_signal(signal.SIGINT)
        return status

    monkeypatch.setattr(SearchRun, "_slice", work_interrupted)
    return found


COUNT = ["solve", "--count", str(10**18), "--solver", "backtracking", "empty-5x5", "empty-5x5"]


def test_the_count_so_far_is_printed(interrupted: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    """It is a lower bound, no further board is begun, and the exit code is 130; the next command is not affected."""
    before = signal.getsignal(signal.SIGINT)
    assert execute(COUNT) == 130
    out, err = capsys.readouterr()
    assert len(interrupted) == 3
    assert interrupted[-1] > 1
    assert f"at least {interrupted[-1]:,} solutions found until the interrupt by backtracking; " in out
    assert out.count("until the interrupt") == 1
    assert err.endswith("interrupted\n")
    assert (signal.getsignal(signal.SIGINT), Deadline.are_over) == (before, False)


def test_the_count_so_far_for_programs(interrupted: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    """With --json the status is unknown, and `solutions` the number so far."""
    assert execute([*COUNT, "--json"]) == 130
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["solutions"]) == ("unknown", interrupted[-1])


def test_a_second_interrupt() -> None:
    """A second Ctrl-C acts as outside the block."""
    stopped: list[bool] = []
    with on_interrupt(lambda: stopped.append(True)):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert stopped == [True]


def test_an_interrupt_while_a_kernel_is_compiled() -> None:
    """Ctrl-C does not wait for the compiler: it acts as outside the block."""
    stopped: list[bool] = []
    done = threading.Event()
    thread = threading.Thread(target=done.wait, name=f"{COMPILING}kernel")
    thread.start()
    try:
        with on_interrupt(lambda: stopped.append(True)), pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        done.set()
        thread.join()
    assert not stopped
