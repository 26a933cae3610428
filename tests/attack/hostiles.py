"""The base class of hostile agents, and the honest agent.

A hostile agent proposes a move that does not lose, and attacks before or after that. The honest agent records its
observations: whether processes of its opponent run in its turn, the length of its opponent's turns, and whether its
memory is unchanged.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import ClassVar

from csp_sudoku.agent import Agent

FOLDER = "CSP_ATTACK_FOLDER"
"""The environment variable with the folder of an attack; the players' own folders are in `temporary` there."""
TOKEN = "CSP_ATTACK_TOKEN"
"""The environment variable with the name of everything that an agent leaves where others leave things, too."""
NAMESPACE = "CSP_ATTACK_PID_NAMESPACE"
"""The environment variable with the pid namespace of the attack, in which no agent may signal all processes."""
LONG = 600
"""Seconds that a process lives that is to outlive its turn; it ends by itself in the end."""

PLAYS, LOSES, EITHER = "plays on", "loses", "plays on or loses"
"""The expectation: the moves of a harmless agent, or that the hostile agent loses."""

HOSTILES: dict[str, type[Hostile]] = {}


class Hostile(Agent):
    """A hostile agent; its subclasses are found by their names in lower case, with hyphens."""

    expected: ClassVar[str] = PLAYS
    is_endless: ClassVar[bool] = False
    """Whether its turns last until their deadline."""
    needs_walls: ClassVar[bool] = False
    """Whether it may run only in a pid namespace that the attack makes around the whole arena."""
    options: ClassVar[tuple[str, ...]] = ()
    """Options of the command."""
    slack: ClassVar[float] = 0.0
    """Seconds by which its turns may last longer, because it disturbs the processes that keep the clock."""
    harms: ClassVar[frozenset[str]] = frozenset()
    """The harm that it is known to do: `files` left elsewhere, and unless it is isolated, a `loss` of its opponent, use
    of its opponent's `time`, and `shared` memory left.
    """

    def __init_subclass__(cls) -> None:
        HOSTILES[re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()] = cls

    def __init__(self, rng, **options):
        super().__init__(rng, **options)
        self.make()

    @staticmethod
    def prepare(folder: Path) -> None:
        """Put something into the agent's own folder."""

    def make(self):
        """Do something when the agent is made."""

    def before(self, state):
        """Do something before the proposal."""

    def after(self, state):
        """Do something after the proposal."""

    def proposals(self, state):
        self.before(state)
        yield good(state)
        self.after(state)


class Harmless(Hostile):
    """Does nothing else: how the games of the others would go."""


def good(state):
    """A move that does not lose, the same each time."""
    return state.moves()[0]


class Honest(Agent):
    """Plays like the harmless agent, remembers its turns, and records its observations."""

    turns = 0

    def proposals(self, state):
        begun = time.monotonic()
        expected = len(state.history) // 2
        yield good(state)
        running = [one for one in _opponents() if one in _opponents()]
        seen = {"game": str(Path.cwd()), "begun": begun, "running": running}
        seen["memory"] = self.turns == expected
        seen["ended"] = time.monotonic()
        self.turns = expected + 1
        with (Path(os.environ[FOLDER]) / "seen.jsonl").open("a") as file:
            file.write(json.dumps(seen) + "\n")

    def save(self):
        return {"turns": self.turns}

    def load(self, saved):
        self.turns = saved["turns"] if isinstance(saved, dict) else -1


def _opponents() -> list[str]:
    """The processes of other players that run now, or wait for something else than to be woken."""
    return [f"{pid} {about[0]}" for pid, about in others() if about[0] in "RSD"]


def others():
    """Yield the processes in other players' working folders: their ids, and their states and so on from /proc."""
    here, players = Path.cwd(), Path(os.environ[FOLDER]) / "temporary"
    time.sleep(0.002)
    for process in processes():
        try:
            place = Path(f"/proc/{process}/cwd").readlink()
            about = Path(f"/proc/{process}/stat").read_text("latin-1").rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if place.parent == players and place != here:
            yield process, about


def proposer():
    """The method of the proposal buffer that takes proposals, from a frame of the framework."""
    frame = sys._getframe()
    while frame is not None:
        if "propose" in frame.f_locals:
            return frame.f_locals["propose"]
        frame = frame.f_back
    raise LookupError


def processes() -> list[int]:
    """The ids of all processes but this one."""
    return [
        int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal() and int(path.name) != os.getpid()
    ]


def above() -> list[int]:
    """The ids of this process and those above it that belong to the arena's fork server, which comes last."""
    found, pid = [], os.getpid()
    while pid > 0:
        try:
            if b"csp_sudoku.sandbox.fork_server" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                break
            found.append(pid)
            pid = int(Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()[1])
        except OSError:
            break
    return found


def detach(*, program: list[str] | None = None) -> None:
    """Start a process that has left its parent, session, descriptors and, with a program, its environment."""
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(0, 1 << 12)
    if program is not None:
        os.execve(program[0], program, {})
    time.sleep(LONG)
    os._exit(0)


def sleeper() -> list[str]:
    """A program that sleeps."""
    return [sys.executable, "-S", "-c", f"import time; time.sleep({LONG})"]
