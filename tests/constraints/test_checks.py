"""The meaning of each constraint, by examples: values that it accepts, and values that it refuses."""

import pickle
from dataclasses import fields

import numpy as np
import pytest

from csp_sudoku import Board, ConstraintError, Geometry, constraints, solve
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.outside import diagonal_from, seen_from
from csp_sudoku.constraints.table import CONSTRAINTS
from tests.constraints.makers import MAKERS
from tests.support import pattern, random_of

ROW = tuple(range(9))

ON_A_ROW = [
    ("different", ([0, 1, 2],), ["123", "951"], ["121", "551"]),
    ("region", (ROW,), ["123456789"], ["123456788"]),
    ("killer", ([0, 1, 2], 15), ["159", "267"], ["555", "158", "771"]),
    ("killer", ([0, 1],), ["12", "89"], ["44"]),
    ("equality-cage", ([0, 1, 2, 3],), ["1267", "3498"], ["1367", "1246", "2567", "1166"]),
    ("sum", ([0, 1], 9, "==", (2, -1)), ["51", "99"], ["59", "15"]),
    ("sum", ([0, 1], 9, "!="), ["17"], ["45"]),
    ("sum", ([0, 1], 9, "<"), ["17", "44"], ["45", "99"]),
    ("sum", ([0, 1], 9, "<="), ["45"], ["46"]),
    ("sum", ([0, 1], 9, ">"), ["46"], ["45"]),
    ("sum", ([0, 1], 9, ">="), ["45"], ["17"]),
    ("counting-circles", ([0, 1, 2, 3],), ["1333", "3313", "4444"], ["1122", "2222", "1234"]),
    ("thermometer", ([0, 1, 2],), ["129", "789"], ["112", "321"]),
    ("slow-thermometer", ([0, 1, 2],), ["112", "789"], ["121"]),
    ("palindrome", ([0, 1, 2],), ["121", "555"], ["122"]),
    ("palindrome", ([0, 1, 2, 3],), ["1221"], ["1212"]),
    ("clone", ([0, 1], [2, 3]), ["1212"], ["1221"]),
    ("whispers", ([0, 1, 2],), ["161", "493"], ["152", "555"]),
    ("whispers", ([0, 1], 3), ["14"], ["13"]),
    ("entropic", ([0, 1, 2, 3],), ["1593", "4286"], ["1594", "1234"]),
    ("modular", ([0, 1, 2, 3],), ["1234", "1537"], ["1471", "1235"]),
    ("modular", ([0, 1, 2], 2), ["121", "963"], ["131"]),
    ("neighbours", ([0, 1, 2], [(1, 2), (2, 3)]), ["123"], ["121", "321"]),
    ("renban", ([0, 1, 2],), ["324", "789"], ["135", "112"]),
    ("nabner", ([0, 1, 2],), ["135", "914"], ["124", "115"]),
    ("between", ([0, 1, 2, 3],), ["1459", "9451"], ["1159", "5671"]),
    ("lockout", ([0, 1, 2, 3],), ["2916", "7123"], ["1234", "1559", "2516"]),
    ("lockout", ([0, 1, 2], 2), ["193"], ["192", "123"]),
    ("arrow", ([0], [1, 2, 3]), ["6123", "9333"], ["7123"]),
    ("arrow", ([0, 1], [2, 3, 4]), ["12345"], ["13345"]),
    ("double-arrow", ([0, 1, 2, 3],), ["2143"], ["2153"]),
    ("zipper", ([0, 1, 2, 3, 4],), ["12534"], ["12634", "12543"]),
    ("zipper", ([0, 1, 2, 3],), ["1324"], ["1432"]),
    ("sum-line", ([0, 1, 2, 3],), ["5555", "9128", "1234"], ["5545", "9999"]),
    ("sum-line", ([0, 1, 2, 3], 6), ["3351"], ["3331"]),
    ("sum-line", ([0, 1, 2, 3, 0],), ["3557", "5555", "1234"], ["3556", "9999"]),
    ("difference", ([0, 1],), ["12", "98"], ["13", "11"]),
    ("difference", ([0, 1], 4), ["15", "95"], ["14"]),
    ("ratio", ([0, 1],), ["12", "84"], ["13", "14"]),
    ("ratio", ([0, 1], 3), ["13", "93"], ["12"]),
    ("pair-sum", ([0, 1], 10), ["19", "55"], ["18"]),
    ("greater", ([0, 1],), ["21"], ["12", "11"]),
    ("odd", (0,), ["1", "9"], ["2"]),
    ("even", (0,), ["2"], ["9"]),
    ("one-of", (0, [2, 7]), ["2", "7"], ["3"]),
    ("quadruple", ([0, 1, 2, 3], [1, 1, 5]), ["1159", "5911"], ["1259", "1122"]),
    ("little-killer", ([0, 1, 2], 9), ["333", "126"], ["127"]),
    ("sandwich", (ROW, 5), ["123945678", "923145678"], ["129345678"]),
    ("sandwich", (ROW, 0), ["192345678"], ["129345678", "222222222"]),
    ("x-sum", (ROW, 6), ["312456789"], ["213456789"]),
    ("skyscraper", (ROW, 2), ["819234567"], ["912345678", "123456789"]),
    ("skyscraper", (ROW[::-1], 1), ["123456789"], ["912345678"]),
    ("numbered-room", (ROW, 4), ["314256789"], ["341256789"]),
    ("table", ([0, 1], [(1, 2), (3, 4)]), ["12", "34"], ["14"]),
    ("table", ([0, 1], [(1, 2)], False), ["21"], ["12"]),
    ("automaton", ([0, 1, 2], 0, [1], [(0, 1, 0), (0, 2, 1), (1, 1, 1)]), ["121", "112"], ["111", "122", "131"]),
    ("any-of", ([CONSTRAINTS["odd"](0), CONSTRAINTS["even"](1)],), ["12", "11", "22"], ["21"]),
    ("all-of", ([CONSTRAINTS["odd"](0), CONSTRAINTS["even"](1)],), ["12"], ["11", "22", "21"]),
]
"""A name, the fields of a constraint on the first row of a 9×9 board, and values that it accepts and refuses."""


@pytest.mark.parametrize(("name", "given", "accepted", "refused"), ON_A_ROW)
def test_what_a_constraint_of_a_few_cells_accepts(name, given, accepted, refused):
    """The examples of each kind, in the first cells of a 9×9 board."""
    geometry, constraint = Geometry.standard(3, 3), CONSTRAINTS[name](*given)
    constraint.require_fits(geometry)

    def accepts(digits):
        return constraint.check(geometry, [int(digit) for digit in digits] + [1] * (81 - len(digits)))

    assert [digits for digits in accepted if not accepts(digits)] == []
    assert [digits for digits in refused if accepts(digits)] == []


ON_A_BOARD = [
    ("diagonal", (True,), "1234 3412 2143 4321", False),
    ("diagonal", (True,), "1234 3412 4321 2143", True),
    ("diagonal", (False,), "1234 3412 2143 4321", False),
    ("diagonal", (False,), "1234 3412 4321 2143", True),
    ("windoku", (), "1234 3412 2143 4321", False),
    ("windoku", (), "1234 3412 4321 2143", True),
    ("disjoint-groups", (), "1234 3412 2143 4321", True),
    ("disjoint-groups", (), "1234 4321 2413 3142", False),
    ("anti-knight", (), "1234 3412 2143 4321", False),
    ("anti-king", (), "1234 3412 2143 4321", False),
    ("anti-king", (), "1234 3412 4321 2143", False),
    ("non-consecutive", (), "1234 3412 2143 4321", False),
    ("self-taxicab", (), "1234 3412 2143 4321", False),
    ("minimum", ([0],), "1234 3412 2143 4321", True),
    ("minimum", ([5],), "1234 3412 2143 4321", False),
    ("minimum", ([0, 1],), "1234 3412 2143 4321", True),
    ("minimum", ([1],), "1234 3412 2143 4321", False),
    ("maximum", ([5],), "1234 3412 2143 4321", True),
    ("maximum", ([0],), "1234 3412 2143 4321", False),
    ("no-ratio", (), "1234 3412 2143 4321", False),
    ("no-ratio", ((), (5,)), "1234 3412 2143 4321", True),
    ("no-difference", ((), (4,)), "1234 3412 2143 4321", True),
    ("no-difference", ((), (2,)), "1234 3412 2143 4321", False),
    ("no-pair-sum", ((), (9,)), "1234 3412 2143 4321", True),
    ("no-pair-sum", ((), (3,)), "1234 3412 2143 4321", False),
    ("region-sum-line", ([0, 1, 8, 9],), "1234 3412 2143 4321", True),
    ("region-sum-line", ([0, 4, 8, 9],), "1234 3412 2143 4321", False),
    ("region-sum-line", ([0, 1, 8, 9, 4],), "1234 3412 2143 4321", True),
    ("region-sum-line", ([0, 1, 8, 9, 5],), "1234 3412 2143 4321", False),
    ("region-sum-line", ([0, 1],), "1234 3412 2143 4321", True),
    ("row-indexer", (0,), "1234 3421 2143 4312", True),
    ("row-indexer", (4,), "1234 3421 2143 4312", True),
    ("row-indexer", (1,), "1234 3421 2143 4312", False),
    ("column-indexer", (1,), "1234 3421 2143 4312", True),
    ("column-indexer", (4,), "1234 3421 2143 4312", False),
    ("box-indexer", (0,), "1234 3421 2143 4312", True),
    ("box-indexer", (2,), "1234 3421 2143 4312", False),
    ("full-rank", ([0, 1, 2, 3], 1), "1234 3421 2143 4312", True),
    ("full-rank", ([0, 1, 2, 3], 2), "1234 3421 2143 4312", False),
    ("full-rank", ([7, 6, 5, 4], 2), "1234 3421 2143 4312", True),
    ("full-rank", ([0, 4, 8, 12], 3), "1234 3421 2143 4312", True),
    ("full-rank", ([14, 10, 6, 2], 4), "1234 3421 2143 4312", True),
    ("full-rank", ([0, 1, 2, 3], 1), "1234 3412 2143 4321", False),
]
"""A name, the fields of a constraint, a full 4×4 board, and whether the board satisfies it."""


@pytest.mark.parametrize(("name", "given", "grid", "expected"), ON_A_BOARD)
def test_what_a_constraint_of_the_board_accepts(name, given, grid, expected):
    """Constraints that depend on rows, columns, blocks and neighbours, on 4×4 boards."""
    geometry, constraint = Geometry.standard(2, 2), CONSTRAINTS[name](*given)
    constraint.require_fits(geometry)
    assert constraint.check(geometry, Board.parse(grid).values) is expected


def test_global_entropy_needs_each_range_in_each_square():
    """Low, middle and high in every 2×2 square."""
    geometry, constraint = Geometry.latin(3), CONSTRAINTS["global-entropy"]()
    assert constraint.check(geometry, [1, 2, 3, 2, 3, 1, 3, 1, 2])
    assert not constraint.check(geometry, [1, 1, 2, 1, 1, 2, 3, 3, 3])


def test_marked_pairs_are_left_out():
    """A negative constraint says nothing about the pairs that are marked, in whichever order they are named."""
    geometry, grid = Geometry.latin(2), [1, 2, 2, 1]
    pairs = [(1, 0), (0, 2), (3, 1), (2, 3)]
    assert CONSTRAINTS["no-ratio"](pairs).check(geometry, grid)
    assert not CONSTRAINTS["no-ratio"](pairs[1:]).check(geometry, grid)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constraints_are_values(name):
    """They are compared by class and fields, hashed, pickled, and described in one line."""
    geometry = Geometry.standard(2, 3)
    grid = [value for row in pattern(2, 3, random_of("values")) for value in row]
    first, again = (MAKERS[name](geometry, random_of("values", name), grid) for _ in range(2))
    assert first == again == pickle.loads(pickle.dumps(first))
    assert hash(first) == hash(again)
    assert first.name == name
    said = first.describe(geometry)
    assert said
    assert "\n" not in said
    assert not said.endswith(".")
    assert type(first).__doc__
    assert all(type(getattr(first, field.name)) in (int, bool, str, tuple, type(None)) for field in fields(first))


def test_every_kind_is_made_by_the_tests():
    """The table of constraints and the makers of the tests have the same names."""
    assert set(MAKERS) == set(CONSTRAINTS)
    assert all(issubclass(kind, Constraint) for kind in CONSTRAINTS.values())


def test_the_package_has_every_constraint():
    """Each class can be imported from the package, and nothing else."""
    for kind in CONSTRAINTS.values():
        assert getattr(constraints, kind.__name__) is kind
    with pytest.raises(AttributeError, match="has no attribute 'Kiler'"):
        _ = constraints.Kiler


def test_fields_are_kept_as_plain_values():
    """Lists, arrays and their numbers become tuples of Python's integers, so that equal constraints are equal."""
    killer = CONSTRAINTS["killer"]
    assert killer(np.array([3, 4]), np.int64(7)) == killer((3, 4), 7) == killer([3, 4], total=7)
    assert type(killer(np.array([3, 4])).cells[0]) is int
    assert CONSTRAINTS["different"]([0, 1]) != CONSTRAINTS["region"]([0, 1])


WRONG = [
    ("killer", ([],), "killer: expected at least 1 cell; found 0"),
    ("killer", ([0, 0], 4), "killer: expected each cell once; found cells [0, 0]"),
    ("killer", ([0, 1], 2.5), "killer: expected a whole number as total; found 2.5"),
    ("difference", ([0, 1, 2],), "difference: expected 2 cells; found 3"),
    ("thermometer", ([4],), "thermometer: expected at least 2 cells; found 1"),
    ("arrow", ([], [1]), "arrow: expected one to three cells in the circle; found 0"),
    ("arrow", ([0], []), "arrow: expected at least 1 cell on the shaft; found 0"),
    ("sum", ([0], 1, "=<"), "sum: expected a relation among ==, !=, <=, >=, <, >; found '=<'"),
    ("sum", ([0], 1, "==", (1, 2)), "sum: expected 1 coefficients, or none; found 2"),
    ("sum", ([0], 1, "==", (10**7,)), "sum: expected coefficients up to 1,000,000; found 10000000"),
    ("sum", ([0], 10**10), "sum: expected a total up to 1,000,000,000; found 10000000000"),
    ("equality-cage", ([0, 1, 2],), "equality-cage: expected an even number of cells; found 3"),
    ("clone", ([0, 1], [2]), "clone: expected 2 copies; found 1"),
    ("quadruple", ([0, 1], [1, 2, 3]), "quadruple: expected at most 2 values; found 3"),
    ("table", ([0, 1], [(1,)]), "table: expected rows of 2 values; found 1"),
    ("modular", ([0, 1], 1), "modular: expected a modulus of at least 2; found 1"),
    ("any-of", ([],), "any-of: expected at least 1 constraint; found 0"),
    ("any-of", ([3],), "any-of: expected constraints; found 3"),
]


@pytest.mark.parametrize(("name", "given", "message"), WRONG)
def test_a_constraint_without_sense_is_an_error(name, given, message):
    """One line that names the constraint, the expected value and the value found."""
    with pytest.raises(ConstraintError) as caught:
        CONSTRAINTS[name](*given)
    assert str(caught.value) == message


UNFIT = [
    ("odd", (16,), "odd: expected cells from 0 to 15 on 2x2; found 16"),
    ("odd", (-1,), "odd: expected cells from 0 to 15 on 2x2; found -1"),
    ("killer", (range(5),), "killer: expected at most 4 cells; found 5"),
    ("global-entropy", (), "global-entropy: expected a number of values that 3 divides; found 4"),
    ("skyscraper", ([0, 5, 10, 15], 2), "skyscraper: expected the cells of a row or a column, in order; found"),
    ("quadruple", ([0, 1], [5]), "quadruple: expected values from 1 to 4; found 5"),
    ("full-rank", ([0, 1, 2, 3], 17), "full-rank: expected a rank from 1 to 16; found 17"),
    ("any-of", ([CONSTRAINTS["odd"](99)],), "odd: expected cells from 0 to 15 on 2x2; found 99"),
]


@pytest.mark.parametrize(("name", "given", "message"), UNFIT)
def test_a_constraint_that_does_not_fit_the_board_is_an_error(name, given, message):
    """The geometry refuses it when it is put there."""
    with pytest.raises(ConstraintError) as caught:
        Geometry.standard(2, 2).with_constraints(CONSTRAINTS[name](*given))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["windoku", "disjoint-groups", "region-sum-line", "box-indexer"])
def test_constraints_of_blocks_need_blocks(name):
    """On a Latin square they are errors."""
    given = {"region-sum-line": ([0, 1],), "box-indexer": (0,)}.get(name, ())
    with pytest.raises(ConstraintError, match=f"{name}: expected a board with blocks"):
        Geometry.latin(5).with_constraints(CONSTRAINTS[name](*given))


def test_huge_coefficients_are_solved_without_propagation():
    """A sum over a range of millions is left to CP-SAT, and is right."""
    huge = CONSTRAINTS["sum"]([0, 5, 10, 15], 3 * 10**6 + 7, "==", (10**6, 1, 1, 1))
    geometry = Geometry.standard(2, 2).with_constraints(huge)
    masks = [15] * 16
    assert huge.prune(geometry, masks)
    assert masks == [15] * 16
    solution = solve(Board(geometry, bytes(16))).solution
    assert solution[0, 0] == 3
    assert sum(solution[at, at] for at in (1, 2, 3)) == 7


def test_clues_outside_see_rows_and_columns_from_their_side():
    """The cells in the order of sight; a clue in a corner sees nothing."""
    geometry = Geometry.standard(2, 2)
    assert seen_from(geometry, -1, 1) == (1, 5, 9, 13)
    assert seen_from(geometry, 4, 1) == (13, 9, 5, 1)
    assert seen_from(geometry, 2, -1) == (8, 9, 10, 11)
    assert seen_from(geometry, 2, 4) == (11, 10, 9, 8)
    with pytest.raises(ConstraintError, match=r"expected a clue beside a row or a column"):
        seen_from(geometry, -1, -1)
    assert diagonal_from(geometry, 12, -1, 1) == (12, 9, 6, 3)
    assert diagonal_from(geometry, 2, 1, 1) == (2, 7)
