"""The solvers that the conformance suite runs over."""

import pytest

from csp_sudoku.solvers.registry import PRESETS, SOLVERS


@pytest.fixture(scope="session")
def solver_names(pytestconfig):
    """Return the names of the solvers and presets that `--solver` asks for; all of them without it."""
    asked = pytestconfig.getoption("--solver") or ["all"]
    return [name for name in [*SOLVERS, *PRESETS] if "all" in asked or name in asked]
