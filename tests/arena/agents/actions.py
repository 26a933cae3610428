"""What several mock players do: propose a good move, leave a daemon, write nonsense, find their supervisor."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

LONG = 600
"""Seconds that a process lives that is to outlive its turn: longer than any test waits for it to be ended."""


PAUSE = 2.0
"""Seconds between the two proposals of a stubborn player."""


def good(state):
    """A move that does not lose."""
    return state.moves()[0]


def daemon():
    """Start a process that has left its parent, its session and its standard streams behind."""
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 4096)
    time.sleep(LONG)
    os._exit(0)


def scribble():
    """Write nonsense to every descriptor."""
    for descriptor in range(3, 256):
        for text in (b"\x00" * 5, b"L" * 1000, os.urandom(100)):
            with suppress(OSError):
                os.set_blocking(descriptor, False)
                os.write(descriptor, text)


def supervisor():
    """The process that keeps the clock: a parent, or a parent's, where the turn is played in a copy."""
    parent = os.getppid()
    if os.getsid(0) == os.getpid():
        return parent
    return parent_of(parent)


def parent_of(process):
    """The parent of a process."""
    return int(Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[1])


def remembers_files(state, propose):
    """Loses unless its folder has the files of its own turns."""
    assert len(list(Path().iterdir())) == len(state.history) // 2
    Path(f"{state.player}-{len(state.history)}").touch()
    propose(good(state))
