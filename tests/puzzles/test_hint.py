"""Hints: the easiest step of all, the way to the solution, and the hardest step on it."""

import time

import pytest

import csp_sudoku as cs
from csp_sudoku import Board, Geometry, KeywordError, UnsolvableError, hint
from csp_sudoku.puzzles.grade import LEVELS, grade
from csp_sudoku.puzzles.hint import hardest_technique, steps
from csp_sudoku.puzzles.steps.techniques import TECHNIQUES
from csp_sudoku.solvers.questions import solve
from tests.puzzles.steps.support import KINDS, varied
from tests.support import SHAPES, most_slow, random_of

ORDER = [technique.name for technique in TECHNIQUES]


def test_a_hint_takes_what_the_public_api_takes():
    """A board, a text or a table; a full board needs no step; a wrong keyword has a hint, too."""
    text = "12.. .... ..1. ...."
    assert cs.hint(text) == cs.hint(Board.parse(text)) == cs.hint(Board.parse(text).rows)
    assert isinstance(cs.hint(text), cs.Step)
    assert cs.hint("1243342143122134") is None
    with pytest.raises(KeywordError, match="did you mean board"):
        hint(puzzle=text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("12.. ..3. .... ....", "row 1 has no place for 3"),
        ("12.. ...3 ..4. ....", "r1c3 can take no value"),
        ("4......3.....1.2", ""),
    ],
)
def test_boards_without_a_solution(text, reason):
    """They have no step, and the error has the obvious contradiction, if there is one."""
    with pytest.raises(UnsolvableError) as caught:
        hint(text)
    assert caught.value.reason == reason
    assert str(caught.value).startswith("expected a board with a solution; found one without")


@pytest.mark.parametrize("text", ["1... ..2. .3.. ...4", "..1. 4... ...2 .3.."])
def test_the_way_leads_to_the_solution(text):
    """With the solution the steps end on the full board; each placement is on an empty cell."""
    board = Board.parse(text)
    solution = solve(board).solution
    for step in steps(board, solution):
        for entry in step.placements:
            board = board.place(*entry)
    assert board == solution


def test_a_trial_ends_the_way_unless_the_solution_is_known():
    """Without the solution the first trial is the last step; with it the trial places its value, and continues."""
    board = Board.parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
    solution = solve(board).solution
    *_, last = steps(board)
    assert (last.technique, last.placements) == ("trial", ())
    way = list(steps(board, solution))
    tried = [step for step in way if step.technique == "trial"]
    assert tried
    for step in tried:
        ((row, column, value),) = step.placements
        assert solution[row, column] == value
        assert value in step.values
        assert f"only r{row + 1}c{column + 1}={value} leads to the solution" in step.sentence
    assert sum(len(step.placements) for step in way) == board.empty_count


@pytest.mark.parametrize("kind", KINDS)
def test_the_hardest_technique_is_the_hardest_on_the_way(kind):
    """It takes all steps of a technique at once, and comes to the same as one step after the other."""
    random = random_of("hardest", kind)
    found = set()
    for _ in range(12):
        board, solution = varied(2, 3, random, kind, random.uniform(0.3, 0.7))
        way = [ORDER.index(step.technique) for step in steps(board, solution)]
        trials = [at for at, level in enumerate(way) if ORDER[level] == "trial"]
        hardest = ORDER[max(way[: trials[0] + 1] if trials else way, default=-1)] if way else ""
        assert hardest_technique(board) == hardest
        found.add(hardest)
    assert len(found) >= 2


@pytest.mark.parametrize("shape", most_slow(SHAPES, [(2, 2), (3, 3)], is_one_argument=True))
def test_grades_and_steps_agree(shape):
    """If naked singles suffice for the grade, they suffice for a person; so do hidden singles."""
    random = random_of("grades", shape)
    for share in (0.3, 0.45, 0.55):
        board, _ = varied(*shape, random, "plain", share)
        if not cs.is_unique(board):
            continue
        found = grade(board)
        singles = {LEVELS[0].name: "naked single", LEVELS[1].name: "hidden single"}
        if found.needs in singles:
            assert found.hardest == singles[found.needs]
        else:
            assert ORDER.index(found.hardest) >= 2


def test_a_full_board_has_no_hardest_step():
    """Its grade names none."""
    assert grade("1243342143122134").hardest == ""


@pytest.mark.parametrize("geometry", [Geometry.diagonal(3, 3), Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"])])
def test_variants(geometry):
    """Hints on a diagonal sudoku and on a jigsaw are true of a solution."""
    solution = solve(Board(geometry, [0] * geometry.cell_count)).solution
    random = random_of(geometry.name)
    board = solution.without(random.sample(range(geometry.cell_count), geometry.cell_count // 2))
    way = list(steps(board))
    assert way
    for step in way:
        assert all(solution[row, column] == value for row, column, value in step.placements)
        assert all(solution[row, column] != value for row, column, value in step.eliminations)


@pytest.mark.slow
def test_a_hint_on_25x25_is_quick(clock):
    """A hint takes at most 0.3 s of CPU time, also where all techniques are tried in vain."""
    board = Board.empty(5, 5)
    assert hint(board).technique == "trial"  # the kernels are loaded

    def measure() -> float:
        started = time.process_time()
        hint(board)
        return time.process_time() - started

    clock.holds(measure, below=0.3)
