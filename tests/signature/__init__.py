"""The signature: one number per layer, which proves that a refactoring changed nothing.

Every solver, every engine of the move map, every search of the game and every player does the same fixed work, on fixed
boards, within fixed budgets of nodes. Their answers and their work are written as lines, one per item, and the lines of
a layer are hashed. Two versions of the code with the same digests do the same.

    clock      a clock that advances by a tick per reading, and a fixed amount of memory, by which players plan
    positions  the fixed boards and positions, of every shape from 2×2 to 5×5
    digest     writes answers as lines, and hashes lines
    solving    the layer of the solvers, and of grading, generating and explaining
    moves      the layer of the move map: its engines, the tracker, the explanation of a move
    search     the layer of the searches of the game, and of the values that they compute
    players    the layer of the players, ours and the framework's
    expected   the digests in `expected.txt`, with a log of their changes
    __main__   the command: python -m tests.signature --help

The command replaces the clock before it imports `csp_sudoku`, so it has a process of its own; the test runs it in one.
"""

LAYERS = ("solving", "moves", "search", "players")
"""The layers, each a module with a function `lines`."""
