"""Constraints that cells a given way apart hold different values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from csp_sudoku.constraints.base import Constraint


@dataclass(frozen=True)
class AntiKnight(Constraint):
    """Cells a knight's move apart hold different values."""

    name: ClassVar[str] = "anti-knight"


@dataclass(frozen=True)
class AntiKing(Constraint):
    """Cells a king's move apart hold different values."""

    name: ClassVar[str] = "anti-king"


@dataclass(frozen=True)
class SelfTaxicab(Constraint):
    """No two cells that hold the same value v are v steps apart, counted in rows plus columns."""

    name: ClassVar[str] = "self-taxicab"
