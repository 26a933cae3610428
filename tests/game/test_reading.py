"""Reading records: every kind of bad record is one precise error, found while it is read."""

import json

import pytest

from csp_sudoku import NotationError
from csp_sudoku.game import reading
from csp_sudoku.game.reading import parse_record, read_records
from csp_sudoku.game.verification import verify
from csp_sudoku.notation import strict_json
from csp_sudoku.notation.text import Text
from tests.fuzz.case import memory_limit
from tests.game.test_record import RECORD
from tests.support import random_of


def changed(**fields):
    """The JSON of a good record with some fields changed; `...` takes one out, and `turn` changes the third turn."""
    data = json.loads(RECORD.to_json())
    turn = fields.pop("turn", {})
    data |= fields
    if turn:
        data["turns"][2] |= turn
    for place in (data, data["turns"][2] if turn else {}):
        for key in [key for key, value in place.items() if value is ...]:
            del place[key]
    return json.dumps(data)


BAD_TEXTS = [
    ("", "g.json: expected a game record, found an empty text"),
    ("\n \n", "g.json: expected a game record, found only blank lines"),
    ("a sentence", "g.json, line 1, column 1: expected a game record, which is a JSON object, found 'a'"),
    ("[]", "g.json, line 1: expected a game record, which is a JSON object, found []"),
    ("7", "g.json, line 1: expected a game record, which is a JSON object, found 7"),
    ("\n\n{'rows': 2}", "g.json, line 3, column 2: expected JSON (expecting property name"),
    ('{"rows": 2,\n"columns" 2}', "g.json, line 2, column 11: expected JSON (expecting ':' delimiter), found '2}'"),
    ('{"rows": 2,', "g.json, line 1, column 12: expected JSON (expecting"),
    (changed()[:-40], "expected JSON (unterminated string starting at), found"),
    (changed() + changed(), "expected JSON (extra data), found '{\"format\":'"),
    (changed() + "\n\n" + changed(mode="rowing"), "g.json, line 3: expected one of classic, rows, border"),
    ('{"rows": 2, "rows": 2}', "g.json, line 1: expected each key once, found 'rows' again"),
    ('{"a": ' + "[" * 100 + "]" * 100 + "}", "line 1: expected the key rows, found none"),
    ('{"a": ' + "[" * 100, "line 1: expected at most 64 brackets within each other, found more"),
    ('{"a": ' + "[" * 10**5 + "]" * 10**5 + "}", "line 1: expected at most 64 brackets within each other, found more"),
    ('{"rows": ' + "9" * 5000 + "}", "found an integer of thousands of digits"),
    (changed(format=3), "g.json, line 1: expected 1 or 2 as format, found 3"),
    (changed(format=True), "g.json, line 1: expected 1 or 2 as format, found true"),
    (changed(format=2, rules=["kiler 3 r1c1"]), "g.json, line 1: expected the name of a rule (did you mean 'killer'?)"),
    (changed(format=2, rules=["killer 3 r1c9"]), "g.json, line 1: expected"),
    (changed(format=2, rules=[""]), "expected the name of a rule in the rules, found the end of the line"),
    (changed(format=2, rules=["any-of ("]), "expected a rule in parentheses in the rules, found the end of the line"),
    (changed(format=2, rules=[7]), "g.json, line 1: expected a text as rules[0], found 7"),
    (changed(format=2, rules="killer"), "g.json, line 1: expected a list of rules as rules"),
    (changed(format=2, blocks=["aab"]), "g.json, line 1: expected the blocks and regions of a board, found expected"),
    (changed(format=2, regions=[[[0, 0]]]), "expected the blocks and regions of a board, found expected"),
    (changed(format=2, regions=[[[0, 9]]]), "expected [row, column], each from 0 to"),
    (changed(format=2, rows=13), "rows·columns ≤ 25 as rows and columns"),
    (changed(format=2, rows=0), "rows·columns ≤ 25 as rows and columns"),
    (changed(rows=...), "g.json, line 1: expected the key rows, found none"),
    (changed(rows="2"), 'g.json, line 1: expected a whole number of at least 0 as rows, found "2"'),
    (changed(columns=2.0), "expected a whole number of at least 0 as columns, found 2.0"),
    (changed(rows=True), "expected a whole number of at least 0 as rows, found true"),
    (changed(rows=1), "expected 2 ≤ rows, 2 ≤ columns and rows·columns ≤ 25 as rows and columns, found [1, 2]"),
    (changed(rows=19), "found [19, 2]"),
    (changed(board=None), "expected a list of 16 values as board, found null"),
    (changed(board=[0] * 15), "expected 16 values as board, found 15"),
    (changed(board=[0] * 15 + [5]), "expected a value from 0 (empty) to 4 as board[15], found 5"),
    (changed(board=[0] * 15 + [True]), "as board[15], found true"),
    (changed(board=[None] * 16), "as board[0], found null"),
    (changed(board=[[0] * 4] * 4), "expected 16 values as board, found 4"),
    (changed(board=[3, 3] + [0] * 14), "each value once in row 1 of board, found 3 at board[0] and at board[1]"),
    (changed(mode=None), "expected one of classic, rows, border, random as mode, found null"),
    (changed(mode=["rows"]), 'as mode, found ["rows"]'),
    (changed(mode="random"), "expected the key allowed, found none"),
    (changed(mode="random", allowed=[[[0, 0]]]), "the squares of player 1 and of player 2, two lists as allowed"),
    (changed(mode="random", allowed=[[[0, 4]], []]), "expected [row, column], each from 0 to 3, as allowed[0][0]"),
    (changed(mode="random", allowed=[[1], []]), "as allowed[0][0], found 1"),
    (changed(mode="random", allowed=[7, []]), "squares of player 1 and of player 2 as allowed[0], found 7"),
    (changed(mode="rows", allowed=[[], []]), "expected the squares of the mode rows as allowed, found [[], []]"),
    (changed(players=["a"]), 'expected two names (or objects) as players, found ["a"]'),
    (changed(players="ab"), "as players"),
    (changed(players=["a", None]), "as players"),
    (changed(seed=...), "expected the key seed, found none"),
    (changed(seed=1.5), "expected an integer, a text or null as seed, found 1.5"),
    (changed(seed=True), "as seed, found true"),
    (changed(time=-1), "expected a number of seconds of at least 0, or null as time, found -1"),
    (changed(time="fast"), 'as time, found "fast"'),
    (changed(time=float("nan")), "as time, found NaN"),
    (changed(time={"base": [float("nan")]}), "expected finite numbers as time, found"),
    (changed(players=["a", {"name": "b", "depth": float("inf")}]), "expected finite numbers as players, found"),
    (changed(turns={}), "expected a list of turns as turns, found {}"),
    (changed(turns=[7]), "expected an object as turns[0], found 7"),
    (changed(turn={"player": 3}), "expected 1 or 2 as turns[2].player, found 3"),
    (changed(turn={"player": True}), "as turns[2].player, found true"),
    (changed(turn={"move": ...}), "expected the key turns[2].move, found none"),
    (changed(turn={"move": [0, 0]}), "expected [row, column, value] or null as turns[2].move, found [0, 0]"),
    (changed(turn={"move": [0, 0, "1"]}), 'as turns[2].move, found [0, 0, "1"]'),
    (changed(turn={"move": [0, 0, 1.0]}), "as turns[2].move, found [0, 0, 1.0]"),
    (changed(turn={"outcome": "won"}), 'one of placed, skipped, passed, lost as turns[2].outcome, found "won"'),
    (changed(turn={"reward": -1}), "expected a whole number of at least 0 as turns[2].reward, found -1"),
    (changed(turn={"reward": None}), "as turns[2].reward, found null"),
    (changed(turn={"seconds": -0.5}), "expected a number of at least 0, or null as turns[2].seconds, found -0.5"),
    (changed(turn={"seconds": float("inf")}), "as turns[2].seconds, found Infinity"),
    (changed(turn={"seconds": 10**400}), "as turns[2].seconds, found 1000"),
    (changed(turn={"reason": 7}), "expected a text as turns[2].reason, found 7"),
    (changed(turn={"proposals": 7}), "expected a list of proposals as turns[2].proposals, found 7"),
    (changed(turn={"proposals": [[0, 0, 1]]}), "expected [[row, column, value], seconds] as turns[2].proposals[0]"),
    (changed(turn={"proposals": [[[0, 0], 1]]}), "expected [row, column, value] or null as turns[2].proposals[0][0]"),
    (changed(turn={"proposals": [[[0, 0, 1], None]]}), "expected a number of at least 0 as turns[2].proposals[0][1]"),
    (changed(scores=[1, -1]), "expected two whole numbers of at least 0 as scores, found [1, -1]"),
    (changed(scores=7), "as scores, found 7"),
    (changed(result=[1, 1]), "expected [1, 0], [0.5, 0.5], [0, 1] or null as result, found [1, 1]"),
    (changed(result=[True, False]), "as result, found [true, false]"),
    (changed(result=0), "as result, found 0"),
    (changed(reason=None), "expected a text as reason, found null"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS, ids=[message[-50:] for _, message in BAD_TEXTS])
def test_a_bad_record_is_one_precise_error(text, message, tmp_path):
    """The error gives the expected value, the field and line, and the value found, in one line."""
    path = tmp_path / "g.json"
    path.write_text(text)
    with pytest.raises(NotationError) as caught:
        list(read_records(path))
    told = str(caught.value).replace(str(path), "g.json")
    assert message in told
    assert "\n" not in told
    assert len(told) < 300


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe{\0", "g.json, line 1, column 1: expected UTF-8 text, found UTF-16 text"),
        (b'{"a": "\xff"}', "g.json, line 1, column 8: expected UTF-8 text, found the byte 0xff"),
        (b"\x00\x01", "g.json, line 1, column 1: expected text, found binary data (byte 0x00)"),
        (bytes(range(256)), "g.json, line 1, column 1: expected text, found binary data (byte 0x00)"),
    ],
)
def test_a_file_that_is_no_text_is_an_error(content, message, tmp_path):
    """Binary data is not parsed: the error names the first byte that is not text."""
    path = tmp_path / "g.json"
    path.write_bytes(content)
    with pytest.raises(NotationError) as caught:
        list(read_records(path))
    assert str(caught.value).replace(str(path), "g.json") == message


@pytest.mark.parametrize("trial", range(60))
def test_a_damaged_record_is_an_error_or_a_record(trial):
    """Whatever a byte is turned into, there is a record, or a NotationError, and a record can be verified."""
    rng = random_of("damage", trial)
    text = list(RECORD.to_json())
    for _ in range(rng.randint(1, 3)):
        text[rng.randrange(len(text))] = rng.choice('{}[]",:0123456789-.eE ntf\\')
    try:
        record = parse_record("".join(text))
    except NotationError as error:
        assert len(str(error)) < 300  # noqa: PT017 - either is right
    else:
        verify(record)


class Counted(str):
    """A key that counts how often it is compared."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other):
        Counted.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_key_that_comes_twice_is_found_in_linear_time():
    """Each key is compared a few times, however many there are, and the error names the right one."""
    pairs = [(Counted(f"k{number}"), 0) for number in range(3000)]
    with pytest.raises(strict_json.RepeatedKeyError, match=r"^k2999$"):
        strict_json.unique_keys([*pairs, (Counted("k2999"), 1)])
    assert Counted.comparisons < 10 * len(pairs)


class Endless:
    """A binary stream that repeats a text without end, and counts the bytes that it has given."""

    def __init__(self, begin, repeated):
        self.begin, self.repeated, self.given = begin, repeated, 0

    def readline(self, limit):
        count = max(0, limit - len(self.begin)) // len(self.repeated)
        piece, self.begin = self.begin + self.repeated * count, b""
        self.given += len(piece)
        return piece


ENDLESS = [
    (b"", b"7", 1 << 18, "expected a game record, which is a JSON object, found '7777"),
    (b"[", b"[],", 1 << 18, "expected a game record, which is a JSON object, found '[[],[],"),
    (b"", b" ", 1 << 26, "expected a game record of at most 67108864 characters, found a longer one"),
    (b'{"x": "', b"7", 1 << 26, "expected a game record of at most 67108864 characters, found a longer one"),
    (b'{"x": "', b"\\", 1 << 26, "expected a game record of at most 67108864 characters, found a longer one"),
    (b'{"turns":[', b"[],", 1 << 24, "expected a game record that takes at most 256 MB of memory, found a larger one"),
    (b'{"turns":[', b"1,", 1 << 24, "expected a game record that takes at most 256 MB of memory, found a larger one"),
    (b"{", b'"a":0,', 1 << 24, "expected a game record that takes at most 256 MB of memory, found a larger one"),
    (b'{"x":', b"[", 1 << 18, "expected at most 64 brackets within each other, found more"),
]


endless = pytest.mark.parametrize(
    ("begin", "repeated", "bytes_read", "message"), ENDLESS, ids=[repr(one[:2]) for one in ENDLESS]
)


@pytest.mark.slow
@endless
def test_an_endless_record_is_refused_while_it_is_read(begin, repeated, bytes_read, message):
    """It takes no more memory than two copies of the largest text, and nothing is read that need not be."""
    stream = Endless(begin, repeated)
    with memory_limit(200), pytest.raises(NotationError) as caught:
        next(reading.records_of(Text(stream)))
    assert str(caught.value).startswith(f"line 1: {message}")
    assert stream.given <= bytes_read + (1 << 17)


@endless
def test_the_limits_of_a_record_are_checked_while_it_is_read(begin, repeated, bytes_read, message, monkeypatch):
    """With limits that are 64 times as small, as much less is read."""
    monkeypatch.setattr(reading, "LIMIT", reading.LIMIT // 64)
    monkeypatch.setattr(reading, "MEMORY", reading.MEMORY // 64)
    stream = Endless(begin, repeated)
    with pytest.raises(NotationError, match=r"^line 1: expected "):
        next(reading.records_of(Text(stream)))
    assert stream.given <= bytes_read // 64 + (1 << 17)


@pytest.mark.parametrize("shift", range(5))
def test_a_string_may_be_longer_than_a_piece_of_the_text(shift, tmp_path):
    """Brackets and escaped quotation marks in a long string count for nothing, wherever the text is cut."""
    data = {"x": "7" * shift + '["{\\' * 40_000} | RECORD.as_object()
    path = tmp_path / "long.jsonl"
    path.write_text(f"{json.dumps(data)}\n{json.dumps(data)}\n")
    assert list(read_records(path)) == [RECORD, RECORD]


def test_a_record_with_as_many_proposals_as_a_game_keeps_is_within_the_limits():
    """The limit on memory leaves room for 900,000 proposals, each with two lists and four numbers."""
    proposal = "[[24, 24, 25], 0.123456], "
    scan = reading.Scan()
    scan.take(proposal * 1000)
    assert scan.memory * 900 < reading.MEMORY
    assert len(proposal) * 900_000 < reading.LIMIT


def test_other_keys_are_read_past():
    """Additional keys of a later version, or of a user, do not prevent reading."""
    data = RECORD.as_object() | {"event": "final", "format": 1}
    assert parse_record(json.dumps(data)) == RECORD


def test_one_record_is_one_record():
    """A text of two records is not one."""
    with pytest.raises(NotationError, match="expected one game record, found another"):
        parse_record(f"{RECORD.to_json()}\n{RECORD.to_json()}")
