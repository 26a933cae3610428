"""A mistake in a text is one line: the expected text, the text found, the line and the column."""

import pickle
from io import BytesIO
from itertools import product

import pytest

from csp_sudoku import NotationError, notation
from csp_sudoku.notation import FORMATS, Grid
from csp_sudoku.notation.properties import KNOWN

pytestmark = pytest.mark.quick

FOUR = Grid(2, 2, bytes([1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]))
LINE = "1.....2..3.....4"
TEXTS = {format: notation.format_grid(FOUR, format) for format in FORMATS}
JSON = TEXTS["json"]


def error_of(text, format=None, **options):
    """The error that a text gives, as a person sees it."""
    with pytest.raises(NotationError) as caught:
        notation.read_one(BytesIO(text if isinstance(text, bytes) else text.encode()), format, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    return message


VALUE = "expected an integer from 1 to 4, or . _ * 0 for an empty cell"
CHARACTER = "expected a value 1…4, or . _ * 0 for an empty cell"
SIZES = "4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 22, 24, 25"
SHAPE = "expected a shape m×n with 2 ≤ m, 2 ≤ n and m·n ≤ 25"
AMBIGUOUS = [("tue", "2"), ("line", LINE[:-1]), ("values", "1 0 0 0\n0 0 2 0\n0 3 0 0\n0 0 0 ")]
"""Texts cut so short that they look like the beginning of something else."""
OBJECT = 'expected an object {"rows": m, "columns": n, "board": […]} or a list of N rows'


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        (
            "tue",
            "2 2\n1 . . .\n. . 2 .\n. 3 . .\n. . .",
            "line 5, column 6: expected 16 cells after the header, found 15",
        ),
        ("tue", "2 2", "line 1, column 4: expected 16 cells after the header, found 0"),
        ("tue", "2", "line 1, column 1: expected m and n, the rows and columns of a block, found '2'"),
        ("properties", TEXTS["properties"][:-1], "line 7, column 8: expected 16 cells as the value of board, found 15"),
        (
            "properties",
            "rows = 2\ncolumns = 2\n",
            "line 1, column 1: expected the keys rows, columns, board, found no board",
        ),
        ("line", LINE[:-1], "line 1, column 16: expected 16 cells (or N·N of another board size), found 15"),
        (
            "line",
            f"{LINE}\n{LINE[:9]}",
            "line 2, column 1: expected a board size among " + SIZES + ", found 3 (9 cells)",
        ),
        ("line", "2x2: 1... ..2.", "line 1, column 15: expected 16 cells, found 8"),
        ("values", "1 0 0 0\n0 0 2 0\n0 3 0 0\n0 0 0 ", "line 4, column 6: expected 4 values in row 4, found 3"),
        ("values", "1,0,0,0\n0,0,2,0\n0,3,0,0\n\n1,0,0,0", "line 3, column 8: expected 4 rows of 4 values, found 3"),
        ("values", "2x2:", "line 1: expected a board after its shape, found the end of the text"),
        (
            "grid",
            "1 . | . .\n. . | 2 .\n----+----\n. 3 | . .",
            "line 4, column 10: expected 4 rows of 4 cells, found 3",
        ),
        ("grid", "1 . | . .\n. . | 2 .\n----+----\n. 3 | .", "line 4, column 8: expected 4 cells in row 3, found 3"),
        (
            "grid",
            "1...\n..2.\n.3..\n\n...4",
            "line 4, column 1: expected 4 rows of 4 cells, found a blank line below row 3",
        ),
        ("csv", f"quiz,solution\n{LINE}", "line 2, column 17: expected 2 fields, as in the header, found 1"),
        ("csv", "quiz\n", "line 2, column 1: expected a board, found the end of the text"),
        ("csv", f"quiz\n{LINE[:12]}", "line 2, column 13: expected 16 cells (or N·N of another board size), found 12"),
        ("json", JSON[:-1], f"line 1, column {len(JSON)}: expected a closing bracket, found the end of the text"),
        ("json", "[" + JSON, f"line 1, column {len(JSON) + 2}: expected a closing bracket, found the end of the text"),
        ("json", '{"board": "', 'line 1, column 12: expected a closing " of the string, found the end of the text'),
        ("json", '{"board":\n[0, 1]}', f"line 2, column 6: expected N·N values, N among {SIZES}, found 2"),
        ("json", '{"rows": 2, "columns": 2, "board": [0]}', "line 1, column 38: expected 16 values, found 1"),
        ("json", "[[0, 0, 0, 0],\n[0, 0, 0],\n[0]]", "line 2, column 9: expected 4 values in row 2, found 3"),
        ("json", "[[0, 0, 0, 0],\n[0, 0, 0, 0]]", "line 2, column 13: expected 4 rows, found 2"),
    ],
)
def test_too_little(format, text, message):
    """If a text ends too early, the place is where more was expected; recognised texts give the same error."""
    assert error_of(text, format) == message
    if (format, text) not in AMBIGUOUS:
        assert error_of(text) == message


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("tue", TEXTS["tue"] + " .", "line 5, column 9: expected 16 cells after the header, found 17"),
        (
            "properties",
            TEXTS["properties"] + "\n  .",
            "line 8, column 3: expected 16 cells as the value of board, found 17",
        ),
        ("line", LINE + ".", "line 1, column 17: expected 16 cells (or N·N of another board size), found 17"),
        ("line", f"{LINE} {LINE}", "line 1, column 34: expected 36 cells (or N·N of another board size), found 32"),
        ("values", "1 0 0 0\n0 0 2 0 0", "line 2, column 9: expected 4 values in row 2, found 5"),
        ("values", "2x2: " + "0 " * 17, "line 1, column 38: expected 16 values, or 4 in a row, found 17"),
        (
            "values",
            "10, " * 82,
            f"line 1, column 325: expected N values in a row or N·N in a line, N among {SIZES}, found 82",
        ),
        ("grid", "1 . | . .\n. . | 2 . 3", "line 2, column 11: expected 4 cells in row 2, found 5"),
        ("csv", f"quiz\n{LINE},{LINE}", "line 2, column 18: expected 1 fields, as in the header, found 2"),
        (
            "json",
            '{"rows": 2, "columns": 2, "board": [' + "0," * 16 + "0]}",
            "line 1, column 69: expected 16 values, found 17",
        ),
        ("json", "[[0, 0, 0, 0],\n[0, 0, 0, 0, 0]]", "line 2, column 14: expected 4 values in row 2, found 5"),
    ],
)
def test_too_much(format, text, message):
    """If there are more cells than a board has, the place is the first surplus cell."""
    assert error_of(text, format) == message


@pytest.mark.parametrize("format", FORMATS)
def test_two_boards_where_one_is_expected(format):
    """A second board is reported with the line where it begins, and a stream yields both."""
    text = TEXTS[format]
    twice = f"{text}\n{text}"
    line = text.count("\n") + 2 + (format == "csv")
    assert error_of(twice, format) == error_of(twice) == f"line {line}, column 1: expected one board, found another"
    assert list(notation.read(BytesIO(twice.encode()))) == [FOUR, FOUR]


def replaced(text, old, new):
    """A text with something mistyped, once."""
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    "wrong", ["X", "５", "5", "+3", "3.0", "3e0", "03", "1_0", "-1", "NaN", "true", "٣", "¾", "3\u200b", "é"]
)
@pytest.mark.parametrize(
    ("format", "old", "place"),
    [
        ("tue", "3", "line 4, column 3: "),
        ("properties", "3", "line 6, column 5: "),
        ("values", "3", "line 1, column 19: "),
        ("grid", "3", "line 4, column 3: "),
        ("json", "3", "line 1, column 64: "),
    ],
)
def test_words_that_are_no_values(format, old, place, wrong):
    """Only plain integers in range are values, whatever else Python takes for a number; the word is quoted."""
    message = error_of(replaced(TEXTS[format], old, wrong), format)
    if format == "json" and ("Expecting" in message or "Extra" in message):  # not even JSON
        assert message.startswith("line 1, column 6")
        assert "expected JSON (" in message
    else:
        expected = CHARACTER if format == "grid" else VALUE
        assert message == f"{place}{expected}, found {wrong!r}"


@pytest.mark.parametrize("wrong", ["X", "5", "+", "-", "٣", "é", "#", ",", "\u200b", "/"])
@pytest.mark.parametrize(("format", "place"), [("line", "line 1, column 10: "), ("csv", "line 2, column 10: ")])
def test_characters_that_are_no_values(format, place, wrong):
    """In lines and tables every character counts, and the one that is none is quoted."""
    message = error_of(replaced(TEXTS[format], "3", wrong), format)
    if wrong == "#" and format == "line":
        assert message == "line 1, column 1: expected a board size among " + SIZES + ", found 3 (9 cells)"
    elif wrong == "," and format == "csv":
        assert message == "line 2, column 11: expected 1 fields, as in the header, found 2"
    else:
        assert message == f"{place}{CHARACTER}, found {wrong!r}"


@pytest.mark.parametrize(
    ("format", "message"),
    [
        ("tue", "line 4, column 1: expected each value once in column 1, found '1' again (first at line 2, column 1)"),
        (
            "properties",
            "line 6, column 3: expected each value once in column 1, found '1' again (first at line 4, column 3)",
        ),
        ("line", "line 1, column 9: expected each value once in column 1, found '1' again (first at line 1, column 1)"),
        (
            "values",
            "line 1, column 17: expected each value once in column 1, found '1' again (first at line 1, column 1)",
        ),
        ("grid", "line 4, column 1: expected each value once in column 1, found '1' again (first at line 1, column 1)"),
        ("csv", "line 2, column 9: expected each value once in column 1, found '1' again (first at line 2, column 1)"),
        (
            "json",
            "line 1, column 61: expected each value once in column 1, found '1' again (first at line 1, column 37)",
        ),
    ],
)
def test_a_value_that_stands_twice(format, message):
    """A clash points at the second of two equal values and names the region and the place of the first."""
    clashing = notation.format_grid(Grid(2, 2, FOUR.values[:8] + b"\x01" + FOUR.values[9:]), format)
    assert error_of(clashing, format) == error_of(clashing) == message


def test_a_clash_in_a_block_and_in_a_value_beyond_nine():
    """Every kind of region is checked, and the value is quoted as in the text."""
    assert error_of("12...1" + "." * 10) == (
        "line 1, column 6: expected each value once in block 1, found '1' again (first at line 1, column 1)"
    )
    assert error_of("a" + "." * 10 + "A" + "." * 132) == (
        "line 1, column 12: expected each value once in row 1, found 'A' again (first at line 1, column 1)"
    )
    assert error_of("3 4\n10" + " ." * 10 + " 10" + " ." * 132) == (
        "line 2, column 24: expected each value once in row 1, found '10' again (first at line 2, column 1)"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7 7\n1 . .", f"line 1, column 1: {SHAPE}, found 7×7"),
        ("rows = 1\ncolumns = 9\nboard = .", f"line 1, column 1: {SHAPE}, found 1×9"),
        ("7x7:" + "." * 49, f"line 1, column 1: {SHAPE}, found 7×7"),
        ("0x0:.", f"line 1, column 1: {SHAPE}, found 0×0"),
        ('{"rows": 7, "columns": 7, "board": []}', f"line 1, column 1: {SHAPE}, found 7×7"),
        ("." * 49, f"line 1, column 1: expected a board size among {SIZES}, found 7 (49 cells)"),
        (
            "[" + ",".join(["[0,0,0,0,0,0,0]"] * 7) + "]",
            f"line 1, column 1: expected a board size among {SIZES}, found 7",
        ),
        ("1 2 | 3 4 | 5\n", f"line 1, column 1: expected a row of N cells, N among {SIZES}, found 5"),
    ],
)
def test_sizes_and_shapes_that_do_not_exist(text, message):
    """A board of an impossible size is reported with the possible sizes."""
    assert error_of(text) == message


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("tue", "two 2", "line 1, column 1: expected m and n, the rows and columns of a block, found 'two'"),
        ("tue", "2 +2", "line 1, column 3: expected m and n, the rows and columns of a block, found '+2'"),
        (
            "tue",
            TEXTS["tue"] + "\nend",
            "line 6, column 1: expected m and n, the rows and columns of a block, found 'end'",
        ),
        (
            "properties",
            "rows = 2\nbord = 1",
            f"line 2, column 1: expected a key among {', '.join(KNOWN)}, found 'bord'",
        ),
        ("properties", " 1 2", "line 1, column 2: expected key = value, found '1 2'"),
        (
            "properties",
            "board =\n1 . .",
            "line 2, column 1: expected key = value, or an indented line that continues a value, found '1 . .'",
        ),
        (
            "properties",
            "board = 1\nboard = 2",
            "line 2, column 1: expected each key once (first at line 1), found 'board'",
        ),
        (
            "properties",
            "rows = two\ncolumns = 2\nboard = 1",
            "line 1, column 8: expected the number of rows of a block, found 'two'",
        ),
        (
            "properties",
            "rows = 2\ncolumns = 2 2\nboard = 1",
            "line 2, column 1: expected the number of columns of a block, found '2 2'",
        ),
        ("properties", "rows = 2\ncolumns = 2\nboard = .+", f"line 3, column 9: {VALUE}, found '.+'"),
        ("values", "1,0,0,0\n0,,2,0", "line 2, column 3: expected a value between two commas, found none"),
        (
            "values",
            "one two",
            "line 1, column 1: expected an integer from 1 to 25, or . _ * 0 for an empty cell, found 'one'",
        ),
        ("grid", "what is it", "line 1, column 1: expected a value 1…8, or . _ * 0 for an empty cell, found 'w'"),
        (
            "grid",
            "1 . | . .\n----+----\n. . | 2 .\n. . | 3 .\n. . | . .",
            "line 2, column 1: expected borders around blocks of equal height, found borders below the rows 1",
        ),
        (
            "grid",
            "1 . | . .\n. | . 2 .\n. . | 3 .\n. . | . .",
            "line 2, column 1: expected borders around blocks of equal width, found borders before the cells 2",
        ),
        (
            "grid",
            "1 2 3 | 4 5 6\n. . . | . . .\n. . . | . . .\n------+------\n" + ". . . | . . .\n" * 3,
            "line 1, column 1: expected borders around blocks of 6 cells, found blocks of 3×3",
        ),
        (
            "csv",
            f"id,board\n1,{LINE}",
            "line 1, column 1: expected a header with a column among quizzes, quiz, puzzles, puzzle, found 'id,board'",
        ),
        (
            "csv",
            f'quiz,x\n{LINE},"',
            f"line 2, column 1: expected a line of fields with commas between them, found '{LINE},\"'",
        ),
        (
            "csv",
            f"x,quiz,solution\n7,{LINE},124334214312213",
            "line 2, column 35: expected a solution of 16 cells, like its puzzle, found 15",
        ),
        (
            "csv",
            f'solution,quiz\n"2243342143122134",{LINE}',
            "line 2, column 2: expected a solution with the values of its puzzle, found '2'",
        ),
        (
            "csv",
            f"quiz,solution\n{LINE}, 12433421431221.4",
            "line 2, column 33: expected a value 1…4 (a solution has no empty cells), found '.'",
        ),
        ("json", "1", f"line 1, column 1: {OBJECT}, found '1'"),
        ("json", '"a"', f"line 1, column 1: {OBJECT}, found '\"a\"'"),
        ("json", "}", f"line 1, column 1: {OBJECT}, found '}}'"),
        ("json", "{}", f"line 1, column 1: {OBJECT}, found no board"),
        ("json", '{"board": {"a": 1}}', f"line 1, column 11: {OBJECT}, found board '{{\"a\": 1}}'"),
        ("json", "[]", f"line 1, column 2: expected N·N values, N among {SIZES}, found 0"),
        (
            "json",
            '{"rows": 2, "board": []}',
            "line 1, column 1: expected the number of columns of a block, found no columns",
        ),
        (
            "json",
            '{"rows": true, "columns": 2, "board": []}',
            "line 1, column 10: expected the number of rows of a block, found 'true'",
        ),
        ("json", '{"board": [],\n "board": []}', "line 2, column 2: expected each key once, found 'board' again"),
        ("json", '{"x": {"a": 1, "a": 2}}', "line 1, column 16: expected each key once, found 'a' again"),
        ("json", '{"a": tru}', "line 1, column 7: expected JSON (Expecting value), found 'tru'"),
        ("json", '{"a" 1}', "line 1, column 6: expected JSON (Expecting ':' delimiter), found '1'"),
        ("json", '{"a": "x\ny"}', 'line 1, column 9: expected a closing " of the string, found the end of the line'),
        ("json", f"{JSON}, {JSON}", f"line 1, column {len(JSON) + 1}: {OBJECT}, found ','"),
        ("json", f"[{JSON} {JSON}]", f"line 1, column {len(JSON) + 3}: expected a comma, found '{{'"),
        ("json", f"[{JSON},\n]", f"line 2, column 1: {OBJECT}, found ']'"),
        (
            "json",
            f"[{JSON}, [1]]",
            f"line 1, column {len(JSON) + 4}: expected an object, like the others of the list, found '['",
        ),
        ("json", "[" * 99, "line 1, column 65: expected at most 64 brackets within each other, found more"),
        (
            "json",
            "[" + "9" * 5000 + "]",
            "line 1, column 1: expected the values of a board, found an integer of thousands of digits",
        ),
        ("json", "[[0, 0, 0, [1]]" + ", [0, 0, 0, 0]" * 3 + "]", f"line 1, column 13: {VALUE}, found '[1]'"),
    ],
)
def test_what_each_reader_says(format, text, message):
    """Each reader reports its own mistakes with their places."""
    message_found = error_of(text, format)
    assert message_found.removesuffix(" (unexpected end of data)") == message


@pytest.mark.parametrize("text", ["hello", "hello, world", "null", "# only\nhello world", "<html>", "}", "…"])
def test_what_no_reader_knows(text):
    """A text in no known notation is reported with the names of the notations."""
    line = text.count("\n") + 1
    found = text.splitlines()[-1]
    known = "tue, properties, line, values, grid, csv, json, variant, fpuzzles, fpuzzles-packed, fpuzzles-url"
    assert error_of(text) == f"line {line}, column 1: expected a board in one of the notations {known}, found {found!r}"


@pytest.mark.parametrize("format", [None, *FORMATS])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "expected a board, found an empty text"),
        (b"\xef\xbb\xbf", "expected a board, found an empty text"),
        (b"\n \n# nothing\n", "expected a board, found only blank lines and comments"),
        (b"\xff\xfe1\x002\x00", "line 1, column 1: expected UTF-8 text, found UTF-16 text"),
        (b"\x1f\x8b\x08\x00", "line 1, column 1: expected text, found binary data (byte 0x1f)"),
        (b"\n\xc3\xa9\x00", "line 2, column 2: expected text, found binary data (byte 0x00)"),
        ("é".encode("latin-1"), "line 1, column 1: expected UTF-8 text, found the byte 0xe9"),
        (b"\n\xc3\xa9\xc3", "line 2, column 2: expected UTF-8 text, found the byte 0xc3"),
        (b"# " + "à".encode("latin-1"), "line 1, column 3: expected UTF-8 text, found the byte 0xe0"),
    ],
)
def test_what_is_no_text(format, text, message):
    """An empty text, and bytes that are not text, are reported as such in every notation."""
    assert error_of(text, format) == message


@pytest.mark.parametrize(("format", "byte"), list(product(FORMATS, [0, 7, 27, 127])))
def test_binary_data_within_a_text(format, byte):
    """A control character within a board is reported with its place, in every notation."""
    text = TEXTS[format].encode()
    at = text.index(b"3")
    message = error_of(text[:at] + bytes([byte]) + text[at:], format)
    line, column = text.count(b"\n", 0, at) + 1, at - text.rfind(b"\n", 0, at)
    assert message == f"line {line}, column {column}: expected text, found binary data (byte 0x{byte:02x})"


def test_an_unknown_text_is_pointed_at_where_it_begins():
    """The place of a text in no notation is its first character that is not blank."""
    assert error_of("# a board\n   hello").startswith("line 2, column 4: expected a board in one of the notations ")


def test_columns_count_characters_from_one():
    """Columns count as in an editor: characters, not bytes, including the prefix and blanks before the cells."""
    assert error_of(f"# é\n  2x2: {LINE[:-1]}ñ").startswith("line 2, column 23: ")
    assert error_of('{"é": 1, "board": [' + "0, " * 15 + "9]}").startswith("line 1, column 65: ")
    assert error_of(f"é,quiz\nü,{LINE[:-1]}9").startswith("line 2, column 18: ")


def test_what_is_quoted_is_short_and_on_one_line():
    """Only the beginning of a long or odd text is quoted, with escapes."""
    assert error_of("tue " * 9999, "tue").endswith("found 'tue'")
    assert error_of("9" * 9999, "tue").endswith(f"found '{'9' * 38}…")
    assert error_of("hello\u2028world").endswith(r"found 'hello\u2028world'")
    assert error_of('{"board": ["' + r"\n" * 5000 + '"' + ", 0" * 15 + "]}").count("n") < 100


def test_errors_know_the_file_and_survive_a_pickle():
    """The error of a stream names its source, and goes from one process to another whole."""
    with pytest.raises(NotationError) as caught:
        notation.read_one([b"1", b"2"], "line", source="my puzzles.txt")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.source, error.line, error.column) == ("my puzzles.txt", 1, 1)
    assert str(error).startswith("my puzzles.txt, line 1, column 1: expected ")
