"""What a command needs is compiled before its clock starts, and how long it took is told apart."""

import json

import pytest

from csp_sudoku import Board, warm_up
from csp_sudoku.cli.main import execute
from csp_sudoku.compiled import loading
from csp_sudoku.evaluation import value
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.engines import search as searching

POSITION = "1243 3421 43.. 21.."


@pytest.fixture(autouse=True)
def prepared(monkeypatch):
    """The names that commands have asked `warm_up` to compile; nothing is compiled."""
    names = []

    def compiled(asked, *, on_progress):
        names.extend(asked)
        on_progress(0, 0)
        return 0

    warm_up._prepare.cache_clear()
    monkeypatch.setattr(warm_up, "warm_up", compiled)
    yield names
    warm_up._prepare.cache_clear()


def test_value_is_prepared_before_its_clock_starts(prepared, monkeypatch):
    """The kernels are there before the first position is searched."""
    seen = []
    monkeypatch.setattr(value, "evaluate", lambda *_, **__: seen.extend(prepared) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        execute(["value", POSITION])
    assert seen == ["value"]


def test_analyse_is_prepared(prepared, tmp_path, capsys):
    """The kernels are there before the first game is analysed."""
    path = tmp_path / "game.json"
    start = GameState.start(Board.parse("1243 3421 43.2 21.."))
    path.write_text(_record(start), encoding="utf-8")
    assert execute(["analyse", str(path)]) == 0
    assert prepared == ["analyse"]
    assert "mistake" in capsys.readouterr().out


def test_bad_input_is_told_before_anything_is_compiled(prepared, capsys):
    """Nobody waits half a minute to hear that a file does not exist."""
    assert execute(["value", "no-such-board"]) == 2
    assert prepared == []
    capsys.readouterr()


def test_json_tells_loading_apart(monkeypatch, capsys):
    """A minute of loading is in `loading_seconds`, and in no other figure."""
    now = [0.0]
    for module in (loading, searching):
        if hasattr(module, "time"):
            monkeypatch.setattr(module.time, "perf_counter", lambda: now[0])

    def slow(*_):
        with loading.loading():
            now[0] += 60

    value.evaluate(GameState.start(Board.parse(POSITION)))
    monkeypatch.setattr(searching, "get_ready", slow)
    for command in (["moves", "--engine", "search"], ["value"]):
        execute([*command, POSITION, "--json"])
        told = json.loads(capsys.readouterr().out)
        assert told["loading_seconds"] >= 60
        assert told["seconds"] == 0


def test_the_time_of_compiling_is_a_line_at_the_end(monkeypatch, capsys):
    """What a command has waited for is said once, on standard error; nothing is said if nothing was compiled."""
    assert execute(["value", POSITION]) == 0
    assert capsys.readouterr().err == ""

    def compiled(*_, **__):
        loading.add_compiling(21.3)

    monkeypatch.setattr(warm_up, "prepare_command", compiled)
    assert execute(["value", POSITION]) == 0
    line = "csp-sudoku: 21.3 s went into compiling, once for this computer; no limit and no figure contains them\n"
    assert capsys.readouterr().err == line


def _record(state: GameState) -> str:
    """Return the record of a short game as JSON."""
    from csp_sudoku.game.record import Recorder, Turn

    recorder = Recorder(state, ("a", "b"))
    for move in (2, 2, 1), (3, 2, 3), (3, 3, 4):
        state, outcome = state.play(move)
        recorder.add(Turn.of(outcome))
    return recorder.finish(state).to_json()
