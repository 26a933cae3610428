"""The common parts of the arena's tests: short games against mock players that leave nothing behind."""

from __future__ import annotations

import tempfile
import time
from dataclasses import fields
from pathlib import Path
from secrets import token_hex

import pytest

from csp_sudoku import Board
from csp_sudoku.arena.play import play_game
from csp_sudoku.cli.main import execute
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import GameRecord
from csp_sudoku.game.verification import verify
from csp_sudoku.sandbox.processes import marked
from csp_sudoku.sandbox.terms import GameTerms
from tests.cli.support import told

AGENTS = Path(__file__).parent / "agents"
TERMS = [field for field in fields(GameTerms) if field.name != "loader"]
MOCKS = "tests.arena.agents.mocks:load_player"
LAST = Board.parse("1234 3412 2143 432.")
"""One square is empty."""
SHORT = Board.parse("1234 34.. 21.. 43..")
"""Six are, with several completions."""


TURN = 60.0
"""Seconds of a turn whose clock is not the subject: no machine is too busy for that, and a turn ends by itself."""


def play(first, second="mover", board=SHORT, *, seconds=TURN, loader=MOCKS, **options) -> GameRecord:
    """The record of a game that a mock plays first, which must be right; `options` may name fields of the terms."""
    terms = GameTerms(
        loader=loader, **{field.name: options.pop(field.name) for field in TERMS if field.name in options}
    )
    record = play_game(first, second, board, seconds=seconds, seed=1, terms=terms, **options)
    assert verify(parse_record(record.to_json())) == []
    return record


def here(command, capsys):
    """A function that runs a command in this process: (exit code, standard output, standard error)."""

    def called(*arguments):
        code = execute([command, *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, told(err)

    return called


def refuses(called, arguments, message, folder):
    """Require one line on standard error, nothing else, and 2; UNSOLVABLE is a board without a completion."""
    path = folder / "unsolvable.txt"
    path.write_text("12..\n..3.\n....\n....\n")
    code, out, err = called(*[path if part == "UNSOLVABLE" else part for part in arguments])
    assert (code, out) == (2, "")
    assert err.startswith("csp-sudoku: ")
    assert err.count("\n") == 1
    assert message in err


def in_time(record) -> bool:
    """Whether no player has lost for lack of a proposal, as may happen in short turns on a busy machine."""
    return not any(turn.reason == "no proposal" and not turn.proposals for turn in record.turns)


def remaining(mark: str) -> list[str]:
    """The processes with this mark in their environment that do not end by themselves.

    The wait is shorter than the life of the processes that players leave (`mocks.LONG`), so it does not hide them.
    """
    until = time.monotonic() + 120  # a busy machine takes its time to bury processes
    while (found := marked(mark)) and time.monotonic() < until:
        time.sleep(0.01)
    return [f"{one.pid}: {Path(f'/proc/{one.pid}/cmdline').read_bytes()!r}" for one in found]


@pytest.fixture(autouse=True)
def clean(tmp_path, monkeypatch):
    """Whatever a test does, no process of it is left after, and no folder."""
    mark = token_hex(16)
    monkeypatch.setenv("CSP_SUDOKU_TEST", mark)
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield
    assert remaining(f"CSP_SUDOKU_TEST={mark}") == []
    assert list(place.glob("csp-sudoku-player*")) == []
