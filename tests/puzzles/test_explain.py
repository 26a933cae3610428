"""Explanations: sets of givens that contradict each other, proven minimal."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from csp_sudoku import Board, Geometry, Status, SudokuError, UndecidedError, explain, explain_move, get_solver
from csp_sudoku.puzzles.explain import Thinned, Thinning
from tests.support import SHAPES, count_by_force, most_slow, perturbed, planted, random_of

BOARDS = Path(__file__).parents[2] / "boards"


def solvable(board):
    """Whether a board has a completion, by a solver that the explanation did not use to thin out."""
    return get_solver("backtracking").solve(board).status is Status.SOLVED


def check(explanation, board, decide=solvable):
    """The givens are the board's, have no completion, and have one without any one of them."""
    assert explanation.minimal
    assert explanation.givens == tuple(sorted(explanation.givens))
    assert board.extends(explanation.board)
    assert tuple(cell for cell, value in enumerate(explanation.board.values) if value) == explanation.givens
    assert explanation.among == board.geometry.cell_count - board.empty_count
    assert not decide(explanation.board)
    for cell in explanation.givens:
        assert decide(explanation.board.without([cell]))


@pytest.mark.parametrize(("shape", "trials"), most_slow([((2, 2), 60), ((2, 3), 12), ((3, 2), 12)], [((2, 2), 60)]))
def test_explanations_are_minimal_by_brute_force(shape, trials):
    """On small boards, brute force agrees: no completion, and one as soon as any one given is dropped.

    It takes up to 8 s to refute four givens of a 6×6 board, so another exact solver is asked there.
    """
    explained = 0
    for trial in range(trials):
        board = perturbed(*shape, random_of("explain", shape, trial), share=0.4)
        explanation = explain(board)
        assert (explanation is None) == (count_by_force(board, 1) == 1)
        if explanation:
            is_quick = board.size == 4 or len(explanation.givens) > 4
            check(explanation, board, (lambda board: count_by_force(board, 1) == 1) if is_quick else solvable)
            explained += 1
    assert explained > 3


@pytest.mark.parametrize(("shape", "trials"), [((3, 3), 25), ((3, 4), 8), ((4, 4), 4)], ids=str)
def test_explanations_are_minimal(shape, trials):
    """On larger boards, another exact solver agrees."""
    explained = 0
    for trial in range(trials):
        board = perturbed(*shape, random_of("larger", shape, trial), share=0.45)
        explanation = explain(board)
        if explanation:
            check(explanation, board)
            explained += 1
    assert explained > 0


@pytest.mark.slow
def test_large_boards_are_explained_with_few_checks():
    """A 25×25 board is explained, too; it takes 30 checks, and each given by itself would take over 300."""
    board = perturbed(5, 5, random_of("x", (5, 5), 3), share=0.5)
    explanation = explain(board)
    assert explanation.checks < 100
    check(explanation, board)


@pytest.mark.parametrize("shape", [SHAPES[0], (3, 3), (5, 5)], ids=str)
def test_solvable_boards_have_no_explanation(shape):
    """None for an empty board, a planted one, and a full one."""
    board, full = planted(*shape, random_of("solvable", shape), share=0.3)
    assert explain(Board.empty(*shape)) is explain(board) is explain(full) is None


def test_variants_are_explained():
    """Regions that a variant adds count: boards that are solvable but for the diagonals are explained, too."""
    geometry = Geometry.diagonal(2, 2)
    explained = 0
    for trial in range(60):
        plain, _ = planted(2, 2, random_of("diagonal", trial), share=0.6)
        if geometry.clash(plain.cells) is None:
            board = Board(geometry, plain.cells)
            explanation = explain(board)
            assert (explanation is None) == solvable(board)
            if explanation:
                assert explain(plain) is None
                check(explanation, board)
                explained += 1
    assert explained > 3


def test_the_sentence_says_what_is_impossible():
    """The plain reason comes first, then the givens; a long list is cut."""
    explanation = explain(Board.parse("12.. ..3. .... ...4"))
    assert explanation.reason() == "row 1 has no place for 3"
    assert "None of them can be spared: r1c1=1, r1c2=2, r2c3=3." in explanation.sentence()


def test_a_reason_names_the_cell_or_the_region():
    """A cell without a value is named by its position, a value without a place by the region."""
    assert explain(Board.parse("123. .... ...4 ....")).reason() == "r1c4 can take no value"


def test_long_lists_are_cut():
    """A sentence names a dozen givens at most, and counts the others."""
    for trial in range(20):
        board = perturbed(4, 4, random_of("long", trial), share=0.5)
        explanation = explain(board)
        if explanation and len(explanation.givens) > 12:
            assert f"and {len(explanation.givens) - 12} more." in explanation.sentence()
            return
    pytest.fail("expected a long explanation among 20")


@pytest.mark.parametrize("wrong", [-1, float("nan")])
def test_what_is_no_time_is_refused(wrong):
    """A SudokuError at once, as of every other question."""
    for question in (explain, lambda board, **limit: explain_move(board, 0, 0, 1, **limit)):
        with pytest.raises(SudokuError, match="expected a time limit of at least 0 seconds"):
            question(Board.empty(2, 2), time_limit=wrong)


def test_no_time_is_undecided():
    """Without time, there is no telling whether there is something to explain."""
    with pytest.raises(UndecidedError):
        explain(Board.parse("12.. ..3. .... ...4"), time_limit=0)


def test_time_that_ends_later_leaves_more_givens(monkeypatch):
    """If the time ends while givens are tried, the explanation is right, not minimal, and says so."""
    board = perturbed(3, 3, random_of("late"), share=0.4)
    while solvable(board):
        board = perturbed(3, 3, random_of("late", board), share=0.4)
    answers = iter(range(1000))
    solve = Thinning.solve

    def tired(self, cells):
        if next(answers) < 5:
            return solve(self, cells)
        return Thinned(Status.UNKNOWN, None, [])

    monkeypatch.setattr(Thinning, "solve", tired)
    explanation = explain(board)
    assert not explanation.minimal
    assert not solvable(explanation.board)
    assert "Some of them may be spared" in explanation.sentence()


@pytest.mark.parametrize(("shape", "share"), [((3, 3), 0.6), ((4, 4), 0.6), ((5, 5), 0.5)], ids=str)
def test_what_the_learning_search_names_suffices(shape, share):
    """Whatever it takes to refute them, the givens that are said to suffice admit no completion by themselves."""
    for trial in range(8):
        board = perturbed(*shape, random_of("fewer", shape, trial), share=share)
        if not solvable(board):
            thinning = Thinning(board)
            fewer = thinning.fewer(thinning.givens)
            assert set(fewer) <= set(thinning.givens)
            assert not solvable(thinning.only(fewer))
            found = thinning.solve(fewer)
            assert found.status is Status.UNSOLVABLE
            assert not solvable(thinning.only(found.core))
            return
    pytest.fail("expected a board without completions")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("pause", [0.1, 0.4, 1.0])
def test_ctrl_c_is_obeyed_at_once(pause, clock):
    """SIGINT ends an explanation within a tenth of a second."""
    code = """
        import sys, time
        from csp_sudoku import Board, explain, load
        explain(Board.parse("12.. ..3. .... ...4"))
        print("ready", flush=True)
        try:
            explain(load(sys.argv[1]).place(5, 8, 7))
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(BOARDS / "hard-5x5.txt")]

    def measure():
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdout.readline() == "ready\n"
            time.sleep(pause)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            delay = float(process.stdout.readline()) - sent
            assert process.wait(300) == 0
        return delay

    clock.holds(measure, below=0.1)
