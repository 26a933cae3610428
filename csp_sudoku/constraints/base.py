"""What a constraint is: an immutable value that says which fillings of some cells are allowed.

A constraint names cells as `Geometry` does: from 0 to N·N - 1, row by row. It holds plain data only, so it can be
compared, hashed and pickled, and it knows no board. `Geometry.with_constraints` puts constraints on a geometry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.geometry import Geometry

Cells = tuple[int, ...]
"""Cells in an order that matters for lines and clues. Constructors take any sequence of integers and keep a tuple."""


@dataclass(frozen=True)
class Constraint:
    """A rule on the values of some cells. A subclass is a frozen dataclass whose fields are integers and tuples.

    Two constraints are equal if they are of one class and have equal fields.
    """

    name: ClassVar[str] = ""
    """The word that stands for the constraint in text; no two classes have the same."""
    least_cells: ClassVar[int] = 1
    """The smallest number of cells that `cells` may hold."""

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, self._plain(field.name, getattr(self, field.name)))
        cells = getattr(self, "cells", None)
        if cells is not None:
            self.require(len(cells) >= self.least_cells, f"at least {_counted(self.least_cells, 'cell')}", len(cells))

    def _plain(self, field: str, value: Any) -> Any:
        """The value of a field as integers and tuples of them, whatever kind of sequences it consists of."""
        if value is None or isinstance(value, (str, bool, Constraint)):
            return value
        if isinstance(value, Iterable):
            return tuple([self._plain(field, item) for item in value])
        try:
            return index(value)
        except TypeError:
            raise ConstraintError(f"expected a whole number as {field} of {self.name}; found {value!r}") from None

    def require(self, holds: bool, expected: str, found: object) -> None:
        """Raise ConstraintError, which names the constraint, what was `expected` and what was `found`, unless `holds`."""
        if not holds:
            raise ConstraintError(f"{self.name}: expected {expected}; found {found}")

    def require_distinct(self) -> None:
        """Raise ConstraintError if `cells` names a cell twice."""
        cells: Cells = self.scope_cells()
        self.require(len(set(cells)) == len(cells), "different cells", "a cell that is named twice")

    def scope_cells(self) -> Cells:
        """The cells that the fields name: those of the field `cells`, unless a subclass says otherwise."""
        cells: Cells = getattr(self, "cells", ())
        return cells

    def scope(self, geometry: Geometry) -> Cells:
        """The cells whose values matter on a board of this `geometry`, each once, in ascending order."""
        return tuple(sorted(set(self.scope_cells())))

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if the constraint makes no sense on boards of this `geometry`."""
        for cell in self.scope_cells():
            self.require(
                0 <= cell < geometry.cell_count, f"cells from 0 to {geometry.cell_count - 1} on {geometry.name}", cell
            )

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether a full board satisfies the constraint; `values` are its N·N values, none of them 0."""
        raise NotImplementedError

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove candidates that no filling has; return False if it is certain that no filling is left.

        `masks` are the candidates of all cells, bit v - 1 for the value v; they are changed in place. Each cell has at
        least one candidate, and may lose its last one; then the result is False. By default nothing is removed.
        """
        return True

    def post(self, posting: Posting) -> None:
        """Add the constraint to a CP-SAT model. `posting` holds the model and gives the variables of its cells."""
        raise NotImplementedError

    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence for people, without a full stop; cells are named as r4c2."""
        raise NotImplementedError

    def regions(self, geometry: Geometry) -> tuple[Cells, ...] | None:
        """Regions of N cells that mean the same as the constraint, or None (the default) if none do."""
        return None

    def named(self, geometry: Geometry, cells: Iterable[int]) -> str:
        """The names of cells as text, for example "r1c1 r1c2"."""
        return " ".join([cell_name(*geometry.row_column(cell)) for cell in cells])


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
