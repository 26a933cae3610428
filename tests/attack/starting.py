"""Agents that start processes, and signal others: only their own, the arena's above them, and their opponent's.

Whoever signals all processes that it can runs only in a pid namespace around the whole arena (`needs_walls`), and makes
sure that it is in one.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.attack.hostiles import EITHER, LONG, NAMESPACE, PLAYS, Hostile, above, detach, others, processes, sleeper

FEW = 100
"""The number of processes below which this must be a pid namespace of the attack."""


class Forks(Hostile):
    """Forks, and its children fork too, half of them in sessions of their own."""

    is_endless = True

    def after(self, state):
        for step in range(6):
            if not os.fork() and step % 2:
                os.setsid()
        time.sleep(LONG)


class Crowd(Hostile):
    """Starts more processes than it may."""

    is_endless = True

    def after(self, state):
        for _ in range(250):
            with suppress(OSError):
                if not os.fork():
                    time.sleep(LONG)
                    os._exit(0)
        time.sleep(LONG)


class Daemonises(Hostile):
    """Leaves a daemon in each turn."""

    def before(self, state):
        detach()


class Vanishes(Hostile):
    """Leaves a daemon that has executed another program, without an environment."""

    def before(self, state):
        detach(program=sleeper())


class RunsAway(Hostile):
    """Leaves a process that forks and ends again and again, so that a look at /proc may miss it."""

    def before(self, state):
        if os.fork():
            return
        os.setsid()
        for _ in range(500):
            if os.fork():
                os._exit(0)
            time.sleep(0.0005)
        time.sleep(LONG)
        os._exit(0)


class ExecsItself(Hostile):
    """Executes another program in its own process, after its proposal."""

    is_endless = True

    def after(self, state):
        os.execve(sys.executable, sleeper(), {})


class Wakes(Hostile):
    """Has a helper that wakes it whenever it is stopped."""

    def before(self, state):
        player = os.getpid()
        if not os.fork():
            while True:
                with suppress(OSError):
                    os.kill(player, signal.SIGCONT)
                    os.kill(os.getppid(), signal.SIGCONT)
                time.sleep(0.0001)


class KillsParent(Hostile):
    """Kills its parent."""

    expected = EITHER
    is_endless = True

    def after(self, state):
        _signal(os.getppid(), signal.SIGKILL)
        time.sleep(LONG)


class KillsSupervisor(Hostile):
    """Kills all above it but the fork server, from the top, and leaves a daemon without a mark."""

    expected = EITHER
    is_endless = True

    def after(self, state):
        detach(program=sleeper())
        time.sleep(0.05)
        for process in reversed(above()[1:-1] or above()[1:]):
            _signal(process, signal.SIGKILL)
        time.sleep(LONG)


class StopsSupervisor(Hostile):
    """Stops the process that keeps its clock."""

    expected = EITHER
    is_endless = True
    slack = 12.0

    def after(self, state):
        family = above()
        if len(family) > 2:
            _signal(family[-2], signal.SIGSTOP)
        time.sleep(LONG)


class StopsForkServer(Hostile):
    """Stops the fork server of the arena."""

    def after(self, state):
        _signal(above()[-1], signal.SIGSTOP)


class KillsForkServer(Hostile):
    """Kills the fork server of the arena."""

    expected = EITHER

    def after(self, state):
        _signal(above()[-1], signal.SIGKILL)


class LimitsParent(Hostile):
    """Limits the processor time and the descriptors of the process that it comes from."""

    expected = EITHER

    def after(self, state):
        for process in above()[1:-1]:
            with suppress(OSError, ValueError):
                resource.prlimit(process, resource.RLIMIT_CPU, (1, 1))
                resource.prlimit(process, resource.RLIMIT_NOFILE, (16, 16))


class KillsOpponent(Hostile):
    """Kills the processes of its opponent, which it knows by their working folder."""

    harms = frozenset({"loss"})

    def after(self, state):
        for process, _ in others():
            _signal(process, signal.SIGKILL)


class StopsOpponent(Hostile):
    """Stops the supervisor of its opponent."""

    def after(self, state):
        found = list(others())
        pids = {process for process, _ in found}
        for _, about in found:
            parent = int(about[1])
            if parent > 1 and parent not in pids and parent != above()[-1]:
                _signal(parent, signal.SIGSTOP)


class KillsEverybody(Hostile):
    """Kills every process that it can."""

    needs_walls = True
    expected = EITHER
    is_endless = True

    def after(self, state):
        _require_walls()
        with suppress(OSError):
            os.kill(-1, signal.SIGKILL)
        time.sleep(LONG)


class StopsEverybody(Hostile):
    """Stops every process that it can, and itself."""

    needs_walls = True
    expected = PLAYS
    is_endless = True

    def after(self, state):
        _require_walls()
        with suppress(OSError):
            os.kill(-1, signal.SIGSTOP)
        time.sleep(LONG)


def _signal(process: int, number: int) -> None:
    """Signal one process; never a group, and never all."""
    if process > 0:
        with suppress(OSError):
            os.kill(process, number)


def _require_walls() -> None:
    """Raise an error unless this is another pid namespace than the attack's, with few processes of the arena."""
    if str(Path("/proc/self/ns/pid").readlink()) == os.environ[NAMESPACE]:
        raise RuntimeError("expected a pid namespace of the arena; found that of the attack")
    first = Path("/proc/1/cmdline").read_bytes()
    if len(processes()) > FEW or b"csp_sudoku" not in first:
        raise RuntimeError("expected a pid namespace of the arena; found the whole machine")
