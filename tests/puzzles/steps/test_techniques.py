"""The techniques: each on an example where it is the easiest one, and all of them against the truth."""

import pytest

from csp_sudoku import Board, Geometry, classify_moves, solutions
from csp_sudoku.puzzles.steps.marks import PencilMarks
from csp_sudoku.puzzles.steps.techniques import TECHNIQUES
from csp_sudoku.puzzles.steps.trial import TRIAL
from tests.puzzles.steps.support import KINDS, varied
from tests.support import SHAPES, random_of

HIDDEN_TRIPLE = """
.........
.........
.........
.1..3..2.
.2..1..3.
.3..2..1.
..1..3..2
..2..1..3
..3..2..1
"""
"""In each of the first three rows, 1, 2 and 3 must be in the columns 1, 4 and 7."""

EXAMPLES = {
    "naked single": (
        "..1.3.2.....2...",
        "r1c1=4, since the cell can take no other value.",
    ),
    "hidden single": (
        "12.. .... ..1. ....",
        "r2c4=1, since row 2 has no other place for 1.",
    ),
    "locked candidates": (
        "....34..........",
        "in row 2, 1 must be in r2c3 or r2c4, both in block 2, so r1c3 and r1c4 cannot be 1.",
    ),
    "naked pair": (
        "3x2:.........3......4.2........63..5....",
        "in row 5, r5c1 and r5c2 take 1 and 4 between them, so r5c3 and r5c6 cannot be 1 or 4.",
    ),
    "hidden pair": (
        "3x2:..2.....642.....64.1.........6..4...",
        "in row 1, 4 and 6 must be in r1c1 and r1c2, so r1c1 cannot be 1, 3 or 5, and r1c2 cannot be 3 or 5.",
    ),
    "naked triple": (
        "3x2:.3.....25.13..3.4..4..2.21..........",
        (
            "in row 6, r6c1, r6c2 and r6c5 take 3, 5 and 6 between them, so r6c3 cannot be 6, "
            "r6c4 cannot be 3, 5 or 6, and r6c6 cannot be 5 or 6."
        ),
    ),
    "hidden triple": (
        HIDDEN_TRIPLE,
        "in row 1, 1, 2 and 3 must be in r1c1, r1c4 and r1c7, so r1c1, r1c4 and r1c7 cannot be 4, 5, 6, 7, 8 or 9.",
    ),
    "X-wing": (
        "...1.14..21.1...",
        "in row 2 and in row 3, 3 has its only places in column 1 and column 4, so r1c1 and r4c4 cannot be 3.",
    ),
    "XY-wing": (
        "3x2:2.6.4..645.....2.....6.......1.3....",
        "if r1c2 is 1, then r2c1 is 3, and if r1c2 is 5, then r1c6 is 3, so r2c5 and r2c6 cannot be 3.",
    ),
    "simple colouring": (
        ".6..1.4...41..36..1..27......618.45...........5..7...32.3.......",
        "either r6c2 and r7c1 are 1, or r7c8 and r8c2 are; r6c8 sees cells of both kinds, so r6c8 cannot be 1.",
    ),
    "trial": (
        "...2............",
        "no technique applies, and r1c1 can be 1, 3 or 4, which has to be found by trial.",
    ),
}
"""For each technique a board on which no easier one applies, and the sentence of its first step."""


def test_every_technique_has_an_example():
    """The table and the examples name the same techniques, in the same order."""
    assert [technique.name for technique in TECHNIQUES] == list(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name):
    """On its example a technique is the easiest one that applies, and its sentence says why."""
    text, sentence = EXAMPLES[name]
    marks = PencilMarks(Board.parse(text))
    applying = [technique.name for technique in TECHNIQUES if next(technique.find(marks), None) is not None]
    assert applying[0] == name
    step = next(TECHNIQUES[list(EXAMPLES).index(name)].find(marks))
    assert (step.technique, step.sentence) == (name, sentence)
    assert bool(step.placements or step.eliminations) == (name != TRIAL)


def first(name, board):
    """The first step of a technique on a board."""
    return next(dict(TECHNIQUES)[name](PencilMarks(board)), None)


def test_the_reason_of_a_step():
    """A step has the cells, the values and the regions of its reason, all counted from 0, as Python and JSON do."""
    step = first("X-wing", Board.parse(EXAMPLES["X-wing"][0]))
    assert step.cells == ((1, 0), (1, 3), (2, 0), (2, 3))
    assert (step.values, step.regions) == ((3,), (1, 2, 4, 7))
    assert step.eliminations == ((0, 0, 3), (3, 3, 3))
    assert step.as_object()["cells"] == [[1, 0], [1, 3], [2, 0], [2, 3]]
    assert step.as_object()["regions"] == [1, 2, 4, 7]
    assert str(step) == f"X-wing: {step.sentence}"


def test_a_colour_twice_in_a_region():
    """The first rule of colouring: if one colour would hold the value twice in a region, its cells do not hold it."""
    marks = PencilMarks(Board.empty(2, 2))
    for cell in set(range(16)) - {0, 2, 4, 5, 13, 14}:
        marks.eliminate(cell, 1)
    step = next(dict(TECHNIQUES)["simple colouring"](marks))
    assert step.sentence == (
        "either r1c1, r2c2 and r4c3 are 1, or r1c3, r2c1 and r4c2 are; r1c1 and r2c2 are both in block 1, "
        "so r1c1, r2c2 and r4c3 cannot be 1."
    )


def test_chains_that_contradict_themselves():
    """A chain of five cells that is closed has no two colours, so nothing is said of it."""
    marks = PencilMarks(Board.empty(2, 2))
    for cell in set(range(16)) - {0, 2, 5, 13, 14}:
        marks.eliminate(cell, 1)
    assert all(step.values != (1,) for step in dict(TECHNIQUES)["simple colouring"](marks))


def test_extra_regions_lock_candidates():
    """Locked candidates hold for any two regions: here a diagonal and a block."""
    board = Board(Geometry.diagonal(3, 3), [0] * 81).place(3, 4, 1).place(7, 0, 1)
    sentences = [step.sentence for step in dict(TECHNIQUES)["locked candidates"](PencilMarks(board))]
    assert (
        "in extra region 2, 1 must be in r1c9, r2c8 or r3c7, all in block 3, "
        "so r1c7, r1c8, r2c7, r2c9, r3c8 and r3c9 cannot be 1."
    ) in sentences


def require_true(board, solution, marks=None):
    """Require that each step of each technique on these marks agrees with a solution; the names of the techniques."""
    marks, truth, names = marks or PencilMarks(board), solution.rows, set()
    for technique in TECHNIQUES:
        for step in technique.find(marks):
            names.add(step.technique)
            wrong = [entry for entry in step.placements if truth[entry[0]][entry[1]] != entry[2]]
            wrong += [entry for entry in step.eliminations if truth[entry[0]][entry[1]] == entry[2]]
            if wrong:
                pytest.fail(f"{step} on {board.geometry!r} {board.cells} contradicts {solution.cells}")
    return names


def walked(board, solution):
    """Take all steps of the easiest technique, again and again, and check the steps of all techniques each time."""
    marks, first, names = PencilMarks(board), PencilMarks(board).masks, set()
    while not marks.is_full:
        names |= require_true(board, solution, marks)
        found = next(steps for technique in TECHNIQUES if (steps := list(technique.find(marks))))
        if found[0].technique == TRIAL:
            break
        for step in found:
            for row, column, value in (*step.placements, *step.eliminations):
                assert first[board.geometry.cell(row, column)] >> value - 1 & 1, "it was a candidate"
            marks.apply(step)
    assert marks.contradiction() == ""
    return names


def boards_of_all_kinds(count, *seed, shapes, least=0.3, most=0.8):
    """Boards of the shapes and kinds of geometry in turn, with one of their solutions."""
    random = random_of(*seed)
    for number in range(count):
        yield varied(*shapes[number % len(shapes)], random, KINDS[number % 3], random.uniform(least, most))


SMALL = [shape for shape in SHAPES if shape[0] * shape[1] <= 6]


def test_steps_agree_with_a_solution():
    """The conclusion of a step is true of a planted solution, on boards with one solution or several."""
    for board, solution in boards_of_all_kinds(100, "some", shapes=[*SMALL, (3, 3)]):
        require_true(board, solution)


@pytest.mark.slow
def test_steps_of_10_000_boards_agree_with_a_solution():
    """The same for 10,000 boards, the most of them small, and all techniques have steps on them."""
    names = set()
    for board, solution in boards_of_all_kinds(9_870, "many", shapes=[(2, 2)] * 15 + [(2, 3), (3, 2)], most=0.7):
        names |= require_true(board, solution)
    for board, solution in boards_of_all_kinds(140, "large", shapes=SHAPES):
        names |= require_true(board, solution)
    assert names == set(EXAMPLES)


@pytest.mark.slow
def test_all_steps_on_the_way_agree_with_a_solution():
    """The same after the steps before, which leave fewer candidates than the values of the peers do."""
    names = set()
    for board, solution in boards_of_all_kinds(150, "ways", shapes=[*SMALL, (3, 3)], least=0.5):
        names |= walked(board, solution)
    assert names == set(EXAMPLES)


def require_exact(board, completions):
    """Require that no completion at all contradicts a step."""
    for completion in completions:
        require_true(board, completion)


def test_steps_agree_with_all_solutions():
    """On small boards with several solutions, no solution has an eliminated candidate."""
    for board, _ in boards_of_all_kinds(12, "all", shapes=[(2, 2)], least=0.6):
        require_exact(board, list(solutions(board))[:20])


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_eliminated_candidates_are_bombs(shape):
    """The exact map of moves agrees: an eliminated candidate is a bomb, and so is each rival of a placement."""
    random = random_of("bombs", shape)
    for _ in range(60):
        board, _ = varied(*shape, random, "plain", random.uniform(0.4, 0.75))
        bombs = classify_moves(board).bombs
        for technique in TECHNIQUES:
            for step in technique.find(PencilMarks(board)):
                assert all(entry in bombs for entry in step.eliminations), (board, step)
                for row, column, value in step.placements:
                    rivals = set(board.candidates(row, column)) - {value}
                    assert all((row, column, rival) in bombs for rival in rivals), (board, step)
