"""The base class of constraints. A constraint is an immutable value that allows some fillings of its cells.

A constraint names cells as `Geometry` does: from 0 to N·N - 1, row by row. It holds plain data only, so it can be
compared, hashed and pickled, and it knows no board. `Geometry.with_constraints` puts constraints on a geometry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Posting
    from csp_sudoku.constraints.shapes import Mark
    from csp_sudoku.geometry import Geometry

Cells = tuple[int, ...]
"""Cells, in an order that matters for lines and clues. Constructors take any sequence of integers and keep a tuple."""


@dataclass(frozen=True)
class Constraint(ABC):
    """A rule on the values of some cells. A subclass is a frozen dataclass whose fields are integers and tuples.

    Two constraints are equal if they are of one class and have equal fields.
    """

    name: ClassVar[str] = ""
    """The word that stands for the constraint in text; no two classes have the same."""
    least_cells: ClassVar[int] = 1
    """The smallest number of cells that the field `cells` may hold."""

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, self._plain(field.name, getattr(self, field.name)))
        cells = getattr(self, "cells", None)
        if cells is not None:
            self.require(len(cells) >= self.least_cells, f"at least {_counted(self.least_cells)}", len(cells))
        self.validate()

    def _plain(self, field: str, value: Any) -> Any:
        """The value of a field as integers and tuples of them, whatever kind of sequences it consists of."""
        if value is None or isinstance(value, str | bool | Constraint):
            return value
        if isinstance(value, Iterable):
            return tuple([self._plain(field, item) for item in value])
        try:
            return index(value)
        except TypeError:
            raise ConstraintError(f"{self.name}: expected a whole number as {field}; found {value!r}") from None

    def validate(self) -> None:  # noqa: B027 - most constraints need no further check
        """Raise ConstraintError if the fields make no sense on any board."""

    def require(self, holds: bool, expected: str, found: object) -> None:
        """Raise ConstraintError, with the name of the constraint, unless `holds`.

        `expected` and `found` are the two parts of the message.
        """
        if not holds:
            raise ConstraintError(f"{self.name}: expected {expected}; found {found}")

    def require_different(self, cells: Sequence[int]) -> None:
        """Raise ConstraintError if a cell is named twice."""
        self.require(len(set(cells)) == len(cells), "each cell once", f"cells {list(cells)}")

    def named_cells(self) -> Cells:
        """The cells that the fields name: `cells`, or `cell`, unless a subclass has others."""
        single = getattr(self, "cell", None)
        cells: Cells = getattr(self, "cells", ()) if single is None else (single,)
        return cells

    def scope(self, geometry: Geometry) -> Cells:  # noqa: ARG002 - for the constraints of whole boards
        """The cells whose values matter on boards of this `geometry`, each once, in ascending order."""
        return tuple(sorted(set(self.named_cells())))

    def require_fits(self, geometry: Geometry) -> None:
        """Raise ConstraintError if the constraint makes no sense on boards of this `geometry`."""
        last = geometry.cell_count - 1
        for cell in self.named_cells():
            self.require(0 <= cell <= last, f"cells from 0 to {last} on {geometry.plain.name}", cell)

    @abstractmethod
    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether a full board satisfies the constraint; `values` are its N·N values, none of them 0."""

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:  # noqa: ARG002 - by default nothing is removed
        """Remove candidates that no filling has; return False if it is certain that no filling is left.

        A filling satisfies the constraint, and no region holds a value twice. `masks` are the candidates of all cells,
        bit v - 1 for the value v; they are changed in place. The caller looks for cells that have lost their last
        candidate. By default nothing is removed.
        """
        return True

    @abstractmethod
    def post(self, posting: Posting) -> None:
        """Add the constraint to a CP-SAT model; `posting` gives the variables of the cells."""

    @abstractmethod
    def describe(self, geometry: Geometry) -> str:
        """The constraint as a short sentence for people, without a full stop; cells are named as r4c2."""

    def marks(self, geometry: Geometry) -> tuple[Mark, ...]:  # noqa: ARG002 - by default nothing is drawn
        """How the constraint shows on a board: nothing by default. The docstring of a method says it in a few words."""
        return ()

    def regions(self, geometry: Geometry) -> tuple[Cells, ...] | None:  # noqa: ARG002 - few constraints are regions
        """Regions of N cells that mean the same as the constraint; None, the default, if there are none."""
        return None


def names_of(geometry: Geometry, cells: Iterable[int]) -> str:
    """The names of cells as text.

    >>> from csp_sudoku import Geometry
    >>> names_of(Geometry.standard(2, 2), [0, 5])
    'r1c1 r2c2'
    """
    return " ".join([cell_name(*geometry.row_column(cell)) for cell in cells])


def _counted(cells: int) -> str:
    return f"{cells} cell{'' if cells == 1 else 's'}"
