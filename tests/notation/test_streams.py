"""Streams and files of boards: read as they come, never whole, and whatever they are a mistake is one line."""

import io
import json
import sys
import time
from itertools import count, islice
from pathlib import Path

import pytest

from csp_sudoku import NotationError, SudokuError, notation
from csp_sudoku.notation import FORMATS, Grid, files

FOUR = Grid(2, 2, bytes([1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]))
NINE = Grid(3, 3, bytes([5, 3, 0, 0, 7, *[0] * 76]))


class Endless:
    """An endless binary stream that counts the bytes requested from it."""

    def __init__(self, lines, name=None):
        self.lines = iter(lines)
        self.rest = b""
        self.asked = 0
        if name is not None:
            self.name = name

    def readline(self, limit=-1):
        if not self.rest:
            self.rest = next(self.lines, b"")
            self.asked += 1
        line, self.rest = self.rest[:limit], self.rest[limit:]
        return line


def lines_of(format):
    """The lines of a text of endlessly many boards."""
    return (f"{line}\n".encode() for line in notation.write((NINE for _ in count()), format))


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("format", FORMATS)
def test_boards_come_as_the_stream_comes(format, forced):
    """The first board is there when its lines are, and every next one when its are: nothing is read ahead.

    Only `properties` must see the line behind a board, since a key might follow.
    """
    stream = Endless(lines_of(format))
    grids = notation.read(stream, format if forced else None)
    per_board = len(notation.format_grid(NINE, format).splitlines()) - (format == "csv")
    between = 1 if per_board > 1 else 0
    assert stream.asked == 0
    for number in range(1, 4):
        assert next(grids) == NINE
        expected = number * per_board + (number - 1) * between + (format == "csv")
        assert stream.asked == expected + 2 * (format == "properties")


def test_a_list_of_a_million_objects_on_one_line_is_read_as_it_comes():
    """A JSON list may be one endless line: its objects come one by one, though no part of it ends in a line break."""
    board = notation.format_grid(NINE, "json").encode()

    def endless():
        yield b"[" + board
        while True:
            yield b", " + board

    stream = Endless(endless())
    assert list(islice(notation.read(stream), 1000)) == [NINE] * 1000
    assert stream.asked <= 1001
    text = json.dumps([json.loads(board)] * 3000)
    assert len(text) > 10 * 65536
    assert list(notation.read(io.BytesIO(text.encode()))) == [NINE] * 3000


def test_a_mistake_comes_after_the_boards_before_it():
    """The boards before a bad line are given; then the error says where it is, in the whole text."""
    lines = [notation.format_grid(FOUR, "line")] * 1000 + ["1.1............."]
    grids = notation.read(lines)
    assert list(islice(grids, 1000)) == [FOUR] * 1000
    with pytest.raises(NotationError, match=r"^line 1001, column 3: expected each value once in row 1"):
        next(grids)


def test_a_long_line_of_json_is_counted_in_columns():
    """In a line of many parts, columns still count from its beginning; characters of several bytes may be cut."""
    board = notation.format_grid(FOUR, "json")
    padded = board.replace("{", '{"é": "' + "é" * 70_000 + '", ', 1)
    text = f"[{padded}, {padded}, x]"
    grids = notation.read(io.BytesIO(text.encode()))
    assert list(islice(grids, 2)) == [FOUR, FOUR]
    with pytest.raises(NotationError) as caught:
        next(grids)
    assert (caught.value.line, caught.value.column) == (1, len(text) - 1)


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "json"])
def test_a_line_that_is_too_long_is_refused(format):
    """No board has a line of 64 KiB: such a line is refused without reading on, in every notation of lines."""
    head = {"csv": b"quiz\n", "properties": b"board = "}.get(format, b"")
    stream = Endless(iter([head + b"." * 10_000_000, b"\n"]))
    with pytest.raises(NotationError) as caught:
        list(notation.read(stream, format))
    assert stream.asked == 1
    assert "expected a line of at most 65536 bytes, found a longer one" in str(caught.value)


@pytest.mark.parametrize("format", [None, *FORMATS])
@pytest.mark.parametrize(
    "junk",
    [
        b"x" * 10**7,
        b"1" * 10**7,
        b"\0" * 10**7,
        b"[" * 10**7,
        b'{"a":' * 10**6,
        b'["' + b"\\" * 10**7,
        b"[" + b"1," * 10**6,
        b"." * 65_000 + b"\n",
        b"- " * 32_000 + b"x\n",
        b"1, " * 20_000 + b"\n",
        b"3" + b" " * 65_000 + b"x 3:\n",
        b"quiz\n" + b'"' * 65_001,
        "é".encode() * 10**6,
        bytes(range(256)) * 10**4,
    ],
    ids=lambda junk: repr(junk[:6]),
)
def test_junk_fails_at_once(junk, format):
    """Megabytes of anything are refused within a second, since nothing is read that is not needed to know."""
    start = time.process_time()
    with pytest.raises(NotationError):
        notation.read_one(io.BytesIO(junk), format)
    assert time.process_time() - start < 1


def test_an_element_of_json_is_bounded():
    """A board may have many details, but not without limit."""
    stream = Endless(b'{"x": 1,\n' if number == 0 else b'"x": 1,\n' for number in count())
    with pytest.raises(NotationError, match="expected boards of at most 1048576 characters, found a longer one"):
        next(notation.read(stream))
    assert stream.asked < 140_000


@pytest.mark.parametrize("format", FORMATS)
def test_text_streams_and_lines_are_streams_too(format):
    """A text file and any iterable of lines, with or without ends, give the same boards as a binary file."""
    text = notation.format_grid(FOUR, format)
    assert list(notation.read(io.StringIO(text))) == [FOUR]
    assert list(notation.read(text.splitlines())) == [FOUR]
    assert list(notation.read(text.encode().splitlines(keepends=True))) == [FOUR]
    assert list(notation.read(iter([text]))) == [FOUR]


def test_old_line_ends_in_a_file_without_any_other():
    """Lines ended by CR alone are lines, though the file has no line break and is longer than any line may be."""
    text = "\r".join([notation.format_grid(NINE, "line")] * 2000)
    assert len(text) > 2 * 65536
    assert list(notation.read(io.BytesIO(text.encode()))) == [NINE] * 2000


def test_a_text_stream_in_another_encoding():
    """A text stream that cannot be decoded is an error of the input, like a binary one."""
    stream = io.TextIOWrapper(io.BytesIO(b"\xff1..."), encoding="ascii")
    with pytest.raises(NotationError, match="expected UTF-8 text"):
        list(notation.read(stream))
    with pytest.raises(NotationError, match="expected UTF-8 text, found the byte 0xed"):
        notation.parse("1\udcff..")


def test_a_stream_that_breaks():
    """A system error during reading is reported in one line as well."""

    class Broken(Endless):
        def readline(self, limit=-1):
            raise OSError(5, "Input/output error")

    with pytest.raises(NotationError, match=r"^disk: expected a readable file, found Input/output error$"):
        list(notation.read(Broken([], "disk")))


def test_files_by_name(tmp_path, monkeypatch):
    """A file is opened by its path, and its errors name it as it was given."""
    monkeypatch.chdir(tmp_path)
    Path("good.txt").write_text(notation.format_grid(FOUR), encoding="utf-8")
    for path in ("good.txt", Path("good.txt"), tmp_path / "good.txt"):
        with notation.opened(path) as stream:
            assert notation.read_one(stream) == FOUR
        assert stream.closed
    Path("bad.txt").write_text("1.1.............", encoding="utf-8")
    with (
        notation.opened("./bad.txt") as stream,
        pytest.raises(NotationError, match=r"^\./bad\.txt, line 1, column 3: "),
    ):
        notation.read_one(stream)
    with notation.opened("./bad.txt") as stream, pytest.raises(NotationError, match=r"^here, line 1, column 3: "):
        notation.read_one(stream, source="here")


def test_a_stream_without_a_name_that_is_text():
    """The number of a file descriptor is no name, and a name with a line break does not break the line."""
    with pytest.raises(NotationError, match=r"^line 1"):
        notation.read_one(Endless([b"1.1............."], name=3))
    with pytest.raises(NotationError, match=r"^'a\\nb', line 1"):
        notation.read_one(Endless([b"1.1............."], name="a\nb"))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("none.txt", "none.txt: expected a file to read, found no such file"),
        ("none/none.txt", "none/none.txt: expected a file to read, found no such file"),
        ("file/none.txt", "file/none.txt: expected a file to read, found no such file"),
        (".", ".: expected a file to read, found a directory"),
        ("", ": expected a file to read, found no such file"),
        ("a\0b", r"'a\x00b': expected a file to read, found embedded null byte"),
        ("a\nb", r"'a\nb': expected a file to read, found no such file"),
        ("x" * 999, "x" * 999 + ": expected a file to read, found File name too long"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, monkeypatch, path, message):
    """A file that is not there, is none, or may not be read is a SudokuError of one line."""
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    with pytest.raises(SudokuError) as caught, notation.opened(path):
        pass
    assert str(caught.value) == message.removeprefix(": ")


def test_a_file_without_permission(monkeypatch):
    """A file that may not be read says so (simulated: nothing is forbidden to root)."""

    def forbidden(path, mode):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(files, "open", forbidden, raising=False)
    message = "secret: expected a file to read, found no permission to read it"
    with pytest.raises(SudokuError, match=message), notation.opened("secret"):
        pass


def test_an_error_in_the_body_is_not_taken_for_one_of_the_file(tmp_path):
    """An error raised while a file is open keeps its own type."""
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(FileNotFoundError), notation.opened(path):
        raise FileNotFoundError


def test_standard_input(monkeypatch):
    """ "-" is standard input, binary or text, and stays open."""
    text = notation.format_grid(FOUR)
    for stdin in (io.TextIOWrapper(io.BytesIO(text.encode())), io.StringIO(text)):
        monkeypatch.setattr(sys, "stdin", stdin)
        with notation.opened("-") as stream:
            assert notation.read_one(stream) == FOUR
        assert not stdin.closed
    monkeypatch.setattr(sys, "stdin", None)
    with (
        pytest.raises(SudokuError, match="expected boards on standard input, found no standard input"),
        notation.opened("-"),
    ):
        pass


def test_importing_is_light():
    """Neither json nor csv nor numpy is loaded before a text needs it."""
    import subprocess

    code = (
        "import sys, csp_sudoku.notation as n; n.parse('1..............4'); n.format_grid(n.parse('.' * 16), 'json');"
        "print({'json', 'csv', 'numpy', 'networkx'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
