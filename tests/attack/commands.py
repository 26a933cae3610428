"""Hostile input to the commands: numbers that are none or too large, folders, binary files, texts of any kind.

    python -m tests.attack.commands FILE        run the command lines of a JSON file; a line of JSON for each

The options come from the help texts, as a user sees them. Each hostile command line must end with an exit code that the
help names, in a bounded time and memory, without a traceback; bad input with one line for each wrong argument.
"""

from __future__ import annotations

import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.attack.battery import BOARD, environment
from tests.attack.verdict import Problem, Verdict

COUNT = 300
"""The number of command lines of a run."""
CPU_SECONDS, WALL_SECONDS, MEGABYTES = 60, 600, 2000
"""Limits of a command line, and of the process that runs many of them."""
LONGEST = 1000
"""The number of characters of an error message, at most: it must not quote a huge value whole."""
MOST_LINES = 3
"""The number of errors that a command line may have: one for each of its files."""
CODES = (0, 1, 2, 3)
GIVEN = "1..4 34.. 21.3 43.1"
"""A puzzle as an argument, which is valued at once."""
COMMANDS: Mapping[str, Sequence[str]] = {
    "solve": [GIVEN],
    "check": [GIVEN],
    "hint": [GIVEN],
    "explain": [GIVEN],
    "show": [GIVEN],
    "convert": [GIVEN, "--to", "line"],
    "generate": ["--shape", "2x2", "--seed", "1"],
    "solvers": [],
    "moves": [GIVEN],
    "value": [GIVEN, "--time-limit", "1"],
    "play": ["greedy", "random", "--boards", "board.txt", "--time", "0.2"],
    "match": ["greedy", "random", "--boards", "board.txt", "--time", "0.2", "--games", "2"],
    "tournament": ["greedy", "random", "--boards", "board.txt", "--time", "0.2", "--games", "2"],
    "results": ["games.db"],
    "replay": ["game.json"],
    "analyse": ["game.json", "--time-limit", "0.1"],
}
"""The commands, each with arguments with which it is done at once."""
ENDLESS = {("generate", "--count"), ("match", "--games"), ("tournament", "--games"), ("tournament", "--rounds")}
"""Options with which a command may rightly take for ever."""
OTHERS = ("train", "bench", "warm-up", "serve")
"""Commands that take long if their arguments are right; they get only wrong ones."""
NUMBERS = (
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1",
    "0",
    "-0",
    "1e-300",
    "9" * 5000,
    "2" * 30,
    "0x10",
    "1_000",
    "٣",
    "1.5.2",
)
TEXTS = (
    "",
    " ",
    "-",
    "--",
    "%s%n",
    "\u202e",
    "\ud800",
    "a\nb",
    "é" * 3000,
    "?",
    "x?y=z",
    "[" * 3000,
    "{}",
    "*",
    ",",
    "=",
)
FILES = ("folder", "binary", "empty", "huge.txt", "missing/file", "locked")
PARTS = (NUMBERS, TEXTS, FILES)
DEVICES = ("/dev/zero", "/dev/null", "/dev/urandom")
"""What only an argument may be that is read: an output would be written to it."""


def command_lines(random: Random, helps: Mapping[str, str], count: int) -> list[list[str]]:
    """Return hostile command lines, from the help texts of the commands."""
    found = []
    while len(found) < count:
        if random.random() < 0.05:
            found.append([random.choice(OTHERS), random.choice(("nan", "9" * 5000, "\ud800", "a\nb", "--x=1"))])
            continue
        name = random.choice(sorted(COMMANDS))
        line = [name, *COMMANDS[name]]
        options = sorted(set(re.findall(r"^  (--[a-z-]+)", helps[name], re.MULTILINE)) - {"--help", "--scheduler"})
        for _ in range(random.choice((1, 1, 1, 2))):
            value = random.choice(random.choice(PARTS))
            if options and random.random() < 0.7:
                option = random.choice(options)
                if (name, option) not in ENDLESS:
                    line += [f"{option}={value}"] if random.random() < 0.5 else [option, value]
            elif len(line) > 1:
                line[1] = random.choice((value, value, random.choice(DEVICES)))
            else:
                line.append(value)
        found.append(line)
    return found


def prepare(place: Path) -> None:
    """Write the files that the command lines name."""
    (place / "board.txt").write_text(BOARD)
    (place / "folder").mkdir()
    (place / "binary").write_bytes(Random(0).randbytes(5000))
    (place / "empty").touch()
    (place / "locked").touch(mode=0)
    with (place / "huge.txt").open("wb") as file:
        file.write(b"5" * 20_000_000)
    for arguments in (
        ["play", "greedy", "random", "--boards", "board.txt", "--seed", "1", "--record", "game.json"],
        ["match", "greedy", "random", "--boards", "board.txt", "--games", "2", "--store", "games.db"],
    ):
        _command(arguments, place)


def _command(arguments: Sequence[str], place: Path) -> str:
    """The output of a command that must succeed."""
    command = [sys.executable, "-m", "csp_sudoku", *arguments]
    environ = environment(place, "csp-attack-0000000")
    return subprocess.run(command, cwd=place, env=environ, capture_output=True, text=True, check=True).stdout


def verdict(seed: int, count: int = COUNT) -> Verdict:
    """Run hostile command lines, and judge what comes of them."""
    random = Random(f"commands {seed}")
    problems: list[Problem] = []
    codes = []
    with TemporaryDirectory(prefix="csp-attack-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        prepare(place)
        helps = {name: _command([name, "--help"], place) for name in COMMANDS}
        waiting = command_lines(random, helps, count)
        while waiting:
            answers = _answers(waiting, place)
            codes += [answer["code"] for answer in answers]
            problems += [
                problem for line, answer in zip(waiting, answers, strict=False) for problem in wrong(line, answer)
            ]
            if len(answers) < len(waiting):
                problems.append(Problem("command", f"{_shown(waiting[len(answers)])}: it ended or blocked the process"))
            waiting = waiting[len(answers) + 1 :]
    found = ", ".join(f"exit code {code}: {codes.count(code)}" for code in sorted(set(codes)))
    return Verdict("commands", count, "a result or one line", found, tuple(problems[:10]))


def wrong(line: Sequence[str], answer: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with what came of a command line."""
    err = answer["err"]
    if answer["code"] not in CODES:
        return [Problem("command", f"{_shown(line)}: exit code {answer['code']}: {err[-300:]!r}")]
    if "Traceback" in err:
        return [Problem("command", f"{_shown(line)}: a traceback: {err[-300:]!r}")]
    if answer["code"] == 2:
        said = [part for part in err.splitlines() if part.startswith("csp-sudoku: ")]
        if not 1 <= len(said) <= MOST_LINES or not err.splitlines()[-1].startswith("csp-sudoku: "):
            return [Problem("command", f"{_shown(line)}: {len(said)} error lines: {err[-300:]!r}")]
        longest = max(said, key=len)
        if len(longest) > LONGEST:
            return [Problem("command", f"{_shown(line)}: an error of {len(longest)} characters: {longest[:100]!r}")]
    return []


def _shown(line: Sequence[str]) -> str:
    return " ".join(ascii(word) if len(word) < 60 else f"{word[:20]!a}…({len(word)})" for word in line)


def _answers(lines: Sequence[Sequence[str]], place: Path) -> list[dict[str, Any]]:
    """Run command lines in a process, as far as it comes; what came of them."""
    (place / "lines.json").write_text(json.dumps(lines))
    command = [sys.executable, "-m", "tests.attack.commands", "lines.json"]
    environ = environment(place, "csp-attack-0000000")
    with subprocess.Popen(command, cwd=place, env=environ, stdin=-3, stdout=-1, stderr=-3, text=True) as process:
        try:
            out, _ = process.communicate(timeout=WALL_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            out, _ = process.communicate()
    return [json.loads(line) for line in out.splitlines() if line.startswith('{"code"') and line.endswith("}")]


def main() -> None:
    """Run the command lines of a file; a process that takes too much CPU time for one of them is ended."""
    from csp_sudoku.cli.main import execute

    resource.setrlimit(resource.RLIMIT_DATA, (MEGABYTES << 20, MEGABYTES << 20))
    report = os.fdopen(os.dup(1), "w")
    for line in json.loads(Path(sys.argv[1]).read_text()):
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        out, err = io.StringIO(), io.StringIO()
        sys.stdin = io.TextIOWrapper(io.BytesIO())
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code: object = execute(line)
            except BaseException:  # noqa: BLE001 - this is what is looked for
                code = "raised"
                traceback.print_exc()
        report.write(json.dumps({"code": code, "err": err.getvalue()[-5000:]}) + "\n")
        report.flush()


if __name__ == "__main__":
    main()
