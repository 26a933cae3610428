"""The compiled game-tree searches on cells, regions and skips; they know no sudoku.

climbing     alpha-beta without recursion for any game: frames, the transposition table, and how a search climbs
plies        what the games have in common at each ply: points, and the step to the next position
filling      the filling game, and its exact search
endings      every ending of a filling game, valued from the last cell backwards
tallies      which cells complete a region or give one away, kept up to date
playouts     Monte Carlo tree search of a filling game
completions  the game on a board with several completions, and its exact search
mirroring    mirror images of a position on an empty board, so that one table entry serves all of them
"""
