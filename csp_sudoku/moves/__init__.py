"""The exact move map: which legal moves of a board are safe, and which are bombs.

move            a move, and what can be known of one
move_map        the map of every move of a board: safe, bomb or unknown
classification  `classify_moves`, and the table of engines
searching       the default engine: compiled searches that keep what they find out
covering        an engine that asks CP-SAT for solutions that cover the moves
naive           an engine that asks a solver about each move
rule            an earlier system's rule, which finds some of the bombs
tracker         the map of a game's board, carried from turn to turn
explaining      why a move is safe or a bomb
smallest        the smallest set of givens that admits no completion
heat_map        a map as a picture
"""
