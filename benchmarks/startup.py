"""The cost of starting: the import, the help, the very first answer and later ones, as a Markdown table.

    python benchmarks/startup.py [--repeat R]

Every line is a process of its own, measured from its start to its end (the command line as `python -m csp_sudoku`); the
fastest of R runs counts. For "first ever" the machine code is compiled once into an empty folder (CSP_SUDOKU_CACHE);
"later" loads it from there.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from csp_sudoku.benchmarks.environment import head, versions
from csp_sudoku.benchmarks.models import warm_up
from csp_sudoku.benchmarks.tables import aligned

ROOT = str(Path(__file__).resolve().parents[1])
CLI = (sys.executable, "-m", "csp_sudoku")
SHAPES = ((3, 3), (4, 4), (5, 5))


class Cost(NamedTuple):
    """A time by the wall clock, and a CPU time, in seconds."""

    wall: float
    cpu: float

    def over(self, other: Cost) -> str:
        """Return the difference by the wall clock, as text."""
        return f"{self.wall - other.wall:.3f}"


def cost(command: Sequence[str], cache: Path | str) -> Cost:
    """Run a command once, and return its cost; `cache` is the folder of the compiled code."""
    path = os.pathsep.join(filter(None, [ROOT, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "CSP_SUDOKU_CACHE": str(cache), "PYTHONPATH": path}
    before, started = os.times(), time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    wall, after = time.perf_counter() - started, os.times()
    if done.returncode:
        raise SystemExit(f"expected `{' '.join(command)}` to succeed; found {done.stderr.decode()}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(wall, max(0.0, cpu))  # The CPU times are in ticks, so a difference may be rounded below zero.


def least(commands: Mapping[str, Sequence[str]], cache: Path | str, repeat: int) -> dict[str, Cost]:
    """Return the lowest cost of each command; the commands alternate, so that a slow minute affects all equally.

    `cache` is the folder of the compiled code, and `repeat` the number of runs of each command.
    """
    rounds = [{name: cost(command, cache) for name, command in commands.items()} for _ in range(repeat)]
    return {
        name: Cost(min(each[name].wall for each in rounds), min(each[name].cpu for each in rounds)) for name in commands
    }


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=10, metavar="R")
    repeat = max(1, parser.parse_args().repeat)
    lines = [["what", "wall, s", "CPU, s", "over", "by, s", "target, s"]]

    def line(what: str, found: Cost, over: str = "", target: str = "") -> None:
        difference = found.over(base[over]) if over else ""
        lines.append([what, f"{found.wall:.3f}", f"{found.cpu:.2f}", over, difference, target])

    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "kept")
        commands = {name: [sys.executable, "-c", name] for name in ("import numpy", "import numpy, csp_sudoku")}
        commands |= {"python": [sys.executable, "-c", "pass"], "csp-sudoku --help": [*CLI, "--help"]}
        base = least(commands, kept, repeat)
        line("python", base["python"])
        line("import numpy", base["import numpy"], "python")
        line("import numpy, csp_sudoku", base["import numpy, csp_sudoku"], "import numpy", "≤ 0.1")
        line("csp-sudoku --help", base["csp-sudoku --help"], "python", "≤ 0.1")
        for m, n in SHAPES:
            puzzle = Path(folder, f"{m}x{n}.txt")
            puzzle.write_text(" ".join(map(str, warm_up(m, n).cells)) + "\n", encoding="utf-8")
            solve = [*CLI, "solve", str(puzzle)]
            cache = Path(folder, f"cache-{m}x{n}")
            line(f"csp-sudoku solve, {m}×{n}, first ever", cost(solve, cache), target="≤ 15")
            line(f"csp-sudoku solve, {m}×{n}, later", least({"": solve}, cache, repeat)[""], target="≤ 0.5")
        solve += ["--solver", "cpsat"]
        line("csp-sudoku solve, 5×5, --solver cpsat", least({"": solve}, kept, repeat)[""])
    command = " ".join(["python", "benchmarks/startup.py", *sys.argv[1:]])
    print("\n".join([*head(command, versions()), *aligned(lines, {0, 3})]))


if __name__ == "__main__":
    main()
