"""Mutation testing: `python -m tests.mutation [geometry rules referee state store statistics]`.

It needs cosmic-ray besides what the tests need (`pip install cosmic-ray`), a system that can fork, and a few minutes
per module. Nothing in the working tree is changed: the tree is copied to a temporary folder, and each mutant is written
there and met with the tests of its module. A mutant that the tests pass has **survived**: it is a hole in the tests
unless `equivalents.txt` says why it does the same as the original. The exit code is 1 if there is a hole.

    python -m tests.mutation store --output survivors.txt     # what survives, as lines of equivalents.txt
    python -m tests.mutation store --only survivors.txt       # try these again, after the tests were made better
"""

from __future__ import annotations

import argparse
import compileall
import gc
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.util import cache_from_source
from pathlib import Path

from tests.mutation.equivalents import read_entries, write_entry
from tests.mutation.mutants import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
EQUIVALENTS = Path(__file__).with_name("equivalents.txt")

TARGETS = {
    "geometry": ("csp_sudoku/geometry.py", "tests/test_geometry.py", "tests/test_board.py"),
    "rules": ("csp_sudoku/game/rules.py", "tests/game/test_rules.py", "tests/game/test_state.py"),
    "referee": ("csp_sudoku/game/referee.py", "tests/game/test_referee.py"),
    "state": ("csp_sudoku/game/state.py", "tests/game/test_state.py"),
    "store": ("csp_sudoku/arena/store.py", "tests/arena/test_store.py", "tests/arena/test_store_faults.py"),
    "statistics": ("csp_sudoku/arena/statistics.py", "tests/arena/test_statistics.py"),
}
"""For each name, the module and the tests that are to kill its mutants; its doctests are among them."""

PRELOADED = ("hypothesis", "networkx", "numba", "numpy", "ortools.sat.python.cp_model", "pytest", "xdist")
"""Packages that are imported once, before the first fork."""


QUIET = "ignore::pytest.PytestAssertRewriteWarning"
"""The warning that a plugin was imported before pytest began."""


class Ground:
    """A copy of the tree, in which mutants are tried one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        for name in filter(None, subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)
        compileall.compile_dir(folder, quiet=2)
        for name in PRELOADED:
            importlib.import_module(name)
        gc.freeze()  # or pytest's collections of garbage would take half of the time of each mutant

    def survives(self, mutant: Mutant, tests: tuple[str, ...], timeout: float) -> bool:
        """Whether the tests pass with this mutant instead of its module."""
        path = self.folder / mutant.module
        original = path.read_text()
        path.write_text(mutant.source)
        Path(cache_from_source(str(path))).unlink(missing_ok=True)
        try:
            return self.passes(tests, timeout)
        finally:
            path.write_text(original)

    def passes(self, tests: tuple[str, ...], timeout: float) -> bool:
        """Whether the tests pass within so many seconds, in a process forked from this one."""
        pid = os.fork()
        if pid == 0:
            os._exit(self._run(tests))
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return status == 0
            time.sleep(0.01)
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return False

    def _run(self, tests: tuple[str, ...]) -> int:
        """The exit code of pytest, in this process, which sees the copy of the tree only."""
        os.setpgid(0, 0)
        os.chdir(self.folder)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        for name in [name for name in sys.modules if name.partition(".")[0] in {"tests", "csp_sudoku"}]:
            del sys.modules[name]
        sys.path[:] = [str(self.folder), *(place for place in sys.path if place and Path(place) != ROOT)]
        sys.dont_write_bytecode = True
        os.environ |= {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        import pytest

        return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-W", QUIET, *tests]))


def tried(name: str, ground: Ground, options: argparse.Namespace) -> tuple[int, ...]:
    """Try the mutants of a module, and report the survivors: (mutants, killed, equivalent, holes)."""
    module, *tests = TARGETS[name]
    arguments = (*tests, module)
    start = time.monotonic()
    if not ground.passes(arguments, 600):
        raise SystemExit(f"expected the tests of {name} to pass without a mutant; found that they fail")
    timeout = 10 + 5 * (time.monotonic() - start)
    known = {key: why for key, why in read_entries(EQUIVALENTS) if why}
    mutants = list(mutants_of(module, (ROOT / module).read_text()))[options.start :: options.every]
    if options.only is not None:
        again = {key for key, _ in read_entries(options.only)}
        mutants = [one for one in mutants if one.key in again]
    equivalent = holes = 0
    for number, mutant in enumerate(mutants):
        if sys.stderr.isatty():
            print(f"\r{name}: {number}/{len(mutants)}", end="", file=sys.stderr)  # noqa: T201
        if not ground.survives(mutant, arguments, timeout):
            continue
        equivalent += mutant.key in known
        if mutant.key not in known:
            holes += 1
            print(f"{module}:{mutant.line}: {mutant.operator}\n- {mutant.before}\n+ {mutant.after}", flush=True)  # noqa: T201
            if options.output is not None:
                write_entry(options.output, mutant.key)
    return len(mutants), len(mutants) - equivalent - holes, equivalent, holes


def main() -> int:
    """Try the mutants of some modules, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Mutation testing of some modules.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--only", type=Path, help="try only the mutants of this file, as --output writes it")
    parser.add_argument("--output", type=Path, help="append the mutants that survive to this file")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try a sample: one mutant of N")
    parser.add_argument("--start", type=int, default=0, metavar="K", help="the sample that begins with mutant K")
    options = parser.parse_args()
    if wrong := set(options.names) - set(TARGETS):
        parser.error(f"expected names among {', '.join(TARGETS)}; found {', '.join(sorted(wrong))}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder))
        for name in options.names or TARGETS:
            rows.append((name, *tried(name, ground, options)))
            print("{:12} {:4} mutants {:4} killed {:4} equivalent {:4} holes".format(*rows[-1]), flush=True)  # noqa: T201
    return int(any(row[-1] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
