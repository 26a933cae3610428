"""csp-sudoku value: the values of positions, in words and as JSON."""

import json
from dataclasses import replace
from random import Random

import pytest

from csp_sudoku import Board, classify_moves, solutions
from csp_sudoku.cli.main import execute
from csp_sudoku.errors import SudokuError
from csp_sudoku.evaluation.confirmation import confirm
from csp_sudoku.evaluation.plain import plain_value
from csp_sudoku.evaluation.value import evaluate
from csp_sudoku.game.state import GameState
from tests.cli.support import EMPTY, NONE, ONE, ONE_SOLVED, run, told
from tests.game.support import ending
from tests.support import random_of

FULL = "".join(str(value) for row in ONE_SOLVED for value in row)
ENDING = "1243 3421 43.. 21.."
"""Four empty cells, one completion, no bombs: whoever begins loses by 7."""
TWO = "12.. 34.. .... ...."
"""Twelve empty cells and several completions."""
WIDE = "123456 456123 231... ...... ...... ......"
"""More legal moves than the game of all completions has room for."""
KEYS = ["margin", "exact", "best", "line", "depth", "nodes", "seconds", "loading_seconds"]
FOUR_MODES = ["classic", "rows", "border", "random"]


@pytest.fixture
def value(tmp_path, capsys):
    """Run the command on a text in this process: (exit code, standard output, standard error).

    A position has as much time as it takes, unless the options say otherwise.
    """

    def called(text, *options):
        path = tmp_path / "boards.txt"
        path.write_text(text)
        limit = [] if "--time-limit" in options else ["--time-limit", "600"]
        code = execute(["value", *limit, *map(str, options), str(path)])
        out, err = capsys.readouterr()
        return code, out.replace(str(path), "boards.txt"), told(err).replace(str(path), "boards.txt")

    return called


def with_bombs(empty, name):
    """A 3×3 ending that has bombs, and these."""
    random = random_of("value", name)
    while True:
        board, _ = ending(3, 3, empty, random)
        bombs = list(classify_moves(board).bombs)
        if bombs:
            return board, bombs


def test_text(value):
    """The board, the margin and its exactness, the best moves, a line of play, and the work."""
    code, out, err = value(ENDING)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[1] == "│ 1 2 │ 4 3 │"
    assert lines[7] == "boards.txt, puzzle 1: -7 for the side to move (exact)"
    assert lines[8] == "best: r3c3=1, r3c4=2, r4c3=3, r4c4=4"
    assert lines[9].startswith("line: ")
    assert " nodes in " in lines[10]
    assert len(lines) == 11


def test_json(value):
    """An object per board with the margin, whether it is exact, all the best moves, a line, and the evidence."""
    code, out, err = value(f"{ENDING.replace(' ', '')}\n{ONE}\n", "--json")
    assert (code, err) == (0, "")
    first, second = map(json.loads, out.splitlines())
    assert list(first) == list(second) == KEYS
    assert (first["margin"], first["exact"], first["depth"]) == (-7, True, None)
    assert isinstance(first["margin"], int)
    assert first["best"] == [[2, 2, 1], [2, 3, 2], [3, 2, 3], [3, 3, 4]]
    assert first["line"][0] in first["best"]
    assert first["nodes"] > 0
    assert first["seconds"] > 0
    assert second["exact"]


@pytest.mark.parametrize("mode", FOUR_MODES)
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)], ids=str)
def test_the_margin_is_that_of_plain_recursion(value, shape, mode):
    """In every mode, with the squares of the seed where they are random."""
    random = random_of("command", shape, mode)
    compared = 0
    while compared < 3:
        board, _ = ending(*shape, random.randint(2, 5), random)
        seed = random.randrange(1000)
        state = GameState.start(board, mode, Random(seed))
        if state.is_over or state.must_pass:
            continue
        compared += 1
        code, out, _ = value(board.format("tue"), "--json", "--mode", mode, "--seed", seed)
        found = json.loads(out)
        assert (code, found["exact"], found["margin"]) == (0, True, plain_value(state))
        assert {tuple(move) for move in found["best"]} <= set(state.moves())


@pytest.mark.slow
def test_taboo_bombs_are_not_played(value):
    """A bomb that has been played is no move, and the margin is that without it."""
    changed = 0
    for trial in range(3):
        board, bombs = with_bombs(6, trial)
        code, out, _ = value(board.format("tue"), "--json", "--taboo", str(bombs[0]))
        found = json.loads(out)
        state = GameState.of(board, initial=board, player=1, taboo=bombs[:1])
        assert (code, found["margin"]) == (0, plain_value(state))
        assert list(bombs[0]) not in found["best"] + found["line"]
        changed += found["margin"] != plain_value(GameState.start(board))
    assert changed


@pytest.mark.slow
def test_an_estimate(value):
    """A board with several completions is estimated: the exit code is 3, and both forms say so."""
    code, out, err = value(EMPTY, "--time-limit", "0.2")
    assert (code, err) == (3, "")
    assert "for the side to move (estimate, " in out
    code, out, _ = value(EMPTY, "--time-limit", "0", "--json")
    found = json.loads(out)
    assert (code, found["exact"], found["depth"]) == (3, False, 1)
    assert found["best"]


def test_several_completions(value):
    """A small board with several completions has an exact value, too, and values of it are among the best moves."""
    code, out, _ = value(TWO, "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["exact"], found["depth"]) == (True, None)
    completions = [solution.cells for solution in solutions(Board.parse(TWO))]
    row, column, number = found["line"][0]
    assert [row, column, number] in found["best"]
    assert len(found["line"]) >= 12
    assert any(cells[4 * row + column] == number for cells in completions for row, column, number in found["best"])


def test_a_value_is_checked(value):
    """--check reports the number of positions of the line that plain recursion has confirmed; none for an estimate."""
    code, out, _ = value(ENDING, "--check", "3")
    assert code == 0
    assert out.endswith("checked: 3 positions of the line by plain recursion\n")
    assert json.loads(value(TWO, "--json", "--check", "6")[1])["checked"] >= 6
    assert "checked" not in json.loads(value(WIDE, "--json", "--check", "6", "--time-limit", "0")[1])
    assert value(ENDING, "--check", "0")[0] == 2


def test_what_does_not_agree_is_told():
    """A wrong margin, a line that stops, or an estimate is not confirmed."""
    state = GameState.start(Board.parse(ENDING))
    found = evaluate(state)
    assert confirm(state, found, 4) == 4
    for wrong in (
        replace(found, margin=found.margin + 1),
        replace(found, line=found.line[:-1]),
        replace(found, exact=False),
    ):
        with pytest.raises(SudokuError, match=r"^expected "):
            confirm(state, wrong, 4)


def test_an_estimate_to_the_end(value):
    """If only the values of several completions are estimated, no number of moves is shown."""
    code, out, _ = value(WIDE)
    assert code == 3
    assert "(estimate, to the end of one completion)" in out
    assert "1,000" not in out
    assert json.loads(value(WIDE, "--json")[1])["depth"] is None


def test_no_completion(value):
    """A board without a completion has no value: one line, and the exit code 1; other boards are answered."""
    code, out, err = value(f"{NONE}\n{ONE}\n", "--json")
    assert code == 1
    assert out.count("\n") == 1
    assert err == "csp-sudoku: boards.txt, puzzle 1: expected a board that has a completion; found none\n"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (ENDING, ["--taboo", "r3c3"], "expected a move such as r1c5=7, with rows and columns from 1; found 'r3c3'"),
        (ENDING, ["--taboo", "r3c3=x"], "found 'r3c3=x'"),
        (ENDING, ["--taboo", "r3c3=9"], "expected a move from r1c1=1 to r4c4=4; found r3c3=9"),
        (ENDING, ["--taboo", "r5c3=1"], "found r5c3=1"),
        (ENDING, ["--taboo", "r3c3=1"], "expected a bomb as taboo; found r3c3=1, which is no bomb"),
        (ENDING, ["--taboo", "r1c1=1"], "found r1c1=1, which is no bomb"),
        (ENDING, ["--mode", "row"], "did you mean 'rows'?"),
        (ENDING, ["--mode", "rows"], "expected a side to move that has an open square; found that player 1 passes"),
        (FULL, [], "expected a position with moves to come; found that the game is over: board full"),
        (ENDING, ["--time-limit", "-1"], "at least 0; found '-1'"),
        (ENDING, ["--seed", "x"], "found 'x'"),
        (ONE[:-1], [], "boards.txt"),
        ("", [], "boards.txt"),
    ],
)
def test_bad_input(value, text, options, message):
    """Contradictory options are one line and the exit code 2."""
    code, out, err = value(text, *options)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("csp-sudoku: ")
    assert err.count("\n") == 1


def test_taboo_moves_of_the_past(value):
    """A taboo move whose cell is filled by now, or whose value a peer holds, is none of a problem."""
    code, out, _ = value(ENDING, "--json", "--taboo", "r1c1=2", "--taboo", "r3c3=4")
    assert (code, json.loads(out)["margin"]) == (0, -7)


def test_standard_input():
    """A pipe is read as a file is."""
    done = run("value", "--json", stdin=ENDING)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["margin"] == -7
