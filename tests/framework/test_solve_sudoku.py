"""The solve_sudoku command: its answers byte for byte, its errors in one line."""

import shlex
import subprocess
import sys
from collections import Counter

import pytest

from csp_sudoku import Board, MoveError, is_solvable
from csp_sudoku.framework.execute import solve_sudoku
from csp_sudoku.framework.solve_sudoku import answer, parse, pick_any, run
from tests.cli.support import environment
from tests.support import SHAPES, pattern, perturbed, random_of

OLD = "2 2\n   1   2   3   4\n   3   4   .   2\n   2   1   .   3\n   .   .   .   1\n"
"""Squares 6, 10, 12, 13 and 14 are empty; 6 is 1, 10 is 4, 12 is 4, 13 is 3, 14 is 2."""
NEW = """# a position
rows = 2
columns = 2
board =
   1+  2-  3   4    # the first row
   3   4   .   2+
   2   1   .   3
   .   .   .   1
taboo-moves = [(1,2) -> 4]
moves = []
scores = [0, 0]
current-player = 2
allowed-squares1 = (0,0), (0,1)
"""


def ask(options, text=OLD):
    """The answer of the command for a board."""
    return answer(text, parse(shlex.split(options)).options, pick_any)


def command(*arguments):
    """A run of the command as a process of its own."""
    program = [sys.executable, "-m", "csp_sudoku.framework.solve_sudoku"]
    return subprocess.run([*program, *map(str, arguments)], capture_output=True, env=environment(), check=False)


@pytest.mark.parametrize("text", [OLD, NEW], ids=["old", "new"])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", "The sudoku has a solution."),
        ("--move '6 1'", "The score is 3 (valid move '6 1')."),
        ("--move '10 4'", "The score is 1 (valid move '10 4')."),
        ("--move='12 4'", "The score is 1 (valid move '12 4')."),
        ("--move '13 3'", "The score is 1 (valid move '13 3')."),
        ("--move '  14   2 '", "The score is 0 (valid move '14 2')."),
        ("--move '14 4'", "The sudoku has no solution after move '14 4')."),
        ("--move '2 5'", "Invalid move '2 5'."),
        ("--move '2 0'", "Invalid move '2 0'."),
        ("--move '16 1'", "Invalid move '16 1'."),
        ("--move '-1 1'", "Invalid move '-1 1'."),
        ("--move '99999999999999999999 1'", "Invalid move '99999999999999999999 1'."),
        ("--move '0 2'", "Illegal move '0 2'."),
        ("--move '0 1'", "Illegal move '0 1'."),
        ("--move '6 2'", "Illegal move '6 2'."),
        ("--move abc", "Could not parse a move from 'abc'."),
        ("--move ''", "Could not parse a move from ''."),
        ("--move=", "Could not parse a move from ''."),
        ("--move '3'", "Could not parse a move from '3'."),
        ("--move '3 x'", "Could not parse a move from '3 x'."),
        ("--move '٣ 1'", "Could not parse a move from '٣ 1'."),
        ("--move '6 1' --allowed ''", "The score is 3 (valid move '6 1')."),
        ("--move '6 1' --allowed=", "The score is 3 (valid move '6 1')."),
        ("--move '6 1' --allowed '6 10'", "The score is 3 (valid move '6 1')."),
        ("--move '6 1' --allowed='10 12'", "Illegal move '6 1'."),
        ("--move '6 5' --allowed '10'", "Invalid move '6 5'."),
        ("--move '6 1' --taboo '1 2 1'", "The score is 3 (valid move '6 1')."),
        ("--allowed '6' --random", "Generated move (6,1)."),
        ("--taboo '1 2 1' --allowed '6' --random", "Error: could not find a legal move."),
        ("--greedy --allowed='13 14' --taboo='3 2 4'", "Generated move (13,3)."),
    ],
)
def test_answers_are_the_binary_s(options, expected, text):
    """Each answer has its sentence, in the order of the faults: parse, range, rules, solvability."""
    assert ask(options, text) == expected


@pytest.mark.parametrize(
    ("missing", "reward"), [([5], 7), ([5, 7], 3), ([5, 13], 3), ([5, 4], 1), ([5, 7, 13], 1), ([5, 4, 7, 13], 0)]
)
def test_rewards_are_1_3_7(missing, reward):
    """A value that completes one, two or three regions scores 1, 3 or 7."""
    full = [value for row in pattern(2, 2, random_of("rewards")) for value in row]
    board = Board((2, 2), full).without(missing)
    assert ask(f"--move '5 {full[5]}'", board.format("tue")) == f"The score is {reward} (valid move '5 {full[5]}')."


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_moves_are_judged_as_the_toolkit_does(m, n):
    """On every shape, the verdicts (legal, solvable or neither) on moves agree with boards and solvers."""
    random = random_of("judged", m, n)
    for _ in range(3):
        board = perturbed(m, n, random, 0.45)
        cell, value = random.randrange((m * n) ** 2), random.randint(1, m * n)
        try:
            after = board.place(*divmod(cell, m * n), value)
            word = "The score is" if is_solvable(after) else "The sudoku has no solution after move"
        except MoveError:
            word = "Illegal move"
        assert ask(f"--move '{cell} {value}'", board.format(random.choice(["tue", "properties"]))).startswith(word)


def test_random_moves_are_uniform_over_the_legal_ones():
    """--random gives each legal move, solvable or not, as often as any other; taboo ones never."""
    board = Board.parse("2 2  1 2 . .  . . . .  . . . .  . . . .")
    legal = {
        f"Generated move ({cell},{value})."
        for cell in board.empty_cells()
        for value in board.candidates(*divmod(cell, 4))
    }
    text = board.format("tue")
    found = Counter(ask("--random", text) for _ in range(3000))
    assert {*found} == legal
    assert max(found.values()) < 3 * 3000 / len(legal)
    found = Counter(ask("--random --taboo '0 2 3 0 2 4 9 9 9'", text) for _ in range(1000))
    assert {*found} == legal - {"Generated move (2,3).", "Generated move (2,4)."}


def test_greedy_moves_have_the_highest_reward():
    """--greedy gives any of the legal moves that complete most regions, also if that is none."""
    board = Board.parse("2 2  1 2 3 .  . . . .  . . . .  . . . .").format("tue")
    assert {ask("--greedy", board) for _ in range(20)} == {"Generated move (3,4)."}
    assert ask("--greedy --taboo '0 3 4'", board) != "Generated move (3,4)."
    assert len({ask("--greedy", Board.empty(2, 2).format("tue")) for _ in range(50)}) > 10
    full = [value for row in pattern(2, 2, random_of("full")) for value in row]
    assert ask("--greedy", Board((2, 2), full).format("tue")) == "Error: could not find a legal move."


@pytest.mark.parametrize("options", ["--move '6 1'", "--move='6 1'", ""])
def test_the_command_prints_one_line(options, tmp_path):
    """The command, as a process, gives the answer, a line break, and exit code 0; options may stand anywhere."""
    path = tmp_path / "a board.txt"
    path.write_text(OLD)
    words = shlex.split(options)
    for arguments in ([path, *words], [*words, path]):
        done = command(*arguments)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == ask(options) + "\n"


def test_answers_within_a_process_are_the_command_s():
    """Agents get only the line of the command from competitive_sudoku.execute; errors are texts too."""
    assert solve_sudoku("bin/solve_sudoku", OLD) == "The sudoku has a solution."
    assert solve_sudoku("bin\\solve_sudoku.exe", OLD, '--move "6 1" --allowed="6"').startswith("The score is 3")
    assert solve_sudoku("", "2 2 1") == "solve_sudoku: expected 16 squares for blocks of 2×2, found 1"
    assert solve_sudoku("", OLD, '--move "6').startswith("solve_sudoku: ")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected m and n, the rows and columns of a block, with 2 ≤ m, 2 ≤ n and m·n ≤ 25, found ''"),
        (b"7 7\n" + b". " * 2401, "m·n ≤ 25, found '7 7'"),
        (b"1 4 " + b". " * 16, "found '1 4'"),
        (b"2 2\n1 2 3", "expected 16 squares for blocks of 2×2, found 3"),
        (b"2 2\n" + b". " * 17, "expected 16 squares for blocks of 2×2, found 17"),
        (b"2 2\n" + b". " * 15 + b"5", "expected a value from 1 to 4, or . for an empty square, found '5'"),
        (b"2 2\n" + b". " * 15 + b"x", "found 'x'"),
        (b"\x7fELF\x00\x01\x02", "expected a text of at most 1048576 bytes, found binary data"),
        (b"\xff\xfe2 2", "found binary data"),
        (b"rows = 2\nboard = " + b". " * 16, "expected the keys rows, columns and board, found no columns"),
        (b"hello\nrows = 2", "line 1: expected key = value, found 'hello'"),
        (b" " * (1 << 20) + b"2 2", "found a longer one"),
    ],
)
def test_bad_files_are_one_line(data, message, tmp_path):
    """Whatever a file contains, the command reports the fault in one line, and exits with 2."""
    path = tmp_path / "bad.txt"
    path.write_bytes(data)
    code, line = run([str(path)])
    assert code == 2
    assert line.startswith(f"solve_sudoku: {path}")
    assert message in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no such file"], "no such file: expected a file to read, found no such file or directory"),
        (["."], ".: expected a file to read, found is a directory"),
        (["a\0b"], "expected a file to read"),
        ([], "found 0 files"),
        (["a", "b"], "found 2 files"),
        (["a", "--mvoe", "1 2"], "found '--mvoe'"),
        (["a", "--move"], "expected a value after --move; found none"),
    ],
)
def test_bad_command_lines_are_one_line(arguments, message):
    """Mistakes in the command line are reported in one line, too."""
    code, line = run(arguments)
    assert (code, "\n" in line) == (2, False)
    assert message in line


@pytest.mark.parametrize("options", ["--taboo '1 2'", "--taboo 'a b c'", "--allowed 'x'"])
def test_bad_lists_are_errors(options, tmp_path):
    """Lists of other words than integers, or of a wrong number of integers, are reported."""
    path = tmp_path / "board.txt"
    path.write_text(OLD)
    code, line = run([str(path), *shlex.split(options)])
    assert code == 2
    assert "expected integers" in line


def test_errors_go_to_standard_error():
    """The command as a process keeps standard output clean when there is an error."""
    done = command("no-such-file")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert command("--help").stdout.startswith(b"Usage: solve_sudoku FILE")
