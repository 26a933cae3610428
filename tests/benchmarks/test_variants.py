"""`variants`: the straightforward models say the same as we do, and `boards/variants` has boards of every kind."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from csp_sudoku import Board, Geometry, classify_moves, count_solutions
from csp_sudoku.constraints.table import CONSTRAINTS
from tests.benchmarks.support import bench, module
from tests.constraints.makers import MAKERS, THIRDS
from tests.support import pattern, random_of

LIBRARIES = ["CpSatModel", pytest.param("CpmpyModel", marks=pytest.mark.skipif(not find_spec("cpmpy"), reason="extra"))]


def board_with(name, random):
    """A board with a rule of a kind that its solution obeys; if none is found, an empty board with such a rule."""
    plain = Geometry.standard(2, 3) if name in THIRDS else Geometry.standard(2, 2)
    for _ in range(300):
        grid = [value for row in pattern(plain.m, plain.n, random) for value in row]
        rule = MAKERS[name](plain, random, grid)
        if rule.check(plain, grid):
            board = Board(plain.with_constraints(rule), grid)
            return board.without(random.sample(range(plain.cell_count), plain.cell_count * 5 // 8))
    return Board(plain.with_constraints(rule), bytes(plain.cell_count))


def model_of(library, board):
    """The straightforward model of a board."""
    model = getattr(module("straightforward"), library)(board)
    model.build()
    return model


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", [name for name in CONSTRAINTS if name != "any-of"])
def test_straightforward_models_say_the_same(name, library):
    """A model of each kind of rule finds as many solutions, up to two, and the same true candidates."""
    random = random_of("straightforward", name, 0)
    for _ in range(3):
        board = board_with(name, random)
        count, values = model_of(library, board).count_to_two()
        assert count == min(2, count_solutions(board, 2)), board.geometry.constraints
        assert values is None or board.geometry.violated(values) is None
    safe = classify_moves(board).safe_masks
    expected = [1 << given - 1 if given else int(mask) for given, mask in zip(board.values, safe, strict=True)]
    assert model_of(library, board).true_candidates() == expected


@pytest.mark.parametrize("library", LIBRARIES)
def test_one_of_several_lines(library):
    """A thermometer one way or the other."""
    thermometer = CONSTRAINTS["thermometer"]
    rule = CONSTRAINTS["any-of"]([thermometer([0, 1, 2]), thermometer([2, 1, 0])])
    board = Board(Geometry.standard(2, 2).with_constraints(rule), [0, 0, 0, 1, *[0] * 12])
    assert model_of(library, board).solve_with(1, 3)[:3] in ([2, 3, 4], [4, 3, 2])
    assert model_of(library, board).solve_with(1, 2) is None


def test_boards_of_every_kind_are_there():
    """Each kind of rule has a file of boards, and each board comes with its solution, which obeys the rules."""
    make = import_module("csp_sudoku.boards.make_variants")
    assert set(CONSTRAINTS) | {"jigsaw", "latin", "mixed"} == set(make.KINDS)
    assert {path.stem for path in make.FOLDER.glob("*.txt")} == set(make.KINDS)
    for kind in make.KINDS:
        grids = make.grids_of(kind)
        assert len(grids) == make.COUNT
        for grid in grids:
            solution = grid.details.solution
            assert grid.geometry.clash(solution) is None, kind
            assert grid.geometry.violated(solution) is None, kind
            assert all(given in (0, value) for given, value in zip(grid.values, solution, strict=True))


@pytest.mark.slow
def test_boards_have_one_solution():
    """What --check looks at: the solutions of a file are the only ones."""
    make = import_module("csp_sudoku.boards.make_variants")
    assert [fault for kind in make.KINDS for fault in make.faults(kind)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="the measuring processes are for Linux")
def test_a_file_is_measured(tmp_path, monkeypatch, capsys):
    """All questions about the boards of a file, by us and by the straightforward model, with ratios."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.txt").write_text(
        "board 2x2\n1... .... .... ...2\nkiller 5 r1c2 r2c2\nthermo r3c1 r3c2\n", "utf-8"
    )
    words = ["variants", "--puzzles", "small.txt", "--repeat", "1", "--out", "out", "--json"]
    record = bench(capsys, *words, "--only", "csp_sudoku", "--only", "straightforward CP-SAT")
    assert (record["wrong"], record["troubles"]) == ([], [])
    overview = record["sections"][0]
    assert [row[2] for row in overview["rows"]] == ["1/1"] * 6
    assert all(float(row[-1]) > 0 for row in overview["rows"])


@pytest.mark.skipif(sys.platform != "linux", reason="the measuring processes are for Linux")
def test_two_workers_answer_as_one(tmp_path, monkeypatch, capsys):
    """`workers` asks the same questions with one worker and with two, which agree."""
    monkeypatch.chdir(tmp_path)
    workers = module("workers")
    monkeypatch.setattr(workers, "KINDS", ("renban",))
    record = bench(capsys, "workers", "--quick", "--time-limit", "60", "--out", "out", "--json")
    assert (record["wrong"], record["troubles"]) == ([], [])
    assert [row[1] for row in record["sections"][1]["rows"]] == [workers.PROOF, workers.OPTIMUM]
    assert all(float(row[-1]) > 0 for row in record["sections"][1]["rows"])
