"""Lines with equal or given sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Cells, Constraint


@dataclass(frozen=True)
class Arrow(Constraint):
    """The values on the shaft add up to the number in the circle."""

    name: ClassVar[str] = "arrow"

    circle: Cells
    """The cells of the circle, one to three. Several are read as the digits of one number, the first cell first."""
    shaft: Cells
    """The cells of the shaft, without the circle."""


@dataclass(frozen=True)
class DoubleArrow(Constraint):
    """The values between the two ends of the line add up to the sum of the ends."""

    name: ClassVar[str] = "double-arrow"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class RegionSumLine(Constraint):
    """The line has the same sum in every block; each separate stay in a block counts on its own."""

    name: ClassVar[str] = "region-sum-line"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class Zipper(Constraint):
    """Cells equally far from the centre of the line add up to the same sum; a cell in the centre is that sum."""

    name: ClassVar[str] = "zipper"

    cells: Cells
    """The cells of the line, in its order."""


@dataclass(frozen=True)
class SumLine(Constraint):
    """The line falls into runs of cells, each of which adds up to `total`."""

    name: ClassVar[str] = "sum-line"

    cells: Cells
    """The cells of the line, in its order."""
    total: int | None = None
    """The sum; None, the default, stands for N + 1, which is 10 on 9×9."""
