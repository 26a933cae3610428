"""A soak: a long tournament between hostile and honest agents, and whether what it takes stays flat.

    python -m tests.attack.soak --minutes 30 --out FOLDER

The tournament runs on 2×2 with two games at a time until the time is over, and is then interrupted. Every few seconds
a row is added to `soak.csv`: the resident memory and the descriptors of the command and of its fork server, its
processes, and the temporary files. `soak.svg` and `soak.png` show the curves.

A curve is flat if the median of its last quarter is at most a tenth and a fixed allowance above the median of its
second quarter. The first quarter is warm-up. The results of the games may grow by 33 bytes each, which the allowance
for memory contains many times. The means of the first and of the last quarter are printed as well.
"""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import argparse
import csv
import os
import signal
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attack.battery import agent_folder, environment
from tests.attack.watch import become_subreaper, command_line, descriptors, end, family, left, program, status

PLAYERS = (
    *("honest", "harmless", "crashes", "crashes-late", "vanishes", "prints", "exits-late", "shares-memory"),
    *("locks-folder", "daemonises", "stops-itself", "kills-supervisor", "opens", "saves-trap", "has-fifos", "threads"),
)
"""Agents whose games are short, and of which nothing may stay."""
GAMES = 100_000
"""The number of games of each pairing: more than are ever played."""
SHARE = 0.1
ALLOWANCES = {
    "memory_mb": 8.0,
    "fork_server_mb": 8.0,
    "descriptors": 4.0,
    "fork_server_descriptors": 4.0,
    "processes": 6.0,
    "files": 6.0,
}
"""The measured quantities, and the growth that each is allowed beyond the share."""
FEWEST = 8
"""The number of rows below which nothing is said."""
Row = dict[str, float]


def growth(rows: Sequence[Row], name: str) -> tuple[float, float]:
    """The medians of the second and the last quarter of a curve."""
    quarter = len(rows) // 4
    early, late = rows[quarter : 2 * quarter], rows[-quarter:]
    return statistics.median(row[name] for row in early), statistics.median(row[name] for row in late)


def means(rows: Sequence[Row], name: str) -> tuple[float, float]:
    """The means of the first and the last quarter of a curve."""
    quarter = len(rows) // 4
    early, late = rows[:quarter], rows[-quarter:]
    return statistics.mean(row[name] for row in early), statistics.mean(row[name] for row in late)


def steep(rows: Sequence[Row]) -> list[str]:
    """The curves that are not flat, with their medians; one entry that says so if there are too few rows."""
    if len(rows) < FEWEST:
        return [f"expected at least {FEWEST} rows; found {len(rows)}"]
    found = []
    for name, allowance in ALLOWANCES.items():
        early, late = growth(rows, name)
        if late > early * (1 + SHARE) + allowance:
            found.append(f"{name} grew from {early:.1f} to {late:.1f}")
    return found


def sample(command: int, temporary: Path, seconds: float) -> Row:
    """A row: the current resources of the command."""
    server = next((pid for pid in family(command) if "csp_sudoku.sandbox.fork_server" in command_line(pid)), 0)
    return {
        "seconds": round(seconds, 1),
        "memory_mb": status(command, "VmRSS"),
        "fork_server_mb": status(server, "VmRSS"),
        "descriptors": descriptors(command),
        "fork_server_descriptors": descriptors(server),
        "processes": len(family(command)),
        "files": sum(1 for _ in temporary.iterdir()),
    }


def soak(minutes: float, interval: float, folder: Path, jobs: int = 2) -> tuple[list[Row], int, list[str]]:
    """Play a tournament for this time; return the rows, the number of games, and the faults after its end."""
    agents = [str(agent_folder(folder / "agents", name)) for name in PLAYERS]
    command = [sys.executable, "-m", "csp_sudoku", "tournament", *agents, "--boards", "empty-2x2", "--time", "0.2"]
    command += ["--games", str(GAMES), "--jobs", str(jobs), "--store", str(folder / "games.db"), "--json"]
    rows, started, before = [], time.monotonic(), set(family(os.getpid()))
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        environ = environment(folder, "csp-attack-0000000")
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environ)
        try:
            while process.poll() is None and time.monotonic() - started < 60 * minutes:
                time.sleep(interval)
                main = program(process.pid, "-m csp_sudoku ")
                rows.append(sample(main, folder / "temporary", time.monotonic() - started))
        finally:
            ended = process.poll()
            process.send_signal(signal.SIGINT)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                end(set(family(os.getpid())) - before)
    wrong = [] if ended is None else [f"the tournament ended with {ended}: {(folder / 'err').read_text()[-200:]}"]
    wrong += [f"a process is left: {line}" for line in left(before)]
    wrong += [f"a file is left: {path.name}" for path in (folder / "temporary").iterdir()]
    with closing(sqlite3.connect(folder / "games.db")) as store:
        (games,) = store.execute("SELECT count(*) FROM games").fetchone()
    return rows, games, wrong


def write(rows: Sequence[Row], path: Path) -> None:
    """Write the rows to a CSV file."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["seconds", *ALLOWANCES])
        writer.writeheader()
        writer.writerows(rows)


def draw(rows: Sequence[Row], path: Path) -> None:
    """Draw the curves, one below the other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 9))
    for axes, name in zip(figure.subplots(len(ALLOWANCES), sharex=True), ALLOWANCES, strict=True):
        axes.plot([row["seconds"] / 60 for row in rows], [row[name] for row in rows], linewidth=1)
        axes.set_ylabel(name.replace("_", "\n"), rotation=0, ha="right", va="center", fontsize=8)
        axes.set_ylim(0, 1.15 * max(1.0, *(row[name] for row in rows)))
        axes.grid(color="0.9")
    figure.axes[-1].set_xlabel("minutes")
    figure.savefig(path, bbox_inches="tight")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, write the curves, and print the verdict; the exit code is 1 if something is not flat or is left."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30, help="how long to play (default: 30)")
    parser.add_argument("--interval", type=float, default=3, help="seconds between two rows (default: 3)")
    parser.add_argument("--out", type=Path, default=Path("soak"), help="the folder of the results (default: soak)")
    asked = parser.parse_args(arguments)
    become_subreaper()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script; the tournament must obey
        signal.signal(signal.SIGINT, signal.default_int_handler)
    asked.out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="csp-soak-", ignore_cleanup_errors=True) as folder:
        rows, games, wrong = soak(asked.minutes, asked.interval, Path(folder))
    write(rows, asked.out / "soak.csv")
    if rows:
        for suffix in ("svg", "png"):
            draw(rows, asked.out / f"soak.{suffix}")
    wrong += steep(rows)
    print(f"{games} games, {len(rows)} rows")
    print(f"{'':<24} {'mean of the quarters':>21} {'median of the quarters':>23}")
    print(f"{'':<24} {'first':>10} {'last':>10} {'second':>12} {'last':>10}")
    for name in ALLOWANCES if len(rows) >= FEWEST else ():
        first, last = means(rows, name)
        early, late = growth(rows, name)
        print(f"{name:<24} {first:10.1f} {last:10.1f} {early:12.1f} {late:10.1f}")
    print("flat" if not wrong else f"FAILED: {'; '.join(wrong)}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
