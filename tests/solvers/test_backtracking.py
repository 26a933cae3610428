"""The hand-written search: every option gives the same exact answers, and has the effect that its name promises."""

from itertools import islice, product

import pytest

from csp_sudoku import Board, Geometry, Limits, OptionError, Status, UndecidedError
from csp_sudoku.solvers.backtracking.kernels import state
from csp_sudoku.solvers.backtracking.solver import PRUNINGS, VALUE_ORDERS, VARIABLE_ORDERS, Backtracking
from tests.support import SMALL_SHAPES, count_by_force, is_solution_of, perturbed, planted, random_of

EVERY_PRUNING = ["none", *(name for name in PRUNINGS if name != "none"), "forward+naked+hidden", "hidden+locked+pairs"]


def test_the_kernel_numbers_the_choices_as_the_options_name_them():
    """The names of the orders and prunings stand for the numbers and bits of the same names in the kernel."""
    for names in (VARIABLE_ORDERS, VALUE_ORDERS):
        for number, name in enumerate(names):
            assert getattr(state, name.upper().replace("-", "_").replace("+", "_").replace("/", "_")) == number
    assert {name: getattr(state, name.upper()) for name in PRUNINGS if name != "none"} == {
        name: flag for name, flag in PRUNINGS.items() if flag
    }


@pytest.mark.parametrize(("variables", "values"), list(product(VARIABLE_ORDERS, VALUE_ORDERS)))
@pytest.mark.parametrize("branching", ["cells", "places"])
def test_every_order_counts_right(variables, values, branching):
    """Whatever is tried first, the number of solutions of small boards is that of brute force."""
    solver = Backtracking(variables=variables, values=values, branching=branching)
    for m, n in SMALL_SHAPES:
        for trial in range(3):
            board = perturbed(m, n, random_of("orders", m, n, trial), share=0.6)
            assert solver.count(board, 500).solutions == count_by_force(board, 500)


@pytest.mark.parametrize(("pruning", "when"), list(product(EVERY_PRUNING, ["never", "before", "during"])))
def test_every_pruning_counts_right(pruning, when):
    """Pruning removes no solution: counts on small boards agree with brute force, whenever pruning is done."""
    solver = Backtracking(variables="mrv", pruning=pruning, when=when)
    for m, n in SMALL_SHAPES:
        for trial in range(4):
            board = perturbed(m, n, random_of("pruning", m, n, trial), share=0.6)
            assert solver.count(board, 500).solutions == count_by_force(board, 500)


@pytest.mark.parametrize("restarts", [0, 1, 3, 100])
def test_restarts_lose_and_double_nothing(restarts):
    """With restarts, unsolvable boards are still proven so, and no solution is counted or listed twice."""
    solver = Backtracking(pruning="forward", restarts=restarts)
    for trial in range(40):
        board = perturbed(2, 3, random_of("restarts", trial), share=0.55)
        listed = [solution.values for solution in solver.solutions(board)]
        assert len(listed) == len(set(listed)) == solver.count(board).solutions == count_by_force(board)


def test_more_pruning_never_takes_more_nodes_before_the_search():
    """Stronger inference before the search leaves no more cells empty than weaker inference."""
    stronger = [
        "none",
        "forward+naked",
        "forward+naked+hidden",
        "forward+naked+hidden+locked",
        "+".join(list(PRUNINGS)[1:]),
    ]
    for trial in range(30):
        board, _ = planted(3, 3, random_of("stronger", trial), share=0.6)
        left = []
        for pruning in stronger:
            run = Backtracking(pruning=pruning).run(board, Limits(nodes=0))
            run.advance()
            left.append(run.reached().empty_count)
        assert left == sorted(left, reverse=True)


def test_inferences_are_sound_and_as_strong_as_their_names():
    """After the root, no candidate of a solution is lost; no naked or hidden single is left over."""
    for m, n in [(2, 3), (3, 3), (3, 4), (4, 4)]:
        for trial in range(10):
            board, solution = planted(m, n, random_of("sound", m, n, trial), share=0.6)
            run = Backtracking().run(board, Limits(nodes=0))
            run.advance()
            masks, reached = run.candidate_masks(), run.reached()
            assert all(mask >> (value - 1) & 1 for mask, value in zip(masks, solution.cells, strict=True))
            assert all(mask.bit_count() > 1 or reached.values[cell] for cell, mask in enumerate(masks))
            for region in board.geometry.regions:
                for value in range(m * n):
                    places = [cell for cell in region if masks[cell] >> value & 1]
                    assert len(places) > 1 or reached.values[places[0]] == value + 1


@pytest.mark.slow
def test_degree_order_takes_the_cell_with_most_empty_peers():
    """The first assignment under `degree` is in a cell of the highest degree in the graph of empty cells."""
    for trial in range(20):
        board, _ = planted(3, 3, random_of("degree", trial))
        solver = Backtracking(variables="degree", pruning="none", when="never")
        step = next(step for step in solver.trace(board) if step.kind == "assign")
        empty = board.geometry.graph().subgraph(board.empty_cells())
        most = max(dict(empty.degree).values())
        assert step.row * 9 + step.column == min(cell for cell in empty if empty.degree[cell] == most)


def test_mrv_and_lcv_do_what_their_names_say():
    """`mrv` takes the first smallest domain; `lcv-count` the value that fewest peers could take; `lcv-domain` the
    value that leaves the largest smallest domain."""
    for trial in range(20):
        board, _ = planted(3, 3, random_of("lcv", trial), share=0.7)
        domains = {cell: set(board.candidates(*divmod(cell, 9))) for cell in board.empty_cells()}
        fewest = min(map(len, domains.values()))
        cell = min(cell for cell in domains if len(domains[cell]) == fewest)
        peers = [domains[peer] for peer in board.geometry.peers[cell] if peer in domains]
        by_count = min(sorted(domains[cell]), key=lambda value: sum(value in domain for domain in peers))
        by_domain = max(sorted(domains[cell]), key=lambda value: min(len(domain - {value}) for domain in peers))
        for values, expected in (("lcv-count", by_count), ("lcv-domain", by_domain)):
            solver = Backtracking(variables="mrv", values=values, pruning="none", when="never")
            step = next(step for step in solver.trace(board) if step.kind == "assign")
            assert (step.row * 9 + step.column, step.value) == (cell, expected)


def test_trace_tells_the_whole_search():
    """Replaying the assignments and backtracks of a trace ends at the solution that the solver gives."""
    board, _ = planted(2, 3, random_of("trace"), share=0.7)
    solver = Backtracking(variables="static", pruning="none", when="never", restarts=0)
    stack = []
    steps = list(solver.trace(board))
    for step in steps:
        if step.kind == "assign":
            stack.append(step)
        elif step.kind == "backtrack":
            undone = stack.pop()
            assert (undone.row, undone.column, undone.value) == (step.row, step.column, step.value)
    for step in stack:
        board = board.place(step.row, step.column, step.value)
    assert board.is_full
    assert {"assign", "prune", "fail", "backtrack"} >= {step.kind for step in steps}
    assert steps[-1].kind != "backtrack"


def test_seed_decides_random_values():
    """The same seed gives the same solution, another seed another one."""
    first, again, other = (
        Backtracking(values="random", seed=seed).solve(Board.empty(3, 3)).solution for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_runs_do_not_disturb_each_other():
    """Two alternating listings give the same solutions as each alone."""
    a, _ = planted(2, 3, random_of("a"), share=0.7)
    b, _ = planted(3, 2, random_of("b"), share=0.7)
    alone = [list(islice(Backtracking().solutions(board), 20)) for board in (a, b)]
    together = list(zip(Backtracking().solutions(a), Backtracking().solutions(b), strict=False))[:20]
    assert [pair[0] for pair in together] == alone[0][: len(together)]
    assert [pair[1] for pair in together] == alone[1][: len(together)]


def test_node_limit_stops_exactly_and_says_unknown():
    """With n nodes a search that needs more makes n and says UNKNOWN; listings raise."""
    board = Board.empty(3, 3)
    for nodes in (0, 1, 5, 20):
        result = Backtracking().solve(board, Limits(nodes=nodes))
        assert (result.status, result.stats.nodes, result.solution) == (Status.UNKNOWN, nodes, None)
    with pytest.raises(UndecidedError):
        list(Backtracking().solutions(board, Limits(nodes=100)))


def test_options_are_checked():
    """An unknown option or setting is an error that lists the allowed ones."""
    with pytest.raises(OptionError, match=r"expected backtracking option variables=static\|mrv\|"):
        Backtracking(variables="first")
    with pytest.raises(OptionError, match=r"did you mean 'variables'\?"):
        Backtracking(variable="mrv")
    with pytest.raises(OptionError, match="several joined by"):
        Backtracking(pruning="none+forward")
    with pytest.raises(OptionError, match="several joined by"):
        Backtracking(pruning="forward+forward")
    with pytest.raises(OptionError, match="restarts to be at least 0; found -1"):
        Backtracking(restarts=-1)
    with pytest.raises(OptionError, match="to be int; found 'x'"):
        Backtracking(seed="x")


def test_variants_need_no_new_code():
    """Diagonal and jigsaw boards are solved by the same search, in every way of branching."""
    for geometry in (Geometry.diagonal(3, 3), Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"])):
        for branching in ("cells", "places"):
            result = Backtracking(branching=branching).solve(Board(geometry, [0] * geometry.cell_count))
            assert result.status is Status.SOLVED
            assert all(
                len({result.solution.cells[cell] for cell in region}) == geometry.size for region in geometry.regions
            )


def test_solutions_are_solutions_on_every_shape():
    """On boards of all shapes, the solution that is found is one by the definition of sudoku."""
    from tests.support import SHAPES

    for m, n in SHAPES:
        board, _ = planted(m, n, random_of("all", m, n), share=0.4)
        result = Backtracking().solve(board)
        assert result.status is Status.SOLVED
        assert is_solution_of(result.solution, board)
