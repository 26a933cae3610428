"""The exact move map: the verdict, safe or bomb, on every legal move of a board.

move            a move, and the verdicts on a move
move_map        the map of every move of a board: safe, bomb or unknown
classification  `classify_moves`, and the table of engines
engines         the engines that make the map
tracker         updates the map of a game's board from turn to turn
explaining      explains why a move is safe or a bomb
bomb_extremes   the boards with the most and the fewest bombs
heat_map        draws a map as a picture
"""
