"""Generated puzzles: one solution, the wished grade, the same for the same seed; and grades that mean something."""

from random import Random

import numpy as np
import pytest

from csp_sudoku import Board, ShapeError, SudokuError, count_solutions, generate, grade, is_unique
from csp_sudoku.puzzles.grade import LEVELS, MOST_NODES, is_within, nodes_for, score_of
from csp_sudoku.solvers.backtracking.solver import Backtracking
from tests.support import VARIED_SHAPES, count_by_force, planted, random_of


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), VARIED_SHAPES)
def test_puzzles_of_varied_shapes_have_one_solution_and_at_most_the_grade(m, n):
    """Whatever the shape and the difficulty, there is one solution, and the grade is not above the difficulty."""
    for difficulty in (0.15, 0.35, 0.55, 0.75):
        puzzle = generate(m, n, difficulty=difficulty, rng=3)
        assert is_unique(puzzle)
        assert grade(puzzle).score <= difficulty


@pytest.mark.slow
def test_small_puzzles_have_one_solution_by_brute_force():
    """Uniqueness does not rest on our solvers alone."""
    for seed in range(10):
        for m, n in [(2, 2), (2, 3), (3, 2)]:
            assert count_by_force(generate(m, n, difficulty=0.9, rng=seed), 2) == 1


def test_difficulty_is_reached_where_the_shape_allows_it():
    """On 4×4 boards the grade comes near the wish, from singles to search."""
    for difficulty in (0.3, 0.5, 0.7, 0.85):
        assert difficulty - 0.15 <= grade(generate(4, 4, difficulty=difficulty, rng=5)).score <= difficulty


@pytest.mark.quick
def test_seeds_repeat():
    """The same seed gives the same puzzle, as an int, a Random, or for numpy's generators."""
    assert generate(3, 3, rng=7) == generate(3, 3, rng=Random(7))
    assert generate(3, 3, rng=np.random.default_rng(7)) == generate(3, 3, rng=np.random.default_rng(7))
    assert generate(3, 3, rng=7) != generate(3, 3, rng=8)
    assert is_unique(generate(2, 2))


def test_no_clue_is_superfluous_at_full_difficulty():
    """At difficulty 1 small puzzles are minimal: without any one clue there are several solutions."""
    puzzle = generate(2, 3, difficulty=1, rng=1)
    clues = [cell for cell, value in enumerate(puzzle.cells) if value]
    assert all(count_solutions(puzzle.without([cell]), 2) == 2 for cell in clues)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 9), (6, 6)])
def test_the_shape_is_checked(shape):
    """An argument that is no shape is reported as such."""
    with pytest.raises(ShapeError):
        generate(*shape)


@pytest.mark.parametrize("difficulty", [-0.1, 1.1, float("nan")])
def test_difficulty_is_checked(difficulty):
    """A difficulty outside of 0 to 1 is an error."""
    with pytest.raises(SudokuError, match="expected a difficulty from 0 to 1"):
        generate(3, 3, difficulty=difficulty)


def test_grades_say_what_is_needed():
    """A grade names the weakest inference that solves the puzzle; with it the search makes no decision."""
    names = [level.name for level in LEVELS]
    for difficulty in (0.1, 0.35, 0.55, 0.8):
        puzzle = generate(3, 4, difficulty=difficulty, rng=2)
        found = grade(puzzle)
        needed = [
            Backtracking(variables="mrv", pruning=level.pruning, restarts=0).solve(puzzle).stats.nodes
            for level in LEVELS
        ]
        first = next((name for name, nodes in zip(names, needed, strict=True) if nodes == 0), "search")
        assert found.needs == first
        assert (found.nodes > 0) == (first == "search")
        assert found.label == {"naked singles": "easy", "hidden singles": "easy", "search": "hard"}.get(first, "medium")


@pytest.mark.parametrize(("m", "n", "boards"), [(2, 2, 400), (2, 3, 400), (3, 3, 300), (4, 3, 100), (5, 5, 40)])
def test_within_a_difficulty_is_what_the_grade_says(m, n, boards):
    """It takes fewer searches than a grade, and comes to the same, whatever the board and the difficulty."""
    random = random_of("within", m, n)
    found = set()
    for _ in range(boards):
        board, _ = planted(m, n, random, share=random.uniform(0.2, 0.75))
        difficulty = random.choice([random.random(), 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        try:
            score = grade(board).score
        except SudokuError:
            score = 2.0
        assert is_within(board, difficulty) == (score <= difficulty)
        found.add(score if score > 1 else score <= difficulty)
    assert found == {True, False, 2.0}


def test_a_grade_that_was_rounded_down_is_within_itself():
    """This board takes 30 nodes, which make a score of 0.74913; its grade is 0.749. The fuzzer found another."""
    board = Board.parse("......96.2........5.6.....2.....2....6.7.......736..1.....7.8...7..13.469....5..3")
    found = grade(board)
    assert found.needs == "search"
    assert found.score < score_of(found.nodes)
    assert is_within(board, found.score)
    assert not is_within(board, found.score - 0.001)


def test_scores_and_nodes_are_inverse():
    """The nodes of a score are the most that a puzzle of this score takes."""
    for nodes in (0, 1, 10, 999, MOST_NODES):
        assert abs(nodes_for(score_of(nodes)) - nodes) <= 1
    for thousandths in range(600, 1001):
        score = thousandths / 1000
        assert score_of(nodes_for(score)) <= score + 1e-9
        assert nodes_for(score) == MOST_NODES or score_of(nodes_for(score) + 1) > score


def test_only_puzzles_are_graded():
    """Boards with several solutions or none have no grade; a full board is the easiest."""
    full, _ = planted(3, 3, random_of("full"), share=0)
    assert grade(full).score == 0
    with pytest.raises(SudokuError, match="found one with several"):
        grade(Board.empty(2, 3))
    with pytest.raises(SudokuError, match="found one with none"):
        grade(Board.parse("12.. .... ..3. ..4."))
