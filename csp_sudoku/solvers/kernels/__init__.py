"""The compiled inner loops of the solvers and of the exact move maps, and what every compiled kernel is built with.

The engines of `csp_sudoku.solvers` and `csp_sudoku.moves` call these kernels. `csp_sudoku.search` and
`csp_sudoku.neuroevolution` have kernels of their own, which are compiled by `compiled` too. The text of every file
below a folder `kernels` is part of the key of the cache of machine code: after an edit, all kernels are compiled again.

compiled     compiling: once per computer, cached on disk, aloud and interruptible
bits         bit sets: population count and lowest bit
state        the record of the hand-written search, and the tables of a geometry
propagation  what an assignment removes from the domains, and how that is undone
ordering     which cell or value the hand-written search branches on next
search       the hand-written search, depth-first on an explicit stack
cover        Algorithm X on dancing links
matching     which candidates lie on a perfect matching of a region or of a value
nine         the bit-board search for plain 3×3 boards
nine_moves   the exact move map of plain 3×3 boards, on the same bit boards
learning     the learning search (conflict-driven clause learning), and the move map by it
rule         an earlier system's rule that finds some of the bombs
"""
