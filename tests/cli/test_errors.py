"""Whatever is wrong with the input or the usage is one line on standard error, and the exit code 2."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from csp_sudoku.cli.group import COMMANDS
from csp_sudoku.cli.main import execute
from tests.cli.support import EMPTY, ONE, PROGRAM, environment, holes, line9, run, told

READERS = [["solve"], ["show"], ["convert", "--to", "line"], ["check"], ["hint"], ["explain"], ["moves"]]

BAD_FILES = {
    "truncated line": line9()[:-1] + "\n",
    "truncated grid": "\n".join(holes(3, 3).splitlines()[:-1]) + "\n",
    "truncated TU/e form": "2 2\n1 . . .\n. . 2 .\n. 3 .",
    "a letter in a 9x9": "x" + line9()[1:] + "\n",
    "a 7x7 board": "1......" * 7 + "\n",
    "two equal clues in a row": "55" + "." * 79 + "\n",
    "two equal clues in a block": "5" + "." * 9 + "5" + "." * 70 + "\n",
    "a value out of range": "9" + ONE[1:] + "\n",
    "binary junk": bytes(range(256)) * 4,
    "not UTF-8": b"1...\xff...........\n",
    "empty": "",
    "blank": "\n\n  \n",
    "only comments": "# nothing\n",
    "prose": "This is no sudoku, it is a sentence.\n",
    "broken JSON": '{"m": 2, "n": 2, "board": [[1, 0',
}


def words(arguments: list[str] | str) -> str:
    """The name of a test for a command line; of a text, none."""
    return " ".join(arguments) if isinstance(arguments, list) else ""


def is_one_complaint(text: str) -> bool:
    """Whether a text is one line that begins with the program's name."""
    return text.startswith("csp-sudoku: ") and text.count("\n") == 1 and text.endswith("\n") and len(text) > 20


@pytest.fixture
def complaint(capsys: pytest.CaptureFixture[str]):
    """Run a command line that must be refused, and return its one line."""

    def refused(*arguments: str) -> str:
        assert execute(arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert is_one_complaint(told(err))
        return told(err)

    return refused


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_file(name: str, command: list[str], tmp_path: Path, complaint) -> None:
    """A bad file is reported in one line that names it as the user did."""
    content = BAD_FILES[name]
    path = tmp_path / "boards.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert str(path) in complaint(*command, str(path))


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_standard_input(name: str) -> None:
    """Standard input is judged as a file is, by the program as by the function."""
    done = run("solve", "-", stdin=BAD_FILES[name])
    assert done.returncode == 2
    assert done.stdout == ""
    assert is_one_complaint(done.stderr)


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_directory_and_missing_file(command: list[str], tmp_path: Path, complaint) -> None:
    """A file that cannot be opened is reported with its name and the system's reason."""
    assert str(tmp_path) in complaint(*command, str(tmp_path))
    missing = str(tmp_path / "missing.txt")
    assert missing in complaint(*command, missing)
    assert "no such file" in complaint(*command, missing).lower()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path: Path, complaint) -> None:
    """A file without permission is a bad input too."""
    path = tmp_path / "secret.txt"
    path.write_text(ONE)
    path.chmod(0)
    assert str(path) in complaint("show", str(path))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--solver", "cpsta"], "did you mean 'cpsat'?"),
        (["--format", "lien"], "did you mean 'line'?"),
        (["--option", "valeus=random", "--solver", "backtracking"], "did you mean 'values'?"),
        (["--option", "values=sorted", "--solver", "backtracking"], "'sorted'"),
        (["--option", "seed=x", "--solver", "backtracking"], "'x'"),
        (["--option", "values"], "NAME=VALUE"),
        (["--option", "=3"], "NAME=VALUE"),
        (["--option", "name=x"], "'name'"),
        (["--option", "self=x"], "'self'"),
        (["--jobs", "0"], "at least 1; found '0'"),
        (["--jobs", "many"], "at least 1; found 'many'"),
        (["--time-limit", "-1"], "at least 0; found '-1'"),
        (["--time-limit", "nan"], "at least 0; found 'nan'"),
        (["--time-limit", "soon"], "at least 0; found 'soon'"),
        (["--node-limit", "-1"], "at least 0; found '-1'"),
        (["--count", "0"], "at least 1; found '0'"),
        (["--count", "9" * 30], "at most 2**62"),
        (["--shape", "7x7"], "found 7×7"),
        (["--shape", "3"], "MxN"),
        (["--shape", "3x"], "MxN"),
        (["--sovler", "cpsat"], "--solver"),
        (["--trace", "--solver", "cpsat"], "'cpsat'"),
        (["--trace", "--count", "2"], "--count"),
        (["--trace", "--jobs", "2"], "--jobs"),
        (["--json=yes"], "--json"),
    ],
    ids=words,
)
def test_bad_option_of_solve(arguments: list[str], expected: str, tmp_path: Path, complaint) -> None:
    """A bad option is reported with the value found, and an unknown name with the nearest known one."""
    path = tmp_path / "good.txt"
    path.write_text(ONE)
    assert expected in complaint("solve", str(path), *arguments)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["slove"], "did you mean 'solve'?"),
        (["--bogus"], "--bogus"),
        (["generate", "--shape", "1x5"], "found 1×5"),
        (["generate", "--shape", "6x6"], "found 6×6"),
        (["generate"], "expected --shape MxN"),
        (["generate", "--shape", "3x3", "--difficulty", "1.5"], "from 0 to 1; found '1.5'"),
        (["generate", "--shape", "3x3", "--count", "0"], "at least 1; found '0'"),
        (["generate", "--shape", "3x3", "--seed", "x"], "found 'x'"),
        (["generate", "--shape", "3x3", "--to", "lien"], "did you mean 'line'?"),
        (["generate", "--shape", "3x3", "board.txt"], "board.txt"),
        (["convert", "board.txt"], "--to"),
        (["convert", "--to", "lien", "board.txt"], "did you mean 'line'?"),
        (["solvers", "extra"], "extra"),
    ],
    ids=words,
)
def test_bad_usage(arguments: list[str], expected: str, complaint) -> None:
    """A bad usage of any command is one line too, without a usage block."""
    assert expected in complaint(*arguments)


@pytest.mark.parametrize("name", COMMANDS)
def test_unknown_option_of_every_command(name: str, complaint) -> None:
    """An option that a command does not have is named."""
    assert "--bogus" in complaint(name, "--bogus")


def test_what_was_solved_before_a_bad_board_is_printed() -> None:
    """Nothing is lost: the answers before the bad board are out, then comes the complaint, and then the totals."""
    done = run("solve", "--json", stdin=f"{ONE}\n{EMPTY}\n1x\n{ONE}\n")
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2
    complaint, totals = done.stderr.splitlines(keepends=True)
    assert is_one_complaint(complaint)
    assert totals.startswith("csp-sudoku: 2 puzzles: 2 solved; ")
    assert "line 3" in done.stderr


def test_other_files_are_read_after_a_bad_one(tmp_path: Path) -> None:
    """A bad file costs its own boards only, each bad file has its line, and the exit code remembers."""
    good = tmp_path / "good.txt"
    good.write_text(ONE)
    done = run("show", "nowhere.txt", str(good), str(tmp_path), str(good))
    assert done.returncode == 2
    assert done.stdout.count(f"{good}, puzzle 1") == 2
    assert [line.split(":")[1].strip() for line in done.stderr.splitlines()] == ["nowhere.txt", str(tmp_path)]


def test_no_file_on_a_terminal() -> None:
    """Without a FILE, a terminal is not waited upon: that is a usage error."""
    primary, secondary = os.openpty()
    try:
        done = subprocess.run(
            [*PROGRAM, "solve"], stdin=secondary, capture_output=True, env=environment(), check=False, text=True
        )
    finally:
        os.close(primary)
        os.close(secondary)
    assert done.returncode == 2
    assert is_one_complaint(done.stderr)
    assert "FILE" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk() -> None:
    """Output that cannot be written is one line as well."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "--version"], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False, text=True
        )
    assert done.returncode == 2
    assert is_one_complaint(done.stderr)


@pytest.mark.parametrize("option", ["--time-limit", "--solver", "--svg"])
def test_a_long_argument_is_not_quoted_whole(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An error is one line that a terminal can show; its beginning and its end stay."""
    assert execute(["solve", option, f"{'x' * 5000}.y", ONE]) == 2
    line = capsys.readouterr().err
    assert line.startswith("csp-sudoku: ")
    assert line.count("\n") == 1
    assert len(line) < 1000
    assert "x…x" in line
