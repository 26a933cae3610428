"""The supervisor of a player whose process plays all turns, so that its memory, threads and caches last for the game.

The process reads each state from a turn buffer, in memory that it shares with the supervisor, and stops itself when it
is done. The process is a child of the supervisor, so the system signals the stop to the supervisor. Besides its output,
the player has no pipe to the supervisor that it could close or write to, and none of its threads runs in the opponent's
time. At the end of the turn, the supervisor kills the other processes that the player has started.

If a turn ends in any other way, the supervisor loads the player again for the next turn, before the clock runs. The
player then has only the files that it has saved.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from select import select
from time import monotonic

from csp_sudoku.sandbox.assignment import Assignment
from csp_sudoku.sandbox.limits import extend_processor_time
from csp_sudoku.sandbox.messages import AGAIN, ORDER
from csp_sudoku.sandbox.player_process import stay
from csp_sudoku.sandbox.processes import PATIENCE, end_descendants, wait_until_stopped
from csp_sudoku.sandbox.proposal_buffer import End, TurnBuffer
from csp_sudoku.sandbox.supervisor import LATE, STOPPING, BrokenError, Supervisor, ending


class PersistentSupervisor(Supervisor):
    """A supervisor whose player is one child process, which lives until the game ends or a turn has to be cut off."""

    def __init__(self, assignment: Assignment, orders: int, answers: int, arena: int) -> None:
        super().__init__(assignment, orders, answers, arena)
        self._turn_buffer = TurnBuffer()
        self._player = self._player_pidfd = -1
        self._is_resting = False
        """Whether the player's process is known to have been alive and stopped after the last turn."""
        self._changed, told = os.pipe()
        os.set_blocking(self._changed, False)
        os.set_blocking(told, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)

    def close(self) -> None:
        """Kill all processes of the player, and remove everything but the log."""
        if self._player >= 0:
            self._signal(signal.SIGKILL)
            select([self._player_pidfd], [], [], PATIENCE)
        super().close()

    def _load(self) -> tuple[End, str]:
        self._buffer.clear()
        supervisor = os.getpid()
        self._player = os.fork()
        if not self._player:
            stay(self.assignment, self._buffer, self._turn_buffer, supervisor, self._log.target)
        self._player_pidfd = os.pidfd_open(self._player)
        if not self._wait_for_end(monotonic() + self.limits.load):
            raise BrokenError(LATE)
        end, text = self._reported_end()
        if end is End.DONE:
            self._keep()
        return end, text

    def _prepare(self) -> None:
        """Do nothing, because a player that must be loaded again is loaded in its own turn."""

    def _begin(self, order: bytes, seconds: float) -> float:
        if self._player < 0:
            self._send_answer(AGAIN)
            end, text = self._load()
            if end is not End.DONE:
                raise BrokenError(text)
            self._buffer.clear()
        elif self._is_resting:
            self._require_unharmed(self._player, self._player_pidfd)
        extend_processor_time(self._player, seconds)
        self._turn_buffer.put(order[ORDER.size :])
        self._buffer.begin(seconds)
        began = self._buffer.began  # read before the player runs, because the player can write there
        self._signal(signal.SIGCONT)
        return began

    def _wait_for_end(self, until: float) -> bool:
        while True:
            if self._is_stopped():
                if self._buffer.end is not End.NOTHING:
                    return True
                self._signal(signal.SIGCONT)  # it stopped before the end of its turn
            ready = self._wait([self._changed, self._player_pidfd], until)
            if self._player_pidfd in ready:
                return True
            if not ready:
                return False
            with suppress(BlockingIOError):
                os.read(self._changed, 1 << 10)

    def _is_stopped(self) -> bool:
        """Whether the player has stopped since the last call."""
        try:
            return os.waitid(os.P_PID, self._player, os.WSTOPPED | os.WNOHANG) is not None
        except ChildProcessError:
            return False

    def _reported_end(self) -> tuple[End, str]:
        if self._buffer.end is not End.NOTHING:
            return self._buffer.end, self._buffer.text
        return End.CRASH, ending(self._player)

    def _end_turn(self, end: End) -> None:
        if end is End.DONE and not select([self._player_pidfd], [], [], 0)[0]:
            self._keep()
        else:
            self._drop()

    def _keep(self) -> None:
        """Stop the player until its next turn, and kill its other processes.

        The supervisor stops it a second time, because one of the others may have woken it before it was killed.
        """
        self._signal(signal.SIGSTOP)
        wait_until_stopped(self._player, STOPPING)
        self._clear(self._player)
        self._signal(signal.SIGSTOP)
        self._is_at_rest = wait_until_stopped(self._player, STOPPING)
        self._is_resting = self._is_at_rest and not select([self._player_pidfd], [], [], 0)[0]

    def _drop(self) -> None:
        """Kill the player and all of its other processes."""
        end_descendants()
        os.close(self._player_pidfd)
        self._player = self._player_pidfd = -1

    def _fail(self, text: str) -> None:
        super()._fail(text)
        self._drop()

    def _signal(self, number: int) -> None:
        with suppress(OSError):
            signal.pidfd_send_signal(self._player_pidfd, number)
