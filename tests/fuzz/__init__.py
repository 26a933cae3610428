"""A differential fuzzer: random cases of every kind; each engine is compared with a slow, obviously correct reference.

    python -m tests.fuzz --minutes 10        see --help

    __main__      the command
    runner        the kinds, the workers that run cases, the watchdog, the table at the end
    case          the errors of a check: Mismatch, or Spent when the reference has used up its budget; the memory limit
    boards        random boards, plain and variants, with their regions written out
    reference     completions, moves, singles and grids by the definition of sudoku, with a budget of nodes
    slow_game     a second implementation of the rules of Competitive Sudoku, with plain sets and lists

    solvers       kind: every solver and preset, counting, listing, `solve_many`, `Incremental`
    puzzles       kind: `explain`, `grade`, `generate`
    moves         kind: every engine of the move map, the tracker, `explain_move`
    notation      kind: every notation written, decoded by other means, and read back
    files         kind: damaged files of boards and games, within a memory limit
    games         kind: the state of the game, the referee, records and their verification
    values        kind: exact search values of small endings, against plain recursion
    framework     kind: `solve_sudoku`, the light solver, the stand-ins of both APIs and the conversion of states
    constraints   kind: constraints of every kind as models, propagation and move maps

    faults        not a kind of its own: planted faults, by which the tests check that the runner reports them

A case depends only on its kind and seed. The modules of the references use none of the product's tables.
"""
