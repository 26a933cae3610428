"""The learning search: its clauses follow, its cores suffice, and questions do not affect each other."""

import numpy as np
import pytest

from csp_sudoku import Board, Geometry, Limits, Status, SudokuError, get_solver
from csp_sudoku.moves.engines.search import LearningSearch
from csp_sudoku.solvers import incremental
from csp_sudoku.solvers.incremental import Incremental
from csp_sudoku.solvers.learning.proof import Checker, checker_of, drain
from csp_sudoku.solvers.scratch import MOST_SPARE, Borrowed
from tests.support import SMALL_SHAPES, count_by_force, is_solution_of, most_slow, perturbed, planted, random_of


def givens_of(board):
    """The givens with their cells."""
    return [(cell, value) for cell, value in enumerate(board.values) if value]


def with_values(board, assumed):
    """The board with these values, or None if two of them are for one cell or for peers."""
    values = list(board.values)
    for cell, value in assumed:
        if values[cell] not in (0, value) or any(values[peer] == value for peer in board.geometry.peers[cell]):
            return None
        values[cell] = value
    return Board(board.geometry, values)


def is_completable(board, assumed):
    """Whether a board has a completion with these values, by a solver that shares no search with `learning`."""
    filled = with_values(board, assumed)
    return filled is not None and get_solver("cpsat").solve(filled).status is Status.SOLVED


def some_values(board, rng, count):
    """Random values for random cells, now and then twice the same cell; for empty ones if there are any."""
    empty = [cell for cell, value in enumerate(board.values) if not value] or range(len(board.values))
    return [(rng.choice(empty), rng.randint(1, board.size)) for _ in range(count)]


QUESTIONS = [((2, 2), 150, 5), ((2, 3), 80, 6), ((3, 2), 40, 6), ((2, 5), 12, 6), ((3, 3), 40, 8), ((4, 4), 6, 8)]


@pytest.mark.parametrize(
    ("shape", "boards", "asked"), most_slow(QUESTIONS, QUESTIONS[:4]), ids=lambda value: str(value).replace(" ", "")
)
def test_sequences_of_questions_have_the_right_answers(shape, boards, asked):
    """Question after question about one board, every verdict is CP-SAT's, solutions fit, and cores suffice."""
    verdicts = set()
    for trial in range(boards):
        rng = random_of("questions", shape, trial)
        board, _ = planted(*shape, rng, share=rng.uniform(0.5, 0.9))
        if trial % 4 == 0:
            board = perturbed(*shape, rng, share=0.65)
        questions = Incremental(board, check=board.size < 10)
        for _ in range(asked):
            assumed = some_values(board, rng, rng.randint(0, 5))
            answer = questions.ask(assumed)
            verdicts.add(answer.status)
            assert (answer.status is Status.SOLVED) == is_completable(board, assumed), (board, assumed)
            if answer.solution is not None:
                assert is_solution_of(answer.solution, board)
                assert all(answer.solution.values[cell] == value for cell, value in assumed)
            else:
                assert set(answer.core) <= set(assumed)
                assert not is_completable(board, answer.core)
    assert verdicts == {Status.SOLVED, Status.UNSOLVABLE}


@pytest.mark.parametrize(
    ("shape", "trials"), [((2, 2), 200), ((2, 3), 100), ((3, 3), 150), ((3, 4), 20), ((4, 4), 20), ((5, 5), 3)], ids=str
)
def test_cores_of_givens_are_refuted_by_cpsat(shape, trials):
    """A board without completion is refuted with some of its givens, and CP-SAT refutes it with these alone."""
    refuted = spared = 0
    for trial in range(trials):
        rng = random_of("cores", shape, trial)
        board = perturbed(*shape, rng, share=rng.uniform(0.45, 0.7) if shape < (5, 5) else 0.5)
        answer = Incremental(Board.empty(*shape)).ask(givens_of(board))
        if answer.status is Status.UNSOLVABLE:
            refuted += 1
            spared += len(givens_of(board)) - len(answer.core)
            assert set(answer.core) <= set(givens_of(board))
            assert not is_completable(Board.empty(*shape), answer.core)
        else:
            assert is_solution_of(answer.solution, board)
    assert refuted
    assert spared


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "trials", "shares"),
    [
        ((2, 3), 1000, (0.5, 0.9)), ((2, 5), 300, (0.5, 0.75)), ((3, 3), 1000, (0.55, 0.75)),
        ((3, 4), 300, (0.5, 0.68)), ((4, 4), 200, (0.5, 0.64)), ((5, 5), 10, (0.48, 0.53)),
    ],
    ids=str,
)  # fmt: skip
def test_verdicts_are_those_of_cpsat(shape, trials, shares):
    """On thousands of boards that take a search, solvable or not, the verdict is CP-SAT's, and solutions fit."""
    learning, cpsat, verdicts, conflicts = get_solver("learning"), get_solver("cpsat"), set(), 0
    for trial in range(trials):
        rng = random_of("hard verdicts", shape, trial)
        board = perturbed(*shape, rng, share=rng.uniform(*shares))
        result = learning.solve(board)
        assert result.status is cpsat.solve(board).status, board
        assert result.solution is None or is_solution_of(result.solution, board)
        verdicts.add(result.status)
        conflicts += result.stats.backtracks
    assert verdicts == {Status.SOLVED, Status.UNSOLVABLE}
    assert conflicts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "trials"), [((2, 2), 300), ((2, 3), 150), ((2, 4), 40), ((3, 3), 60), ((4, 4), 6), ((5, 5), 1)], ids=str
)
def test_all_that_is_learned_follows(shape, trials):
    """Each learned clause follows from the rules and those before it by propagation, and so does each refutation."""
    solver, learned = get_solver("learning", check=True), 0
    for trial in range(trials):
        rng = random_of("proofs", shape, trial)
        board = perturbed(*shape, rng, share=rng.uniform(0.5, 0.8))
        result = solver.count(board, 20, Limits(nodes=300))
        learned += result.stats.backtracks
        if shape in SMALL_SHAPES:
            assert result.solutions == count_by_force(board, 20)
    assert learned


@pytest.mark.slow
def test_what_the_move_map_learns_follows():
    """The clauses of a map are checked in the same way, also when values are placed while it keeps them."""
    learned = 0
    for trial in range(6):
        rng = random_of("map proofs", trial)
        board, full = planted(4, 4, rng, share=0.55 + 0.03 * trial)
        search = LearningSearch(board)
        checker = checker_of(board.geometry, search.memory)
        for _ in range(4):
            while not search.step():
                pass
            learned += int(search.memory["log_end"])
            drain(search.memory, checker)
            empty = [cell for cell, value in enumerate(search.board.values) if not value]
            cell = rng.choice(empty)
            search.place(*board.geometry.row_column(cell), full.values[cell])
            checker.exclude(search.memory["root_candidates"][:256].tolist())
    assert learned


def test_the_checker_refuses_what_does_not_follow():
    """A clause that is not implied by propagation is an error, and so is a log that was too small."""
    checker = Checker(Geometry.standard(2, 2), [0b1111] * 16)
    with pytest.raises(RuntimeError, match=r"clause that follows by propagation; found \(1, 6\)"):
        checker.learn((1, 6))
    assert not checker.refutes([])
    checker.learn((-1, -2))
    search = LearningSearch(Board.empty(2, 2))
    search.memory["is_logged"] = -1
    with pytest.raises(RuntimeError, match="room for all clauses"):
        drain(search.memory, checker)


def test_limits_leave_a_question_open_and_the_next_is_answered():
    """UNKNOWN within no time or few conflicts; without them the same question has its answer."""
    board = perturbed(5, 5, random_of("limits"), share=0.55)
    questions = Incremental(board)
    assert questions.ask([], Limits(seconds=0)).status is Status.UNKNOWN
    answer = questions.ask([], Limits(nodes=1))
    assert answer.status is not Status.UNKNOWN or answer.conflicts >= 1
    assert questions.ask([]).status is get_solver("cpsat").solve(board).status


def test_no_number_of_assumptions_is_too_large():
    """Whatever is assumed more than once is once, and two values of one cell are a core."""
    questions = Incremental(Board.empty(2, 2))
    everything = [(cell, value) for cell in range(16) for value in (1, 2, 3, 4)] * 100
    answer = questions.ask(everything)
    assert (answer.status, answer.core) == (Status.UNSOLVABLE, ((0, 1), (0, 2)))
    assert questions.ask([(0, 1)] * 100_000).status is Status.SOLVED


@pytest.mark.parametrize("wrong", [(16, 1), (-1, 1), (0, 0), (0, 5)], ids=str)
def test_values_that_are_not_on_the_board_are_refused(wrong):
    """A SudokuError with the ranges, and the values found."""
    with pytest.raises(SudokuError, match=f"from 0 to 15 and a value from 1 to 4; found {wrong[0]} and {wrong[1]}"):
        Incremental(Board.empty(2, 2)).ask([(1, 1), wrong])


def test_small_numbers_of_numpy_are_numbers():
    """Cells and values of all integer types have their numerical meaning."""
    questions = Incremental(Board.parse("12.. .... ...4 ...."))
    for cell, value in ((2, 4), (2, 3), (15, 1), (12, 3)):
        plain = questions.ask([(cell, value)])
        small = questions.ask([(np.uint8(cell), np.uint8(value))])
        assert small.status is plain.status
        assert small.solution is None or small.solution[divmod(cell, 4)] == value
        assert repr(small.core) == repr(plain.core)


def test_who_was_interrupted_may_ask_again(monkeypatch):
    """The unfinished work of an interrupted question is discarded, and later answers are right."""
    verdicts = []
    for trial in range(40):
        board = perturbed(4, 4, random_of("interrupted", trial), share=0.55)
        questions = Incremental(board, check=True)
        if questions.ask([], Limits(nodes=0)).status is not Status.UNKNOWN:
            continue
        with monkeypatch.context() as patch:
            run = incremental.search

            def interrupted(*arguments, run=run):
                run(*arguments)
                raise KeyboardInterrupt

            patch.setattr(incremental, "search", interrupted)
            patch.setattr(incremental, "SLICE_WORK", 50 * trial)
            with pytest.raises(KeyboardInterrupt):
                questions.ask([])
        verdicts.append(questions.ask([]).status)
        assert verdicts[-1] is get_solver("backtracking").solve(board).status
    assert set(verdicts) == {Status.SOLVED, Status.UNSOLVABLE}


def test_what_is_borrowed_is_given_back():
    """Without memory for a record there is nothing to give back, and not more than a few wait."""
    spare = []

    def fails():
        raise MemoryError

    with pytest.raises(MemoryError):
        Borrowed(spare, fails)
    assert spare == []
    borrowed = [Borrowed(spare, lambda: np.zeros(1)) for _ in range(2 * MOST_SPARE)]
    del borrowed
    assert len(spare) == MOST_SPARE
