"""Only a failed write to standard output is reported as such; other system errors have their own messages."""

import errno
import io
import os
import subprocess
from pathlib import Path

import pytest

from csp_sudoku.cli.main import execute
from csp_sudoku.cli.standard_streams import StreamError, guarded
from tests.cli.support import ONE, PROGRAM, environment, run, told
from tests.cli.test_streams import posix

full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@pytest.fixture
def failing(monkeypatch, capsys, tmp_path):
    """Run `show` with an error when it draws; return the exit code and the one line on standard error."""
    (tmp_path / "board.txt").write_text(ONE)

    def failed(error):
        def fail(*_):
            raise error

        monkeypatch.setattr("csp_sudoku.cli.show.say", fail)
        code = execute(["show", str(tmp_path / "board.txt")])
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        return code, err

    return failed


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "boards/x"),
            "expected to open, read or change 'boards/x'; found no such file or directory",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied", b"bytes"),
            "expected to open, read or change 'bytes'; found permission denied",
        ),
        (OSError(errno.ENOSPC, "No space left on device"), "found no space left on device (raised in test_standard_"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "expected no error of the operating system; found broken pipe ("),
        (OSError("cannot load libX"), "found cannot load libX (raised in "),
        (TimeoutError(), "found TimeoutError (raised in "),
    ],
)
def test_an_error_that_is_not_of_the_output(failing, error, message):
    """The file, or the place in the program, and the system's reason; never that output was lost."""
    code, err = failing(error)
    assert code == 2
    assert message in err
    assert "all output" not in err


def test_output_that_cannot_be_written(failing):
    """A failed write is reported as such, wherever the rest of the output went."""
    assert failing(StreamError(errno.ENOSPC, "No space left on device")) == (
        2,
        "csp-sudoku: expected to write all output; found no space left on device\n",
    )


@full_disk
@pytest.mark.parametrize("count", [1, 3000])
def test_a_full_disk_for_standard_output(count):
    """Little or much output: the same line."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "convert", "--to", "json"], input=f"{ONE}\n".encode() * count, stdout=full,
            stderr=subprocess.PIPE, env=environment(), check=False,
        )  # fmt: skip
    message = "csp-sudoku: expected to write all output; found no space left on device\n"
    assert (done.returncode, told(done.stderr)) == (2, message)


@full_disk
def test_a_full_disk_for_another_file(tmp_path):
    """A record that cannot be written is reported with the name of its file."""
    done = run("play", "random", "random", "--boards", "empty-2x2", "--time", "60", "--record", "/dev/full", "--json")
    message = "csp-sudoku: /dev/full: expected a file to write, found no space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)


@posix
def test_standard_error_that_cannot_be_written():
    """If even the complaint has no reader, there is still the exit code."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*PROGRAM, "show", "none.txt"], stdout=subprocess.PIPE, stderr=write, env=environment(), check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_guarded_stream_is_like_the_stream(tmp_path):
    """Encoding and buffering are the same; text and bytes go to the same file, and None stays None."""
    path = tmp_path / "out"
    with path.open("w", encoding="latin-1") as stream:
        found = guarded(stream)
        found.write("caf\xe9 \u2500")
        found.flush()
        assert (found.encoding, found.line_buffering, found.isatty()) == ("latin-1", False, False)
        assert found.fileno() == stream.fileno()
        found.detach().detach()  # else the file would be closed with them, and once more by its owner
    assert path.read_bytes() == b"caf\xe9 \\u2500"
    assert guarded(None) is None
    assert guarded(lacking := io.StringIO()) is lacking
