"""The solvers, behind one protocol: every answer is SOLVED, UNSOLVABLE or UNKNOWN, and carries its evidence.

base          the protocol of solvers, and the types of its arguments and results
registry      the table of solvers and presets, by name
function      a solver that calls a function of the caller
questions     the questions of the public API, each a short function that asks a solver
many          many boards in order, one after the other or in parallel
arrays        many boards as one array
parallel      work in threads or processes, with its results in order
race          searches of one hard board in parallel, each on an isomorph of it
isomorphs     boards that look different, with the same solutions
auto          the default solver: a bounded search, then the learning search, then CP-SAT
backtracking  the hand-written search, whose heuristics are options
nine          the bit-board search for plain 3×3 boards
learning      the learning search: clause learning with the rules of sudoku built in
cpsat         OR-Tools CP-SAT
exact_cover   Algorithm X on dancing links
incremental   answers many questions about one board with one learning search
sliced        the common base of the compiled searches: runs that work slice by slice
scratch       reuses the large records of finished searches
matching      removes the candidates that perfect matchings rule out
components    the independent components of a board
kernels       the compiled loops that several solvers call
"""
