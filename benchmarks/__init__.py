"""The benchmarks behind `csp-sudoku bench`: one module for each, and the modules that they share."""
