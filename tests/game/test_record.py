"""Game records: written, read back, verified; every kind of bad record is one precise error or problem."""

import io
import json
import sys
from dataclasses import replace

import pytest

from csp_sudoku import Board, Geometry, NotationError, ShapeError, SudokuError
from csp_sudoku.constraints import AnyOf, Killer, NoDifference, Odd
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.game import reading
from csp_sudoku.game.outcome import Loss, OutcomeKind
from csp_sudoku.game.reading import parse_record, read_records
from csp_sudoku.game.record import Proposal, Recorder, Turn, write_records
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import Replay, verify
from csp_sudoku.moves.move import Move
from csp_sudoku.notation import strict_json
from csp_sudoku.notation.text import Text
from tests.fuzz.case import memory_limit
from tests.game.support import MODES, random_record
from tests.support import random_of

PASSES = Board.parse("1234 .... .... ....")
"""In the mode rows, player 1 has nowhere to play on it."""


def lost_record(*moves, loss=None, board=None, players=("a", "b")):
    """The record of a game that the last of these moves loses, or that is lost in another way."""
    state = GameState.start(board or Board.parse("12.. .... ..3. ...."))
    recorder = Recorder(state, players)
    for move in moves:
        state, outcome = state.play(move)
        recorder.add(Turn.of(outcome))
    if loss is not None:
        state, outcome = state.lose(loss)
        recorder.add(Turn.of(outcome))
    return recorder.finish(state)


RECORD = random_record(seed=3)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 2), (3, 3)])
def test_what_is_written_is_read_back(m, n, mode):
    """A record comes back from its JSON as it was, and is right."""
    record = random_record(m, n, mode, seed=7)
    assert parse_record(record.to_json()) == record
    assert "\n" not in record.to_json()
    assert verify(record) == []


def test_an_error_after_a_proposal_is_read_back():
    """The message of the error and its traceback come back with the turn; a turn without them has no such keys."""
    state = GameState.start(Board.parse("1234 3412 2143 432."))
    recorder = Recorder(state, ("a", "b"))
    state, outcome = state.play((3, 3, 1))
    trace = "Traceback (most recent call last):\n  File …\nValueError: too late"
    recorder.add(Turn.of(outcome, error="sudokuai.py:17: ValueError: too late", trace=trace))
    record = recorder.finish(state)
    assert parse_record(record.to_json()) == record
    assert verify(record) == []
    data = json.loads(record.to_json())
    assert data["turns"][0]["trace"] == trace
    data["turns"][0]["trace"] = 7
    with pytest.raises(NotationError, match=r"expected a text as turns\[0\]\.trace, found 7"):
        parse_record(json.dumps(data))


def test_the_keys_of_a_record():
    """A record has the keys that programs rely on, with these types of value."""
    data = json.loads(RECORD.to_json())
    keys = ["rows", "columns", "board", "mode", "players", "seed", "time", "turns", "scores", "result", "reason"]
    assert set(data) == {"format", *keys}
    assert (data["rows"], data["columns"], data["board"]) == (2, 2, [0] * 16)
    assert (data["mode"], data["players"]) == ("classic", ["random", "random?lucky=1"])
    assert (data["seed"], data["time"], data["reason"]) == (3, 0.5, "board full")
    assert data["result"] in ([1, 0], [0.5, 0.5], [0, 1])
    turn = data["turns"][0]
    assert set(turn) == {"player", "move", "outcome", "reward", "seconds", "reason", "proposals"}
    assert turn["proposals"] == [[turn["move"], 0.001]]
    assert json.loads(random_record(mode="random").to_json()).keys() - data.keys() == {"allowed"}


def test_the_rows_and_columns_are_those_of_a_block():
    """rows × columns is the shape m×n."""
    data = json.loads(random_record(2, 3, seed=1).to_json())
    assert (data["rows"], data["columns"], len(data["board"])) == (2, 3, 36)


@pytest.mark.parametrize(
    ("record", "move", "reason"),
    [
        (lost_record(None), None, "no proposal"),
        (lost_record((0, 0, 0)), [0, 0, 0], "no proposal"),
        (lost_record("junk"), None, "invalid: expected three integers; found str"),
        (lost_record((1, 3, 3), (1, 3, 3)), [1, 3, 3], "taboo: it was found to be a bomb before"),
        (lost_record((0, 0, 1)), [0, 0, 1], "illegal: expected an empty cell at r1c1; found 1 in it"),
        (lost_record(loss=Loss.CRASH), None, "crash"),
    ],
    ids=str,
)
def test_a_lost_turn_tells_why(record, move, reason):
    """Every way to lose has its reason in the turn and in the record, and replays."""
    turn = json.loads(record.to_json())["turns"][-1]
    assert (turn["outcome"], turn["move"], turn["reason"]) == ("lost", move, reason)
    assert record.reason == f"player {turn['player']} lost: {reason.partition(':')[0]}"
    assert verify(parse_record(record.to_json())) == []


def test_reasons_of_turns_that_place_nothing():
    """A skip and a pass have a reason too, and a placed move has none."""
    turns = random_record(mode="rows", board=PASSES).turns
    reasons = {turn.outcome.value: turn.reason for turn in turns}
    assert reasons["passed"] == "no open square"
    assert reasons["placed"] is None
    assert lost_record((1, 3, 3), None).turns[0].reason == "bomb"


def test_many_records_are_json_lines(tmp_path):
    """Records are written a line each and read back one by one; blank lines, CRLF and a byte order mark do no harm."""
    records = [random_record(mode=mode, seed=seed) for seed, mode in enumerate(MODES)]
    path = tmp_path / "games.jsonl"
    write_records(records, path)
    assert len(path.read_text().splitlines()) == 4
    assert list(read_records(path)) == records
    path.write_bytes(b"\xef\xbb\xbf\r\n" + b"\r\n\r\n".join(record.to_json().encode() for record in records))
    assert list(read_records(path)) == records


def test_one_record_may_have_many_lines(tmp_path):
    """A record that was laid out for people reads as well, and another may follow."""
    path = tmp_path / "game.json"
    path.write_text(json.dumps(RECORD.as_object(), indent=2) + "\n" + RECORD.to_json())
    assert list(read_records(path)) == [RECORD, RECORD]


def test_standard_streams(monkeypatch, capsys):
    """ "-" is standard input, or standard output."""
    write_records([RECORD], "-")
    text = capsys.readouterr().out
    assert text == RECORD.to_json() + "\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert list(read_records("-")) == [RECORD]


@pytest.mark.slow
def test_long_lines_are_read(tmp_path):
    """A record with thousands of proposals is longer than any line of boards."""
    proposals = tuple(Proposal(RECORD.turns[0].move, second / 1000) for second in range(9000))
    record = replace(RECORD, turns=(replace(RECORD.turns[0], proposals=proposals), *RECORD.turns[1:]))
    path = tmp_path / "long.jsonl"
    write_records([record, record], path)
    assert path.stat().st_size > 2 << 17
    assert list(read_records(path)) == [record, record]


def test_a_null_proposal_is_kept():
    """A proposal that is no move is in the record as such."""
    record = lost_record("junk")
    record = replace(record, turns=(replace(record.turns[0], proposals=(Proposal(None, 0.1),)),))
    assert parse_record(record.to_json()) == record
    assert verify(record) == []


def test_the_recorder_wants_a_whole_game():
    """A game is recorded from its first state on a plain board, and finished when it is over."""
    state = GameState.start(Board.empty(2, 2))
    with pytest.raises(SudokuError, match="expected the state at the end of the game; found <GameState"):
        Recorder(state, ("a", "b")).finish(state)
    later, _ = state.play((0, 0, 1))
    with pytest.raises(SudokuError, match="expected a state before the first turn; found <GameState"):
        Recorder(later, ("a", "b"))


class Lucky(Constraint):
    """A constraint that is in no table."""

    def check(self, geometry, values):
        """Every board is right."""
        return True

    def post(self, posting):
        """Nothing is to be said."""

    def describe(self, geometry):
        """The constraint as a sentence."""
        return "it is lucky"


VARIANTS = [
    Geometry.diagonal(2, 2),
    Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]),
    Geometry.irregular(["aabb", "aabb", "ddcc", "ddcc"]),
    Geometry.latin(4),
    Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3), NoDifference([(0, 1)], [3])),
    Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]).with_constraints(Odd(0)),
    Geometry.diagonal(2, 2).with_constraints(AnyOf([Odd(0), Killer([0, 1], 3)])),
]


@pytest.mark.parametrize("geometry", VARIANTS, ids=lambda geometry: geometry.name)
def test_a_record_keeps_the_rules(geometry):
    """The record of a game on a board with other regions or rules comes back as it was, in format 2."""
    record = random_record(board=Board(geometry, [0] * 16), seed=5)
    data = json.loads(record.to_json())
    assert data["format"] == 2
    read = parse_record(record.to_json())
    assert read == record
    assert read.board.geometry == geometry
    assert verify(read) == []


def test_a_plain_board_keeps_its_format():
    """A game on a plain board is written in format 1, which older versions read; format 2 may hold one as well."""
    data = json.loads(RECORD.to_json())
    assert data["format"] == 1
    assert parse_record(json.dumps(data | {"format": 2})) == RECORD


def test_an_unknown_constraint_is_refused():
    """A game on a board with a constraint that cannot be written is not recorded."""
    state = GameState.start(Board(Geometry.standard(2, 2).with_constraints(Lucky()), [0] * 16))
    with pytest.raises(ShapeError, match="a board whose blocks and rules can be written; found <Geometry 2x2 with 1"):
        Recorder(state, ("a", "b"))


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


def tampered(record, number=None, **changes):
    """The record with something else in a turn, or as a whole."""
    if number is None:
        return replace(record, **changes)
    turns = list(record.turns)
    turns[number - 1] = replace(turns[number - 1], **changes)
    return replace(record, turns=tuple(turns))


SKIPS = lost_record((1, 3, 3), (3, 3, 1), None)
PASSED = random_record(mode="rows", board=PASSES)
FINAL = len(RECORD.turns)


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (tampered(RECORD, 1, reward=1), "turn 1: expected reward 0, found reward 1"),
        (tampered(RECORD, FINAL, reward=3), f"turn {FINAL}: expected reward 7, found reward 3"),
        (tampered(RECORD, 2, player=1), "turn 2: expected player 2 to move, found player 1"),
        (
            tampered(RECORD, 1, outcome=OutcomeKind.SKIPPED),
            f"turn 1: expected placed for {RECORD.turns[0].move}, found skipped",
        ),
        (tampered(RECORD, 1, reason="bomb"), "turn 1: expected no reason, found reason 'bomb'"),
        (
            tampered(RECORD, 2, move=Move(0, 9, 1), proposals=None),
            "turn 2: expected lost for r1c10=1 (invalid: expected a move",
        ),
        (tampered(RECORD, 2, move=RECORD.turns[0].move), "(illegal: expected an empty cell at"),
        (tampered(RECORD, 2, move=None), "turn 2: expected lost for no move (no proposal), found placed"),
        (
            tampered(RECORD, 2, proposals=(Proposal(None, 0.1),)),
            "turn 2: expected the last proposal, no move, as the move, found r",
        ),
        (tampered(RECORD, turns=RECORD.turns[:-1]), "expected turns until the game is over, found "),
        (tampered(RECORD, turns=()), "expected turns until the game is over, found 0, after which player 1 is to move"),
        (
            tampered(RECORD, turns=RECORD.turns + RECORD.turns[-1:]),
            "expected the end of the game (board full), found a turn",
        ),
        (tampered(RECORD, scores=(0, 0)), "expected scores ["),
        (tampered(RECORD, result=(0.5, 0.5)), "found result [0.5, 0.5]"),
        (tampered(RECORD, reason="tired"), "expected reason 'board full', found reason 'tired'"),
        (
            tampered(RECORD, board=Board.parse("12.. ..3. .... ....")),
            "expected a board with a completion, found one without",
        ),
        (tampered(SKIPS, 1, outcome=OutcomeKind.PLACED), "turn 1: expected skipped for r2c4=3 (bomb), found placed"),
        (tampered(SKIPS, 2, move=Move(1, 3, 3)), "turn 2: expected lost for r2c4=3 (taboo: it was found"),
        (tampered(SKIPS, 3, reason="taboo"), "turn 3: expected reason 'no proposal', found reason 'taboo'"),
        (
            tampered(SKIPS, 3, reason="crash"),
            "expected reason 'player 1 lost: crash', found reason 'player 1 lost: no prop",
        ),
        (tampered(SKIPS, result=(1, 0)), "expected result [0, 1], found result [1, 0]"),
        (
            tampered(PASSED, 1, outcome=OutcomeKind.LOST, reason="crash"),
            "turn 1: expected passed for no move (no open square), found lost",
        ),
        (tampered(PASSED, 1, move=Move(1, 0, 3)), "turn 1: expected no move of a player who passes, found r2c1=3"),
        (tampered(PASSED, turns=PASSED.turns[1:]), "turn 1: expected player 1 to move, found player 2"),
        (
            tampered(PASSED, mode=PlayMode.BORDER),
            "turn 1: expected lost for no move (no proposal), found passed",
        ),
    ],
)
def test_a_tampered_record_does_not_verify(record, problem):
    """Every claim of a record is checked, and the first difference is reported with its turn."""
    problems = [str(problem) for problem in verify(record)]
    assert any(problem in text for text in problems), problems


def test_the_record_of_an_interrupted_game():
    """It has the turns so far and their points, but no result; it is read back, and each claim is verified."""
    recorder = Recorder(RECORD.start(), RECORD.players, seed=RECORD.seed, time=RECORD.time)
    for turn in RECORD.turns[:-1]:
        recorder.add(turn)
    record = recorder.interrupted()
    assert parse_record(record.to_json()) == record
    assert (record.result, record.reason, len(record.turns)) == (None, "interrupted", len(RECORD.turns) - 1)
    assert sum(record.scores) > 0
    assert verify(record) == []
    (first, second), turns = record.scores, record.turns
    for change, problem in (
        ({"scores": (first + 1, second)}, f"found scores [{first + 1}, {second}]"),
        ({"reason": "board full"}, "expected reason 'interrupted', found reason 'board full'"),
        ({"result": (1, 0)}, f"found {len(turns)}, after which player"),
    ):
        [found] = verify(replace(record, **change))
        assert problem in str(found)


def test_a_replay_gives_every_step():
    """The steps of a right record are its turns, with the states between them, and can be taken twice."""
    replay = Replay(RECORD)
    for _ in range(2):
        steps = list(replay)
        assert [step.turn for step in steps] == list(RECORD.turns)
        assert [step.number for step in steps] == list(range(1, FINAL + 1))
        assert steps[-1].state.is_over
        assert replay.problems == []
