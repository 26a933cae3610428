"""The hand-written search: depth-first, with every heuristic of the earlier systems as an option.

solver   the table of options, and the solver
run      a run of it: its state, its settings and its trace
kernels  the compiled search
"""
