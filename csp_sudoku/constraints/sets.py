"""Lines whose set of values is what matters, in any order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class Renban(Constraint):
    """The cells hold different values that are consecutive, in any order."""

    name: ClassVar[str] = "renban"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class Nabner(Constraint):
    """The cells hold different values, no two of which are consecutive."""

    name: ClassVar[str] = "nabner"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class Between(Constraint):
    """The values on the line lie strictly between those of its two ends."""

    name: ClassVar[str] = "between"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class Lockout(Constraint):
    """The ends differ by at least `difference`, and no value between them lies in the closed range of the ends."""

    name: ClassVar[str] = "lockout"

    cells: Cells
    """The cells of the line, in its order."""
    difference: int | None = None
    """The least difference of the ends; None, the default, stands for (N - 1) // 2, which is 4 on 9×9."""
