"""Output is folded to the width of the terminal: no line is longer, and nothing is lost."""

from __future__ import annotations

import click
import pytest

from csp_sudoku.cli.folding import USUAL_WIDTH, columns, folded

TABLE = """\
|     | player |  Elo |       95 % | games |  a\\|b |
| --: | ------ | ---: | ---------: | ----: | ----: |
|   1 | greedy |  +12 | -30 to +54 |   100 |    50 |
|   2 | random |  -12 | -54 to +30 |   100 |     3 |"""


def cells(text: str) -> list[list[str]]:
    """The cells of the tables of a text, row by row; further tables omit the columns that name the rows."""
    rows: list[list[str]] = []
    for number, table in enumerate(text.split("\n\n")):
        for place, line in enumerate(table.splitlines()):
            row = [cell.strip() for cell in line.replace("\\|", "/").split("|")[1:-1]]
            if number:
                assert row[:2] == rows[place][:2]
                rows[place] += row[2:]
            else:
                rows.append(row)
    return rows


@pytest.mark.parametrize("width", [80, 51, 40, 30, 27])
def test_a_wide_table_becomes_several(width: int) -> None:
    """Each table has the names of the rows, and together they have all columns in order."""
    text = folded(TABLE, width=width)
    assert max(map(len, text.splitlines())) <= max(width, 29)
    assert cells(text) == cells(TABLE)
    assert (text == TABLE) == (width >= max(map(len, TABLE.splitlines())))


@pytest.mark.parametrize("width", [10, 20, 33, 80])
@pytest.mark.parametrize("start", ["", "    "])
def test_lines_are_folded_between_words(start: str, width: int) -> None:
    """The words are the same, and a continuation is indented by 2 more than its line."""
    line = start + "best: r1c1=1, r2c2=2, r3c3=3, and 12 more"
    first, *others = folded(line, indent=2, width=width).split("\n")
    assert first.startswith(f"{start}best:")
    assert all(other.startswith(f"{start}  ") and not other.startswith(f"{start}   ") for other in others)
    assert " ".join([first, *others]).split() == line.split()
    assert all(len(part) <= width or " " not in part.strip() for part in (first, *others))


def test_colours_have_no_width() -> None:
    """A bold line is folded where the same line in plain type is."""
    line = "a win becomes a loss; missed skip"
    shown = folded(click.style(line, bold=True), width=24)
    assert click.unstyle(shown) == folded(line, width=24) == "a win becomes a loss;\nmissed skip"


def test_short_lines_stay_as_they_are() -> None:
    """Only lines that are too long change, and blank lines and spaces stay."""
    text = "# a  title\n\n  two  spaces \n| a |\n"
    assert folded(text, width=20) == text


def test_an_output_that_is_no_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal, the width does not depend on the environment."""
    monkeypatch.setenv("COLUMNS", "200")
    assert columns() == USUAL_WIDTH == 80
