"""The logs of the players on a page: readable, of limited length, and text only."""

import pytest

from csp_sudoku import OptionError
from csp_sudoku.pages.logs import FEW, MAX_LOG, log_section, read_logs, readable

NAMES = ("<one>", "two")


def test_output_is_text():
    """Colours, control characters and bytes that are no text do not reach the page."""
    assert readable(b"a\x00\x1b[1;31mb\x1b[0m\x08\r\nc\td\xff\x7f\n") == "ab\nc\td\ufffd\n"


def test_long_output_is_cut_in_the_middle():
    """The beginning and the end are shown, and how much is left out between."""
    text = readable(b"a" * MAX_LOG + b"b" * 10)
    assert text.startswith("a" * (MAX_LOG // 2) + "\n[10 characters are left out here]\naaa")
    assert text.endswith("a" + "b" * 10)


def test_the_section_names_both_players():
    """Each player has its lines; a short output is unfolded, one who printed nothing has no box, names are text."""
    found = log_section(("hello\n", " \n"), NAMES)
    assert "player 1, &lt;one&gt;: 1 line</summary>" in found
    assert 'open=""' in found
    assert "<p>player 2, two: nothing</p>" in found
    assert 'open=""' not in log_section(("hello\n" * (FEW + 1), ""), NAMES)
    assert log_section((), NAMES) == ""


def test_a_folder_of_logs(tmp_path):
    """One file suffices; a folder with none is an error, and so is a file that cannot be read."""
    with pytest.raises(OptionError, match=r"expected a folder with player1\.log .*; found neither in"):
        read_logs(str(tmp_path))
    (tmp_path / "player1.log").write_text("hello")
    assert read_logs(str(tmp_path)) == ("hello", "")
