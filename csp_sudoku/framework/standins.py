"""Putting the stand-ins of one API in the place of the package `competitive_sudoku`."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from csp_sudoku.errors import expect_name

PACKAGE = "competitive_sudoku"
"""The name under which agents import what they need."""

APIS = ("v12", "v14")
"""The old API (versions 4 to 13) and the new one."""

SHARED = ("execute", "sudokuai")
"""The modules that are the same in both."""

BORROWED = ("GameState", "Move")
"""What agents find in the module sudokuai too, since there it is imported from sudoku."""

MODULES = ("sudoku", *SHARED)
"""The modules of the package."""


def install(api: str) -> ModuleType:
    """The package `competitive_sudoku` of an API, from now on importable in this process.

    Its modules are those of this package under another name, so what an agent pickles is found again without it.
    """
    expect_name("framework API", api, APIS)
    package = ModuleType(PACKAGE, "Stand-ins for the framework's modules.")
    package.__path__ = []
    sys.modules[PACKAGE] = package
    homes = {"sudoku": f"csp_sudoku.framework.{api}.sudoku"}
    homes |= {name: f"csp_sudoku.framework.{name}" for name in SHARED}
    for name, home in homes.items():
        module = import_module(home)
        sys.modules[f"{PACKAGE}.{name}"] = module
        setattr(package, name, module)
    for name in BORROWED:
        setattr(package.sudokuai, name, getattr(package.sudoku, name))
    return package
