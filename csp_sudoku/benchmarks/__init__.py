"""The benchmarks behind `csp-sudoku bench`: the modules of `benchmarks/`.

In a clone these are at its top level; a wheel has them here, in place of this file (see package-dir in pyproject.toml).
"""

from pathlib import Path

__path__ = [str(Path(__file__).parents[2] / "benchmarks")]
