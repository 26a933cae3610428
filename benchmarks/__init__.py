"""The benchmarks behind `csp-sudoku bench`: one module for each, and what they have in common."""
