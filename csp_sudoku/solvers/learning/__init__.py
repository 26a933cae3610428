"""The learning search: conflict-driven clause learning in which the rules of sudoku are implicit.

solver    the solver
run       a run of the search: its memory, its limits, and the clauses that block the solutions found so far
exchange  short clauses to and from searches of the same board in other threads
proof     checks the clauses of a run, slowly and independently
kernels   the compiled search
"""
