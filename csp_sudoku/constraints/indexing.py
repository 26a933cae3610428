"""Cells whose value says where something stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Constraint


@dataclass(frozen=True)
class RowIndexer(Constraint):
    """A value v in column c says that c stands in column v of the same row."""

    name: ClassVar[str] = "row-indexer"

    cell: int
    """The cell."""


@dataclass(frozen=True)
class ColumnIndexer(Constraint):
    """A value v in row r says that r stands in row v of the same column."""

    name: ClassVar[str] = "column-indexer"

    cell: int
    """The cell."""


@dataclass(frozen=True)
class BoxIndexer(Constraint):
    """A value v at place p of a block says that p stands at place v of the same block."""

    name: ClassVar[str] = "box-indexer"

    cell: int
    """The cell."""
