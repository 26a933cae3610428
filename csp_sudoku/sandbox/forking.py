"""The supervisor of a player that plays each turn in a copy of its process, as the framework does.

The player is loaded once, in its player process. The player process forks a copy for each turn and plays no turn
itself. All changes to the memory of the copy are lost with it; only the files that the player has saved remain. A fork
takes time, so the player process forks as soon as the previous turn is over, and the copy waits for its order. The
supervisor stops the player process and the copy until then, and kills every process that the copy has started.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from select import select
from time import monotonic

from csp_sudoku.sandbox.assignment import Assignment
from csp_sudoku.sandbox.player_process import FORKED, LOADED, REPORT, TURN, run_player
from csp_sudoku.sandbox.processes import PATIENCE, entry, wait_until_stopped
from csp_sudoku.sandbox.proposal_buffer import End
from csp_sudoku.sandbox.supervisor import ENDED, LATE, READY, STOPPING, BrokenError, Supervisor, ending

GO = b"\0"
"""The order to the player process to fork."""
AT_ONCE = 0.1
"""Upper bound for the delay between an order and the start of its turn, in seconds.

The clock starts at most this long after the order, even if the copy reports a later start: it was forked before the
order, and waits for it.
"""
UNASKED = "its process sent something that it was not asked for"


class ForkingSupervisor(Supervisor):
    """A supervisor that sends orders to the player process through one pipe and reads reports from another."""

    def __init__(self, assignment: Assignment, orders: int, answers: int, arena: int) -> None:
        super().__init__(assignment, orders, answers, arena)
        self._child = 0
        """The id of the process that plays the turn."""
        self._child_pidfd = -1
        self._owed = 0.0
        """Seconds by which the fork took longer than AT_ONCE. The turn pays them: player code may run in a fork."""
        self._is_resting = False
        """Whether both processes are known to have been alive and stopped after the last turn."""
        self._start_player()

    def _start_player(self) -> None:
        to_read, self._to_player = os.pipe()
        self._from_player, to_write = os.pipe()
        supervisor = os.getpid()
        self._player_process = os.fork()
        if not self._player_process:
            run_player(self.assignment, self._buffer, supervisor, to_read, to_write, self._log.target)
        self._player_pidfd = os.pidfd_open(self._player_process)
        os.close(to_read)
        os.close(to_write)
        os.set_blocking(self._to_player, False)

    def close(self) -> None:
        """Kill all processes of the player, and remove everything but the log."""
        for pidfd in (
            self._child_pidfd,
            self._player_pidfd,
        ):  # the known processes first: listing /proc for others takes longer
            if pidfd >= 0:
                _signal(pidfd, signal.SIGKILL)
                select([pidfd], [], [], PATIENCE)
        super().close()

    def _load(self) -> tuple[End, str]:
        self._report(LOADED, monotonic() + self.limits.load)
        if self._buffer.end is End.DONE:
            self._stop()
            self._clear_player_process(self._player_process)
        return self._buffer.end, self._buffer.text

    def _prepare(self) -> None:
        try:
            asked = monotonic()
            self._order(GO, asked + READY)
            self._signal_player(signal.SIGCONT)
            self._child = self._report(FORKED, asked + READY)
            self._child_pidfd = os.pidfd_open(self._child)
            self._owed = max(0.0, monotonic() - asked - AT_ONCE)
            self._stop()
            self._clear_player_process(self._player_process, self._child)
            self._stop()  # again, because a process that has been killed since may have woken them
            self._is_resting = self._is_at_rest and not select([self._player_pidfd, self._child_pidfd], [], [], 0)[0]
        except BrokenError as error:
            self._fail(str(error))
        except OSError:  # the child has ended and was reaped, so its exit status is lost
            self._fail(ENDED)

    def _begin(self, order: bytes, seconds: float) -> float:  # noqa: ARG002 - the order contains it
        if self._is_resting:
            self._require_unharmed(self._player_process, self._player_pidfd)
            self._require_unharmed(self._child, self._child_pidfd)
        asked = monotonic()
        _signal(self._child_pidfd, signal.SIGCONT)
        self._order(order, asked + READY)
        if self._report(TURN, asked + READY) != self._child:
            raise BrokenError(UNASKED)
        began, latest = self._buffer.began, min(monotonic(), asked + AT_ONCE)
        return (began if asked <= began <= latest else latest) - self._owed

    def _wait_for_end(self, until: float) -> bool:
        return bool(self._wait([self._child_pidfd], until))

    def _reported_end(self) -> tuple[End, str]:
        if self._buffer.end in (End.DONE, End.CRASH):
            return self._buffer.end, self._buffer.text
        return End.CRASH, ending(self._child)

    def _end_turn(self, end: End) -> None:  # noqa: ARG002 - the child is killed in any case
        with suppress(OSError):
            os.killpg(self._child, signal.SIGKILL)
        _signal(self._child_pidfd, signal.SIGKILL)  # it may have left its group
        self._wait([self._child_pidfd], monotonic() + PATIENCE)
        self._forget_child()
        self._clear_player_process(self._player_process)

    def _clear_player_process(self, *spared: int) -> None:
        """Kill all processes of the player but the spared ones; note a failure if the player process has ended."""
        self._clear(*spared)
        if select([self._player_pidfd], [], [], 0)[0]:
            self._failure = self._failure or ENDED

    def _forget_child(self) -> None:
        if self._child_pidfd >= 0:
            os.close(self._child_pidfd)
            self._child_pidfd = -1

    def _fail(self, text: str) -> None:
        super()._fail(text)
        self._forget_child()

    def _report(self, kind: bytes, until: float) -> int:
        """Return the id of the process that sends this kind of report; raise BrokenError if none arrives in time."""
        ended = [self._player_pidfd, *([self._child_pidfd] if self._child_pidfd >= 0 else [])]
        ready = self._wait([self._from_player, *ended], until)
        if self._from_player in ready:
            data = os.read(self._from_player, 1 << 12)
            if len(data) == REPORT.size and data[:1] == kind:
                process = int(REPORT.unpack(data)[1])
                one = entry(process)
                if process == self._player_process or one is None or one.parent in (self._player_process, os.getpid()):
                    return process
            if data:
                raise BrokenError(UNASKED)
            ready = self._wait(ended, monotonic() + 1)  # the pipe of a process closes before it has ended
            if not ready:
                raise BrokenError("its process has closed what it reports by")
        if self._player_pidfd in ready:
            raise BrokenError(ending(self._player_process))
        if ready:
            raise BrokenError(ending(self._child))
        raise BrokenError(LATE)

    def _order(self, data: bytes, until: float) -> None:
        """Send an order to the player process; raise BrokenError if it does not read it in time or has ended."""
        while data:
            try:
                data = data[os.write(self._to_player, data) :]
            except BlockingIOError:
                if not select([], [self._to_player], [], max(0.0, until - monotonic()))[1]:
                    raise BrokenError(LATE) from None
            except BrokenPipeError:
                raise BrokenError(ending(self._player_process)) from None

    def _stop(self) -> None:
        """Stop the player process and the child until the player's turn."""
        self._is_at_rest = True
        for ended, process in ((self._player_pidfd, self._player_process), (self._child_pidfd, self._child)):
            _signal(ended, signal.SIGSTOP)
            self._is_at_rest &= wait_until_stopped(process, STOPPING)

    def _signal_player(self, number: int) -> None:
        _signal(self._player_pidfd, number)


def _signal(ended: int, number: int) -> None:
    """Signal the process of a pidfd, if it still exists."""
    with suppress(OSError):
        signal.pidfd_send_signal(ended, number)
