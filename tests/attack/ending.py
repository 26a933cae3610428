"""Agents that end, crash or hang, before or after their proposal."""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import sys
import threading
import time

from tests.attack.hostiles import EITHER, LONG, LOSES, Hostile, good, proposer


class Crashes(Hostile):
    """Raises an error before its proposal."""

    expected = LOSES

    def before(self, state):
        raise ValueError("too hard")


class CrashesLate(Hostile):
    """Raises an error after its proposal."""

    def after(self, state):
        raise ValueError("too hard")


class CrashesUntold(Hostile):
    """Raises an error that is no Exception, and that cannot be printed."""

    expected = LOSES

    def before(self, state):
        class Untold(BaseException):
            def __str__(self):
                raise RuntimeError

            __repr__ = __str__

        raise Untold


class Exits(Hostile):
    """Ends its process before its proposal."""

    expected = LOSES

    def before(self, state):
        os._exit(3)


class ExitsLate(Hostile):
    """Ends its process after its proposal, without a word."""

    def after(self, state):
        os._exit(0)


class Segfaults(Hostile):
    """Reads where nothing is."""

    expected = LOSES

    def before(self, state):
        ctypes.string_at(0)


class KillsItself(Hostile):
    """Sends itself the signal that cannot be caught, after its proposal."""

    def after(self, state):
        os.kill(os.getpid(), signal.SIGKILL)


class StopsItself(Hostile):
    """Stops itself after its proposal."""

    is_endless = True

    def after(self, state):
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(LONG)


class CrashesWhenMade(Hostile):
    """Ends its process when it is made."""

    expected = LOSES

    def make(self):
        os._exit(7)


class Hangs(Hostile):
    """Thinks for ever, with the processor busy."""

    is_endless = True

    def after(self, state):
        while True:
            pass


class Sleeps(Hostile):
    """Sleeps instead of proposing."""

    expected = LOSES
    is_endless = True

    def before(self, state):
        time.sleep(LONG)


class Deaf(Hostile):
    """Ignores and blocks all signals that it can, and thinks for ever."""

    is_endless = True

    def after(self, state):
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
        while True:
            pass


class Late(Hostile):
    """Proposes a losing move whenever its deadline could be over, and from a thread as well."""

    is_endless = True

    def proposals(self, state):
        until = time.monotonic() + 0.4
        yield good(state)
        time.sleep(max(0.0, until - time.monotonic()))
        propose = proposer()
        threading.Thread(target=lambda: [time.sleep(0.2), propose((0, 0, 0))], daemon=True).start()
        time.sleep(0.2)
        while True:
            yield (0, 0, 0)

    expected = EITHER


class AtExit(Hostile):
    """Registers a losing proposal and a process for its end, and for each fork."""

    is_helper = False

    def make(self):
        os.register_at_fork(after_in_child=self._start)

    def _start(self):
        """Start one process, which starts no others."""
        if self.is_helper:
            return
        self.is_helper = True
        if not os.fork():
            time.sleep(LONG)
            os._exit(0)
        self.is_helper = False

    def after(self, state):
        propose = proposer()
        atexit.register(propose, (0, 0, 0))
        threading._register_atexit(propose, (0, 0, 0))


class Traces(Hostile):
    """Has every call after its turn raise an error."""

    def after(self, state):
        def trace(*_):
            raise ZeroDivisionError

        sys.settrace(trace)
        sys.setprofile(trace)
        threading.settrace(trace)


class Alarms(Hostile):
    """Sets timers that raise errors and send signals after its turn."""

    expected = EITHER

    def after(self, state):
        def handle(*_):
            raise ZeroDivisionError

        signal.signal(signal.SIGALRM, handle)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)


class Threads(Hostile):
    """Leaves fifty busy threads behind."""

    def after(self, state):
        for _ in range(50):
            threading.Thread(target=_spin, daemon=True).start()


def _spin():
    while True:
        pass
