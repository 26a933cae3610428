"""A call of CP-SAT in a thread of its own, so that Ctrl-C, a deadline or an abandoned generator can end it.

CP-SAT's own handler of SIGINT is disabled, because it would end the search without raising KeyboardInterrupt. The
thread searches without holding the GIL. Meanwhile the caller waits in short steps; on KeyboardInterrupt it stops the
search and raises the exception again.

This module loads OR-Tools, so import it only where it is used.
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

from csp_sudoku.solvers.base import Deadline

POLL_SECONDS = 0.05
"""Interval in seconds at which a waiting thread wakes up, for systems where a signal alone does not wake it."""

STOP_SECONDS = 0.08
"""Maximum wait for the end of a stopped search, in seconds; after that the thread ends by itself."""

BUFFERED = 32
"""Maximum number of solutions that an enumeration buffers ahead of its reader."""

Read = Callable[[], Sequence[int]]
"""A function that returns the values of the variables in a solution; it takes as long as finding the next solution."""

OnSolution = Callable[[Read], bool]
"""A callback for each solution; it returns whether the search continues."""

OnProgress = Callable[[float | None, float], object]
"""A callback for each better solution and each better bound of an objective.

It gets the value of the best solution, None before the first one, and the bound.
"""


class CpSatCall(threading.Thread):
    """One call of CP-SAT. Either call `finish`, or call `start` and later `stop`.

    `model` is a `CpModel`, and `parameters` are parameters of CP-SAT by name. `on_solution` is called for each
    solution, and `on_progress` for each step of an optimisation; CP-SAT's threads call them (by default there are no
    callbacks).
    """

    def __init__(
        self,
        model: Any,
        parameters: Mapping[str, Any],
        on_solution: OnSolution | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        super().__init__(name="cp-sat", daemon=True)
        self.solver = cp_model.CpSolver()
        for name, value in parameters.items():
            setattr(self.solver.parameters, name, value)
        self._model = model
        self._callback: _Callback | None = None
        if on_progress is not None:
            progress = _Progress(on_progress)
            self._callback = _Callback(on_solution, progress.note_solution)
            self.solver.best_bound_callback = progress.note_bound
        elif on_solution is not None:
            self._callback = _Callback(on_solution)
        self._failure: BaseException | None = None
        self._over = threading.Event()

    def run(self) -> None:
        """Search, and keep an exception for the waiting thread."""
        try:
            self.solver.solve(self._model, self._callback)
        except BaseException as error:  # noqa: BLE001 - the waiting thread raises it again, whatever it is
            self._failure = error
        finally:
            self._over.set()

    def start(self) -> None:
        """Start the thread, and register it to be stopped before the interpreter exits."""
        _running().add(self)
        super().start()

    def finish(self) -> Any:
        """Search to the end, and return CP-SAT's response. An exception during the wait, such as Ctrl-C, stops it."""
        self.start()
        unlimited = Deadline(None)
        try:
            while not self._over.wait(POLL_SECONDS):
                if unlimited.passed():
                    self.stop()
        except BaseException:
            self.stop()
            raise
        return self.response()

    def response(self) -> Any:
        """CP-SAT's response after the end of the search; RuntimeError if CP-SAT rejected the model."""
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
        """Stop the search, and wait up to `seconds` (default 0.08) for its end."""
        pause = 0.004
        for _ in range(max(1, int(seconds / pause))):
            self.solver.stop_search()  # repeated, because a call just before the search begins has no effect
            if self._over.wait(pause):
                return


class Enumeration(CpSatCall):
    """A search for all solutions whose thread runs up to `BUFFERED` solutions ahead of the reader, and then waits.

    `model` and `parameters` have the same meaning as in `CpSatCall`.
    """

    def __init__(self, model: Any, parameters: Mapping[str, Any]) -> None:
        super().__init__(model, parameters, self._offer)
        self._found: deque[Sequence[int]] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def _offer(self, read: Read) -> bool:
        """Put a solution into the buffer as soon as there is room. CP-SAT's thread calls this."""
        solution = read()
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._found) < BUFFERED)
            self._found.append(solution)
            self._changed.notify_all()
            return not self._closed

    def run(self) -> None:
        """Search, and wake up the reader at the end."""
        super().run()
        with self._changed:
            self._changed.notify_all()

    def __iter__(self) -> Iterator[Sequence[int]]:
        """Yield the solutions. Closing the iterator ends the search."""
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
        """Release the thread if it waits for room in the buffer, and stop the search."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        super().stop(seconds)


def is_complete(response: Any) -> bool:
    """Whether a search completed: it found a solution (or all, if all were requested), or proved that there is none."""
    return response.status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)


class _Progress:
    """The best solution and the bound so far; a function is called whenever one of them changes."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self._value: float | None = None

    def note_solution(self, value: float, bound: float) -> None:
        """Report a solution with this value."""
        self._value = value
        self._on_progress(value, bound)

    def note_bound(self, bound: float) -> None:
        """Report a bound."""
        self._on_progress(self._value, bound)


class _Callback(cp_model.CpSolverSolutionCallback):
    """Calls a function for every solution until the function returns False; and another one with its value."""

    def __init__(
        self, on_solution: OnSolution | None, on_value: Callable[[float, float], object] | None = None
    ) -> None:
        super().__init__()
        self._on_solution = on_solution
        self._on_value = on_value
        self._enough = False

    def on_solution_callback(self) -> None:
        """Handle a solution. CP-SAT may call this method a few more times after a request to stop."""
        if self._on_value is not None:
            self._on_value(self.objective_value, self.best_objective_bound)
        if self._on_solution is None:
            return
        if not self._enough and not self._on_solution(self._read):
            self._enough = True
            self.stop_search()

    def _read(self) -> Sequence[int]:
        response = self.response_proto  # a field is a view that does not keep its message alive (version 9.15)
        return list(response.solution)


@cache
def _running() -> weakref.WeakSet[CpSatCall]:
    """The searches that may be running.

    They are stopped at exit, because a thread that returns from C++ during the shutdown of the interpreter aborts the
    process.
    """
    searches: weakref.WeakSet[CpSatCall] = weakref.WeakSet()

    def stop_all() -> None:
        for search in list(searches):
            if search.is_alive():
                search.stop(1.0)

    atexit.register(stop_all)
    return searches
