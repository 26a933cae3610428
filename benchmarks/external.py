"""External programs as subjects: they read a puzzle per line, and write a solution per line.

A program is run once for all puzzles of a set, in the measuring process of the set (`isolated`). It is charged the CPU
seconds that the operating system reports at its end, including the processes that it has waited for. Its start-up is
measured separately, as the median of several runs on one easy puzzle, and is subtracted. So a puzzle's time is the mean
over the set, because it cannot be observed from outside when a program works on which line. The measuring process
enforces the limits itself, because its own CPU clock does not run while the program does.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from shutil import which
from typing import IO, Any, NamedTuple

from csp_sudoku.errors import OptionError

from .isolated import WARM_UP_SECONDS
from .models import PeerPuzzle, is_completion, warm_up
from .tables import median

EMPTY = {"command": ".", "command-0": "0"}
"""The character for an empty cell that a program reads, by the first word of its subject (`subjects`)."""
SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The characters of the values from 1 on."""
START_UPS = 5
"""Number of runs whose median is the start-up time."""
PASSES, ROUND = 10, 0.3
"""Maximum number of runs on all puzzles, and the time after which no run is added, in CPU seconds."""
LEAST = 1e-6
"""Resolution of the reported CPU seconds, and the minimum charge for a set beyond the start-up."""
GLANCE = 0.005
"""Time between two checks of a running program, in seconds."""
OUTPUT = 1 << 20
"""Number of bytes that a program may write in addition to ten times its input."""

Message = tuple[str, Any]


def words(line: str) -> list[str]:
    """Return the words of a command line; raise OptionError unless the first is a program that can be run here."""
    if sys.platform == "win32":
        raise OptionError("expected Linux or macOS to measure an external program; found Windows")
    try:
        found = shlex.split(line)
    except ValueError as error:
        raise OptionError(f"expected the command line of a solver; found {line!r} ({error})") from None
    if not found:
        raise OptionError("expected the command line of a solver; found an empty one")
    if which(found[0]) is None:
        raise OptionError(f"expected the command line of a solver; found {line!r} (no program {found[0]!r} to run)")
    return found


def label(line: str) -> str:
    """Return the name of the program without its folder, and its arguments.

    >>> label("./bin/tdoku --all")
    'tdoku --all'
    """
    program, *arguments = shlex.split(line)
    return shlex.join([Path(program).name, *arguments])


def files(line: str) -> list[Path]:
    """Return the files that the command line names: the program, and arguments such as a script."""
    program, *arguments = words(line)
    return [Path(path) for path in (which(program), *arguments) if path and Path(path).is_file()]


def solve(common: dict[str, Any], items: list[Any]) -> Iterator[Message]:
    """Run a command on all puzzles; a part is the mean seconds, the verdict and the error of a puzzle.

    `common` has the words of the command, the character for an empty cell, and the limit for all puzzles in CPU
    seconds, to which the start-up is added.
    """
    puzzles = [PeerPuzzle(m, n, tuple(cells)) for m, n, cells in items]
    largest = max(puzzle.size for puzzle in puzzles)
    if largest > len(SYMBOLS):
        yield "trouble", f"expected puzzles of at most {len(SYMBOLS)} values; found {largest}"
        return
    yield "watch", None
    command, empty = common["command"], common["empty"]
    easy = lines_of([warm_up(puzzles[0].m, puzzles[0].n)], empty)
    starts = []
    for _ in range(START_UPS):
        run = run_program(command, easy, WARM_UP_SECONDS)
        if run.trouble:
            yield "trouble", f"on one easy puzzle: {run.trouble}"
            return
        starts.append(run.seconds)
    start_up = median(starts)
    yield "ready", start_up
    lines = lines_of(puzzles, empty)
    spent, first = 0.0, [""]
    for number in range(PASSES):
        run = run_program(command, lines, start_up + common["limit"])
        yield "charge", run.seconds
        answers = _answers(run)
        parts = parts_of(answers, run.seconds - start_up, puzzles)
        verdicts = [part["verdict"] for part in parts]
        trouble = run.trouble
        if len(answers) > len(puzzles) and not trouble:
            trouble = f"wrote {len(answers)} lines for {len(puzzles)} puzzles"
        if number == 0:
            first = verdicts
            yield "parts", parts
        elif verdicts != first and not trouble:
            trouble = "the answers differ from run to run"
        elif not trouble:
            yield "pass", [part["seconds"] for part in parts]
        if trouble:
            yield "trouble", trouble
            return
        spent += run.seconds
        if spent > min(ROUND, common["limit"]):
            return


class ProgramRun(NamedTuple):
    """A run of a program."""

    seconds: float
    """The CPU seconds of the program, and of the processes that it has waited for."""
    output: str
    trouble: str
    """A description of its failure; empty if it ended with code 0."""


def run_program(command: Sequence[str], lines: str, limit: float, most: int | None = None) -> ProgramRun:
    """Run a program on these lines; a program over the limit is killed, and its output so far counts.

    Input and output are files instead of pipes, so that no program waits for a reader.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as written, tempfile.TemporaryFile() as errors:
        given.write(lines.encode())
        given.seek(0)
        try:
            process = subprocess.Popen(
                command, stdin=given, stdout=written, stderr=errors,
                preexec_fn=_bound(),  # noqa: PLW1509 - the measuring process has one thread
            )  # fmt: skip
        except OSError as error:
            return ProgramRun(0.0, "", f"cannot run {command[0]!r}: {error.strerror}")
        stopped = ""
        watch = _Watch(process.pid)
        most = OUTPUT + 10 * len(lines) if most is None else most
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if watch.spent() > limit:
                stopped = f"stopped at the limit of {limit:.3g} s"
            elif os.fstat(written.fileno()).st_size > most:
                stopped = f"stopped after more than {most} bytes of output"
            if stopped:
                process.kill()
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(GLANCE)
        process.returncode = code = os.waitstatus_to_exitcode(status)  # subprocess must not wait for it again
        written.seek(0)
        output = written.read(most).decode(errors="replace")
        trouble = stopped or (f"{_end(code)}{_last_line(errors)}" if code else "")
        return ProgramRun(usage.ru_utime + usage.ru_stime, output, trouble)


def _bound() -> Callable[[], None] | None:
    """Return a function to call in a new process before the program: it requests to be killed with this process."""
    if sys.platform != "linux":
        return None
    from csp_sudoku.sandbox.processes import die_with_parent

    return partial(die_with_parent, os.getpid())


class _Watch:
    """The CPU seconds of a process, plus the wall-clock seconds in which it slept.

    Without /proc, this is the wall-clock time since its start, in seconds.
    """

    def __init__(self, process: int) -> None:
        self._process = process
        self._started = self._looked_at = time.monotonic()
        self._used = self._asleep = 0.0

    def spent(self) -> float:
        """Return the seconds so far; while the process sleeps, it must be called often."""
        from csp_sudoku.sandbox.processes import entry

        now, found = time.monotonic(), entry(self._process)
        if found is None:
            return now - self._started
        used = found.ticks / os.sysconf("SC_CLK_TCK")
        if used == self._used and found.state not in "RD":
            self._asleep += now - self._looked_at
        self._used, self._looked_at = used, now
        return used + self._asleep


def _end(code: int) -> str:
    """Describe the end of a program whose exit code is not 0."""
    if code > 0:
        return f"ended with code {code}"
    try:
        return f"ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended by signal {-code}"


def _last_line(errors: IO[bytes]) -> str:
    """Return the last line that a program wrote to standard error."""
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return f": {lines[-1][:200]}" if lines else ""


def lines_of(puzzles: Sequence[PeerPuzzle], empty: str) -> str:
    """Return the puzzles as the input of a program.

    >>> lines_of([PeerPuzzle(1, 2, (1, 0, 0, 2))], ".")
    '1..2\\n'
    """
    characters = empty + SYMBOLS
    return "".join("".join(characters[value] for value in puzzle.cells) + "\n" for puzzle in puzzles)


def _answers(run: ProgramRun) -> list[str]:
    """Return the lines of a run, without empty ones at the end.

    The last line of a program that was stopped or failed counts only if its line break was written.
    """
    lines = [line.strip() for line in run.output.split("\n")]
    if run.trouble:
        lines.pop()
    while lines and not lines[-1]:
        lines.pop()
    return lines


def parts_of(answers: Sequence[str], seconds: float, puzzles: Sequence[PeerPuzzle]) -> list[dict[str, Any]]:
    """Return the part of each puzzle: its verdict, and an equal share of the seconds.

    Puzzles without an answer get no share, since the program may have been stopped before it reached them.
    """
    answered = sum(map(bool, answers[: len(puzzles)]))
    share = round(max(seconds, LEAST) / (answered or len(puzzles)), 9)
    found = []
    for number, puzzle in enumerate(puzzles):
        line = answers[number] if number < len(answers) else ""
        cells = [SYMBOLS.find(character) + 1 for character in line.upper()]
        part: dict[str, Any] = {"seconds": share, "verdict": "no answer"}
        if line and (len(cells) != len(puzzle.cells) or not all(0 < cell <= puzzle.size for cell in cells)):
            expected = f"expected {len(puzzle.cells)} characters from 1 to {SYMBOLS[puzzle.size - 1]}"
            part |= {"verdict": "wrong", "error": f"{expected}; found {line[:100]!r}"}
        elif line:
            part["verdict"] = "solved" if is_completion(cells, puzzle) else "wrong"
        found.append(part)
    return found
