"""CP-SAT as a solver: both encodings, limits, enumeration, interrupts. The conformance suite covers its answers."""

import concurrent.futures
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from itertools import islice

import pytest

from csp_sudoku import Board, Geometry, Limits, OptionError, Status, SudokuError, UndecidedError
from csp_sudoku.candidates import bits, candidate_masks
from csp_sudoku.solvers.cpsat.model import Candidates, build
from csp_sudoku.solvers.cpsat.search import CpSatCall
from csp_sudoku.solvers.cpsat.solver import CpSat
from tests.clock import wait_until
from tests.support import SMALL_SHAPES, count_by_force, is_solution_of, pattern, perturbed, planted, random_of

SETTINGS = [
    {"encoding": encoding, "parameters": parameters, "propagate": propagate, "seed": seed}
    for encoding in ("boolean", "integer")
    for parameters in ("tuned", "default")
    for propagate in (True, False)
    for seed in (0, 3)
]

every_setting = pytest.mark.parametrize("options", SETTINGS, ids=lambda options: "-".join(map(str, options.values())))

PIGEONHOLE = """
    from csp_sudoku import Board
    rows = [[0] * 25 for _ in range(25)]
    rows[3][5:20] = range(1, 16)
    rows[4][10:25] = [*range(11, 16), *range(1, 11)]
    for value in range(1, 16):
        rows[4 + value][0] = value
    board = Board((5, 5), [value for row in rows for value in row])
"""
"""Code for a board that CP-SAT cannot finish: 15 values in 14 cells of the first block."""


def pigeonhole():
    """The board of PIGEONHOLE."""
    names = {}
    exec(textwrap.dedent(PIGEONHOLE), names)
    return names["board"]


def searching():
    """The threads that search."""
    return [thread for thread in threading.enumerate() if thread.name == "cp-sat"]


@every_setting
def test_every_setting_counts_right(options):
    """Both encodings, with any parameters, with and without propagation, count the same as brute force."""
    solver = CpSat(**options)
    for m, n in SMALL_SHAPES:
        for trial in range(4):
            board = perturbed(m, n, random_of("cpsat", m, n, trial), share=0.6)
            expected = count_by_force(board)
            assert solver.count(board).solutions == expected
            listed = {solution.values for solution in solver.solutions(board)}
            assert len(listed) == expected
            assert solver.solve(board).status is (Status.SOLVED if expected else Status.UNSOLVABLE)
    assert solver.count(Board.empty(2, 2)).solutions == 288


def test_one_worker_enumerates_all_grids():
    """The search has one worker: with several, 9.15 lists less than the 288 grids of the 2×2, and calls it OPTIMAL."""
    solver = CpSat()
    for _ in range(3):
        assert len({solution.values for solution in solver.solutions(Board.empty(2, 2))}) == 288


@pytest.mark.parametrize("geometry", [Geometry.diagonal(3, 3), Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"])])
@pytest.mark.parametrize("encoding", ["boolean", "integer"])
def test_variants_need_no_code_of_their_own(geometry, encoding):
    """Diagonals and jigsaw pieces are solved by both encodings."""
    solution = CpSat(encoding=encoding).solve(Board(geometry, [0] * geometry.cell_count)).solution
    for region in geometry.regions:
        assert len({solution.cells[cell] for cell in region}) == geometry.size


def test_candidates_that_were_removed_before_are_used():
    """Masks narrow the search: the masks of one solution leave only that solution."""
    board = Board.empty(3, 3)
    full = [value for row in pattern(3, 3, random_of("masks")) for value in row]
    masks = [1 << value - 1 for value in full]
    result = CpSat().solve(board, candidates=masks)
    assert list(result.solution.cells) == full
    assert CpSat(propagate=False).count(board, candidates=masks).solutions == 1
    assert [solution.cells for solution in CpSat().solutions(board, candidates=masks)] == [tuple(full)]


def test_a_contradiction_in_the_candidates_is_unsolvable():
    """A cell without a candidate, and a value without a place, are refuted without a search."""
    board = Board.empty(2, 2)
    for masks in ([0, *[15] * 15], [14, 14, 14, 14, *[15] * 12]):
        for options in SETTINGS:
            assert CpSat(**options).solve(board, candidates=masks).status is Status.UNSOLVABLE


def test_singles_alone_solve_easy_boards():
    """A board that naked and hidden singles fill is answered without a model: no conflicts, no branches."""
    result = CpSat().solve(Board.parse("1... ..2. .3.. ...4"))
    assert result.status is Status.SOLVED
    assert result.stats.nodes == result.stats.backtracks == 0
    assert CpSat(propagate=False).solve(Board.parse("1... ..2. .3.. ...4")).solution == result.solution


@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (4, 4)], ids=str)
def test_propagation_is_sound(shape):
    """Singles remove no candidate of a planted solution, and leave nothing in the peers of a settled cell."""
    for trial in range(20):
        board, solution = planted(*shape, random_of("sound", shape, trial), share=0.6)
        candidates = Candidates.of(board)
        assert candidates.fill_singles()
        assert all(mask >> value - 1 & 1 for mask, value in zip(candidates.masks, solution.cells, strict=True))
        for cell in range(board.geometry.cell_count):
            if candidates.settled[cell]:
                assert list(bits(candidates.masks[cell])) == [1 << solution.cells[cell] - 1]
                assert not any(candidates.masks[peer] & candidates.masks[cell] for peer in board.geometry.peers[cell])


def test_masks_are_the_boards_candidates():
    """The masks agree with `Board.candidates`."""
    board, _ = planted(3, 4, random_of("candidates"))
    masks = candidate_masks(board.geometry, board.values)
    for cell in board.empty_cells():
        values = tuple(bit.bit_length() for bit in bits(masks[cell]))
        assert values == board.candidates(*board.geometry.row_column(cell))


def test_a_seed_changes_the_course_and_not_the_answer():
    """Seeds lead to different work; the same seed to the same work."""
    board, _ = planted(4, 4, random_of("seeds"), share=0.6)
    work = set()
    for seed in range(6):
        first, second = (CpSat(seed=seed).solve(board) for _ in range(2))
        assert (first.solution, first.stats.nodes) == (second.solution, second.stats.nodes)
        assert is_solution_of(first.solution, board)
        work.add(first.stats.nodes)
    assert len(work) > 1


def test_a_wrong_solution_is_not_passed_on(monkeypatch):
    """The solutions of CP-SAT are checked: a wrong one is an error, not a board."""
    monkeypatch.setattr("csp_sudoku.solvers.cpsat.model.EncodedBoard.decode", lambda self, solution: bytes([1] * 16))
    with pytest.raises(RuntimeError, match="expected a completion"):
        CpSat().solve(Board.empty(2, 2))


def test_an_invalid_model_is_an_error():
    """MODEL_INVALID raises; it is no verdict."""
    model = build(Candidates.of(Board.empty(2, 2)), "boolean")
    model.model.proto.constraints.add().exactly_one.literals.append(10_000)
    with pytest.raises(RuntimeError, match="expected a model that CP-SAT accepts"):
        CpSatCall(model.model, {}).finish()


def test_an_unknown_setting_is_refused():
    """Options out of range are OptionErrors, and counting up to nothing is refused."""
    with pytest.raises(OptionError, match="found 'unary'"):
        CpSat(encoding="unary")
    with pytest.raises(SudokuError, match="at least 1"):
        CpSat().count(Board.empty(2, 2), 0)


@pytest.mark.parametrize("parameters", ["tuned", "default"])
def test_limits_are_kept(parameters, clock):
    """Seconds and conflicts end a search that would not end by itself; UNKNOWN."""
    solver, board = CpSat(parameters=parameters), pigeonhole()

    def measure():
        started = time.perf_counter()
        assert solver.solve(board, Limits(seconds=0.3)).status is Status.UNKNOWN
        return time.perf_counter() - started

    clock.holds(measure, below=2)
    result = solver.solve(board, Limits(nodes=500))
    assert result.status is Status.UNKNOWN
    assert 500 <= result.stats.backtracks < 1000


def test_a_limit_within_an_enumeration_is_undecided(clock):
    """A listing yields the solutions found before its limit, and then raises; a count is UNKNOWN."""

    def listed(seconds):
        found = []
        with pytest.raises(UndecidedError):
            found.extend(CpSat().solutions(Board.empty(3, 3), Limits(seconds=seconds)))
        return found

    def counted(seconds):
        count = CpSat().count(Board.empty(3, 3), None, Limits(seconds=seconds))
        assert count.status is Status.UNKNOWN
        return count.solutions

    assert clock.gives_enough(listed, bool)[0]
    assert clock.gives_enough(counted, bool)[0] > 0


def test_a_listing_is_lazy():
    """The first solutions of a board with more than could ever be listed come at once, and the search waits."""
    listing = CpSat().solutions(Board.empty(5, 5))
    assert len({solution.values for solution in islice(listing, 40)}) == 40
    assert len(searching()) == 1
    listing.close()
    wait_until(lambda: not searching())


def test_an_abandoned_listing_ends_its_thread(clock):
    """Dropping a listing, without closing it, ends its search promptly."""

    def measure():
        listing = CpSat().solutions(Board.empty(4, 4))
        next(listing)
        started = time.perf_counter()
        del listing
        wait_until(lambda: not searching())
        return time.perf_counter() - started

    clock.holds(measure, below=0.5)


def test_an_unread_listing_starts_no_thread():
    """A listing without a reader does not search."""
    CpSat().solutions(Board.empty(4, 4)).close()
    assert not searching()


def test_several_threads_can_search_at_once():
    """A solver answers from threads other than the main one, side by side."""
    solver = CpSat()
    boards = [planted(3, 3, random_of("threads", trial), share=0.55)[0] for trial in range(16)]
    with concurrent.futures.ThreadPoolExecutor(4) as executor:
        results = list(executor.map(solver.solve, boards))
    assert all(is_solution_of(result.solution, board) for result, board in zip(results, boards, strict=True))


INTERRUPTED = """
    import time
    from csp_sudoku.solvers.cpsat.solver import CpSat
    {board}
    CpSat().solve(Board.empty(2, 3))
    print("ready", flush=True)
    try:
        {search}
    except KeyboardInterrupt:
        print(time.monotonic(), flush=True)
"""

SEARCHES = {
    "solve": "CpSat().solve(board)",
    "defaults": "CpSat(parameters='default', propagate=False).solve(board)",
    "integer": "CpSat(encoding='integer', parameters='default').solve(board)",
    "count": "CpSat().count(Board.empty(5, 5))",
    "listing": "print(len(list(CpSat().solutions(Board.empty(5, 5)))))",
    "open model": "__import__('csp_sudoku').CpModel(board).solve()",
}


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("pause", [0.2, 0.45, 0.7])
def test_ctrl_c_is_obeyed_at_once(search, pause, clock):
    """SIGINT in the middle of a long search arrives as KeyboardInterrupt within a tenth of a second, and the process
    ends by itself soon after.
    """
    code = textwrap.dedent(INTERRUPTED).format(board=textwrap.dedent(PIGEONHOLE), search=search)

    def measure():
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "ready\n"
            time.sleep(pause)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            delay = float(process.stdout.readline()) - sent
            assert process.wait(300) == 0
        return delay

    clock.holds(measure, below=0.1)


@pytest.mark.slow
def test_a_process_ends_with_a_listing_half_read():
    """A program that ends while a listing waits to be read, even in a cycle, ends cleanly."""
    code = """
        from csp_sudoku import Board
        from csp_sudoku.solvers.cpsat.solver import CpSat
        listing = CpSat().solutions(Board.empty(4, 4))
        cycle = [listing]
        cycle.append(cycle)
        print(next(listing).is_full)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
