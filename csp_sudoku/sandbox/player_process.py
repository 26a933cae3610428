"""The player's process: it loads the player and plays the turns, either itself or in one child for each turn.

The player's own code runs here, so the supervisor relies on nothing that this process reports. The functions of `os`
that are needed after the player is loaded are imported before, because agents change modules.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from collections.abc import Collection
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from os import P_PID, WEXITED, WNOHANG, WNOWAIT, _exit, close, fork, getpid, kill, read, setpgid, waitid, waitpid, write
from pickle import loads
from struct import Struct
from threading import current_thread
from threading import enumerate as threads
from typing import Any, NoReturn, TextIO

from csp_sudoku.errors import SudokuError
from csp_sudoku.framework.failing import error_line
from csp_sudoku.sandbox.assignment import Assignment
from csp_sudoku.sandbox.limits import limit_processor_time
from csp_sudoku.sandbox.messages import ORDER
from csp_sudoku.sandbox.namespaces import renounce
from csp_sudoku.sandbox.processes import die_with_parent
from csp_sudoku.sandbox.proposal_buffer import End, ProposalBuffer, TurnBuffer
from csp_sudoku.sandbox.terms import LOADER

REPORT = Struct("=cI")
"""A report to the supervisor: its kind (loaded, forked for the next turn, turn begun) and the id of the process."""
LOADED, FORKED, TURN = b"L", b"F", b"T"


def run_player(
    assignment: Assignment, buffer: ProposalBuffer, supervisor: int, orders: int, reports: int, output: int
) -> NoReturn:
    """Load the player and fork a child for each turn that is ordered.

    The descriptors are the pipe of the orders, the pipe of the reports, and the target of the player's output.
    """
    folder = None
    try:
        _settle(assignment, supervisor, output, (orders, reports))
        folder = _folder(assignment)
        player = _load(assignment, folder, buffer)
        write(reports, REPORT.pack(LOADED, getpid()))
        if player is not None:
            _serve(player, folder, buffer, orders, reports)
    except BaseException as error:  # noqa: BLE001 - the player's code may have broken anything
        _told(error, folder)
    finally:
        _flush()
        _exit(1)


def stay(
    assignment: Assignment, buffer: ProposalBuffer, turn_buffer: TurnBuffer, supervisor: int, output: int
) -> NoReturn:
    """Load the player and play the turns in the turn buffer; stop after the load and after each turn."""
    stop = int(signal.SIGSTOP)
    folder = None
    try:
        _settle(assignment, supervisor, output)
        folder = _folder(assignment)
        player = _load(assignment, folder, buffer)
        played = turn_buffer.number
        while player is not None:
            _flush()
            while turn_buffer.number == played:
                kill(getpid(), stop)
            played = turn_buffer.number
            _reap()
            player.think(loads(turn_buffer.data), buffer.propose)  # noqa: S301 - it comes from the arena
            _wait_for_helpers()
            buffer.finish(End.DONE)
    except BaseException as error:  # noqa: BLE001 - whatever comes out of the player's code
        buffer.finish(End.CRASH, *_told(error, folder))
    finally:
        _flush()
        _exit(0)


def _settle(assignment: Assignment, supervisor: int, output: int, kept: Collection[int] = ()) -> None:
    """Close all descriptors of the supervisor but the kept ones, and apply the folder, the path and the limits."""
    os.setsid()
    die_with_parent(supervisor)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # Linux sends it to stopped processes of an orphaned group
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    for start, stop in pairwise((2, *sorted(kept), 1 << 20)):
        os.closerange(start + 1, stop)
    os.chdir(assignment.folder)
    os.environ["TMPDIR"] = os.environ["PWD"] = assignment.folder
    sys.argv[1:] = []
    sys.path[:] = assignment.path or sys.path
    sys.stdout, sys.stderr = _stream(1), _stream(2)
    if assignment.namespaces:
        renounce()
    assignment.terms.limits.apply()


def _stream(descriptor: int) -> TextIO:
    """Return a text stream that writes each line at once."""
    return open(descriptor, "w", 1, "utf-8", "backslashreplace", closefd=False)


def _folder(assignment: Assignment) -> str | None:
    """Return the folder of the player's own files; None if another function than ours loads the player."""
    if assignment.terms.loader == LOADER:
        from csp_sudoku.players.spec import Spec

        with suppress(SudokuError):  # the loader reports it
            return str(Spec.read(assignment.spec).folder)
    return None


def _load(assignment: Assignment, folder: str | None, buffer: ProposalBuffer) -> Any:
    """Load and return the player; None if that fails, with the error on the proposal buffer."""
    module, _, function = assignment.terms.loader.partition(":")
    load_player = getattr(import_module(module), function)
    try:
        player = load_player(assignment.spec, api=assignment.terms.api, seed=assignment.seed)
    except BaseException as error:  # noqa: BLE001 - whatever comes out of the player's code
        told = _told(error, folder)
        buffer.finish(*((_kind(error), str(error)) if isinstance(error, SudokuError) else (End.CRASH, *told)))
        return None
    buffer.finish(End.DONE)
    return player


def _kind(error: SudokuError) -> End:
    """Return CRASH if the player's code failed, UNIMPORTABLE if it cannot run, and REFUSED if the request was wrong."""
    from csp_sudoku.framework.loading import AgentCrashError, AgentImportError

    if isinstance(error, AgentImportError):
        return End.UNIMPORTABLE
    return End.CRASH if isinstance(error, AgentCrashError) else End.REFUSED


def _serve(player: Any, folder: str | None, buffer: ProposalBuffer, orders: int, reports: int) -> None:
    """Fork a child for a turn whenever a byte arrives in the pipe of the orders; the child reads its order itself."""
    gc.collect()
    gc.freeze()
    player_process = getpid()
    while True:
        _read(orders, 1)
        _reap()
        _flush()
        child = fork()
        if not child:
            _play(player, folder, buffer, player_process, orders, reports)
        write(reports, REPORT.pack(FORKED, child))
        with suppress(ChildProcessError):
            waitid(P_PID, child, WEXITED | WNOWAIT)


def _reap() -> None:
    """Reap the children that have ended, but only before the next turn, since the supervisor reads their status."""
    with suppress(ChildProcessError):
        while waitpid(-1, WNOHANG)[0]:
            pass


def _read(orders: int, size: int) -> bytes:
    """Read exactly `size` bytes of the orders; exit the process at the end of the pipe."""
    data = b""
    while len(data) < size:
        part = read(orders, size - len(data))
        if not part:
            _exit(0)
        data += part
    return data


def _play(
    player: Any, folder: str | None, buffer: ProposalBuffer, player_process: int, orders: int, reports: int
) -> NoReturn:
    """Play one turn in the process that was forked for it."""
    setpgid(0, 0)  # a new session would cost milliseconds, as Linux may set up a scheduling group for it
    die_with_parent(player_process)
    seconds, _, _, size = ORDER.unpack(_read(orders, ORDER.size))
    data = _read(orders, size)
    close(orders)
    ready = False
    try:
        limit_processor_time(seconds)
        state = loads(data)  # noqa: S301 - it comes from the arena
        ready = True
        _begin(buffer, seconds, reports)
        player.think(state, buffer.propose)
        _wait_for_helpers()
        buffer.finish(End.DONE)
    except BaseException as error:  # noqa: BLE001 - whatever comes out of the player's code
        if not ready:
            _begin(buffer, seconds, reports)
        buffer.finish(End.CRASH, *_told(error, folder))
    finally:
        _flush()
        _exit(0)


def _begin(buffer: ProposalBuffer, seconds: float, reports: int) -> None:
    """Begin the turn: start its clock, report it, and close the pipe of the reports before the player's code runs."""
    buffer.begin(seconds)
    write(reports, REPORT.pack(TURN, getpid()))
    close(reports)


def _wait_for_helpers() -> None:
    """Wait for the threads and processes that a Python program waits for at its end."""
    for thread in threads():
        if thread is not current_thread() and not thread.daemon:
            thread.join()
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None:
        for process in multiprocessing.active_children():
            if not process.daemon:
                process.join()


def _told(error: BaseException, folder: str | None) -> tuple[str, str]:
    """Return an error as one line with its place in the player's folder, and its traceback, which the log gets too."""
    line, trace = "an error that cannot be told", ""
    with suppress(BaseException):
        trace = "".join(traceback.format_exception(error))
        print(trace, end="", file=sys.stderr)  # noqa: T201
    with suppress(BaseException):
        line = error_line(error, folder)
    return line, trace


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(BaseException):
            stream.flush()
