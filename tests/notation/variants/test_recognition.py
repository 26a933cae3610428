"""Recognition of puzzles with rules among other texts, whose recognition does not change."""

import pytest

from csp_sudoku.notation.grid import ReadOptions
from csp_sudoku.notation.recognition import recognised
from csp_sudoku.notation.text import Text
from csp_sudoku.notation.variants.lzstring import compress

PACKED = compress('{"size":9,"grid":[[{"value":5,"given":true}]]}')


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("board", "variant"),
        ("  Board 2x3", "variant"),
        ("board =", "properties"),
        ("board = 1 2 3", "properties"),
        (PACKED, "fpuzzles"),
        (f"fpuzzles{PACKED}", "fpuzzles"),
        (f"https://f-puzzles.com/?load={PACKED}", "fpuzzles"),
        ("http://example.org", "fpuzzles"),
        ('{"size": 9}', "json"),
        ("N4" + "." * 79, "line"),
        ("1." * 40 + "1", "line"),
    ],
)
def test_the_first_line_decides(line, name):
    """A link, packed text and the word board have their notations; a key board and rows of cells keep theirs."""
    assert recognised(Text([f"{line}\n".encode()]), ReadOptions(), "…") == name
