"""Game records: written and read back."""

import io
import json
import sys
from dataclasses import replace

import pytest

from csp_sudoku import Board, Geometry, NotationError, ShapeError, SudokuError
from csp_sudoku.constraints import AnyOf, Killer, NoDifference, Odd
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.game.outcome import Loss
from csp_sudoku.game.reading import parse_record, read_records
from csp_sudoku.game.record import Proposal, Recorder, Turn, write_records
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import verify
from tests.game.support import MODES, random_record

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
