"""The fork server: a process that has imported all modules of a supervisor, and forks a supervisor for each player.

Starting Python and importing the modules takes many times as long as a short game, so the fork server does it once. The
fork server has one thread and runs no code of foreign players: it imports only players of this package, and the others
are imported in their own processes. The arena sends it questions over a socket, one at a time. It asks either for a new
supervisor, and the fork server answers with the process, or for the exit code of a supervisor that has ended. If a
supervisor was killed, the fork server adopts the orphaned descendants of that supervisor and kills them.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from time import monotonic
from typing import Any, NoReturn

from csp_sudoku.errors import SudokuError
from csp_sudoku.sandbox.assignment import Assignment
from csp_sudoku.sandbox.closing import Closing
from csp_sudoku.sandbox.environment import package_environment
from csp_sudoku.sandbox.linux import require_linux
from csp_sudoku.sandbox.processes import PATIENCE, ProcessEntry, adopt_orphans, descendants, end_strays, entry, send
from csp_sudoku.sandbox.terms import LOADER

MARK = "CSP_SUDOKU_ARENA"
"""The environment variable that marks a supervisor and its descendants; by it they are found if a player kills it."""
UNMARKED = "0" * 32
"""The value of the variable in the fork server. A supervisor overwrites it in place with a mark of the same length."""
ANSWER = 30.0
"""Upper bound for the time that a fork server takes to answer, in seconds; its start is part of the first answer."""
SILENCE = 2.0
"""Seconds after which a fork server that neither answers nor works is replaced: a player may have stopped it."""
STOPPED = "Tt"
"""The states of a process that a signal or a debugger has stopped."""
MESSAGE = 1 << 17
"""Upper bound for the size of a message, in bytes."""

EXPECTED = "expected a process for players to start in"


class SupervisorError(SudokuError):
    """The system cannot start a player's process, for lack of processes, files, memory or disk space."""


class Child:
    """A supervisor that a fork server has forked."""

    def __init__(self, fork_server: ForkServer, generation: int, pid: int, descriptor: int) -> None:
        self.pid = pid
        self._fork_server = fork_server
        self._generation = generation
        self._descriptor = descriptor
        self._status: int | None = None

    def wait(self, seconds: float) -> bool:
        """Wait for so many seconds at most, and return whether the supervisor has ended."""
        return self._descriptor < 0 or readable(self._descriptor, seconds)

    def end(self) -> int | None:
        """Return the exit code of the supervisor, negative for a signal, or None if it is unknown.

        The supervisor is killed if it does not end by itself within PATIENCE seconds.
        """
        if self._descriptor < 0:
            return self._status
        if not self.wait(PATIENCE):
            with suppress(OSError):
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
            self.wait(PATIENCE)
        self._status = self._fork_server.reap(self.pid, self._generation)
        os.close(self._descriptor)
        self._descriptor = -1
        return self._status


class ForkServer(Closing):
    """The arena's side of the fork server, as a context manager that any thread may use.

    A fork server that has ended is started again. One that is silent for `patience` seconds is killed and started
    again, unless it works or waits for a disk.
    """

    def __init__(self, patience: float = SILENCE) -> None:
        require_linux()
        self._patience = patience
        self._lock = threading.Lock()
        self._generation = 0
        self._supervisors = set[int]()
        """The ids of the supervisors that have not been reaped."""
        self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._generation += 1
        self._socket = ours
        ours.settimeout(ANSWER)
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "csp_sudoku.sandbox.fork_server"],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,
                    env=_environment(),
                )
            except OSError as error:
                ours.close()
                raise SupervisorError(f"{EXPECTED}; found {_told(error)}") from error

    @property
    def pid(self) -> int:
        """The process id of the fork server; another one once it has been replaced."""
        return self._process.pid

    def fork(self, assignment: Assignment, mark: str, orders: int, answers: int) -> Child:
        """Fork a supervisor that reads its orders from one descriptor, and writes its answers to the other."""
        question = {"assignment": assignment.to_json(), "mark": mark}
        with self._lock:
            for retry in (True, False):
                answer, descriptors = self._ask(question, [orders, answers])
                if answer is not None and "error" in answer:
                    raise SupervisorError(f"{EXPECTED}; found {answer['error']}")
                if answer is not None and len(descriptors) == 1:
                    self._supervisors.add(int(answer["process"]))
                    return Child(self, self._generation, int(answer["process"]), descriptors[0])
                self._end()
                if retry:
                    self._start()
        raise SupervisorError(f"{EXPECTED}; found that it cannot start")

    def reap(self, pid: int, generation: int) -> int | None:
        """Return the exit code of a supervisor that has ended, or None if the fork server that forked it is gone."""
        with self._lock:
            self._supervisors.discard(pid)
            if generation != self._generation:
                return None
            answer, _ = self._ask({"ended": pid}, [])
            if answer is None:  # the fork server is gone; the next game starts another one
                self._end()
                self._generation += 1
            return None if answer is None else answer.get("code")

    def _ask(self, question: dict[str, Any], descriptors: list[int]) -> tuple[dict[str, Any] | None, list[int]]:
        """Send a question with descriptors and return the answer with its descriptors; None without an answer."""
        try:
            socket.send_fds(self._socket, [json.dumps(question).encode()], descriptors)
            if not self._is_answered():
                self._kill()
                return None, []
            data, found, _, _ = socket.recv_fds(self._socket, MESSAGE, 1)
        except OSError:
            return None, []
        return (json.loads(data) if data else None), found

    def _is_answered(self) -> bool:
        """Wait while an answer can be expected; return whether an answer, or the end of the socket, can be read."""
        until = monotonic() + ANSWER
        before = entry(self._process.pid)
        while not readable(self._socket.fileno(), min(self._patience, until - monotonic())):
            now = entry(self._process.pid)
            if monotonic() >= until or not works(before, now):
                return False
            before = now
        return True

    def _kill(self) -> None:
        """Kill the fork server and the orphans that it has adopted, but not the supervisors and their descendants."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            strays = [one for one in descendants(self._process.pid, self._supervisors) if not one.ended]
            if not strays:
                break
            for stray in strays:
                send(stray, signal.SIGKILL)
        self._process.kill()

    def _end(self) -> None:
        self._socket.close()
        now = entry(self._process.pid)
        if now is not None and now.state in STOPPED:  # a stopped process does not notice that the socket is closed
            self._kill()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def close(self) -> None:
        """End the fork server, which first kills the orphans that it has adopted."""
        with self._lock:
            self._end()


def works(before: ProcessEntry | None, now: ProcessEntry | None) -> bool:
    """Whether a process has used processor time between two observations, or waits for a processor or a disk."""
    if before is None or now is None or now.ended or now.state in STOPPED:
        return False
    return now.state in "RD" or now.ticks > before.ticks


def readable(descriptor: int, seconds: float) -> bool:
    """Whether the descriptor becomes readable within this time; `poll`, as `select` fails from descriptor 1024 on."""
    import select

    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def _told(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _environment() -> dict[str, str]:
    """Return the environment of a fork server: with the path of this package, and with a fixed hash seed.

    All forks share the hash seed of the fork server, so the order of sets cannot depend on the seed of a game.
    """
    return package_environment(**{MARK: UNMARKED, "PYTHONHASHSEED": "0"})


def _mark(mark: str) -> None:
    """Write the mark into the initial environment of this forked process, where /proc shows it."""
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    place = libc.getenv(MARK.encode())
    if place and len(mark) == len(UNMARKED):
        ctypes.memmove(place, mark.encode(), len(mark))
    os.environ[MARK] = mark


def _prepare(assignment: Assignment) -> None:
    """Import a player of this package. Errors are ignored here, because the player's own process raises them again."""
    from csp_sudoku.players.spec import Spec

    if assignment.terms.loader != LOADER:
        return
    with suppress(Exception):
        spec = Spec.read(assignment.spec)
        if spec.is_registered and spec.is_native:
            before = len(sys.modules)
            spec.agent()
            if len(sys.modules) > before:
                gc.collect()
                gc.freeze()


def _become_supervisor(question: dict[str, Any], assignment: Assignment, orders: int, answers: int) -> NoReturn:
    from csp_sudoku.sandbox.main import supervise

    _mark(question["mark"])
    for target, descriptor in enumerate((orders, answers)):
        os.dup2(descriptor, target)  # the first one replaces the socket
        os.close(descriptor)
    supervise(assignment, 0, 1)


def _next_question(asked: socket.socket) -> tuple[bytes, list[int]]:
    """Return the next question with its descriptors; empty when the arena has closed the socket or was killed."""
    with suppress(ConnectionError):  # raised if the arena is killed with an answer unread
        data, descriptors, _, _ = socket.recv_fds(asked, MESSAGE, 2)
        return data, descriptors
    return b"", []


def _answer(asked: socket.socket, answer: dict[str, Any], *descriptors: int) -> None:
    """Send an answer. If the arena is gone, the answer is dropped, and reading the next question shows it."""
    with suppress(ConnectionError):
        socket.send_fds(asked, [json.dumps(answer).encode()], descriptors)


def main() -> NoReturn:
    """Answer the questions on the socket at standard input until the arena closes it."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    import encodings.ascii  # noqa: F401 - imported for the supervisors, as are the next ones

    import csp_sudoku.players.player  # noqa: F401

    asked = socket.socket(fileno=0)
    adopt_orphans()
    supervisors: set[int] = set()
    gc.collect()
    gc.freeze()
    prepared: set[str] = set()
    while True:
        data, descriptors = _next_question(asked)
        if not data:
            end_strays(supervisors)
            os._exit(0)
        question = json.loads(data)
        if "ended" in question:
            code: int | None = None
            with suppress(ChildProcessError):
                code = os.waitstatus_to_exitcode(os.waitpid(question["ended"], 0)[1])
            supervisors.discard(question["ended"])
            if code:  # a supervisor that exits normally has killed its own descendants
                end_strays(supervisors)
            _answer(asked, {"code": code})
            continue
        assignment = Assignment.from_json(question["assignment"])
        if assignment.spec not in prepared:
            prepared.add(assignment.spec)
            _prepare(assignment)
        orders, answers = descriptors
        try:
            child = os.fork()
            if not child:
                _become_supervisor(question, assignment, orders, answers)
            supervisors.add(child)
            ended = os.pidfd_open(child)  # only the parent can be sure that the pid is not reused
        except OSError as error:
            _answer(asked, {"error": _told(error)})
        else:
            _answer(asked, {"process": child}, ended)
            os.close(ended)
        for descriptor in (orders, answers):
            os.close(descriptor)


if __name__ == "__main__":
    main()
