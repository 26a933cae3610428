"""The compiled inner loops of the solvers and of the exact move maps, and the machinery that compiles every kernel.

The engines of `csp_sudoku.solvers` and `csp_sudoku.moves` call these kernels. `csp_sudoku.search` and
`csp_sudoku.neuroevolution` have kernels of their own, which are compiled by `compiled` too. The text of every file
below a folder `kernels` is part of the key of the cache of machine code: after an edit, all kernels are compiled again.

compiled     compilation: once per computer, cached on disk, reported and interruptible
bits         bit sets: population count and lowest bit
state        the record of the hand-written search, and the tables of a geometry
propagation  the removal of values from the domains after an assignment, and its undoing
ordering     the choice of the next cell or value to branch on in the hand-written search
search       the hand-written search, depth-first on an explicit stack
cover        Algorithm X on dancing links
matching     the candidates that lie on a perfect matching of a region or of a value
nine         the bit-board search for plain 3×3 boards
nine_moves   the exact move map of plain 3×3 boards, on the same bit boards
learning     the learning search (conflict-driven clause learning), and the move map by it
rule         an earlier system's rule that finds some of the bombs
"""
