"""Posting: adding constraints to a CP-SAT model, with a literal for each candidate of each cell.

A **literal** is the index of a Boolean variable of the model, or `~index` for its negation, as CP-SAT numbers them. Two
further literals need no variable: `TRUE`, for the only candidate of a cell, and `FALSE`, for a value that is no
candidate. Constraints are written directly to the protocol buffer of the model, in a third of the time that the methods
of `cp_model.CpModel` take.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from csp_sudoku.candidates import bits
from csp_sudoku.constraints.bitmasks import least, values_of

if TYPE_CHECKING:
    from csp_sudoku.geometry import Geometry

TRUE = 1 << 40
"""The literal that is always true."""
FALSE = ~TRUE
"""The literal that is never true."""
INFINITY = 1 << 40
"""A bound that no sum reaches."""

Literal = int
"""A literal, as described in the docstring of this module."""
Domain = Sequence[int]
"""The allowed values of a sum as bounds of intervals: [low, high], or [low, high, low, high] and so on."""


class Posting:
    """A CP-SAT model of a board, and the variables of its cells.

    `model` is a `cp_model.CpModel` that already holds the regions of the board, `geometry` is the geometry of the
    board, and `masks` are the candidates of its cells. `literals` are the Boolean variables that the model has: for
    each cell, the index by the bit of the value. `integers` are the integer variables that the model has: the index by
    the cell. Missing variables are created when they are first requested, and channelled: the literal of a value is
    true if and only if the integer variable of the cell has that value.
    """

    def __init__(
        self,
        model: Any,
        geometry: Geometry,
        masks: Sequence[int],
        literals: Sequence[dict[int, int]] = (),
        integers: Mapping[int, int] | None = None,
    ) -> None:
        self.model = model
        self.geometry = geometry
        self.size = geometry.size
        self.masks = masks
        self.is_determined = True
        """Whether the values of the cells determine the value of every variable. If not, listing all solutions of the
        model would list some boards several times.
        """
        self._literals = literals or [{} for _ in masks]
        self._integers: dict[int, int] = dict(integers or {})
        self._by_value: dict[int, Mapping[int, Literal]] = {}
        self._at_least: dict[tuple[int, int], Literal] = {}
        self._variables, self._constraints = model.proto.variables, model.proto.constraints
        self._made = 0
        self._first = len(self._variables)
        self._unless: list[Literal] = []
        self._is_void = False

    def values(self, cell: int) -> tuple[int, ...]:
        """The candidates of a cell, in ascending order."""
        return values_of(self.masks[cell])

    def literal(self, cell: int, value: int) -> Literal:
        """The literal that is true if the cell holds the value; `value` may be any integer."""
        return self.literals(cell).get(value, FALSE)

    def literals(self, cell: int) -> Mapping[int, Literal]:
        """The literals of the candidates of a cell, by value."""
        found = self._by_value.get(cell)
        if found is None:
            mask = self.masks[cell]
            if mask & mask - 1:
                found = {bit.bit_length(): self._literal(cell, bit) for bit in bits(mask)}
            else:
                found = {mask.bit_length(): TRUE}
            self._by_value[cell] = found
        return found

    def _literal(self, cell: int, bit: int) -> Literal:
        """The literal of a candidate; a new one if the cell has only an integer variable so far."""
        found = self._literals[cell].get(bit)
        if found is None:
            found = self._literals[cell][bit] = self._variable((0, 1))
            self._channel(found, self._integers[cell], bit.bit_length())
        return found

    def at_least(self, cell: int, value: int) -> Literal:
        """A literal that is true if and only if the cell holds at least the value; `value` may be any integer."""
        found = self._at_least.get((cell, value))
        if found is None:
            mask = self.masks[cell]
            if value <= least(mask):
                return TRUE
            if value > mask.bit_length():
                return FALSE
            outer = self._unless, self._is_void
            self._unless, self._is_void = [], False  # what is made here is used again, so it must always hold
            found = self.any_of((self.literal(cell, value), self.at_least(cell, value + 1)))
            self._at_least[cell, value] = found
            self._unless, self._is_void = outer
        return found

    def integer(self, cell: int) -> int:
        """The index of the integer variable that is the value of the cell."""
        found = self._integers.get(cell)
        if found is not None:
            return found
        values = self.values(cell)
        made = self._integers[cell] = self._variable(_intervals(values))
        if len(values) > 1:
            for value, literal in self.literals(cell).items():
                self._channel(literal, made, value)
        return made

    def _channel(self, literal: Literal, integer: int, value: int) -> None:
        """Make a literal true if and only if an integer variable has a value."""
        for condition, domain in ((literal, (value, value)), (~literal, (-INFINITY, value - 1, value + 1, INFINITY))):
            constraint = self._constraints.add()
            constraint.enforcement_literal.append(condition)
            linear = constraint.linear
            linear.vars.append(integer)
            linear.coeffs.append(1)
            linear.domain.extend(domain)

    def new_literal(self) -> Literal:
        """A new Boolean variable. Its constraint should determine its value from the values of the cells."""
        if self._unless:
            self.is_determined = False
        return self._variable((0, 1))

    def copied(self, model: Any) -> Posting:
        """The same variables in a copy of the model."""
        literals = [dict(of_cell) for of_cell in self._literals]
        made = Posting(model, self.geometry, self.masks, literals, self._integers)
        made.is_determined = self.is_determined and not self.has_others
        return made

    def _variable(self, domain: Domain) -> int:
        """The index of a new variable."""
        self._variables.add().domain.extend(domain)
        self._made += 1
        return len(self._variables) - 1

    @property
    def has_others(self) -> bool:
        """Whether the model has variables that this object has not created."""
        return len(self._variables) != self._first + self._made

    def clause(self, literals: Iterable[Literal]) -> None:
        """At least one of the literals is true."""
        if self._is_void:
            return
        kept = []
        for literal in literals:
            if literal == TRUE:
                return
            if literal != FALSE:
                kept.append(literal)
        self._constraints.add().bool_or.literals.extend(kept + self._unless)

    def forbid(self, *literals: Literal) -> None:
        """At least one of the literals is false."""
        self.clause([~literal for literal in literals])

    def equal(self, first: Literal, second: Literal) -> None:
        """Both literals are true, or both are false."""
        self.clause((~first, second))
        self.clause((first, ~second))

    def at_most_one(self, literals: Iterable[Literal]) -> None:
        """At most one of the literals is true."""
        kept = [literal for literal in literals if literal != FALSE]
        if TRUE in kept or self._unless or len(kept) < 3:
            for at, first in enumerate(kept):
                for second in kept[:at]:
                    self.clause((~first, ~second))
        else:
            self._constraints.add().at_most_one.literals.extend(kept)

    def exactly_one(self, literals: Iterable[Literal]) -> None:
        """Exactly one of the literals is true."""
        kept = [literal for literal in literals if literal != FALSE]
        if TRUE in kept or self._unless or len(kept) < 2:
            self.clause(kept)
            self.at_most_one(kept)
        else:
            self._constraints.add().exactly_one.literals.extend(kept)

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that is true if and only if one of the literals is."""
        kept = [literal for literal in dict.fromkeys(literals) if literal != FALSE]
        if TRUE in kept:
            return TRUE
        if len(kept) < 2:
            return kept[0] if kept else FALSE
        made = self.new_literal()
        for literal in kept:
            self.clause((~literal, made))
        self.clause([~made, *kept])
        return made

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that is true if and only if all of the literals are."""
        return ~self.any_of([~literal for literal in literals])

    def count(self, terms: Iterable[tuple[int, Literal]], domain: Domain) -> None:
        """The sum of the coefficients of the true literals is in a domain; each term is (coefficient, literal)."""
        self._linear(list(terms), domain)

    def sum(self, terms: Iterable[tuple[int, int]], domain: Domain) -> None:
        """The sum of the values of cells, each times its coefficient, is in a domain; a term is (coefficient, cell)."""
        kept, constant = [], 0
        for coefficient, cell in terms:
            mask = self.masks[cell]
            if mask & mask - 1:
                kept.append((coefficient, self.integer(cell)))
            else:
                constant += coefficient * mask.bit_length()
        self._linear(kept, domain, constant)

    def _linear(self, terms: Sequence[tuple[int, int]], domain: Domain, constant: int = 0) -> None:
        coefficients: dict[int, int] = {}
        for coefficient, variable in terms:
            if variable == TRUE:
                constant += coefficient
            elif variable == FALSE:
                continue
            elif variable < 0:
                constant += coefficient
                coefficients[~variable] = coefficients.get(~variable, 0) - coefficient
            else:
                coefficients[variable] = coefficients.get(variable, 0) + coefficient
        if self._is_void:
            return
        if not coefficients:
            pairs = zip(domain[::2], domain[1::2], strict=True)
            if not any(low <= constant <= high for low, high in pairs):
                self.clause(())
            return
        constraint = self._constraints.add()
        constraint.enforcement_literal.extend([~literal for literal in self._unless])
        linear = constraint.linear
        linear.vars.extend(coefficients.keys())
        linear.coeffs.extend(coefficients.values())
        linear.domain.extend([bound if abs(bound) == INFINITY else bound - constant for bound in domain])

    @contextmanager
    def only_if(self, condition: Literal) -> Iterator[None]:
        """Constraints that are added within the `with` block hold only if the literal `condition` is true."""
        outer, self._is_void = self._is_void, self._is_void or condition == FALSE
        before = len(self._unless)
        if condition not in (TRUE, FALSE):
            self._unless.append(~condition)
        try:
            yield
        finally:
            self._is_void = outer
            del self._unless[before:]


def _intervals(values: Sequence[int]) -> Domain:
    """A domain of these values, which ascend: as few intervals as possible, as CP-SAT demands."""
    bounds: list[int] = []
    for value in values:
        if bounds and bounds[-1] == value - 1:
            bounds[-1] = value
        else:
            bounds += (value, value)
    return bounds
