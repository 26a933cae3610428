"""Constraints from which others are built: tables, automata, and combinations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.sequences import Sequential
from csp_sudoku.constraints.shapes import LineMark, Mark

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry


@dataclass(frozen=True)
class Table(Constraint):
    """The values of the cells, in their order, are one of the rows, or with `allowed` False none of them."""

    name: ClassVar[str] = "table"

    cells: Cells
    """The cells."""
    rows: tuple[tuple[int, ...], ...]
    """The rows, each with a value for each cell."""
    allowed: bool = True
    """Whether the rows are the allowed ones (the default) or the forbidden ones."""

    def validate(self) -> None:
        """Raise ConstraintError for a row of another length."""
        for row in self.rows:
            width = len(row) if isinstance(row, tuple) else "a number"
            self.require(width == len(self.cells), f"rows of {len(self.cells)} values", width)

    @cached_property
    def _rows(self) -> frozenset[tuple[int, ...]]:
        return frozenset(self.rows)

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Whether the values are an allowed row, or no forbidden one."""
        return (tuple([values[cell] for cell in self.cells]) in self._rows) == self.allowed

    def left(self, masks: Sequence[int]) -> list[tuple[int, ...]]:
        """The rows that the candidates of the cells have."""
        return [
            row
            for row in dict.fromkeys(self.rows)
            if all(value > 0 and masks[cell] >> value - 1 & 1 for cell, value in zip(self.cells, row, strict=True))
        ]

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:  # noqa: ARG002 - the cells suffice
        """Remove candidates that no allowed row has; forbidden rows remove nothing."""
        if not self.allowed:
            return True
        left = self.left(masks)
        for at, cell in enumerate(self.cells):
            kept = 0
            for value in {row[at] for row in left}:
                kept |= 1 << value - 1
            masks[cell] &= kept
        return bool(left) and all(masks[cell] for cell in self.cells)

    def post(self, posting: Posting) -> None:
        """One of the allowed rows is chosen, or each forbidden row differs in a cell."""
        left = self.left(posting.masks)
        literals = [[posting.literal(cell, value) for cell, value in zip(self.cells, row, strict=True)] for row in left]
        if not self.allowed:
            for row in literals:
                posting.forbid(*row)
            return
        chosen = [posting.new_literal() for _ in left]
        posting.exactly_one(chosen)
        for choice, row in zip(chosen, literals, strict=True):
            for literal in row:
                posting.clause((~choice, literal))
        for at, cell in enumerate(self.cells):
            for value, literal in posting.literals(cell).items():
                posting.clause(
                    [~literal, *[choice for choice, row in zip(chosen, left, strict=True) if row[at] == value]]
                )

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        told = "hold one" if self.allowed else "hold none"
        return f"{names_of(geometry, self.cells)} {told} of {len(self.rows)} rows of values"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A dashed line."""
        return (LineMark(self.cells, width=0.08, is_dashed=True),)


@dataclass(frozen=True)
class Automaton(Sequential):
    """An automaton that reads the values of the cells in their order ends in an accepting state."""

    name: ClassVar[str] = "automaton"

    cells: Cells
    """The cells."""
    start: int
    """The state in which the automaton starts."""
    accepting: tuple[int, ...]
    """The states in which it may end."""
    transitions: tuple[tuple[int, int, int], ...]
    """Each (state, value, next state); a value without a transition is not allowed."""

    def validate(self) -> None:
        """Raise ConstraintError unless each state has at most one next state for each value."""
        for transition in self.transitions:
            is_triple = isinstance(transition, tuple) and len(transition) == 3
            self.require(is_triple, "transitions (state, value, next state)", transition)
        self.require(
            len(self._steps) == len(set(self.transitions)), "one next state for each state and value", "several"
        )

    @cached_property
    def _steps(self) -> dict[tuple[int, int], int]:
        return {(state, value): after for state, value, after in self.transitions}

    def initial(self) -> int:
        """The state in which the automaton starts."""
        return self.start

    def step(self, size: int, state: Any, value: int) -> Hashable | None:  # noqa: ARG002 - the table suffices
        """The next state; None without a transition."""
        return self._steps.get((state, value))

    def accepts(self, size: int, state: Any) -> bool:  # noqa: ARG002 - the table suffices
        """Whether the state is an accepting one."""
        return state in self.accepting

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"an automaton of {len(self.transitions)} transitions accepts {names_of(geometry, self.cells)}"

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - the same on every board
        """A dashed line."""
        return (LineMark(self.cells, width=0.08, is_dashed=True),)


class Combined(Constraint):
    """A combination of constraints."""

    constraints: tuple[Constraint, ...]

    def validate(self) -> None:
        """Raise ConstraintError unless there are constraints, and nothing else."""
        self.require(bool(self.constraints), "at least 1 constraint", 0)
        for one in self.constraints:
            self.require(isinstance(one, Constraint), "constraints", repr(one))

    def scope(self, geometry: Geometry) -> Cells:
        """The cells of all of them."""
        return tuple(sorted({cell for one in self.constraints for cell in one.scope(geometry)}))

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if one of them does not fit."""
        for one in self.constraints:
            one.require_fits(geometry)

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:
        """The marks of the constraints."""
        return tuple([mark for one in self.constraints for mark in one.marks(geometry)])


@dataclass(frozen=True)
class AnyOf(Combined):
    """At least one of the constraints holds."""

    name: ClassVar[str] = "any-of"

    constraints: tuple[Constraint, ...]
    """The constraints."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether one of them holds."""
        return any(one.check(geometry, values) for one in self.constraints)

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the candidates that each of them removes."""
        scope = self.scope(geometry)
        union = dict.fromkeys(scope, 0)
        for one in self.constraints:
            left = list(masks)
            if one.prune(geometry, left) and all(left[cell] for cell in scope):
                for cell in scope:
                    union[cell] |= left[cell]
        for cell in scope:
            masks[cell] = union[cell]
        return all(union.values())

    def post(self, posting: Posting) -> None:
        """One literal of several is true, and each of them implies its constraint."""
        chosen = [posting.new_literal() for _ in self.constraints]
        posting.clause(chosen)
        posting.is_determined = False
        for choice, one in zip(chosen, self.constraints, strict=True):
            with posting.only_if(choice):
                one.post(posting)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"at least one holds: {'; '.join(one.describe(geometry) for one in self.constraints)}"


@dataclass(frozen=True)
class AllOf(Combined):
    """All of the constraints hold."""

    name: ClassVar[str] = "all-of"

    constraints: tuple[Constraint, ...]
    """The constraints."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether each of them holds."""
        return all(one.check(geometry, values) for one in self.constraints)

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove the candidates that one of them removes."""
        return all(one.prune(geometry, masks) for one in self.constraints)

    def post(self, posting: Posting) -> None:
        """Add each of them."""
        for one in self.constraints:
            one.post(posting)

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence."""
        return f"all hold: {'; '.join(one.describe(geometry) for one in self.constraints)}"
