"""The attacks, and a run of them: a case is a hostile agent in a setting, or another attack.

Cases can run in parallel in processes of their own, because each process inspects only its own descendants, and each
case has a folder and a token of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from random import Random
from threading import Thread

from tests.attack import caches, commands, inputs, many, resuming
from tests.attack.battery import SETTINGS, Battery, is_isolation_complete, walls
from tests.attack.registry import HOSTILES
from tests.attack.verdict import Problem, Verdict

OTHERS: dict[str, Callable[[int], Verdict]] = {
    "resuming": resuming.verdict,
    "deleting": resuming.deleting,
    "readers": inputs.readers,
    "floods": inputs.floods,
    "stores": inputs.stores,
    "commands": commands.verdict,
    "caches": caches.verdict,
    "many": many.verdict,
}
"""The attacks that are no hostile agents, by name."""
LONG = {"caches", "commands", "many"}
"""Attacks that take minutes, since kernels are compiled or there is much to be tried."""
LONG_AFTER = 5.0
"""Minutes that a run must have for the long attacks to be among its attacks."""


def all_cases() -> list[str]:
    """The names of all cases, as NAME:SETTING for the agents."""
    agents = [name for name in HOSTILES if name not in ("harmless", "saves")]
    return [f"{name}:{setting}" for name in agents for setting in _settings(name)] + list(OTHERS)


def _settings(name: str) -> list[str]:
    """The settings of an agent: those that kill all they can need isolation by the arena."""
    return [setting for setting in SETTINGS if "--isolate" in SETTINGS[setting] or not HOSTILES[name].needs_walls]


def why_not(case: str) -> str | None:
    """Why a case cannot be run on this machine; None if it can."""
    name, _, setting = case.partition(":")
    if "--isolate" in SETTINGS.get(setting, ()) and not is_isolation_complete():
        return "the kernel refuses namespaces"
    if name in HOSTILES and HOSTILES[name].needs_walls and walls() is None:
        return "a pid namespace around the arena cannot be made"
    return None


def chosen(words: Sequence[str]) -> list[str]:
    """The cases that words name: NAME:SETTING, or NAME for all settings. ValueError for an unknown name."""
    known = all_cases()
    found = []
    for word in words:
        fitting = [case for case in known if word in (case, case.partition(":")[0])]
        if not fitting:
            raise ValueError(word)
        found += fitting
    return found


def run(cases: Sequence[str], seed: int, until: float | None) -> Iterator[Verdict]:
    """Run cases in this order, until the time on the monotonic clock; None runs all. Yield their verdicts."""
    battery = Battery(seed)
    for case in cases:
        if until is not None and time.monotonic() >= until:
            return
        if (reason := why_not(case)) is not None:
            yield Verdict(case, 0, "", f"skipped: {reason}", is_skipped=True)
            continue
        name, _, setting = case.partition(":")
        try:
            yield OTHERS[name](seed) if name in OTHERS else battery.verdict(name, setting)
        except Exception as error:  # noqa: BLE001 - a row of the table, and the others go on
            yield Verdict(case, 0, "", "no verdict", (Problem("attack", f"{type(error).__name__}: {error}"),))


def run_side_by_side(cases: Sequence[str], seed: int, minutes: float | None, jobs: int) -> Iterator[Verdict]:
    """Run cases in this number of processes, each a part of them. Yield their verdicts as they come."""
    found: SimpleQueue[Verdict | None] = SimpleQueue()

    def follow(part: Sequence[str]) -> None:
        command = [sys.executable, "-m", "tests.attack", "--only", ",".join(part), "--seed", str(seed), "--lines"]
        if minutes is not None:
            command += ["--minutes", str(minutes)]
        waiting = set(part)
        with subprocess.Popen(command, stdout=-1, text=True) as process:
            for line in process.stdout or ():
                verdict = Verdict.from_object(json.loads(line))
                waiting.discard(verdict.attack)
                found.put(verdict)
        if waiting and minutes is None:
            text = f"the process ended with {process.returncode}, before {len(waiting)} attacks: {sorted(waiting)[:3]}"
            found.put(Verdict(part[0], 0, "", "no verdict", (Problem("attack", text),)))
        found.put(None)

    parts = [part for at in range(jobs) if (part := cases[at::jobs])]
    for part in parts:
        Thread(target=follow, args=(part,), daemon=True).start()
    running = len(parts)
    while running:
        verdict = found.get()
        if verdict is None:
            running -= 1
        else:
            yield verdict


def shuffled(seed: int, minutes: float | None = None) -> list[str]:
    """All cases in the order of a seed; without the long ones if there are only a few minutes."""
    is_short = minutes is not None and minutes < LONG_AFTER
    cases = [case for case in all_cases() if not (is_short and case in LONG)]
    Random(seed).shuffle(cases)
    return cases
