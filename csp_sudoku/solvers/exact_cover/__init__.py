"""Sudoku as an exact cover, solved by Knuth's Algorithm X on dancing links.

solver   the solver
run      a run of the search: the links of the cover, and the stack of options
kernels  the compiled search
"""
