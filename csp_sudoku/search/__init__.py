"""Game-tree search on games that know cells, regions and skips, but nothing about sudoku.

`filling.model` and `completions.game` turn a position into such a game, and map the moves of the game to moves of the
board.

filling      the filling game of a position, its values taken from one completion, and its exact search
endings      the values of all endings of a filling game
playouts     Monte Carlo tree search of a filling game
completions  the game on all completions of a board, searched exactly
slices       runs a search in slices, so that it checks its deadline often enough
free_memory  the amount of memory that a search may allocate
kernels      the compiled loops that several searches share
"""
