"""Mock players that act against their processes: they fork, kill, lock, hoard, and look around.

Whatever forks or sleeps here ends by itself before long.
"""

import ctypes
import mmap
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.arena.agents.actions import LONG, daemon, good, parent_of, remembers_files, scribble, supervisor


def daemons(state, propose):
    """Starts processes that are to outlive it."""
    for _ in range(3):
        daemon()
    propose(good(state))


def daemons_and_hangs(state, propose):
    """Starts processes that are to outlive it, and does not end."""
    daemons(state, propose)
    time.sleep(LONG)


def forks(state, propose):
    """Forks, and what it forks does so too: 2**6 processes, half of them in sessions of their own."""
    propose(good(state))
    for step in range(6):
        if not os.fork() and step % 2:
            os.setsid()
    time.sleep(LONG)
    os._exit(0)


def crowd(state, propose):
    """Starts more processes than it may."""
    for _ in range(60):
        if not os.fork():
            time.sleep(LONG)
            os._exit(0)
    time.sleep(LONG)


def crowd_and_moves(state, propose):
    """Proposes, and starts a hundred processes, each with a child, of which it takes no leave."""
    propose(good(state))
    for _ in range(100):
        if not os.fork():
            os.setsid()
            os.fork()
            time.sleep(LONG)
            os._exit(0)
    time.sleep(LONG)


def hoards(state, propose):
    """Takes memory until there is none."""
    propose(good(state))
    kept = []
    while True:
        kept.append(bytearray(b"x" * (1 << 24)))


def maps(state, propose):
    """Takes memory from the system."""
    propose(good(state))
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 1 << 26, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


def closes(state, propose):
    """Closes every descriptor, and takes their places."""
    os.closerange(0, 1 << 16)
    for _ in range(20):
        os.open("/dev/null", os.O_RDWR)
    propose(good(state))


def scribbles(state, propose):
    """Writes nonsense to every descriptor, before and after a proposal."""
    scribble()
    propose(good(state))
    scribble()


def helper(state, propose):
    """Leaves the proposal to a process, and returns."""
    import multiprocessing

    multiprocessing.get_context("fork").Process(target=propose, args=(good(state),)).start()


def ends_its_supervisor(state, propose):
    """Kills the process that it comes from, and the one above, and hides."""
    propose(good(state))
    above = [supervisor(), os.getppid()]
    daemon()
    for process in above:  # the supervisor first: this one ends with its parent
        os.kill(process, signal.SIGKILL)
    time.sleep(LONG)


def ends_its_supervisor_unseen(state, propose, stopped=()):
    """Kills its supervisor, and leaves a process that has changed its parent, session and environment."""
    propose(good(state))
    to_read, to_write = os.pipe()  # which closes when the program is started
    if not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)
        (Path.cwd().parent / "daemon").write_text(str(os.getpid()))
        os.execve(sys.executable, [sys.executable, "-c", f"import time; time.sleep({LONG})"], {})
    os.close(to_write)
    os.read(to_read, 1)
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    os.kill(supervisor(), signal.SIGKILL)
    time.sleep(LONG)


def ends_its_supervisor_unadopted(state, propose):
    """Does the same, and stops the fork server before, which is to adopt that process."""
    ends_its_supervisor_unseen(state, propose, [parent_of(supervisor())])


def locks(state, propose):
    """Takes all permissions from its working folder, and from folders in it."""
    Path("outer/inner").mkdir(parents=True)
    Path("outer/inner/file").touch()
    for folder in ("outer/inner", "outer", "."):
        Path(folder).chmod(0)
    propose(good(state))


def shares(state, propose):
    """Leaves shared memory behind in each turn: a file that a daemon has mapped, and a segment of System V."""
    mark = os.environ["CSP_SUDOKU_TEST"]
    with Path(f"/dev/shm/csp-sudoku-{mark}").open("w+b") as file:
        file.write(bytes(1 << 12))
        file.flush()
        kept = mmap.mmap(file.fileno(), 1 << 12)
    daemon()
    assert ctypes.CDLL(None).shmget(int(mark[:7], 16), 1 << 12, 0o1600) >= 0  # 0o1000 is IPC_CREAT
    propose(good(state))
    kept.close()


def ends_its_player_process(state, propose):
    """Kills the process that it comes from."""
    propose(good(state))
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(LONG)


def stops_its_supervisor(state, propose):
    """Stops the process that keeps the clock."""
    propose(good(state))
    os.kill(supervisor(), signal.SIGSTOP)
    time.sleep(LONG)


def looks_around(state, propose):
    """Prints what it finds where it is."""
    place = Path.cwd()
    found = [*map(str, place.iterdir())], os.environ["TMPDIR"] == str(place), sys.argv[1:], os.getpgid(0) == os.getpid()
    descriptors = sorted(path.name for path in Path("/proc/self/fd").iterdir())
    sys.stdout.write(f"{found}\n{descriptors, sys.stdin.read()}\n")
    propose(good(state))


def finds_only_itself(state, propose):
    """Loses unless it sees no other process, no shared memory, no file of its opponent, and has no capability."""
    assert {path.name for path in Path("/proc").iterdir() if path.name.isdecimal()} <= {
        "1",
        str(os.getppid()),
        str(os.getpid()),
    }
    assert not list(Path("/dev/shm").iterdir())
    assert not list(Path.cwd().parent.glob("csp-sudoku-player2-*/*"))
    status = dict(line.split(":\t") for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    assert {int(status[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
    with suppress(OSError):
        Path("/proc/1/environ").read_bytes()
        raise AssertionError("it can read its supervisor's environment")
    remembers_files(state, propose)


def kills_everybody(state, propose):
    """Kills every process that it can, but only in a pid namespace of its own."""
    assert str(Path("/proc/self/ns/pid").readlink()) != os.environ["CSP_SUDOKU_PID_NAMESPACE"]
    propose(good(state))
    for process, number in ((-1, signal.SIGKILL), (1, signal.SIGKILL), (1, signal.SIGSTOP)):
        with suppress(OSError):  # there may be nobody else
            os.kill(process, number)
