"""Installs the stand-ins of one API as the package `competitive_sudoku`."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from csp_sudoku.errors import expect_name

PACKAGE = "competitive_sudoku"
"""The name of the package that agents import."""

APIS = ("v12", "v14")
"""The old API (versions 4 to 13) and the new one."""

SHARED = ("execute", "sudokuai")
"""The modules that both APIs share."""

BORROWED = ("GameState", "Move")
"""Names that agents import from the module sudokuai as well, since the framework imports them there from sudoku."""

MODULES = ("sudoku", *SHARED)
"""The modules of the package."""


def install(api: str) -> ModuleType:
    """Make the package `competitive_sudoku` of an API importable in this process, and return it.

    Its modules are modules of this package under a second name. So objects that an agent pickles can be loaded without
    the package `competitive_sudoku`.
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
