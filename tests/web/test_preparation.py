"""Kernels are compiled before the time of a question begins, and who waits for them is told so."""

import threading

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")

from csp_sudoku import warm_up
from csp_sudoku.errors import UndecidedError
from csp_sudoku.web import preparation as preparation_module
from csp_sudoku.web.preparation import Preparation
from tests.web.test_workers import events_of


class Cache:
    """A cache in which groups of kernels appear when they are compiled."""

    def __init__(self, monkeypatch):
        self.ready, self.loaded, self.prepared = set(), [], threading.Event()
        monkeypatch.setattr(warm_up, "is_ready", self.ready.__contains__)
        monkeypatch.setattr(warm_up, "compile_group", self.loaded.append)
        monkeypatch.setattr(warm_up, "prepare", lambda _: self.prepared.wait(60))
        monkeypatch.setattr(preparation_module, "LOOK_S", 0.001)


@pytest.fixture
def cache(monkeypatch):
    """An empty cache."""
    return Cache(monkeypatch)


def test_a_question_waits_for_what_it_needs(cache):
    """It reports what it waits for, begins when its own groups are compiled, and loads each of them once."""
    preparation = Preparation()
    preparation.begin()

    told = []

    class Watched:
        is_cancelled = False

        def report_waiting(self, text):
            told.append(text)
            cache.ready.update(warm_up.needed(["auto"]))

    preparation.wait(("auto",), Watched())
    assert told == ["Preparing the search for this computer, once: 0 of 4 parts …"]
    assert cache.loaded == warm_up.needed(["auto"])
    preparation.wait(("auto",), Watched())
    assert len(cache.loaded) == 4
    cache.prepared.set()


def test_without_a_thread_a_question_compiles_itself(cache):
    """Who serves the application without compiling ahead gets its kernels all the same; some need none."""
    preparation = Preparation()
    preparation.wait((), None)
    assert cache.loaded == []
    preparation.wait(("backtracking",), None)
    assert cache.loaded == ["search", "matching"]


def test_the_time_of_a_job_begins_afterwards():
    """While it waits, a job has no time yet, and says what it waits for."""
    seen = []

    def prepare(job):
        seen.append(job.left())
        job.report_waiting("a moment")

    def work(job):
        return {"has_time": job.left() > 0}

    assert events_of(work, prepare=prepare) == [("waiting", {"told": "a moment"}), ("result", {"has_time": True})]
    assert seen == [0.0]


def test_a_job_that_waits_can_be_cancelled(cache):
    """Whoever goes away while kernels are compiled leaves the thread of the pool."""
    preparation = Preparation()
    preparation.begin()

    class Gone:
        is_cancelled = True

        def report_waiting(self, text):
            pass

    with pytest.raises(UndecidedError, match="found it cancelled"):
        preparation.wait(("auto",), Gone())
    cache.prepared.set()
