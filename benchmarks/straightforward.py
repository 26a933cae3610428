"""Boards with rules as straightforward models: what somebody writes in an hour with CP-SAT or CPMpy.

A cell is an integer variable, regions are all-different, sums are linear, and a relation of two cells is a table of the
allowed pairs. Nothing is propagated before, and no parameter is set but the number of workers, which is one, because
CPU time is what is measured. Both libraries get the same model, each by its own functions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import singledispatch
from itertools import pairwise
from typing import Any

from csp_sudoku import Board, Geometry
from csp_sudoku.constraints import cages, chess, dots, generic, indexing, marks, outside, regions, sets, sums
from csp_sudoku.constraints.bitmasks import thirds, values_of
from csp_sudoku.constraints.pairwise import Pairwise, Relation
from csp_sudoku.constraints.sequences import Sequential

Terms = Sequence[tuple[int, Any]]
"""A sum: each coefficient with its variable."""


class StraightforwardModel(ABC):
    """A model of a board. `literal`s are Boolean variables or expressions of the library; `cells` its integers."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.geometry: Geometry = board.geometry
        self.size = board.size
        self.cells: list[Any] = []
        self._literals: dict[tuple[int, int], Any] = {}

    def build(self) -> None:
        """Post the board and its rules."""
        for region in self.geometry.regions:
            self.different(region)
        for cell, value in enumerate(self.board.values):
            if value:
                self.linear([(1, self.cells[cell])], "==", value)
        for rule in self.geometry.constraints:
            post(rule, self)

    def is_value(self, cell: int, value: int) -> Any:
        """A literal: the cell holds the value."""
        found = self._literals.get((cell, value))
        if found is None:
            found = self._literals[cell, value] = self.holds([(1, self.cells[cell])], "==", value)
        return found

    def sum_of(self, cells: Iterable[int], sign: int = 1) -> list[tuple[int, Any]]:
        """The sum of the values of cells, or its negative."""
        return [(sign, self.cells[cell]) for cell in cells]

    @abstractmethod
    def different(self, cells: Sequence[int]) -> None:
        """The cells hold different values."""

    @abstractmethod
    def linear(self, terms: Terms, relation: str, total: int, only_if: Any = None) -> None:
        """A sum stands in a relation to a number, always or only if a literal is true."""

    @abstractmethod
    def holds(self, terms: Terms, relation: str, total: int) -> Any:
        """A literal: the sum stands in the relation, == or <=, to the number."""

    @abstractmethod
    def table(self, cells: Sequence[int], rows: Sequence[Sequence[int]], *, allowed: bool) -> None:
        """The values of the cells are one of the rows, or none of them."""

    @abstractmethod
    def any_of(self, literals: Sequence[Any]) -> None:
        """One of the literals is true."""

    @abstractmethod
    def negated(self, literal: Any) -> Any:
        """The opposite of a literal."""

    @abstractmethod
    def free(self) -> Any:
        """A literal that may be true or false."""

    @abstractmethod
    def spread(self, cells: Sequence[int]) -> Terms:
        """The greatest value of the cells minus the least one."""

    @abstractmethod
    def automaton(self, cells: Sequence[int], rule: Sequential) -> None:
        """The values of the cells are accepted by an automaton."""

    @abstractmethod
    def solve(self) -> list[int] | None:
        """The values of a solution; None if there is none."""

    @abstractmethod
    def solve_with(self, cell: int, value: int) -> list[int] | None:
        """The same with a value in a cell, for this question only."""

    def count_to_two(self) -> tuple[int, list[int] | None]:
        """How many solutions there are, up to two, and one of them."""
        first = self.solve()
        if first is None:
            return 0, None
        self.any_of([self.negated(self.is_value(cell, value)) for cell, value in enumerate(first)])
        return 1 if self.solve() is None else 2, first

    def true_candidates(self) -> list[int]:
        """For each cell, the mask of the values that it has in a solution: a question for each that was not seen."""
        seen = [0] * self.geometry.cell_count
        for cell in range(self.geometry.cell_count):
            for value in range(1, self.size + 1):
                found = None if seen[cell] >> value - 1 & 1 else self.solve_with(cell, value)
                for other, held in enumerate(found or ()):
                    seen[other] |= 1 << held - 1
        return seen

    def both(self, first: Any, second: Any) -> Any:
        """A literal: both literals are true."""
        return self.holds([(-1, first), (-1, second)], "<=", -2)


class CpSatModel(StraightforwardModel):
    """The model by the Python interface of OR-Tools."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        from ortools.sat.python import cp_model

        self._library = cp_model
        self.model = cp_model.CpModel()
        self.cells = [self.model.new_int_var(1, self.size, f"c{cell}") for cell in range(self.geometry.cell_count)]

    def different(self, cells: Sequence[int]) -> None:
        self.model.add_all_different([self.cells[cell] for cell in cells])

    def linear(self, terms: Terms, relation: str, total: int, only_if: Any = None) -> None:
        added = self.model.add(_compared(sum(c * variable for c, variable in terms), relation, total))
        if only_if is not None:
            added.only_enforce_if(only_if)

    def holds(self, terms: Terms, relation: str, total: int) -> Any:
        literal = self.free()
        self.linear(terms, relation, total, literal)
        self.linear(terms, {"==": "!=", "<=": ">"}[relation], total, literal.negated())
        return literal

    def table(self, cells: Sequence[int], rows: Sequence[Sequence[int]], *, allowed: bool) -> None:
        variables = [self.cells[cell] for cell in cells]
        (self.model.add_allowed_assignments if allowed else self.model.add_forbidden_assignments)(variables, rows)

    def any_of(self, literals: Sequence[Any]) -> None:
        self.model.add_bool_or(literals)

    def negated(self, literal: Any) -> Any:
        return literal.negated()

    def free(self) -> Any:
        return self.model.new_bool_var("")

    def spread(self, cells: Sequence[int]) -> Terms:
        variables = [self.cells[cell] for cell in cells]
        low, high = (self.model.new_int_var(1, self.size, "") for _ in range(2))
        self.model.add_min_equality(low, variables)
        self.model.add_max_equality(high, variables)
        return [(1, high), (-1, low)]

    def automaton(self, cells: Sequence[int], rule: Sequential) -> None:
        steps, finals = _numbered(rule, self.size)
        self.model.add_automaton([self.cells[cell] for cell in cells], 0, finals, steps)

    def solve(self) -> list[int] | None:
        return self._solved(self.model)

    def solve_with(self, cell: int, value: int) -> list[int] | None:
        model = self.model.clone()
        model.add(model.get_int_var_from_proto_index(self.cells[cell].index) == value)
        return self._solved(model)

    def _solved(self, model: Any) -> list[int] | None:
        solver = self._library.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(model)
        if status not in (self._library.OPTIMAL, self._library.FEASIBLE):
            return None
        return [solver.value(variable) for variable in self.cells]


class CpmpyModel(StraightforwardModel):
    """The model by CPMpy, which is solved by its interface to OR-Tools."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        import cpmpy

        self._library = cpmpy
        self.model = cpmpy.Model()
        self.cells = [cpmpy.intvar(1, self.size) for _ in range(self.geometry.cell_count)]

    def different(self, cells: Sequence[int]) -> None:
        self.model += self._library.AllDifferent([self.cells[cell] for cell in cells])

    def linear(self, terms: Terms, relation: str, total: int, only_if: Any = None) -> None:
        compared = _compared(self._library.sum([c * variable for c, variable in terms]), relation, total)
        self.model += compared if only_if is None else only_if.implies(compared)

    def holds(self, terms: Terms, relation: str, total: int) -> Any:
        if len(terms) == 1 and terms[0][0] == 1:
            return _compared(terms[0][1], relation, total)
        return _compared(self._library.sum([c * variable for c, variable in terms]), relation, total)

    def table(self, cells: Sequence[int], rows: Sequence[Sequence[int]], *, allowed: bool) -> None:
        kind = self._library.Table if allowed else self._library.NegativeTable
        self.model += kind([self.cells[cell] for cell in cells], [list(row) for row in rows])

    def any_of(self, literals: Sequence[Any]) -> None:
        self.model += self._library.any(literals)

    def negated(self, literal: Any) -> Any:
        return ~literal

    def free(self) -> Any:
        return self._library.boolvar()

    def spread(self, cells: Sequence[int]) -> Terms:
        variables = [self.cells[cell] for cell in cells]
        return [(1, self._library.max(variables)), (-1, self._library.min(variables))]

    def automaton(self, cells: Sequence[int], rule: Sequential) -> None:
        steps, finals = _numbered(rule, self.size)
        self.model += self._library.Regular([self.cells[cell] for cell in cells], steps, 0, finals)

    def solve(self) -> list[int] | None:
        return self._solved(self.model)

    def solve_with(self, cell: int, value: int) -> list[int] | None:
        return self._solved(self._library.Model([*self.model.constraints, self.cells[cell] == value]))

    def _solved(self, model: Any) -> list[int] | None:
        if not model.solve(solver="ortools", num_workers=1):
            return None
        return [int(variable.value()) for variable in self.cells]


def _compared(expression: Any, relation: str, total: int) -> Any:
    """A comparison, as the operators of the library make it."""
    comparisons = {
        "==": lambda: expression == total,
        "!=": lambda: expression != total,
        "<=": lambda: expression <= total,
        ">=": lambda: expression >= total,
        "<": lambda: expression < total,
        ">": lambda: expression > total,
    }
    return comparisons[relation]()


def _numbered(rule: Sequential, size: int) -> tuple[list[tuple[int, int, int]], list[int]]:
    """The transitions and the accepting states of an automaton whose states are numbers; it starts in 0."""
    numbers = {rule.initial(): 0}
    queue, steps = [rule.initial()], []
    for state in queue:
        for value in range(1, size + 1):
            after = rule.step(size, state, value)
            if after is None:
                continue
            if after not in numbers:
                numbers[after] = len(numbers)
                queue.append(after)
            steps.append((numbers[state], value, numbers[after]))
    return steps, [number for state, number in numbers.items() if rule.accepts(size, state)]


@singledispatch
def post(rule: Any, model: StraightforwardModel) -> None:
    """Post a rule to a model."""
    raise NotImplementedError(f"expected a rule with a straightforward model; found {rule.name}")


@post.register
def _(rule: Pairwise, model: StraightforwardModel) -> None:
    for first, second, relation in rule.linked(model.geometry):
        model.table((first, second), _pairs(relation, model.size), allowed=True)


@post.register
def _(rule: chess.AntiMove, model: StraightforwardModel) -> None:
    for first, second, _relation in rule.linked(model.geometry):
        model.linear([(1, model.cells[first]), (-1, model.cells[second])], "!=", 0)


@post.register
def _(rule: dots.Greater, model: StraightforwardModel) -> None:
    more, less = rule.cells
    model.linear([(1, model.cells[more]), (-1, model.cells[less])], ">", 0)


def _pairs(relation: Relation, size: int) -> list[tuple[int, int]]:
    values = range(1, size + 1)
    return [(first, second) for first in values for second in values if relation.is_allowed(first, second)]


@post.register
def _(rule: chess.SelfTaxicab, model: StraightforwardModel) -> None:  # noqa: ARG001 - its class says all
    for cell in range(model.geometry.cell_count):
        for value in range(1, model.size + 1):
            for other in chess.at_distance(model.geometry.plain, cell, value):
                if other > cell:
                    literals = [model.is_value(cell, value), model.is_value(other, value)]
                    model.any_of([model.negated(literal) for literal in literals])


@post.register
def _(rule: regions.AllDifferent, model: StraightforwardModel) -> None:
    model.different(rule.cells)


@post.register
def _(rule: regions.RegionsOfBoard, model: StraightforwardModel) -> None:
    for region in rule.regions(model.geometry.plain):
        model.different(region)


@post.register
def _(rule: regions.GlobalEntropy, model: StraightforwardModel) -> None:
    for square in rule.squares(model.geometry):
        for third in thirds(model.size):
            model.any_of([model.is_value(cell, value) for cell in square for value in values_of(third)])


@post.register
def _(rule: cages.Killer, model: StraightforwardModel) -> None:
    model.different(rule.cells)
    if rule.total is not None:
        model.linear(model.sum_of(rule.cells), "==", rule.total)


@post.register
def _(rule: cages.EqualityCage, model: StraightforwardModel) -> None:
    model.different(rule.cells)
    size, half = model.size, len(rule.cells) // 2
    for values in (range(1, size // 2 + 1), range((size + 1) // 2 + 1, size + 1), range(2, size + 1, 2)):
        model.linear([(1, model.is_value(cell, value)) for cell in rule.cells for value in values], "==", half)


@post.register
def _(rule: cages.Sum, model: StraightforwardModel) -> None:
    model.linear([(c, model.cells[cell]) for c, cell in rule.terms], rule.relation, rule.total)


@post.register
def _(rule: cages.CountingCircles, model: StraightforwardModel) -> None:
    used = {value: model.free() for value in range(1, model.size + 1)}
    for value, is_used in used.items():
        counted = [(1, model.is_value(cell, value)) for cell in rule.cells]
        model.linear([*counted, (-value, is_used)], "==", 0)


@post.register
def _(rule: sums.EqualSums, model: StraightforwardModel) -> None:
    groups = rule.groups(model.geometry)
    for first, second in pairwise(groups):
        model.linear([*model.sum_of(first), *model.sum_of(second, -1)], "==", 0)


@post.register
def _(rule: sums.Arrow, model: StraightforwardModel) -> None:
    digits = [(10**at, model.cells[cell]) for at, cell in enumerate(reversed(rule.circle))]
    model.linear([*digits, *model.sum_of(rule.shaft, -1)], "==", 0)


@post.register
def _(rule: Sequential, model: StraightforwardModel) -> None:
    model.automaton(rule.read(), rule)


@post.register
def _(rule: sets.Renban, model: StraightforwardModel) -> None:
    model.different(rule.cells)
    model.linear(model.spread(rule.cells), "==", len(rule.cells) - 1)


@post.register
def _(rule: sets.Bounded, model: StraightforwardModel) -> None:
    first, *inner, last = rule.cells
    values = range(1, model.size + 1)
    allowed = {(a, b): rule.allowed(model.size, a, b) for a in values for b in values}
    for cell in inner:
        rows = [(a, b, v) for (a, b), mask in allowed.items() for v in values_of(mask or 0)]
        model.table((first, last, cell), rows, allowed=True)


@post.register
def _(rule: marks.Limited, model: StraightforwardModel) -> None:
    model.table([rule.cell], [[value] for value in range(1, model.size + 1) if _suits(rule, value)], allowed=True)


def _suits(rule: marks.Limited, value: int) -> bool:
    if isinstance(rule, marks.OneOf):
        return value in rule.values
    return value % 2 == (1 if isinstance(rule, marks.Odd) else 0)


@post.register
def _(rule: marks.Quadruple, model: StraightforwardModel) -> None:
    for value, count in Counter(rule.values).items():
        model.linear([(1, model.is_value(cell, value)) for cell in rule.cells], ">=", count)


@post.register
def _(rule: indexing.Pointer, model: StraightforwardModel) -> None:
    places, sought = rule.places(model.geometry), rule.sought(model.geometry)
    for value in range(1, model.size + 1):
        model.linear([(1, model.cells[places[value - 1]])], "==", sought, model.is_value(rule.pointer(), value))


@post.register
def _(rule: outside.LittleKiller, model: StraightforwardModel) -> None:
    model.linear(model.sum_of(rule.cells), "==", rule.total)


@post.register
def _(rule: outside.XSum, model: StraightforwardModel) -> None:
    for value in range(1, model.size + 1):
        model.linear(model.sum_of(rule.cells[:value]), "==", rule.total, model.is_value(rule.cells[0], value))


@post.register
def _(rule: outside.Sandwich, model: StraightforwardModel) -> None:
    size = model.size
    for start in range(size):
        for end in range(start + 1, size):
            for low, high in ((1, size), (size, 1)):
                here = model.both(model.is_value(rule.cells[start], low), model.is_value(rule.cells[end], high))
                if end == start + 1:
                    if rule.total:
                        model.any_of([model.negated(here)])
                else:
                    model.linear(model.sum_of(rule.cells[start + 1 : end]), "==", rule.total, here)


@post.register
def _(rule: outside.Skyscraper, model: StraightforwardModel) -> None:
    seen = [model.holds([(1, model.cells[rule.cells[0]])], "<=", model.size)]
    for at in range(1, len(rule.cells)):
        highest = model.free()
        for before in rule.cells[:at]:
            pair = [(1, model.cells[before]), (-1, model.cells[rule.cells[at]])]
            model.linear(pair, "<", 0, highest)
        lower = [(1, model.cells[rule.cells[at]])]
        taller = [model.holds([*lower, (-1, model.cells[before])], "<=", -1) for before in rule.cells[:at]]
        model.any_of([highest, *taller])
        seen.append(highest)
    model.linear([(1, literal) for literal in seen], "==", rule.count)


@post.register
def _(rule: outside.FullRank, model: StraightforwardModel) -> None:
    size = model.size
    weights = [(size + 1) ** (size - 1 - at) for at in range(size)]
    own = [(-weight, model.cells[cell]) for weight, cell in zip(weights, rule.cells, strict=True)]
    less = []
    for line in rule.others(model.geometry):
        other = [(weight, model.cells[cell]) for weight, cell in zip(weights, line, strict=True)]
        kept = Counter[int]()
        for weight, cell in zip(weights, line, strict=True):
            kept[cell] += weight
        for weight, cell in zip(weights, rule.cells, strict=True):
            kept[cell] -= weight
        terms = [(c, model.cells[cell]) for cell, c in kept.items() if c] or [*other, *own]
        model.linear(terms, "!=", 0)
        less.append((1, model.holds(terms, "<=", -1)))
    model.linear(less, "==", rule.rank - 1)


@post.register
def _(rule: generic.Table, model: StraightforwardModel) -> None:
    model.table(rule.cells, rule.rows, allowed=rule.allowed)


@post.register
def _(rule: generic.AllOf, model: StraightforwardModel) -> None:
    for one in rule.constraints:
        post(one, model)


@post.register
def _(rule: generic.AnyOf, model: StraightforwardModel) -> None:
    """One of several lines of relations, or of limited cells."""
    choices = []
    for one in rule.constraints:
        choice = model.free()
        choices.append(choice)
        if not isinstance(one, Pairwise):
            raise NotImplementedError(f"expected rules that relate pairs of cells; found {one.name}")
        for first, second, relation in one.linked(model.geometry):
            for a in range(1, model.size + 1):
                partners = [model.is_value(second, b) for b in values_of(relation.forward[a])]
                model.any_of([model.negated(choice), model.negated(model.is_value(first, a)), *partners])
    model.any_of(choices)
