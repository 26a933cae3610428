"""Arrays of numpy on the command line: `solve --npy OUT`, and files of arrays in the place of texts."""

from __future__ import annotations

import json

import numpy as np
import pytest

from csp_sudoku import Board, Geometry, count_solutions, solve_many
from csp_sudoku.cli.main import execute
from tests.support import is_solution_of, perturbed, planted, random_of

pytestmark = pytest.mark.quick


def boards_of(count, m=3, n=3, share=0.45):
    """Boards with a solution, of one shape."""
    return [planted(m, n, random_of("npy", m, n, trial), share=share)[0] for trial in range(count)]


def saved(path, boards, dtype=np.uint8):
    """A file of these boards."""
    np.save(path, np.array([board.cells for board in boards], dtype))
    return str(path)


def ran(capsys, *arguments, code=0):
    """Both outputs of a command that ends with this code."""
    assert execute([*map(str, arguments)]) == code
    return capsys.readouterr()


@pytest.mark.parametrize("jobs", [1, 2])
def test_thousands_of_boards_go_from_array_to_array(tmp_path, capsys, jobs):
    """Every row of the output is what `solve_many` finds for the same row of the input."""
    boards = boards_of(150) * 40
    file, out = saved(tmp_path / "in.npy", boards), tmp_path / "out.npy"
    told = ran(capsys, "solve", file, "--npy", out, "--jobs", jobs)
    assert told.out == ""
    assert "6,000 puzzles: 6,000 solved;" in told.err
    found = np.load(out)
    assert (found.dtype, found.shape) == (np.uint8, (6000, 81))
    for row, result in zip(found, solve_many(boards), strict=True):
        assert row.tobytes() == result.solution.values


def test_counts_are_written_in_place_of_solutions(tmp_path, capsys):
    """With --count, the array has the number of solutions of each board, and a board without one is code 1."""
    boards = [perturbed(3, 3, random_of("count", trial), share=0.6) for trial in range(60)]
    file, out = saved(tmp_path / "in.npy", boards, np.int64), tmp_path / "out.npy"
    ran(capsys, "solve", file, "--npy", out, "--count", 3, code=1)
    found = np.load(out).tolist()
    assert found == [count_solutions(board, 3) for board in boards]
    assert 0 in found


def test_texts_and_arrays_of_one_shape_go_together(tmp_path, capsys):
    """Any argument may stand for boards; those of another shape are refused, and nothing is written."""
    boards = boards_of(4, 2, 3)
    file, text, out = saved(tmp_path / "in.npy", boards[:2]), tmp_path / "in.txt", tmp_path / "out.npy"
    text.write_text("".join(board.format("line") + "\n" for board in boards[2:]))
    ran(capsys, "solve", file, text, "empty-2x3", "--npy", out)
    found = np.load(out)
    assert len(found) == 5
    assert all(is_solution_of(Board((2, 3), row), board) for row, board in zip(found, boards, strict=False))
    out.unlink()
    told = ran(capsys, "solve", file, "empty-3x2", "--npy", out, code=2)
    assert told.err == ("csp-sudoku: empty-3x2: expected boards of one shape for an array; found 2x3 and 3x2\n")
    assert not out.exists()
    tall = boards_of(2, 3, 2)
    ran(capsys, "solve", saved(tmp_path / "in.npy", tall), "--shape", "3x2", "--npy", out)
    assert all(is_solution_of(Board((3, 2), row), board) for row, board in zip(np.load(out), tall, strict=True))


def test_other_commands_read_arrays(tmp_path, capsys):
    """`solve --to line`, `--json`, `convert` and `check` take a file of an array like a text."""
    boards = boards_of(3, 2, 2)
    file = saved(tmp_path / "in.npy", boards)
    lines = ran(capsys, "solve", file, "--to", "line").out.split()
    assert lines == [result.solution.format("line") for result in solve_many(boards)]
    objects = [json.loads(line) for line in ran(capsys, "solve", file, "--json").out.splitlines()]
    assert [each["status"] for each in objects] == ["solved"] * 3
    assert ran(capsys, "convert", file, "--to", "line").out.split() == [board.format("line") for board in boards]
    told = ran(capsys, "solve", file, "--format", "line", code=2)
    assert told.err == f"csp-sudoku: {file}: expected an array without options for texts, found --format line\n"


def _cut(file):
    file.write_bytes(file.read_bytes()[:-5])


def _text(file):
    file.write_text("1.....2..3.....4\n")


def _broken_header(file):
    file.write_bytes(file.read_bytes().replace(b"descr", b"d'sc{"))


def _huge(file):
    file.write_bytes(file.read_bytes().replace(b"(2, 81)", b"(9999999999999999, 81)"))


def _other(array):
    return lambda file: np.save(file, array, allow_pickle=True)


WRONG = {
    "cut": (_cut, "expected an array of numpy, found a damaged file ("),
    "text": (_text, "expected an array of numpy, found another file"),
    "header": (_broken_header, "expected an array of numpy, found a damaged file ("),
    "huge": (_huge, "expected an array of numpy, found a damaged file ("),
    "objects": (_other(np.array([{}, None])), "expected an array of numpy, found a damaged file ("),
    "floats": (_other(np.zeros((2, 81))), "expected an array of whole numbers, found one of float64"),
    "size": (_other(np.zeros((2, 80), int)), "expected an array of rows of N·N values, found one of the form (2, 80)"),
    "one row": (_other(np.zeros(81, int)), "expected an array of rows of N·N values, found one of the form (81,)"),
    "none": (_other(np.zeros((0, 81), int)), "expected an array of boards, found an empty array"),
    "number": (_other(np.array(5)), "expected an array of boards, found an empty array"),
    "value": (_other(np.full((2, 81), 10)), "expected values from 0 (empty) to 9, found 10 in board 0"),
}
"""Files that are no arrays of boards, and what is said of them."""


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("is_solved", [True, False])
def test_a_damaged_file_is_one_line(tmp_path, capsys, name, is_solved):
    """What is no array of boards is refused in one line with exit code 2, by each way of reading it."""
    damage, message = WRONG[name]
    file = tmp_path / "in.npy"
    saved(file, boards_of(2))
    damage(file)
    more = ["--npy", tmp_path / "out.npy"] if is_solved else ["--to", "line"]
    told = ran(capsys, "solve", file, *more, code=2)
    assert told.err.count("\n") == 1
    assert told.err.startswith(f"csp-sudoku: {file}: {message}")
    assert not (tmp_path / "out.npy").exists()


def test_a_clash_is_unsolvable_in_an_array_and_a_mistake_elsewhere(tmp_path, capsys):
    """`--npy` answers about any array; a command that shows boards cannot show such a one."""
    cells = np.zeros((2, 16), np.uint8)
    cells[1, :2] = 3
    np.save(tmp_path / "in.npy", cells)
    ran(capsys, "solve", tmp_path / "in.npy", "--npy", tmp_path / "out.npy", code=1)
    assert np.load(tmp_path / "out.npy").any(axis=1).tolist() == [True, False]
    told = ran(capsys, "solve", tmp_path / "in.npy", "--to", "line", code=2)
    assert "in.npy, puzzle 2: expected" in told.err


@pytest.mark.parametrize("more", [["--json"], ["--to", "line"], ["--solver", "learning"], ["--time-limit", "1"]])
def test_other_options_are_refused(tmp_path, capsys, more):
    """--npy prints nothing, and always uses the default solver."""
    told = ran(capsys, "solve", "empty-2x2", "--npy", tmp_path / "out.npy", *more, code=2)
    assert f"expected --npy with no other options than --count, --jobs and --shape; found {more[0]}" in told.err


def test_variants_are_refused(tmp_path, capsys):
    """An array cannot hold the regions of a variant."""
    file = tmp_path / "in.txt"
    file.write_text(str(Board(Geometry.diagonal(2, 2), [0] * 16)))
    told = ran(capsys, "solve", file, "--npy", tmp_path / "out.npy", code=2)
    assert "expected boards m×n for an array; found" in told.err
