"""The hand-written search: depth-first, with the heuristics of the earlier systems as options.

solver   the solver and its table of options
run      a run of the search: its state, its settings and its trace
kernels  the compiled search
"""
