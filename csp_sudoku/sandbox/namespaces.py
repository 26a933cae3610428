"""Namespaces: a view of the system in which a player sees only itself, as far as the kernel allows it.

With `--isolate`, the supervisor of a player moves into namespaces of its own before it starts the player:

user   gives an ordinary user the right to make the other namespaces; the player itself gives all such rights up
pid    contains the supervisor as process 1, and the player: no other process can be seen, signalled or traced by the
       player, the system lets process 1 receive none of its signals, and all end with process 1
mount  puts private file systems, in memory, on the player's working folder, on /dev/shm and on /proc
ipc    contains the shared memory, the semaphores and the message queues of System V

The possible namespaces are determined once, in a process of its own: `python -m csp_sudoku.sandbox.namespaces` prints
them. A pid namespace needs a /proc of its own, which some containers refuse.
"""

from __future__ import annotations

import ctypes
import enum
import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import NoReturn

from csp_sudoku.errors import OptionError
from csp_sudoku.sandbox.environment import package_environment

NAMESPACES = ("user", "pid", "mount", "ipc")
"""The kinds of namespaces, in the order in which they are named."""
PROTECTING = ("pid", "mount", "ipc")
"""The kinds that hide something from a player. The superuser can make them without a user namespace."""
ATTEMPTS = (NAMESPACES, PROTECTING, ("user", "mount", "ipc"), ("mount", "ipc"))
"""The combinations to try, the best one first."""
SHARED = "/dev/shm"  # noqa: S108 - a file system is mounted there, in the player's namespace

_FLAGS = {"user": 0x1000_0000, "pid": 0x2000_0000, "mount": 0x0002_0000, "ipc": 0x0800_0000}
_NOSUID, _NODEV, _NOEXEC, _REC, _PRIVATE, _DETACH = 2, 4, 8, 1 << 14, 1 << 18, 2
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _CLEAR_ALL = 1, 24, 38, 47, 4
_CAPABILITY_VERSION = 0x2008_0522
_CAPABILITIES = 64
"""Upper bound for the number of capabilities that a kernel has."""
_DESCRIPTORS = 1 << 20
"""Upper bound for the descriptors of a process."""

if sys.platform == "linux":
    _libc = ctypes.CDLL(None, use_errno=True)


class Isolation(enum.StrEnum):
    """Whether players are isolated by namespaces."""

    NONE = "none"
    AVAILABLE = "available"
    """Players are isolated by the namespaces that the kernel allows, which may be none."""
    REQUIRED = "required"
    """Players are isolated by all protecting namespaces; otherwise no game is played."""

    def namespaces(self) -> tuple[str, ...]:
        """Return the namespaces of each player; raise OptionError if the kernel refuses what is required."""
        if self is Isolation.NONE:
            return ()
        found = available()
        if self is Isolation.REQUIRED and not set(PROTECTING) <= set(found):
            raise OptionError(f"expected {listed(PROTECTING)} namespaces for players; found {listed(found) or 'none'}")
        return found


@cache
def available() -> tuple[str, ...]:
    """Return the namespaces that the kernel gives to a player, in the order of NAMESPACES; none if it refuses all."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "csp_sudoku.sandbox.namespaces"],
            env=package_environment(),
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ()
    names = done.stdout.split()
    return tuple(name for name in NAMESPACES if name in names)


def listed(names: tuple[str, ...]) -> str:
    """Return names as a text.

    >>> listed(("pid", "mount", "ipc")), listed(("ipc",)), listed(())
    ('pid, mount and ipc', 'ipc', '')
    """
    *first, last = names or ("",)
    return f"{', '.join(first)} and {last}" if first else last


def described(names: tuple[str, ...]) -> str:
    """Return a line for people with the namespaces that isolate players.

    >>> described(("user", "mount", "ipc"))
    'players are isolated by user, mount and ipc namespaces; the kernel refuses pid'
    """
    if not names:
        return "players are not isolated: the kernel refuses namespaces"
    missing = tuple(name for name in PROTECTING if name not in names)
    refused = f"; the kernel refuses {listed(missing)}" if missing else ""
    return f"players are isolated by {listed(names)} namespaces{refused}"


def enter(names: tuple[str, ...], folder: str, megabytes: int) -> None:
    """Move this process, which must have a single thread, into new namespaces; raise OSError if that is impossible.

    In a mount namespace, `folder` becomes a private file system of this size. A pid namespace contains only processes
    that are forked later. So this process forks then, and the child returns from this function; the parent waits for
    the child, and exits with its exit code.
    """
    user, group = os.geteuid(), os.getegid()
    _call("unshare", sum(_FLAGS[name] for name in names))
    if "user" in names:
        _map_ids(user, group)
    if "pid" in names:
        _fork_first_process()
    if "mount" in names:
        _mount_private(folder, megabytes, has_processes="pid" in names)


def leave(folder: str) -> None:
    """Uncover the folder below the private file system, so that it can be removed."""
    with suppress(OSError):
        _call("umount2", os.fsencode(folder), _DETACH)


def renounce() -> None:
    """Give up all capabilities of this process permanently, including those that an executed program could bring.

    Without them a player cannot undo the mounts, nor trace its supervisor, which has more rights than the player.
    """
    for capability in range(_CAPABILITIES):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0):
            break  # there are no more
    _libc.prctl(_PR_CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    _call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header, nothing = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    _call("capset", header, nothing)


def _call(name: str, *arguments: object) -> None:
    """Call a function of the C library; raise OSError if it fails."""
    if getattr(_libc, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _map_ids(user: int, group: int) -> None:
    """Keep the ids of the user and the group; all others are unknown in the user namespace."""
    with suppress(FileNotFoundError):
        Path("/proc/self/setgroups").write_text("deny", "ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", "ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", "ascii")


def _fork_first_process() -> None:
    """Return in a child, the first process of the pid namespace, which is killed when its parent ends."""
    child = os.fork()
    if child:
        _exit_like(child)
    _call("prctl", _PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def _exit_like(child: int) -> NoReturn:
    """Close all descriptors, wait for a child, and exit in the same way; continue a child that others have stopped."""
    os.closerange(0, _DESCRIPTORS)  # whoever reads from a pipe of the child must notice when the child ends
    while os.WIFSTOPPED(status := os.waitpid(child, os.WUNTRACED)[1]):
        os.kill(child, signal.SIGCONT)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(max(code, 1) if code else 0)


def _mount_private(folder: str, megabytes: int, *, has_processes: bool) -> None:
    """Mount private file systems, none of which is visible outside."""
    _call("mount", None, b"/", None, _REC | _PRIVATE, None)
    if has_processes:
        _call("mount", b"proc", b"/proc", b"proc", _NOSUID | _NODEV | _NOEXEC, None)
    places = {folder: "0700", **({SHARED: "1777"} if Path(SHARED).is_dir() else {})}
    for place, mode in places.items():
        data = f"mode={mode},size={megabytes}m".encode()
        _call("mount", b"tmpfs", os.fsencode(place), b"tmpfs", _NOSUID | _NODEV, data)


def is_possible(names: tuple[str, ...]) -> bool:
    """Try these namespaces in a child process."""
    child = os.fork()
    if not child:
        code = 1
        try:
            enter(names, gettempdir(), 1)
            renounce()
            code = int(Path("/proc/self").readlink().name != str(os.getpid()))
        finally:
            os._exit(code)  # whatever the error is: it is a refusal
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def main() -> None:
    """Print the best combination of namespaces that is possible."""
    found = next(filter(is_possible, ATTEMPTS), ())
    sys.stdout.write(f"{' '.join(found)}\n")


if __name__ == "__main__":
    main()
