"""Files of plain lines as arrays: nothing is lost where the plain lines end."""

from io import BytesIO

import numpy as np
import pytest

from csp_sudoku.notation import line_arrays
from csp_sudoku.notation.line_arrays import LineArrays, lines_of, regular_rows
from tests.support import random_of

LINE = b"1.....2..3.....4"


class Pipe(BytesIO):
    """A stream that gives only a few bytes at a time."""

    def __init__(self, content, few):
        super().__init__(content)
        self.few = few

    def read1(self, size=-1):
        return super().read(self.few)


@pytest.mark.parametrize("few", [1, 5, 17, 40, 1000])
@pytest.mark.parametrize(
    ("after", "rest"),
    [
        (b"", None),
        (LINE, None),
        (LINE[:-1], LINE[:-1]),
        (b"\n", b"\n"),
        (LINE + b"\r\n" + LINE, LINE + b"\r\n" + LINE),
        (LINE + b" # note\n" + LINE + b"\n", LINE + b" # note\n" + LINE + b"\n"),
        (LINE[:-1] + b"5\n", LINE[:-1] + b"5\n"),
        (LINE + b"." * 200, LINE + b"." * 200),
    ],
)
def test_regular_lines_and_the_rest(few, after, rest):
    """Every line is a row, or among the bytes of the rest, however the stream gives them."""
    arrays = LineArrays(Pipe((LINE + b"\n") * 5 + after, few), 16)
    rows = sum(len(array) for array in arrays)
    assert rows == arrays.lines == 5 + (after == LINE)
    assert (None if arrays.rest is None else arrays.rest.read()) == rest


def test_the_rest_is_read_on_line_by_line():
    """The text after an irregular line comes from the same stream, and lines keep their lengths."""
    content = (LINE + b"\n") * 3 + b"# a comment\n" + (LINE + b"\n") * 5000
    arrays = LineArrays(BytesIO(content), 16)
    assert sum(len(array) for array in arrays) == 3
    assert arrays.rest.readline() == b"# a comment\n"
    assert len(arrays.rest.readlines()) == 5000


def test_rows_are_written_as_they_were_read(monkeypatch):
    """Lines of all sizes are the same after reading and writing."""
    monkeypatch.setattr(line_arrays, "PIECE", 100)
    for size in (4, 9, 16, 25):
        random = random_of("rows", size)
        cells = np.array([[random.randint(0, size) for _ in range(size * size)] for _ in range(7)], np.uint8)
        text = lines_of(cells)
        assert (regular_rows(text, size * size) == cells).all()
        assert (np.concatenate(list(LineArrays(BytesIO(text), size * size))) == cells).all()
