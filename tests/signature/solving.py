"""The layer of the solvers: what each answers, what it took, what it lists; and what is built on them.

CP-SAT is OR-Tools' own: how many nodes it takes, and which of several solutions it finds, depends on the release. So of
`cpsat`, and of the stages of `auto` that may run it, only the status and the exact count are written. The solver itself
verifies every solution that it returns.
"""

from __future__ import annotations

from itertools import islice

from csp_sudoku.board import Board
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.puzzles.explain import explain
from csp_sudoku.puzzles.generate import generate
from csp_sudoku.puzzles.grade import grade
from csp_sudoku.solvers.backtracking.solver import PRUNINGS, VALUE_ORDERS, VARIABLE_ORDERS, Backtracking
from csp_sudoku.solvers.base import Limits
from csp_sudoku.solvers.incremental import Incremental
from csp_sudoku.solvers.learning.solver import Learning
from csp_sudoku.solvers.many import solve_many
from csp_sudoku.solvers.registry import PRESETS, SOLVERS, get_solver
from tests.signature import positions
from tests.signature.digest import line
from tests.signature.positions import SHAPES, name_of

NODES = 200
"""The node limit of every question."""

UP_TO = 7
"""The number of solutions up to which is counted, and listed."""

HARDEST = {
    "3x3 golden": "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "3x3 many": "." * 81,
    "3x3 escargot": "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
}
"""Boards that take more than inferences."""


def lines():
    """The lines of this layer."""
    for name in [*SOLVERS, *PRESETS]:
        if name != "cpsat":
            yield from _questions(name)
    yield from _of_cpsat()
    yield from _options()
    yield from _stages()
    yield from _incremental()
    yield from _puzzles()


def _questions(name):
    """The results of a solver for every board."""
    solver = get_solver(name)
    limits = Limits(nodes=NODES)
    for shape in SHAPES:
        for kind, board in positions.boards(shape).items():
            item = f"{name} {name_of(shape)} {kind}"
            yield _told(f"{item} solve", solver.solve(board, limits))
            yield _told(f"{item} count", solver.count(board, UP_TO, limits))
            if board.size <= 12:
                yield line(f"{item} list", found=_listed(solver, board, limits))
    for kind, text in HARDEST.items():
        yield _told(f"{name} {kind} solve", solver.solve(Board.parse(text), limits))


def _told(item, result):
    """The line of a result, without the parts that depend on the release of OR-Tools."""
    stats = result.stats
    if "cpsat" in (stats.solver, stats.stage) or stats.stage == "parts":
        return line(item, status=result.status, count=result.solutions, stage=stats.stage)
    return line(
        item,
        status=result.status,
        count=result.solutions,
        nodes=stats.nodes,
        backtracks=stats.backtracks,
        propagations=stats.propagations,
        stage=stats.stage,
        solution=result.solution,
    )


def _listed(solver, board, limits):
    """The first solutions that a solver lists, or its status."""
    found = []
    try:
        found += islice(solver.solutions(board, limits), UP_TO)
    except UndecidedError:
        found.append("undecided")
    return found


def _of_cpsat():
    """Exact statuses and counts of CP-SAT, on boards where it needs no limit."""
    for encoding in ("boolean", "integer"):
        solver = get_solver("cpsat", encoding=encoding)
        for shape in SHAPES[:6]:
            for kind, board in positions.boards(shape).items():
                item = f"cpsat {encoding} {name_of(shape)} {kind}"
                yield _told(f"{item} solve", solver.solve(board))
                yield _told(f"{item} count", solver.count(board, UP_TO))
    every = list(get_solver("cpsat").solutions(Board.empty(2, 2)))
    yield line("cpsat 2x2 empty list", found=len(every), different=len(set(every)))


def _options():
    """The hand-written search with each option set to each of its values, and the learning search with its options."""
    limits = Limits(nodes=NODES)
    choices = [
        *({"variables": name} for name in VARIABLE_ORDERS),
        *({"values": name} for name in VALUE_ORDERS),
        *({"pruning": name} for name in PRUNINGS),
        *({"when": name} for name in ("never", "before", "during")),
        {"branching": "places"},
        {"restarts": 0},
        {"restarts": 3},
        {"values": "random", "seed": 7},
    ]
    for shape in ((2, 3), (3, 3), (3, 4), (4, 4)):
        board = positions.solvable(shape, 0.65)[0]
        for options in choices:
            text = "&".join(f"{name}={value}" for name, value in options.items())
            item = f"backtracking?{text} {name_of(shape)}"
            yield _told(f"{item} solve", Backtracking(**options).solve(board, limits))
            yield _told(f"{item} count", Backtracking(**options).count(board, UP_TO, limits))
    board = positions.solvable((2, 3), 0.65)[0]
    steps = Backtracking(pruning="forward").trace(board)
    told = [f"{s.kind} {s.row} {s.column} {s.value} {s.depth}" for s in islice(steps, 80)]
    yield line("backtracking 2x3 trace", steps=told)
    for shape in ((3, 3), (4, 4), (5, 5)):
        board = Board.empty(*shape)
        for name, option in Learning.OPTIONS.items():
            for value in option.allowed if isinstance(option.allowed, tuple) else ():
                result = Learning(**{name: value}).solve(board, limits)
                yield _told(f"learning?{name}={value} {name_of(shape)} empty", result)


def _stages():
    """The stages of `auto`, each made to have the last word; and many boards in one batch."""
    for shape in ((3, 3), (3, 4), (4, 4)):
        for kind, board in positions.boards(shape).items():
            for options in ({"bound": 1}, {"bound": 1, "conflicts": 0}):
                text = "&".join(f"{name}={value}" for name, value in options.items())
                item = f"auto?{text} {name_of(shape)} {kind}"
                yield _told(f"{item} solve", get_solver("auto", **options).solve(board))
                yield _told(f"{item} count", get_solver("auto", **options).count(board, 2))
    for shape, share, seed in ((4, 3), 0.5, 0), ((4, 3), 0.6, 2), ((4, 4), 0.5, 1), ((4, 4), 0.5, 2):
        board = positions.solvable(shape, share, seed)[0]
        yield _told(f"auto parts {name_of(shape)} {seed} count", get_solver("auto", bound=20).count(board, 500))
    batch = [positions.solvable((3, 3), 0.6, seed)[0] for seed in range(20)]
    batch += [positions.doubtful((3, 3), 0.6, seed) for seed in range(20)]
    batch += [positions.solvable((2, 3), 0.6, seed)[0] for seed in range(5)]
    for number, result in enumerate(solve_many(batch)):
        yield _told(f"many {number}", result)


def _incremental():
    """Questions to one learning search, each of which assumes some values."""
    for shape in ((2, 3), (3, 3), (4, 4)):
        board, solution = positions.solvable(shape, 0.7)
        asked = Incremental(board)
        for number in range(6):
            random = positions.random_of("signature", "assumed", shape, number)
            assumed = [
                (row * board.size + col, random.choice(board.candidates(row, col)))
                for row, col, _ in positions.fills(board, solution, 1 + number, number)
            ]
            answer = asked.ask(assumed, Limits(nodes=NODES))
            yield line(
                f"incremental {name_of(shape)} {number}",
                status=answer.status,
                conflicts=answer.conflicts,
                core=answer.core,
                solution=answer.solution,
            )


def _puzzles():
    """Grades, generated puzzles, and explanations of boards without a completion."""
    for kind in ("3x3 golden", "3x3 escargot"):
        found = grade(Board.parse(HARDEST[kind]))
        yield line(f"grade {kind}", score=found.score, needs=found.needs, nodes=found.nodes)
    for shape in SHAPES:
        if shape[0] * shape[1] <= 12:
            for difficulty in (0.1, 0.5, 0.75) if shape != (3, 3) else (0.3, 0.75):
                puzzle = generate(*shape, difficulty=difficulty, rng=1)
                found = grade(puzzle)
                yield line(
                    f"generate {name_of(shape)} {difficulty}",
                    puzzle=puzzle,
                    score=found.score,
                    needs=found.needs,
                    nodes=found.nodes,
                )
        for seed in range(3):
            board = positions.solvable(shape, 0.4, seed)[0]
            try:
                found = grade(board)
                yield line(f"grade {name_of(shape)} {seed}", score=found.score, needs=found.needs, nodes=found.nodes)
            except SudokuError as error:
                yield line(f"grade {name_of(shape)} {seed}", refused=str(error))
        for seed in range(2 if shape[0] * shape[1] <= 12 else 1):
            yield _explained(f"explain {name_of(shape)} {seed}", explain(positions.doubtful(shape, 0.5, seed)))


def _explained(item, found):
    if found is None:
        return line(item, completable=True)
    return line(item, givens=found.givens, among=found.among, minimal=found.minimal, checks=found.checks)
