"""A command under observation: its processes, memory, files and shared memory, from /proc and nothing of the product.

This process adopts the orphans of the command (it is a subreaper), so whatever outlives the command is its descendant,
whatever parent, session or environment it has given up.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
PAUSE = 0.1
"""Seconds between two looks at a command."""
PATIENCE = 15.0
"""Seconds in which the processes of a command that was killed must be gone."""
SEGMENTS = {"shm": "-m", "sem": "-s", "msg": "-q"}
"""The kinds of System V objects in /proc/sysvipc, and the options of ipcrm that remove them."""


@dataclass
class Seen:
    """The observations of a command."""

    code: int | None = None
    """The exit code; None if the command had to be killed."""
    out: str = ""
    err: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0
    """The largest resident memory of the command itself."""
    descriptors: int = 0
    """The largest number of descriptors of the command itself."""
    processes: list[str] = field(default_factory=list)
    """The command lines of the processes that were left."""
    files: list[str] = field(default_factory=list)
    """The files that were left in the folder for temporary files."""
    shared: list[str] = field(default_factory=list)
    """The shared memory with the token of the attack that was left."""


def become_subreaper() -> None:
    """Adopt all orphans below this process from now on."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat after the name: state, parent …; None if there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()
    except OSError:
        return None


def family(root: int) -> dict[int, str]:
    """The living descendants of a process, with their states."""
    about = {int(name): found for name in _names("/proc") if name.isdecimal() and (found := stat(int(name)))}
    found: dict[int, str] = {}
    waiting = [root]
    while waiting:
        parent = waiting.pop()
        for pid, fields in about.items():
            if int(fields[1]) == parent and pid not in found:
                waiting.append(pid)
                if fields[0] not in "ZX":
                    found[pid] = fields[0]
    return found


def status(pid: int, name: str) -> float:
    """A number of megabytes from /proc/PID/status, such as VmHWM; 0 if it is missing."""
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _names(folder: str) -> list[str]:
    """The names in a folder."""
    return [path.name for path in Path(folder).iterdir()]


def descriptors(pid: int) -> int:
    """The number of open descriptors of a process."""
    with suppress(OSError):
        return len(_names(f"/proc/{pid}/fd"))
    return 0


def command_line(pid: int) -> str:
    """The command line of a process, on one line."""
    with suppress(OSError):
        return " ".join(Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")).strip()
    return ""


def program(root: int, words: str) -> int:
    """The first of a process and its descendants with these words in its command line; else the process itself."""
    return next((pid for pid in (root, *sorted(family(root))) if words in command_line(pid)), root)


def observe(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    *,
    token: str,
    limit: float,
    kill_after: float | None = None,
    on_look: Callable[[], object] = lambda: None,
) -> Seen:
    """Run a command, for `limit` seconds at most, or kill it after `kill_after` seconds, and look at what it leaves.

    `on_look` is called at each look at the command. `folder` has its output and its folder for temporary files.
    """
    before = set(family(os.getpid()))
    seen, started, is_cut_off = Seen(), time.monotonic(), False
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=dict(environment))
        main = 0
        while process.poll() is None:
            spent = time.monotonic() - started
            if kill_after is not None and spent > kill_after:
                process.kill()
                break
            if spent > limit:
                is_cut_off = True
                end(set(family(os.getpid())) - before)
                break
            main = main or (process.pid if spent > 0.5 else 0)
            if main == process.pid and "csp_sudoku" not in command_line(main):
                main = program(process.pid, "-m csp_sudoku ")
            seen.megabytes = max(seen.megabytes, status(main, "VmHWM"))
            seen.descriptors = max(seen.descriptors, descriptors(main))
            on_look()
            time.sleep(PAUSE)
        code = process.wait()
    seen.code = None if is_cut_off else code
    seen.seconds = time.monotonic() - started
    seen.out, seen.err = ((folder / name).read_text("utf-8", "replace") for name in ("out", "err"))
    seen.processes = left(before)
    seen.files = sorted(str(path.relative_to(folder)) for path in (folder / "temporary").iterdir())
    seen.shared = shared(token)
    return seen


def left(before: set[int]) -> list[str]:
    """The command lines of our descendants that do not end by themselves; they are ended."""
    until = time.monotonic() + PATIENCE
    while True:
        _reap()
        found = set(family(os.getpid())) - before
        if not found or time.monotonic() > until:
            break
        time.sleep(0.02)
    lines = [command_line(pid) or str(pid) for pid in sorted(found)]
    end(found)
    return lines


def end(pids: set[int]) -> None:
    """Kill our descendants, and their descendants."""
    for _ in range(100):
        living = {pid for pid in pids if (found := stat(pid)) and found[0] not in "ZX"}
        for pid in living | {below for one in living for below in family(one)}:
            if pid in family(os.getpid()):
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        if not living:
            return
        time.sleep(0.02)


def _reap() -> None:
    """Reap the orphans that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def shared(token: str) -> list[str]:
    """The files in /dev/shm and the System V objects that have the token of an attack."""
    found = []
    with suppress(OSError):
        found += [f"/dev/shm/{name}" for name in _names("/dev/shm") if name.startswith(token)]
    key = int(token[-7:], 16)
    for kind in SEGMENTS:
        with suppress(OSError):
            rows = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
            found += [f"{kind} {row.split()[1]}" for row in rows if int(row.split()[0]) == key]
    return found


def remove_shared(found: Sequence[str]) -> None:
    """Remove the objects that `shared` has found."""
    for one in found:
        kind, _, number = one.partition(" ")
        if kind in SEGMENTS:
            subprocess.run(["ipcrm", SEGMENTS[kind], number], check=False, capture_output=True)
        else:
            Path(one).unlink(missing_ok=True)
