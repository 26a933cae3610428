"""The solvers, behind one protocol: every answer is SOLVED, UNSOLVABLE or UNKNOWN, and carries its evidence.

base           the protocol of solvers, and the types of its arguments and results
loading        the time of compiling and loading, which no limit and no figure contains
registry       the table of solvers and presets, by name
questions      the questions of the public API, each one line over a solver
many           many boards in order, in this process or spread over worker processes
kernels        the inner loops, compiled
sliced         the common base of the compiled searches: runs that work slice by slice
borrowing      reuses the large records of finished searches
backtracking   the hand-written search as a solver, every heuristic an option
search_run     a run of it
learning       the learning search (clause learning with the rules of sudoku built in) as a solver
learning_run   a run of it
incremental    answers many questions about one board with one learning search
proof          checks the clauses of a learning search, slowly and independently
nine_run       a run of the bit-board search for plain 3×3 boards
exact_cover    Algorithm X on dancing links as a solver
cover_run      a run of it
cpsat          OR-Tools CP-SAT as a solver
cpsat_model    a board as a model of CP-SAT
cpsat_search   a call of CP-SAT in a thread of its own
matching       removes the candidates that perfect matchings rule out
parts          the independent parts of a board
portfolio      the solver `auto`: a bounded search, then the learning search, then CP-SAT
"""
