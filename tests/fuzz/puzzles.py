"""Kind `puzzles`: explanations that are right and minimal, grades by their inferences, generated puzzles."""

from __future__ import annotations

from random import Random

from csp_sudoku import SudokuError, explain, generate, grade
from csp_sudoku.puzzles.grade import MOST_NODES, is_within
from tests.conformance.reference import standard
from tests.fuzz.boards import Sample, random_sample, random_shape
from tests.fuzz.case import Budget, expect, expect_equal
from tests.fuzz.reference import first_solution, left_by_singles, some_solutions


def check(random: Random, budget: Budget) -> None:
    """One of the checks of this module."""
    random.choices([explained, graded, generated], [4, 4, 1])[0](random, budget)


def explained(random: Random, budget: Budget) -> None:
    """`explain`: None where there is a completion, else givens that admit none, and none can be spared."""
    sample = random_sample(random, 12, styles=("perturbed", "perturbed", "scattered", "holes"))
    given = [cell for cell, value in enumerate(sample.cells) if value]
    kept = random.sample(given, min(len(given), random.choice([0, 0, 1, 3])))
    solution = first_solution(sample.regions, sample.cells, budget)
    explanation = explain(sample.board, keep=kept)
    expect_equal(f"{sample.name}: explain finds nothing to explain", explanation is None, solution is not None)
    if explanation is None:
        return
    expect(set(explanation.givens) <= set(given) - set(kept), f"{sample.name}: explain names cells that are no givens")
    expect(explanation.minimal, f"{sample.name}: explain is not minimal without a time limit")
    expect_minimal(sample, set(kept), explanation.givens, budget)
    expect(bool(explanation.sentence()), f"{sample.name}: explain has no sentence")


def expect_minimal(sample: Sample, kept: set[int], givens: tuple[int, ...], budget: Budget) -> None:
    """Raise unless these givens admit no completion, and admit one without any single one of them."""
    cells = [value if cell in kept or cell in givens else 0 for cell, value in enumerate(sample.cells)]
    solution = first_solution(sample.regions, cells, budget)
    expect(solution is None, f"{sample.name}: the explanation {givens} beside {kept} admits a completion")
    for cell in givens:
        fewer = [0 if other == cell else value for other, value in enumerate(cells)]
        solution = first_solution(sample.regions, fewer, budget)
        expect(solution is not None, f"{sample.name}: the explanation {givens} does not need cell {cell}")


def graded(random: Random, budget: Budget) -> None:
    """`grade`: an error unless there is one solution; the level is the weakest inference that suffices."""
    sample = random_sample(random, 12, styles=("holes", "few holes", "perturbed", "full", "without values"))
    solutions = some_solutions(sample.regions, sample.cells, 2, budget)
    try:
        found = grade(sample.board)
    except SudokuError as error:
        expected = {0: "found one with none", 2: "found one with several"}.get(len(solutions), "a grade")
        expect(str(error).endswith(expected), f"{sample.name}: grade raises {error}, reference has {expected}")
        return
    expect_equal(f"{sample.name}: the number of solutions that grade accepts", len(solutions), 1)
    naked = left_by_singles(sample.regions, sample.cells, hidden=False) == 0
    hidden = left_by_singles(sample.regions, sample.cells, hidden=True) == 0
    level = "naked singles" if naked else "hidden singles" if hidden else None
    if level is None:
        expect("singles" not in found.needs, f"{sample.name}: grade needs {found.needs}, reference more than singles")
    else:
        expect_equal(f"{sample.name}: the inference of the grade", found.needs, level)
    least, most = {"naked singles": (0, 0.2), "hidden singles": (0.2, 0.4), "search": (0.6, 1)}.get(
        found.needs, (0.4, 0.6)
    )
    expect(least <= found.score <= most, f"{sample.name}: grade scores {found.score} for {found.needs}")
    decided = [found.score, random.random()] if found.nodes < MOST_NODES else []  # is_within searches no further
    for difficulty in decided:
        within = is_within(sample.board, difficulty)
        expect_equal(f"{sample.name}: is_within({difficulty}) of {found.score}", within, found.score <= difficulty)


def generated(random: Random, budget: Budget) -> None:
    """`generate`: a puzzle with one solution, no harder than requested if such were found, the same for a seed."""
    m, n = random_shape(random, 9)
    seed, difficulty = random.randrange(10**9), random.random()
    puzzle = generate(m, n, difficulty=difficulty, rng=seed)
    name = f"{m}x{n}: generate(difficulty={difficulty}, rng={seed})"
    expect_equal(f"{name} again", generate(m, n, difficulty=difficulty, rng=seed).cells, puzzle.cells)
    solutions = some_solutions(standard(m, n), puzzle.cells, 2, budget)
    expect_equal(f"{name}: the number of solutions", len(solutions), 1)
