"""A CP-SAT search under way: in a thread of its own, so that Ctrl-C, a deadline or an abandoned generator end it.

CP-SAT's own handling of SIGINT is off: it would end the search and tell nobody. While the thread searches (without
Python's lock), the caller waits interruptibly; on KeyboardInterrupt it stops the search and passes it on.

This module loads OR-Tools; import it only where it is used.
"""

from __future__ import annotations

import atexit
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ortools.sat.python import cp_model

POLL_SECONDS = 0.05
"""How often a waiting thread looks up, where a signal alone does not wake it."""

STOP_SECONDS = 0.08
"""How long to wait for a stopped search; then it is left to end on its own."""

BUFFERED = 32
"""How many solutions an enumeration may be ahead of its reader."""

Read = Callable[[], Sequence[int]]
"""Gives the values of the variables in a solution; that takes as long as to find the next one."""

OnSolution = Callable[[Read], bool]
"""Told of a solution; says whether to go on."""


class Search(threading.Thread):
    """One call of CP-SAT. Make it, then `finish` it, or `start` it and `stop` it."""

    def __init__(self, model: Any, parameters: Mapping[str, Any], on_solution: OnSolution | None = None) -> None:
        super().__init__(name="cp-sat", daemon=True)
        self.solver = cp_model.CpSolver()
        for name, value in parameters.items():
            setattr(self.solver.parameters, name, value)
        self._model = model
        self._callback = None if on_solution is None else _Callback(on_solution)
        self._failure: BaseException | None = None
        self._over = threading.Event()

    def run(self) -> None:
        """Search; what goes wrong is kept for the thread that waits."""
        try:
            self.solver.solve(self._model, self._callback)
        except BaseException as error:  # noqa: BLE001 - handed to the waiting thread, whatever it is
            self._failure = error
        finally:
            self._over.set()

    def start(self) -> None:
        """Start the thread, and see to it that it ends before the interpreter does."""
        _running().add(self)
        super().start()

    def finish(self) -> Any:
        """Search to the end; CP-SAT's response. An exception in the meantime, such as Ctrl-C, stops the search."""
        self.start()
        try:
            while not self._over.wait(POLL_SECONDS):
                pass
        except BaseException:
            self.stop()
            raise
        return self.response()

    def response(self) -> Any:
        """CP-SAT's response, after the end of the search; RuntimeError if it rejected the model."""
        if self._failure is not None:
            raise self._failure
        response = self.solver.response_proto
        if response.status == cp_model.MODEL_INVALID:
            raise RuntimeError(f"expected a model that CP-SAT accepts; found {response.solution_info}")
        return response

    @property
    def is_over(self) -> bool:
        """Whether the search has ended."""
        return self._over.is_set()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Stop the search, and wait so long for its end."""
        pause = 0.004
        for _ in range(max(1, int(seconds / pause))):
            self.solver.stop_search()  # again and again: it is lost on a search that is about to begin
            if self._over.wait(pause):
                return


class Enumeration(Search):
    """A search for all solutions whose thread stays a little ahead of the reader, and waits for it."""

    def __init__(self, model: Any, parameters: Mapping[str, Any]) -> None:
        super().__init__(model, parameters, self._offer)
        self._found: deque[Sequence[int]] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def _offer(self, read: Read) -> bool:
        """In CP-SAT's thread: hand over a solution, as soon as there is room for it."""
        solution = read()
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._found) < BUFFERED)
            self._found.append(solution)
            self._changed.notify_all()
            return not self._closed

    def run(self) -> None:
        """Search, and wake the reader at the end."""
        super().run()
        with self._changed:
            self._changed.notify_all()

    def __iter__(self) -> Iterator[Sequence[int]]:
        """The solutions; abandoning the iterator ends the search."""
        self.start()
        try:
            while True:
                with self._changed:
                    while not self._found and not self.is_over:
                        self._changed.wait(POLL_SECONDS)
                    if not self._found:
                        break
                    solution = self._found.popleft()
                    self._changed.notify_all()
                yield solution
        finally:
            self.stop()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Let go of a solution that waits to be read, and stop."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        super().stop(seconds)


def is_complete(response: Any) -> bool:
    """Whether a search went to its end: a solution was found, or every one, if that was asked, or there is none."""
    return response.status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)


class _Callback(cp_model.CpSolverSolutionCallback):
    """Tells a function every solution until it has enough."""

    def __init__(self, on_solution: OnSolution) -> None:
        super().__init__()
        self._on_solution = on_solution
        self._enough = False

    def on_solution_callback(self) -> None:
        """Called by CP-SAT, also a few times after it was asked to stop."""
        if not self._enough and not self._on_solution(self._read):
            self._enough = True
            self.stop_search()

    def _read(self) -> Sequence[int]:
        response = self.response_proto  # in 9.15, a field is a view that does not keep its message alive
        return list(response.solution)


@cache
def _running() -> weakref.WeakSet[Search]:
    """The searches that may be running. They are stopped at exit: a thread that comes back from C++ into an
    interpreter that is being torn down aborts the process.
    """
    searches: weakref.WeakSet[Search] = weakref.WeakSet()

    def stop_all() -> None:
        for search in list(searches):
            if search.is_alive():
                search.stop(1.0)

    atexit.register(stop_all)
    return searches
