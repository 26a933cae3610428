"""The engines that make the exact move map.

search   the default: compiled searches that keep their results for later boards
cpsat    asks CP-SAT for solutions that cover the moves
listing  lists all completions of a small board, for the command line
naive    calls a solver for each move
rule     an earlier system's rule, which finds some of the bombs
kernels  the compiled loop of that rule; the other kernels belong to the solvers
"""
