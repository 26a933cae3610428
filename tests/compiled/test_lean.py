"""Numba without scipy: our commands start earlier, and the library leaves numba unchanged."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from csp_sudoku.compiled import lean
if sys.argv[1] == "lean":
    lean.skip_scipy()
from csp_sudoku import Board, solve
assert solve(Board.empty(2, 2)).solution is not None
print("scipy.linalg" in sys.modules)
import scipy.linalg  # it can be imported afterwards all the same
"""


def imports_scipy(kind):
    """Whether a process has imported scipy's linear algebra after it has solved a board."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, kind], capture_output=True, text=True, check=True)
    return done.stdout.strip() == "True"


@pytest.mark.slow
def test_scipy_is_left_out_only_where_it_was_asked_for():
    """Solving imports it with numba, as numba does by itself, unless the process asked to leave it out."""
    assert imports_scipy("library")
    assert not imports_scipy("lean")
