"""The pool of threads: results, progress, errors, deadlines, cancelled jobs and the bound on waiting ones."""

import asyncio
import threading

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")

from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.solvers.base import Deadline
from csp_sudoku.web import workers as workers_module
from csp_sudoku.web.answers import status_of
from csp_sudoku.web.workers import LAST, JobPool, OverloadedError


def events_of(work, seconds=5.0, *, cancel=False, prepare=lambda _: None):
    """The events of a job with this work, before which it calls `prepare`."""

    async def run():
        workers, found = JobPool(1), []
        job = workers.start(work, seconds, prepare=prepare)
        if cancel:
            job.cancel()
        while not found or found[-1].kind not in LAST:
            found.append(await asyncio.wait_for(job.event(), 20))
        workers.close()
        return found

    return asyncio.run(run())


def until_over(_):
    """Work that ends when all deadlines of its thread are over, as every search does."""
    deadline, done = Deadline(None), threading.Event()
    while not deadline.passed():
        done.wait(0.001)
    return {}


def test_progress_comes_before_the_result():
    """The reports of the work are in order."""

    def work(job):
        job.report({"part": 1})
        job.report({"part": 2})
        return {"left": 0 < job.left() <= 5}

    assert events_of(work) == [("progress", {"part": 1}), ("progress", {"part": 2}), ("result", {"left": True})]


def test_an_error_is_the_last_event():
    """The error of the work is passed on."""

    def work(_):
        raise SudokuError("expected this")

    ((kind, error),) = events_of(work)
    assert (kind, str(error)) == ("error", "expected this")


def test_the_time_of_a_job_is_bounded(monkeypatch):
    """Work that ignores its time limit is ended, because its searches obey the switch of the job."""
    monkeypatch.setattr(workers_module, "GRACE_S", 0.0)
    ((kind, error),) = events_of(until_over, 0.01)
    assert (kind, type(error), str(error)) == ("error", UndecidedError, "expected an answer within 0.01 s; found none")
    assert status_of(error) == 422


def test_a_thread_works_again_after_a_job_that_was_cancelled(monkeypatch):
    """The switch of a job holds for that job alone."""
    monkeypatch.setattr(workers_module, "GRACE_S", 0.0)

    async def run():
        workers = JobPool(1)
        first = workers.start(until_over, 60)
        first.cancel()
        second = workers.start(lambda _: {"over": Deadline(None).passed()}, 5)
        found = await asyncio.wait_for(second.event(), 20)
        workers.close()
        return found

    assert asyncio.run(run()) == ("result", {"over": False})


def test_too_many_questions_are_refused():
    """One works, one waits, and the third is refused."""

    async def run():
        workers, go = JobPool(1, waiting=1), threading.Event()
        jobs = [workers.start(lambda _: {"went": go.wait(20)}, 30) for _ in range(2)]
        with pytest.raises(OverloadedError, match="at most 2 questions at a time"):
            workers.start(until_over, 1)
        go.set()
        for job in jobs:
            assert (await asyncio.wait_for(job.event(), 20)).kind == "result"
        workers.close()

    asyncio.run(run())
