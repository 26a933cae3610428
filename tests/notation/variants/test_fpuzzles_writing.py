"""Writing f-puzzles: a rule is written so that it is read back as the same rule, or it is an error."""

import pytest

from csp_sudoku import ConstraintError
from csp_sudoku.board import Board
from csp_sudoku.constraints.cages import Killer
from csp_sudoku.constraints.dots import Difference, NoDifference, NonConsecutive, NoPairSum, NoRatio, PairSum, Ratio
from csp_sudoku.constraints.marks import OneOf
from csp_sudoku.constraints.neighbours import Modular, Whispers
from csp_sudoku.constraints.outside import LittleKiller
from csp_sudoku.constraints.regions import AllDifferent, ExtraRegion, Windoku
from csp_sudoku.constraints.sets import Lockout
from csp_sudoku.constraints.sums import Arrow
from csp_sudoku.geometry import Geometry
from tests.notation.variants.samples import NINE, NOT_IN_FPUZZLES, SAMPLES


def board_with(*constraints, givens=bytes(81)):
    """A board with constraints."""
    return Board(NINE.with_constraints(*constraints), givens)


def read_back(*constraints):
    """The constraints, written and read."""
    return Board.parse(board_with(*constraints).format("fpuzzles")).geometry.constraints


@pytest.mark.parametrize("name", NOT_IN_FPUZZLES)
def test_a_rule_that_f_puzzles_lacks_is_named(name):
    """A rule that cannot be written is an error with its name and its meaning."""
    with pytest.raises(ConstraintError, match=f"^expected a rule of f-puzzles; found {name}: ."):
        board_with(SAMPLES[name]).format("fpuzzles")


ABSENCES = [
    [NonConsecutive()],
    [Difference((0, 1)), NoDifference([(1, 0)])],
    [Difference((0, 1), 2), NoDifference([(0, 1)], [2])],
    [Difference((0, 1), 2), NoDifference([(0, 1)], [2, 1])],
    [Ratio((0, 1), 3), NoRatio([(0, 1)], [2, 3]), NonConsecutive()],
    [NoRatio()],
    [NoPairSum()],
    [PairSum((0, 1), 8), NoPairSum([(0, 1)], [8])],
    [PairSum((0, 1), 8), NoPairSum([(0, 1)], [5, 8, 10])],
    [NoRatio(), NoPairSum(), NonConsecutive()],
]


@pytest.mark.parametrize("constraints", ABSENCES, ids=str)
def test_what_no_mark_means(constraints):
    """The rules about pairs without a mark come back where f-puzzles means the same; else they are refused."""
    refused = constraints[0] == Ratio((0, 1), 3)  # a pair with a ratio may be consecutive in f-puzzles
    if refused:
        with pytest.raises(ConstraintError, match="about the pairs without a mark; found non-consecutive"):
            read_back(*constraints)
        return
    found = read_back(*constraints)
    assert [type(one) for one in found if one in constraints or "no" in one.name] == [
        type(one) for one in sorted(constraints, key=lambda one: found.index(one) if one in found else 99)
    ]
    assert Board.parse(board_with(*found).format("fpuzzles")).geometry.constraints == found


@pytest.mark.parametrize(
    "constraint",
    [
        NoRatio([(3, 4)]),
        NoDifference([], [1, 2]),
        NoPairSum([], [7]),
        Arrow([1, 0], [9, 18]),
        LittleKiller([10, 20, 30], 9),
        Killer([0, 1], 0),
        OneOf(0, []),
    ],
    ids=lambda constraint: constraint.name,
)
def test_what_f_puzzles_would_understand_otherwise_is_refused(constraint):
    """A rule of a known kind that would come back as another one is an error."""
    with pytest.raises(ConstraintError, match=r"^expected a rule of f-puzzles.+; found "):
        board_with(constraint).format("fpuzzles")


def test_candidates_of_a_given_cell():
    """f-puzzles has candidates for empty cells only: candidates that allow the given value are omitted."""
    given = bytes([5, *[0] * 80])
    assert "givenPencilMarks" not in board_with(OneOf(0, [5, 6]), givens=given).format("fpuzzles")
    with pytest.raises(ConstraintError, match="that leaves a value to the cell; found one-of"):
        board_with(OneOf(0, [6]), givens=given).format("fpuzzles")
    assert read_back(OneOf(1, [1, 2]), OneOf(1, [3, 2])) == (OneOf(1, [2]),)


def test_numbers_are_written_where_they_are_not_the_usual_ones():
    """Numbers come back, also those that f-puzzles counts from otherwise."""
    lines = [Whispers([0, 1], 3), Modular([0, 1], 4), Lockout([0, 1, 2], 3)]
    assert read_back(*lines) == tuple(lines)
    assert read_back(Whispers([0, 1], 5), Lockout([0, 1, 2])) == (Whispers([0, 1]), Lockout([0, 1, 2], 4))


def test_regions_of_whatever_kind_are_extra_regions():
    """Regions of a geometry, and rules that mean the same as some, are written as extra regions."""
    diagonal = Board(Geometry.diagonal(3, 3), bytes(81))
    assert Board.parse(diagonal.format("fpuzzles")).geometry.constraints == tuple(
        map(ExtraRegion, diagonal.geometry.extra)
    )
    assert len(read_back(Windoku())) == 4
    assert read_back(AllDifferent([0, 1])) == (Killer([0, 1]),)
