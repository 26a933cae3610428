"""The host of a player whose process plays all turns: what it has in memory lasts, its threads and caches too.

The process finds what it is to play on a desk, in memory shared with the host, and stops itself when it is done; the
host, whose child it is, is told of that by the system. So there is nothing in its hands that could be closed or written
to, and no thread of it runs in the opponent's time. Other processes that it has started end with the turn.

Who ends a turn in any other way than by being done is started again for the next one, before the clock runs: it has the
files that it has saved, and nothing else.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from select import select
from time import monotonic

from csp_sudoku.arena.assignment import Assignment
from csp_sudoku.arena.host import LATE, STOPPING, BrokenError, Host, ending
from csp_sudoku.arena.limits import extend_processor_time
from csp_sudoku.arena.processes import PATIENCE, end_descendants, wait_until_stopped
from csp_sudoku.arena.seat import AGAIN, ORDER, stay
from csp_sudoku.arena.slate import Desk, End


class KeepingHost(Host):
    """The player is a child of the host, alive from the first load on, or from the last one after it was ended."""

    def __init__(self, assignment: Assignment, orders: int, answers: int) -> None:
        super().__init__(assignment, orders, answers)
        self._desk = Desk()
        self._player = self._player_ended = -1
        self._changed, told = os.pipe()
        os.set_blocking(self._changed, False)
        os.set_blocking(told, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)

    def close(self) -> None:
        """End all processes, and leave nothing but the log."""
        if self._player >= 0:
            self._signal(signal.SIGKILL)
            select([self._player_ended], [], [], PATIENCE)
        super().close()

    def _load(self) -> tuple[End, str]:
        self._slate.clear()
        host = os.getpid()
        self._player = os.fork()
        if not self._player:
            stay(self.assignment, self._slate, self._desk, host, self._log.target)
        self._player_ended = os.pidfd_open(self._player)
        if not self._is_done(monotonic() + self.limits.load):
            raise BrokenError(LATE)
        end, text = self._said()
        if end is End.DONE:
            self._keep()
        return end, text

    def _prepare(self) -> None:
        """Nothing: who begins anew does it in its own turn."""

    def _begin(self, order: bytes, seconds: float) -> float:
        if self._player < 0:
            self._answer(AGAIN)
            end, text = self._load()
            if end is not End.DONE:
                raise BrokenError(text)
            self._slate.clear()
        extend_processor_time(self._player, seconds)
        self._desk.put(order[ORDER.size :])
        self._slate.begin(seconds)
        began = self._slate.began  # now, for the player can write there
        self._signal(signal.SIGCONT)
        return began

    def _is_done(self, until: float) -> bool:
        while True:
            if self._is_stopped():
                if self._slate.end is not End.NOTHING:
                    return True
                self._signal(signal.SIGCONT)  # it was not for it to stop now
            ready = self._wait([self._changed, self._player_ended], until)
            if self._player_ended in ready:
                return True
            if not ready:
                return False
            with suppress(BlockingIOError):
                os.read(self._changed, 1 << 10)

    def _is_stopped(self) -> bool:
        """Whether the player has been stopped since this was asked last."""
        try:
            return os.waitid(os.P_PID, self._player, os.WSTOPPED | os.WNOHANG) is not None
        except ChildProcessError:
            return False

    def _said(self) -> tuple[End, str]:
        if self._slate.end is not End.NOTHING:
            return self._slate.end, self._slate.text
        return End.CRASH, ending(self._player)

    def _end_turn(self, end: End) -> None:
        if end is End.DONE and not select([self._player_ended], [], [], 0)[0]:
            self._keep()
        else:
            self._drop()

    def _keep(self) -> None:
        """End all but the player, which is stopped until its next turn: once more, should another have woken it."""
        self._signal(signal.SIGSTOP)
        wait_until_stopped(self._player, STOPPING)
        self._clear(self._player)
        self._signal(signal.SIGSTOP)
        self._is_at_rest = wait_until_stopped(self._player, STOPPING)

    def _drop(self) -> None:
        """End the player too."""
        end_descendants()
        os.close(self._player_ended)
        self._player = self._player_ended = -1

    def _fail(self, text: str) -> None:
        super()._fail(text)
        self._drop()

    def _signal(self, number: int) -> None:
        with suppress(OSError):
            signal.pidfd_send_signal(self._player_ended, number)
