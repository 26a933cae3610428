"""Damaged inputs: boards and records, by the cases of `tests.fuzz`, and stores, by bytes and by rows.

`python -m tests.attack.inputs FOLDER` reports on each store of a folder, with the command line in this process, and
prints a line of JSON with the outcome for each.
"""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.attack.battery import AMPLE, environment, play
from tests.attack.verdict import Problem, Verdict

FLOOD_MEGABYTES, FLOOD_SECONDS = 400, 15
"""Bounds of the memory and of the CPU time in which an endless or a very large record is refused."""
READERS, STORES = 300, 60
"""The number of damaged texts, and of damaged stores."""
MEGABYTES, CPU_SECONDS = 1000, 120
"""Limits of the process that reads the stores."""
COLUMNS = (
    *("number", "key", "first", "second", "board", "seconds", "score"),
    *("points_first", "points_second", "skips_first", "skips_second", "record"),
)
VALUES: tuple[Any, ...] = (
    *(None, -1, 0, 1, 7.5, -99, 2**62, 1e308, float("inf"), "", "text", "{}", "[]", "null", b"\xff\x00", "é\ud7ff"),
    *('{"mode": "classic"}', "[" * 100_000, '{"a":' * 50_000, "9" * 6000, "1e999", "NaN", '"\\ud800"'),
)


def readers(seed: int) -> Verdict:
    """Damaged boards and records to all readers: the cases of the fuzzer, whose checks are independent."""
    command = [sys.executable, "-m", "tests.fuzz", "--only", "files", "--cases", str(READERS), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    problems = [Problem("reader", line) for line in failed[:3]]
    if done.returncode and not failed:
        problems.append(Problem("reader", f"exit code {done.returncode}: {done.stderr[-200:]}"))
    return Verdict(
        "readers", READERS, "an answer or one line", f"{READERS} texts, {len(failed)} failed", tuple(problems)
    )


def floods(seed: int) -> Verdict:
    """Records that never end, or that would take far more memory than their text: refused while they are read."""
    random, problems, largest = Random(f"floods {seed}"), [], 0.0
    texts = {
        "digits": (b"7" * (1 << 20), 200),
        "lists": (b'{"turns":[' + b"[]," * 300_000, 70),
        "keys": (b"{" + b"".join(b'"%d":1,' % number for number in range(100_000)), 60),
        "zeros": (bytes(1 << 20), 200),
        "a key twice": (b"{" + b"".join(b'"%d":1,' % (number % 59_999) for number in range(60_000)) + b'"end":1}', 1),
    }
    for name, (piece, count) in random.sample(sorted(texts.items()), len(texts)):
        code, err, megabytes, seconds = _fed([sys.executable, "-m", "csp_sudoku", "replay", "-"], piece, count)
        largest = max(largest, megabytes)
        if code != 2 or len(err.splitlines()) != 1 or not err.startswith("csp-sudoku: "):
            problems.append(Problem("reader", f"{name}: exit code {code}: {err[-200:]!r}"))
        if megabytes > FLOOD_MEGABYTES:
            problems.append(Problem("memory", f"{name}: {megabytes:.0f} MB"))
        if seconds > FLOOD_SECONDS:
            problems.append(Problem("time", f"{name}: {seconds:.0f} s of CPU"))
    return Verdict("floods", len(texts), "one line, little memory", f"at most {largest:.0f} MB", tuple(problems))


def _fed(command: list[str], piece: bytes, count: int) -> tuple[int, str, float, float]:
    """Write bytes to a command until it ends; its exit code, standard error, largest memory in MB, and CPU seconds."""
    with subprocess.Popen(command, stdin=-1, stdout=subprocess.DEVNULL, stderr=-1) as process:
        with suppress(BrokenPipeError):
            for _ in range(count):
                process.stdin.write(piece)
            process.stdin.close()
        err = process.stderr.read().decode("utf-8", "replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, err, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def stores(seed: int) -> Verdict:
    """Damaged stores: a report on all games, or one line."""
    random, problems = Random(f"stores {seed}"), []
    with TemporaryDirectory(prefix="csp-attack-") as folder:
        place = Path(folder)
        play("crashes-late", "forked", place, seconds=AMPLE, seed=seed)
        damaged = place / "damaged"
        damaged.mkdir()
        for number in range(STORES):
            path = damaged / f"{number:04}.db"
            shutil.copy(place / "games.db", path)
            random.choice((_damage_bytes, _damage_rows, _damage_rows))(path, random)
        rows = {path.name: _rows(path) for path in damaged.iterdir()}
        command = [sys.executable, "-m", "tests.attack.inputs", str(damaged)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment(place, "csp-attack-0000000")
        )
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    for answer in answers:
        problems += _wrong(answer, rows[answer["file"]])
    if len(answers) < STORES:
        last = done.stderr.strip().splitlines()[-1:]
        problems.append(Problem("store", f"the store {len(answers)} ended the program: {done.returncode} {last}"))
    refused = sum(answer["code"] == 2 for answer in answers)
    found = f"{len(answers) - refused} reported, {refused} refused"
    return Verdict("stores", STORES, "a report or one line", found, tuple(problems[:5]))


def _wrong(answer: dict[str, Any], rows: int | None) -> list[Problem]:
    """The faults in the outcome of a damaged store with so many rows, as far as they can be known."""
    name, code, lines = answer["file"], answer["code"], answer["err"].splitlines()
    if code == 2:
        is_line = len(lines) == 1 and lines[0].startswith("csp-sudoku: ") and len(lines[0]) < 600
        return [] if is_line else [Problem("store", f"{name}: no single line: {answer['err'][:200]!r}")]
    if code != 0:
        return [Problem("store", f"{name}: exit code {code}: {answer['err'][-200:]!r}")]
    try:
        games = json.loads(answer["out"])["games"]
    except (ValueError, KeyError, TypeError) as error:
        return [Problem("store", f"{name}: no report: {error!r}")]
    return [] if rows in (None, games) else [Problem("store", f"{name}: a report on {games} games, not {rows}")]


def _rows(path: Path) -> int | None:
    """The number of rows of a store; None if SQLite cannot tell."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchone() == ("ok",):
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    return None


def _damage_bytes(path: Path, random: Random) -> None:
    """Flip, cut, double or overwrite bytes of a file."""
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 1, 3, 20))):
        start = random.randrange(len(data) or 1)
        length = random.choice((1, 4, 100, 4096))
        match random.randrange(5):
            case 0:
                data[start : start + 1] = bytes([random.randrange(256)])
            case 1:
                data[start : start + length] = bytes(length)
            case 2:
                data[start : start + length] = random.randbytes(length)
            case 3:
                del data[start : start + length]
            case 4 if random.random() < 0.3:
                del data[start:]
    path.write_bytes(bytes(data))


def _damage_rows(path: Path, random: Random) -> None:
    """Put values of any type into the rows, or remove or double them; the table is not strict afterwards."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        run = connection.execute
        run("CREATE TABLE free AS SELECT * FROM games")
        run("DROP TABLE games")
        run("ALTER TABLE free RENAME TO games")
        for _ in range(random.choice((1, 1, 2, 5))):
            column, value = random.choice(COLUMNS), random.choice(VALUES)
            if column == "record" and random.random() < 0.6:
                value = _damaged_text(run("SELECT record FROM games").fetchone()[0], random)
            with suppress(sqlite3.Error, UnicodeEncodeError):
                run(f"UPDATE games SET {column} = ? WHERE rowid = ?", (value, random.choice((1, 2))))
        if random.random() < 0.1:
            run("INSERT INTO games SELECT * FROM games")
        if random.random() < 0.05:
            run(f"PRAGMA user_version = {random.choice((0, 2, -1))}")
        run("PRAGMA wal_checkpoint(TRUNCATE)")


def _damaged_text(text: Any, random: Random) -> str:
    """A record with characters removed, doubled or replaced."""
    found = list(str(text))
    for _ in range(random.choice((1, 3, 10))):
        start = random.randrange(len(found) or 1)
        found[start : start + random.choice((0, 1, 1, 20))] = random.choice(
            ("", "0", "-", '"', "9" * 5000, "]", "null")
        )
    return "".join(found)


def main() -> None:
    """Report on each store of a folder."""
    from csp_sudoku.cli.main import execute

    resource.setrlimit(resource.RLIMIT_DATA, (MEGABYTES << 20, MEGABYTES << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    for path in sorted(Path(sys.argv[1]).glob("*.db")):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = execute(["results", str(path), "--json"])
        answer = {"file": path.name, "code": code, "out": out.getvalue(), "err": err.getvalue()}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
