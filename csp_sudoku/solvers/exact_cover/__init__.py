"""Sudoku as an exact cover, solved by Knuth's Algorithm X on dancing links.

solver   the solver
run      a run of it: the links of the cover, and the stack of its options
kernels  the compiled search
"""
