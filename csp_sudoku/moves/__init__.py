"""The exact move map: which legal moves of a board are safe, and which are bombs.

move            a move, and the verdicts on a move
move_map        the map of every move of a board: safe, bomb or unknown
classification  `classify_moves`, and the table of engines
searching       the default engine: compiled searches that keep their results for later boards
covering        an engine that asks CP-SAT for solutions that cover the moves
naive           an engine that calls a solver for each move
rule            an earlier system's rule, which finds some of the bombs
tracker         the map of a game's board, carried from turn to turn
explaining      explains why a move is safe or a bomb
smallest        finds the smallest set of givens that admits no completion
heat_map        draws a map as a picture
"""
