"""The signature: one number per layer, which proves that a refactoring changed nothing.

The same fixed work is done by every solver, every engine of the move map, every search of the game and every player:
on fixed boards, within fixed budgets of nodes. What they answer and what it took them is written as lines, one per
item, and the lines of a layer are hashed. Two versions of the code with the same digests do the same.

    clock      a clock that moves by a tick per look, and a fixed amount of memory: what players plan by
    positions  the fixed boards and positions, of every shape from 2×2 to 5×5
    digest     how answers are written as lines, and lines hashed
    solving    the layer of the solvers, and of grading, generating and explaining
    moves      the layer of the move map: its engines, the tracker, the explanation of a move
    search     the layer of the searches of the game, and of the values that come of them
    players    the layer of the players, ours and the framework's
    expected   the digests in `expected.txt`, with a log of their changes
    __main__   the command: python -m tests.signature --help

The command replaces the clock before it imports `csp_sudoku`, so it has a process of its own; the test runs it in one.
"""

LAYERS = ("solving", "moves", "search", "players")
"""The layers, each a module with a function `lines`."""
