"""The process that a player sits in: it loads the player, and plays its turns, itself or in a child for each.

The player's own code runs here, so nothing that this process says is relied on. What is needed after that code is
loaded is taken from `os` before, because agents change modules.
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

from csp_sudoku.arena.assignment import Assignment
from csp_sudoku.arena.limits import limit_processor_time
from csp_sudoku.arena.processes import die_with_parent
from csp_sudoku.arena.slate import Desk, End, Slate
from csp_sudoku.errors import SudokuError

ORDER = Struct("=d?I")
"""Before the state of a turn: the seconds, whether to wait them out, and how many bytes the state has."""
REPORT = Struct("=cI")
"""What comes back: that the player is loaded, that there is a copy for the next turn, that it begins; and its id."""
LOADED, FORKED, TURN = b"L", b"F", b"T"
AGAIN = {"again": True}
"""What a host says to its arena when the player must be loaded once more before its turn."""


def sit(assignment: Assignment, slate: Slate, host: int, orders: int, reports: int, output: int) -> NoReturn:
    """Load the player and fork for each turn that is ordered. Descriptors: two pipes, and where the output goes."""
    try:
        _settle(assignment, host, output, (orders, reports))
        player = _load(assignment, slate)
        write(reports, REPORT.pack(LOADED, getpid()))
        if player is not None:
            _serve(player, slate, orders, reports)
    except BaseException as error:  # noqa: BLE001 - whatever the player's code has broken
        _told(error)
    finally:
        _flush()
        _exit(1)


def stay(assignment: Assignment, slate: Slate, desk: Desk, host: int, output: int) -> NoReturn:
    """Load the player and play its turns, as they come on the desk; stop after the load, and after each turn."""
    stop = int(signal.SIGSTOP)
    try:
        _settle(assignment, host, output)
        player = _load(assignment, slate)
        played = desk.number
        while player is not None:
            _flush()
            while desk.number == played:
                kill(getpid(), stop)
            played = desk.number
            _reap()
            player.think(loads(desk.data), slate.propose)  # noqa: S301 - it comes from the arena
            _wait_for_helpers()
            slate.finish(End.DONE)
    except BaseException as error:  # noqa: BLE001 - whatever comes out of the player's code
        slate.finish(End.CRASH, _told(error))
    finally:
        _flush()
        _exit(0)


def _settle(assignment: Assignment, host: int, output: int, kept: Collection[int] = ()) -> None:
    """Leave nothing of the host's within reach but these descriptors, and take on the limits."""
    os.setsid()
    die_with_parent(host)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # Linux sends it to who is stopped, when some others end
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
    assignment.limits.apply()


def _stream(descriptor: int) -> TextIO:
    """What writes each line at once."""
    return open(descriptor, "w", 1, "utf-8", "backslashreplace", closefd=False)


def _load(assignment: Assignment, slate: Slate) -> Any:
    """The player; None if there is none, of which the slate tells why."""
    module, _, function = assignment.loader.partition(":")
    load_player = getattr(import_module(module), function)
    try:
        player = load_player(assignment.spec, api=assignment.api, seed=assignment.seed)
    except BaseException as error:  # noqa: BLE001 - whatever comes out of the player's code
        told = _told(error)
        slate.finish(*((_kind(error), str(error)) if isinstance(error, SudokuError) else (End.CRASH, told)))
        return None
    slate.finish(End.DONE)
    return player


def _kind(error: SudokuError) -> End:
    """Whether an error is about what was asked for, or about the player's code."""
    from csp_sudoku.framework.loading import AgentCrashError

    return End.CRASH if isinstance(error, AgentCrashError) else End.REFUSED


def _serve(player: Any, slate: Slate, orders: int, reports: int) -> None:
    """Fork for one turn after the other, when there is a byte that says so; who is forked reads the order itself."""
    gc.collect()
    gc.freeze()
    seat = getpid()
    while True:
        _read(orders, 1)
        _reap()
        _flush()
        child = fork()
        if not child:
            _play(player, slate, seat, orders, reports)
        write(reports, REPORT.pack(FORKED, child))
        with suppress(ChildProcessError):
            waitid(P_PID, child, WEXITED | WNOWAIT)


def _reap() -> None:
    """Take leave of the processes that have ended: not before the next turn, for the host looks how they did."""
    with suppress(ChildProcessError):
        while waitpid(-1, WNOHANG)[0]:
            pass


def _read(orders: int, size: int) -> bytes:
    """So many bytes; the process ends where there are no more."""
    data = b""
    while len(data) < size:
        part = read(orders, size - len(data))
        if not part:
            _exit(0)
        data += part
    return data


def _play(player: Any, slate: Slate, seat: int, orders: int, reports: int) -> NoReturn:
    """One turn, in the process that was forked for it."""
    setpgid(0, 0)  # no session of its own: for that, Linux may set up a scheduling group, which takes milliseconds
    die_with_parent(seat)
    seconds, _, size = ORDER.unpack(_read(orders, ORDER.size))
    data = _read(orders, size)
    close(orders)
    ready = False
    try:
        limit_processor_time(seconds)
        state = loads(data)  # noqa: S301 - it comes from the arena
        ready = True
        _begin(slate, seconds, reports)
        player.think(state, slate.propose)
        _wait_for_helpers()
        slate.finish(End.DONE)
    except BaseException as error:  # noqa: BLE001 - whatever comes out of the player's code
        if not ready:
            _begin(slate, seconds, reports)
        slate.finish(End.CRASH, _told(error))
    finally:
        _flush()
        _exit(0)


def _begin(slate: Slate, seconds: float, reports: int) -> None:
    """The turn begins; from here on the process has nothing in its hands that leads to the host, but the slate."""
    slate.begin(seconds)
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


def _told(error: BaseException) -> str:
    """An error in one line; its traceback is printed, for the log."""
    with suppress(BaseException):
        traceback.print_exception(error)
    with suppress(BaseException):
        return " ".join(traceback.format_exception_only(error)[-1].split())
    return "an error that cannot be told"


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(BaseException):
            stream.flush()
