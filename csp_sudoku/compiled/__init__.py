"""The compilation of the kernels to machine code, and their common parts.

A kernel is a function that numba compiles: an inner loop of a solver, of a move map, or of a game-tree search. Kernels
stand in folders called `kernels`, each beside the engine that calls it. The text of every file in this package, and of
every file below a folder `kernels`, is part of the key of the cache of machine code: after an edit, all kernels are
compiled again.

compilation  compiles kernels once per computer, cached on disk, reported and interruptible
lean         imports numba; in our own commands, without scipy
loading      the time of compiling and loading, which all limits and figures exclude
bits         bit sets: population count and lowest bit
"""
