"""One suite over every engine of the move map: the same boards, every verdict checked by searches that share nothing.

Small boards are judged by the conformance suite's reference, by the definition of sudoku; larger ones by `naive`, which
the small ones check.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest

from csp_sudoku import Board, Geometry, MoveError, OptionError, ShapeError, SudokuError
from csp_sudoku.moves.classification import ENGINES, classify_moves
from csp_sudoku.moves.engines import listing
from csp_sudoku.moves.engines.cpsat import Steering
from csp_sudoku.moves.engines.cpsat import classify as cover
from csp_sudoku.moves.move_map import legal_masks
from csp_sudoku.solvers.base import Deadline
from tests.conformance.reference import completions, diagonal, is_solution, jigsaw, standard
from tests.support import SHAPES, count_by_force, most_slow, pattern, perturbed, planted, random_of

FEW = 50
"""Completions of a board that the reference lists; if it has more, each move is searched for by itself."""

RULES = {name for name, engine in ENGINES.items() if not engine.is_complete}


each_engine = pytest.mark.parametrize("engine", ENGINES)
each_complete_engine = pytest.mark.parametrize("engine", [name for name in ENGINES if name not in RULES])


class Case(NamedTuple):
    """A board, and its regions by the definition of sudoku."""

    board: Board
    regions: list


class Truth(NamedTuple):
    """The moves of a board: the legal ones, and those that leave a completion."""

    legal: set
    safe: set


def legal_moves(case):
    """Every (cell, value) that clashes with nothing, by the regions alone."""
    cells, size = case.board.cells, case.board.size
    moves = set()
    for cell, held in enumerate(cells):
        if not held:
            seen = {cells[other] for region in case.regions if cell in region for other in region}
            moves |= {(cell, value) for value in range(1, size + 1) if value not in seen}
    return moves


@cache
def truth(group, number):
    """Which moves of a case are legal and which are safe, by the reference, or by `naive` on a large board."""
    case = GROUPS[group][number]
    cells, legal = list(case.board.cells), legal_moves(case)
    if case.board.size > 9:
        return Truth(legal, pairs(classify_moves(case.board, "naive").safe, case.board.size))
    solutions = list(islice(completions(case.regions, cells), FEW + 1))
    safe = legal & {move for solution in solutions for move in enumerate(solution)}
    for cell, value in sorted(legal - safe) if len(solutions) > FEW else ():
        solution = next(completions(case.regions, [*cells[:cell], value, *cells[cell + 1 :]]), None)
        safe |= legal & set(enumerate(solution or ()))
    return Truth(legal, safe)


def without_completion(m, n, rng):
    """A board with plenty of empty cells on which two cells of a row can only take the same value."""
    size = m * n
    cells = [value for row in pattern(m, n, rng) for value in row]
    row = rng.randrange(size)
    first, second = (row * size + column for column in rng.sample(range(size), 2))
    wanted = cells[second]
    cells[second] = 0
    for cell, value in enumerate(cells):
        if value == wanted and (cell // size == row or rng.random() < 0.8):
            cells[cell] = 0
    board = Board((m, n), [value if rng.random() < 0.8 else 0 for value in cells])
    options = board.candidates(*divmod(first, size)) if not board.cells[first] else ()
    return board.place(*divmod(first, size), rng.choice(options)) if options else board


def boards_of(m, n, count, shares):
    """Solvable, perturbed and mostly unsolvable boards of a shape, and a full one."""
    for trial in range(count):
        rng = random_of("moves", m, n, trial)
        share = rng.uniform(*shares)
        kind = trial % 4
        if kind == 3:
            yield without_completion(m, n, rng)
        else:
            yield planted(m, n, rng, share)[0] if kind == 0 else perturbed(m, n, rng, share)
    yield planted(m, n, random_of("moves", m, n), 0.0)[0]


def variant(geometry, regions, count):
    """Boards of a geometry with other regions: planted ones, and some with a value put in at random."""
    empty = [0] * geometry.cell_count
    full = next(completions(regions, empty), None)
    if full is None:
        yield Case(Board(geometry, empty), regions)
        return
    for trial in range(count):
        rng = random_of("moves", geometry.name, trial)
        board = Board(geometry, [value if rng.random() < 0.45 else 0 for value in full])
        places = list(board.empty_cells())
        if trial % 2 and places:
            place = divmod(rng.choice(places), geometry.size)
            options = board.candidates(*place)
            board = board.place(*place, rng.choice(options)) if options else board
        yield Case(board, regions)
    yield Case(Board(geometry, full), regions)


JIGSAWS = [
    ["aaab", "ccab", "cdbb", "cddd"],
    ["aaabb", "acabb", "ccdbe", "ccdde", "ddeee"],
    ["aaabbb", "aaabbb", "ccddee", "ccddee", "ccddee", "ffffff"],
]

UNIQUE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def groups():
    """The cases, by group."""
    sizes = [
        ((2, 2), 160, (0.2, 0.9)), ((2, 3), 60, (0.3, 0.7)), ((3, 2), 60, (0.3, 0.7)), ((2, 4), 24, (0.3, 0.6)),
        ((4, 2), 12, (0.3, 0.6)), ((3, 3), 24, (0.3, 0.6)), ((2, 5), 5, (0.1, 0.3)), ((3, 4), 4, (0.1, 0.3)),
        ((4, 4), 4, (0.1, 0.25)), ((5, 4), 2, (0.05, 0.15)), ((5, 5), 3, (0.05, 0.12)),
    ]  # fmt: skip
    for (m, n), count, shares in sizes:
        yield f"{m}x{n}", [Case(board, standard(m, n)) for board in boards_of(m, n, count, shares)]
    yield "empty", [Case(Board.empty(2, 2), standard(2, 2)), Case(Board.empty(2, 3), standard(2, 3))]
    yield "one solution", [Case(Board.parse(UNIQUE), standard(3, 3))]
    for m, n in [(2, 2), (2, 3), (3, 3)]:
        yield f"diagonal {m}x{n}", list(variant(Geometry.diagonal(m, n), diagonal(m, n), 8))
    for layout in JIGSAWS:
        yield f"jigsaw {len(layout)}", list(variant(Geometry.irregular(layout), jigsaw(layout), 8))


GROUPS = dict(groups())

VARIANTS = {name for name in GROUPS if name.startswith(("diagonal", "jigsaw"))}

each_group = pytest.mark.parametrize("group", GROUPS)


def pairs(moves, size):
    """Moves on a board with N values as (cell, value)."""
    return {(move.row * size + move.col, move.value) for move in moves}


def check(found, case, expected, *, must_decide):
    """No verdict is wrong; on request none is missing; witnesses are completions with every safe move."""
    safe, bombs, unknown, all_legal = (
        pairs(moves, found.board.size) for moves in (found.safe, found.bombs, found.unknown, found.legal)
    )
    assert safe | bombs | unknown == all_legal == expected.legal
    assert len(safe) + len(bombs) + len(unknown) == len(expected.legal)
    assert safe <= expected.safe
    assert bombs <= expected.legal - expected.safe
    is_solvable = bool(expected.safe) or case.board.is_full
    assert found.solvable in ({is_solvable} if must_decide else {is_solvable, None})
    assert not (must_decide and unknown)
    assert found.is_complete == (not unknown)
    shown = set()
    for witness in found.witnesses.tolist():
        assert is_solution(case.regions, witness, case.board.cells)
        shown |= set(enumerate(witness))
    assert not len(found.witnesses) or shown & expected.legal == safe


@pytest.mark.parametrize("group", ["2x2", "2x3"])
def test_the_reference_is_right(group):
    """The safe moves of the reference are those for which brute force finds a completion."""
    for number, case in enumerate(GROUPS[group]):
        if case.board.empty_count <= 18:
            legal, safe = truth(group, number)
            for cell, value in legal:
                after = case.board.place(*divmod(cell, case.board.size), value)
                assert count_by_force(after, 1) == ((cell, value) in safe)


def test_the_cases_are_of_all_kinds():
    """There are boards with bombs and without, with no safe move at all, and full ones."""
    kinds = set()
    for group in ("2x2", "2x3", "3x3", "diagonal 2x3", "jigsaw 5"):
        for number, case in enumerate(GROUPS[group]):
            legal, safe = truth(group, number)
            kinds.add((group, case.board.is_full, bool(safe), safe == legal))
    for group in ("2x2", "2x3", "3x3"):
        assert {(group, False, True, False), (group, False, False, False), (group, True, False, True)} <= kinds
    assert ("2x2", False, True, True) in kinds


@pytest.mark.quick
@each_group
@each_engine
def test_every_verdict_is_right(engine, group):
    """Complete engines decide every move, the rules some, and none wrongly; the rules refuse variants."""
    for number, case in enumerate(GROUPS[group]):
        if engine in RULES and group in VARIANTS:
            with pytest.raises(ShapeError, match="plain m×n"):
                classify_moves(case.board, engine)
        else:
            found = classify_moves(case.board, engine)
            check(found, case, truth(group, number), must_decide=engine not in RULES)
            assert found.effort.engine == engine
            assert found.board is case.board


@pytest.mark.slow
@each_engine
@pytest.mark.parametrize("seconds", [0, 1e-4, 2e-3], ids=str)
def test_a_deadline_gives_no_wrong_verdict(engine, seconds):
    """With almost no time, undecided moves are unknown."""
    for group in ("2x2", "2x3", "3x3", "3x4", "one solution"):
        for number, case in list(enumerate(GROUPS[group]))[::3]:
            check(classify_moves(case.board, engine, seconds), case, truth(group, number), must_decide=False)


@each_complete_engine
@pytest.mark.parametrize(
    "shape",
    most_slow([(2, 2), (3, 3), (3, 4), (4, 4), (5, 5)], [(2, 2), (3, 3), (3, 4)], is_one_argument=True),
    ids=str,
)
def test_every_move_of_an_empty_board_is_safe(engine, shape):
    """Any value can be anywhere in a solution: its name and place mean nothing."""
    if engine == "naive" and shape > (3, 3):
        pytest.skip("thousands of solver calls")
    found = classify_moves(Board.empty(*shape), engine)
    size = shape[0] * shape[1]
    assert found.is_complete
    assert found.solvable
    assert (len(found.safe), len(found.bombs)) == (size**3, 0)


@each_complete_engine
def test_one_solution_makes_everything_else_a_bomb(engine):
    """With a unique solution the safe moves are exactly the solution's."""
    board = Board.parse(UNIQUE)
    found = classify_moves(board, engine)
    solution = next(completions(standard(3, 3), board.cells))
    assert pairs(found.safe, board.size) == {(cell, solution[cell]) for cell in board.empty_cells()}
    assert len(found.bombs) == len(found.legal) - board.empty_count


def test_names_are_checked():
    """An unknown engine is an error with a hint; so is a deadline before now."""
    with pytest.raises(OptionError, match="did you mean 'rule'"):
        classify_moves(Board.empty(2, 2), "rul")
    with pytest.raises(SudokuError, match="at least 0 seconds; found -1"):
        classify_moves(Board.empty(2, 2), time_limit=-1)


STEERINGS = {
    "an assumption": Steering(goal="assumption"),
    "all hints": Steering(hints="all"),
    "no hints": Steering(hints="none"),
    "objective, first solution": Steering(improvements=1),
    "objective, best solution": Steering(hints="none", improvements=1000),
    "an assumption and an objective": Steering(goal="assumption", hints="none", improvements=2),
    "default parameters": Steering(parameters={}),
    "presolve": Steering(parameters={"cp_model_presolve": True, "linearization_level": 2}),
}


@pytest.mark.parametrize("steering", STEERINGS.values(), ids=STEERINGS)
def test_however_cpsat_is_led_the_map_is_the_same(steering):
    """Goal, hints, objective and parameters change the work and no verdict."""
    for group in ("2x2", "2x3", "3x3"):
        for number, case in list(enumerate(GROUPS[group]))[1::5]:
            check(cover(case.board, Deadline(None), steering), case, truth(group, number), must_decide=True)


def test_cpsat_keeps_what_it_has_when_the_time_is_over():
    """The solutions found by the deadline make moves safe; singles make bombs even without any time."""
    board = Board.parse(UNIQUE).without(range(27, 45))
    found = classify_moves(board, "cpsat", time_limit=0)
    assert (found.solvable, len(found.safe)) == (None, 0)
    assert len(found.bombs) == 0
    with_single = Board.parse("12.. .... ...3 ....")
    assert classify_moves(with_single, "cpsat", time_limit=0).verdict(0, 2, 4) == "bomb"
    found = cover(board, _Calls(3))
    assert found.solvable
    assert found.effort.solves == len(found.witnesses) == 3
    assert len(found.safe) >= board.empty_count + 2
    assert not found.is_complete


class _Calls(Deadline):
    """A deadline that has passed after this number of readings."""

    def __init__(self, calls):
        super().__init__(None)
        self._left = calls

    def passed(self):
        self._left -= 1
        return self._left < 0


# The rule, word by word.


def is_impossible(m, n, grid):
    """Algorithm 1: some block row has a missing value that every other row of the band and every column holds."""
    size = m * n
    for top in range(0, size, m):
        for left in range(0, size, n):
            block = {grid[row][column] for row in range(top, top + m) for column in range(left, left + n)}
            for block_row in range(top, top + m):
                gaps = [column for column in range(left, left + n) if not grid[block_row][column]]
                for value in set(range(1, size + 1)) - block:
                    in_rows = all(value in grid[row] for row in range(top, top + m) if row != block_row)
                    if in_rows and all(any(grid[row][column] == value for row in range(size)) for column in gaps):
                        return True
    return False


def is_impossible_by_columns(m, n, grid):
    """The same, rows and columns exchanged."""
    return is_impossible(n, m, [list(column) for column in zip(*grid, strict=True)])


SLOW_RULES = {"rule": is_impossible, "rule-columns": is_impossible_by_columns}


@pytest.mark.parametrize("shape", most_slow(SHAPES, [(2, 2), (3, 2), (3, 3), (2, 5)], is_one_argument=True), ids=str)
@pytest.mark.parametrize("engine", SLOW_RULES)
def test_the_rule_is_algorithm_1(engine, shape):
    """On random boards of every shape the kernel calls those moves bombs after which the rule, as written, applies."""
    m, n = shape
    size, rule = m * n, SLOW_RULES[engine]
    for trial in range(40 if size <= 6 else 12 if size <= 10 else 6):
        rng = random_of("rule", shape, trial)
        make = perturbed if trial % 3 == 2 else planted
        made = make(m, n, rng, rng.uniform(0.05, 0.8 if size <= 6 else 0.5))
        board = made if isinstance(made, Board) else made[0]
        found = classify_moves(board, engine)
        is_impossible_before = rule(m, n, board.rows)
        assert found.solvable is (True if board.is_full else False if is_impossible_before else None)
        assert len(found.safe) == 0
        legal = list(found.legal)
        looked_at = legal if len(legal) < 60 else [
            *rng.sample(legal, 12), *rng.sample(list(found.bombs), min(12, len(found.bombs)))
        ]  # fmt: skip
        for row, column, value in looked_at:
            after = board.place(row, column, value).rows
            assert ((row, column, value) in found.bombs) == (is_impossible_before or rule(m, n, after))


def test_the_rules_are_twins():
    """The map by columns is the map of the transposed board by rows."""
    for shape in SHAPES[:12]:
        m, n = shape
        board, _ = planted(m, n, random_of("twins", shape), 0.4)
        turned = Board((n, m), np.asarray(board).T.ravel().tolist())
        found, other = classify_moves(board, "rule-columns"), classify_moves(turned, "rule")
        assert np.array_equal(found.mask("bomb"), other.mask("bomb").transpose(1, 0, 2))


def test_the_rules_find_bombs_and_not_the_same():
    """On half-filled boards both rules find something, each something that the other does not, and far from all."""
    found = {"rule": 0, "rule-columns": 0, "both": 0, "all": 0}
    for trial in range(30):
        board, _ = planted(3, 3, random_of("share", trial), 0.5)
        by_rows, by_columns = (pairs(classify_moves(board, engine).bombs, board.size) for engine in SLOW_RULES)
        found["rule"] += len(by_rows)
        found["rule-columns"] += len(by_columns)
        found["both"] += len(by_rows & by_columns)
        found["all"] += len(classify_moves(board, "cpsat").bombs)
    assert 0 < found["both"] < min(found["rule"], found["rule-columns"])
    assert max(found["rule"], found["rule-columns"]) < 0.6 * found["all"]


def test_numbers_of_numpy_are_numbers():
    """Rows, columns and values from arrays, also of bytes, have their numerical meaning."""
    board = Board.empty(5, 5)
    found = classify_moves(board, "rule")
    for kind in (np.uint8, np.int8, np.int64):
        move = (kind(24), kind(23), kind(25))
        assert move in found.legal
        assert found.verdict(*move) == "unknown"
        assert move not in found.safe


def test_only_decided_verdicts_have_masks():
    """Asking for the moves of another word is an error that says which words there are."""
    found = classify_moves(Board.empty(2, 2), "rule")
    for word in ("bombs", "filled", "illegal"):
        with pytest.raises(MoveError, match=f"expected safe, bomb or unknown; found '{word}'"):
            found.counts(word)


def test_small_boards_are_mapped_by_listing():
    """All completions of a board with four values give the map that the naive engine gives."""
    seen = set()
    for trial in range(300):
        random = random_of("listing", trial)
        board = perturbed(2, 2, random, share=random.uniform(0.3, 1))
        found, expected = listing.classify(board), classify_moves(board, "naive")
        seen.add(found.solvable)
        assert (found.safe_masks == expected.safe_masks).all()
        assert (found.bomb_masks == expected.bomb_masks).all()
        assert found.solvable == expected.solvable
        assert len(found.witnesses) == count_by_force(board)
    assert seen == {True, False}


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_legal_masks_are_the_candidates(m, n):
    """The legal moves, which are found by array operations, are the candidates of the empty cells; variants, too."""
    geometries = [Geometry.standard(m, n), Geometry.diagonal(m, n)]
    for trial, geometry in enumerate(geometries):
        values = planted(m, n, random_of("legal", m, n, trial), share=0.8)[0].cells
        kept = Board(geometry, values if geometry.is_standard else [0] * len(values))
        for _ in range(3):
            row, column = divmod(random_of("placed", m, n, trial).choice(list(kept.empty_cells())), m * n)
            kept = kept.place(row, column, kept.candidates(row, column)[0])
        expected = [
            sum(1 << value - 1 for value in kept.candidates(*divmod(cell, m * n))) for cell in range(len(values))
        ]
        assert legal_masks(kept).tolist() == expected
