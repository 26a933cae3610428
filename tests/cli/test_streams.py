"""The command among other programs: pipes, terminals, interruption."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from csp_sudoku.cli.progress import Bar
from tests.cli.support import EMPTY, NONE, ONE, PROGRAM, environment, line9, run, told
from tests.clock import wait_until

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and terminals")


def start(*arguments: str, **options) -> subprocess.Popen[bytes]:
    """Start the program with pipes all around."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment()}
    return subprocess.Popen([*PROGRAM, *arguments], **{**pipes, **options})


@pytest.mark.slow
def test_standard_input_by_default() -> None:
    """Without FILE, a pipe is read; "-" says so aloud."""
    for arguments in ([], ["-"]):
        done = run("solve", "--json", *arguments, stdin=f"{ONE}\n{NONE}\n")
        assert done.returncode == 1
        assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["solved", "unsolvable"]


@pytest.mark.parametrize("boards", [[(ONE, "solved")], [(line9(), "solved")], [("." * 81, "solved"), (ONE, "solved")]])
def test_answers_come_as_puzzles_come(boards: list[tuple[str, str]]) -> None:
    """Each answer is out before the next puzzle is in: a program can ask and listen in turn."""
    with start("solve", "--json", "--format", "line") as process:
        assert process.stdin
        assert process.stdout
        for board, status in [*boards, (NONE, "unsolvable"), (EMPTY, "solved")]:
            process.stdin.write(f"{board}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["status"] == status
        process.stdin.close()
    assert process.returncode == 1


@pytest.mark.parametrize(
    "command", [["solve", "--json"], ["solve"], ["show"], ["convert", "--to", "line"]], ids=" ".join
)
def test_closed_pipe(command: list[str], tmp_path: Path) -> None:
    """A reader that goes away (`| head -1`) ends the program in silence."""
    many = tmp_path / "many.txt"
    many.write_text(f"{ONE}\n" * 20_000)
    with many.open("rb") as boards, start(*command, stdin=boards) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert told(process.stderr.read()) == ""
    assert process.returncode == 0


def test_plain_characters_where_the_output_has_no_others() -> None:
    """An output that is ASCII gets a drawing in ASCII."""
    done = run("solve", stdin=ONE, env=environment(PYTHONIOENCODING="ascii"))
    assert done.returncode == 0
    assert done.stdout.splitlines()[:2] == ["+-------+-------+", "|  1 '2 | '4 '3 |"]
    assert run("--help", env=environment(PYTHONIOENCODING="ascii")).returncode == 0


@posix
def test_interrupt() -> None:
    """Ctrl-C ends the program with one short line and 130, and the answers so far are printed."""
    with start("solve", "--json", "--format", "line") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(f"{ONE}\n".encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["status"] == "solved"
        process.send_signal(signal.SIGINT)
        assert told(process.stderr.read()) == "interrupted\n"
        assert process.stdout.read() == b""
    assert process.returncode == 130


@pytest.mark.slow
@posix
@pytest.mark.parametrize("solver", ["auto", "backtracking", "cpsat", "exact-cover"])
def test_interrupt_while_solving(solver: str) -> None:
    """Ctrl-C is obeyed within the search of every solver, compiled loops included; the count so far is printed."""
    ready = f"{ONE}\n".encode()
    endless = b"." * 625 + b"\n"
    with start("solve", "--json", "--format", "line", "--solver", solver, "--count", str(10**9)) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(ready + endless)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["status"] == "solved"  # everything is loaded and compiled
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
        counted = json.loads(process.stdout.read())
    assert (counted["status"], counted["solutions"] >= 0) == ("unknown", True)
    assert told(err) == "interrupted\n"
    assert process.returncode == 130


@posix
def test_interrupt_is_not_taken_where_it_is_ignored() -> None:
    """A program that is started in the background, with interrupts ignored, continues."""
    ignore = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", ignore, *PROGRAM, "show", "--format", "line"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{ONE}\n".encode())
        process.stdin.flush()
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert first.startswith(b"# ")
        process.stdout.read()
    assert process.returncode == 0


class Terminal:
    """The program on a terminal: its screen, and keys to press."""

    def __init__(
        self,
        *arguments: str,
        env: dict[str, str] | None = None,
        stdout: int | None = None,
        errors: bool = True,
    ) -> None:
        import pty

        self.shown = b""
        self.pid, self._fd = pty.fork()
        if self.pid == 0:  # pragma: no cover - the program, in a process of its own
            if stdout is not None:
                os.dup2(stdout, 1)
            if not errors:  # and no progress bar, which a busy machine would come to show
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.execve(PROGRAM[0], [*PROGRAM, *arguments], env or environment(TERM="xterm"))

    def pieces(self) -> Iterator[bytes]:
        """The output of the program until it ends."""
        while True:
            select.select([self._fd], [], [])
            try:
                piece = os.read(self._fd, 65536)
            except OSError:  # the program has gone, and its side of the terminal with it
                return
            if not piece:
                return
            self.shown += piece
            yield piece

    def until(self, text: bytes) -> None:
        """Wait for a text."""
        for _ in self.pieces():
            if text in self.shown:
                return
        raise AssertionError(self.shown)

    def press(self, key: bytes) -> None:
        """Press a key."""
        os.write(self._fd, key)

    def end(self) -> int:
        """The exit code, once the program has ended."""
        for _ in self.pieces():
            pass
        os.close(self._fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@posix
def test_bold_givens_on_a_terminal(tmp_path: Path) -> None:
    """On a terminal the givens are bold, and no dots are needed."""
    path = tmp_path / "one.txt"
    path.write_text(ONE)
    terminal = Terminal("solve", str(path))
    assert terminal.end() == 0
    text = terminal.shown.decode()
    assert "\x1b[1m1\x1b[0m" in text
    assert "·" not in text


@posix
@pytest.mark.parametrize("env", [{"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}], ids=str)
def test_no_colour_where_none_is_wanted(env: dict[str, str], tmp_path: Path) -> None:
    """NO_COLOR and a dumb terminal get the drawing without escape sequences."""
    path = tmp_path / "one.txt"
    path.write_text(ONE)
    terminal = Terminal("solve", str(path), env=environment(**env), errors=False)
    assert terminal.end() == 0
    assert "\x1b" not in terminal.shown.decode()
    assert "·" in terminal.shown.decode()


@pytest.mark.slow
@posix
def test_progress_on_a_terminal(tmp_path: Path) -> None:
    """Long work shows a bar on the terminal, the output file stays clean, and Ctrl-C leaves the cursor visible."""
    path = tmp_path / "endless.txt"
    path.write_text(f"{ONE}\n" + "." * 625)
    output = tmp_path / "output.txt"
    with output.open("wb") as file:
        terminal = Terminal("solve", str(path), "--json", "--count", str(10**9), stdout=file.fileno())
        terminal.until(b"solving 1")
        terminal.press(b"\x03")
        code = terminal.end()
    assert code == 130
    assert terminal.shown.endswith(b"\x1b[?25hinterrupted\r\n")
    assert [json.loads(line)["status"] for line in output.read_text().splitlines()] == ["solved", "unknown"]


@pytest.mark.slow
def test_no_progress_without_a_terminal() -> None:
    """Standard error that is no terminal gets no bar, whatever the time."""
    done = run(
        "solve", "--json", "--count", str(10**9), "--time-limit", "1.5", "--solver", "backtracking", stdin="." * 625
    )
    assert done.returncode == 3
    assert "solving" not in done.stderr


@pytest.mark.parametrize(("term", "drawn"), [("dumb", False), ("xterm", True)])
def test_a_dumb_terminal_gets_no_progress_bar(
    term: str, drawn: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bar moves the cursor about, which a dumb terminal would show as rubbish."""
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("csp_sudoku.cli.progress.PATIENCE", 0)
    shown = []

    def show(bar: Bar) -> None:
        shown.append(bar)

    monkeypatch.setattr(Bar, "show", show)
    with Bar("working"):
        if drawn:
            wait_until(lambda: shown)
        else:
            time.sleep(0.35)
    assert bool(shown) == drawn
    assert capsys.readouterr() == ("", "")


def test_a_progress_bar_shows_its_note(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The standings so far stand behind the bar, as they are and not as markup."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("csp_sudoku.cli.progress.PATIENCE", 0)
    shown = []
    with Bar("playing", 4) as bar:
        bar.note = "[red] 1.5 of 2"
        bar.step(2)
        wait_until(lambda: shown.append(capsys.readouterr().err) or "[red] 1.5 of 2" in "".join(shown))
    assert "2 of 4" in "".join(shown)


def test_no_standard_output_at_all() -> None:
    """If the output is closed from the start, as for some background processes, nothing breaks."""
    command = "exec " + " ".join([*PROGRAM, "solve", "-"]) + " >&-"
    done = subprocess.run(
        ["sh", "-c", command], input=ONE, capture_output=True, env=environment(), text=True, check=False
    )
    assert (done.returncode, told(done.stderr)) == (0, "")
