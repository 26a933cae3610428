"""The cache of compiled kernels: empty, filled, damaged, and on a full disk. A board is solved in each case."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attack.battery import environment
from tests.attack.verdict import Problem, Verdict

PUZZLE = "1..4 34.. 21.3 43.1"
LINE = "1234341221434321"
LIMIT = 900.0
"""Seconds for a command that compiles, on a busy machine."""
BUSY = "while True: pass"


def verdict(_: int) -> Verdict:
    """Solve a board with a cache in each state; the answer is the same, and each fault is one line at most."""
    problems: list[Problem] = []
    with TemporaryDirectory(prefix="csp-attack-") as folder:
        place = Path(folder)
        kernels = place / "kernels"
        states = ["empty", "filled"]
        problems += _solved(place, kernels, "empty", compiles=True)
        busy = [subprocess.Popen([sys.executable, "-S", "-c", BUSY]) for _ in range(2 * (os.cpu_count() or 1))]
        try:
            problems += _solved(place, kernels, "filled", compiles=False)
        finally:
            for process in busy:
                process.kill()
                process.wait()
        for name, cut in (("an index that is cut off", ("*.nbi", 100)), ("a kernel without bytes", ("*.nbc", 0))):
            paths = sorted(kernels.rglob(cut[0]))
            if not paths:
                problems.append(Problem("cache", f"there is no {cut[0]} in the cache"))
            for path in paths:
                os.truncate(path, cut[1])
            states.append(name)
            problems += _solved(place, kernels, name, compiles=True, fewest=1, most=len(paths))
        if full_disk() is not None:
            states.append("a full disk")
            (place / "full").mkdir()
            problems += _solved(place, place / "full", "a full disk", compiles=True, fewest=1, around=full_disk())
    return Verdict(
        "caches", len(states), "the solution", f"solved with a cache that is: {', '.join(states)}", (*problems,)
    )


@cache
def full_disk() -> str | None:
    """The words before a shell command that run it where a folder `$0` is a disk that is full; None if impossible."""
    program = shutil.which("unshare")
    if program is None:
        return None
    user = "" if os.getuid() == 0 else "--user --map-root-user"
    words = f'{program} {user} --mount -- sh -c \'mount -t tmpfs -o size=64k none "$0" && exec "$@"\''
    with TemporaryDirectory() as folder:
        done = subprocess.run([*shlex.split(words), folder, "true"], capture_output=True, check=False)
    return words if done.returncode == 0 else None


def _solved(
    place: Path, kernels: Path, name: str, *, compiles: bool, fewest: int = 0, most: int = 0, around: str | None = None
) -> list[Problem]:
    """Solve the puzzle with the kernels of a folder; what is wrong with that.

    It may say that it compiles only if it `compiles`, and beside that a number of lines from `fewest` to `most`.
    """
    before = [] if around is None else [*shlex.split(around), str(kernels)]
    command = [*before, sys.executable, "-m", "csp_sudoku", "solve", "--to", "line", "--solver", "backtracking", PUZZLE]
    environ = environment(place, "csp-attack-0000000") | {"CSP_SUDOKU_CACHE": str(kernels)}
    try:
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return [Problem("cache", f"{name}: no answer within {LIMIT:.0f} s")]
    found = []
    if (done.returncode, done.stdout.strip()) != (0, LINE):
        found.append(Problem("cache", f"{name}: exit code {done.returncode}: {done.stdout!r} {done.stderr[-300:]!r}"))
    if "Traceback" in done.stderr:
        found.append(Problem("cache", f"{name}: a traceback: {done.stderr[-300:]!r}"))
    said = done.stderr.splitlines()
    faults = [line for line in said if "compiling the kernel" not in line]
    if not compiles:
        found += [Problem("cache", f"{name}: it says what is not so: {line!r}") for line in said[:1]]
    elif not fewest <= len(faults) <= max(fewest, most):
        found.append(Problem("cache", f"{name}: {len(faults)} lines on the fault: {faults[:3]}"))
    return found
