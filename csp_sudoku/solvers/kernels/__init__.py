"""The inner loops, compiled with numba. Nothing outside `csp_sudoku.solvers` imports from here."""
