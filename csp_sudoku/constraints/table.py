"""The table of all constraints: each class with a `name` in one of the modules that are listed here."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from csp_sudoku.constraints.base import Constraint

MODULES = (
    "regions",
    "chess",
    "cages",
    "thermometers",
    "neighbours",
    "sets",
    "sums",
    "dots",
    "marks",
    "indexing",
    "outside",
    "generic",
)
"""The modules of this package that define constraints."""


def _defined_in(name: str) -> Iterator[type[Constraint]]:
    """The constraints that a module defines, in their order."""
    module = import_module(f"csp_sudoku.constraints.{name}")
    for kind in vars(module).values():
        is_own = isinstance(kind, type) and issubclass(kind, Constraint) and kind.__module__ == module.__name__
        if is_own and "name" in vars(kind):
            yield kind


CONSTRAINTS: dict[str, type[Constraint]] = {kind.name: kind for module in MODULES for kind in _defined_in(module)}
"""Every constraint, by its name."""
