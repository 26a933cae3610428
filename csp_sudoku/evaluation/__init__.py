"""The value of a position, and the quality of the turns of a game.

value         the evaluation of a position: its value, its best moves, and a line of best play
answer        the value of a position, by the search that suits it
confirmation  confirms the value at the end of a line by plain recursion
plain         the plain recursion, slow and independent of the searches
analyse       compares each turn of a recorded game with the best moves of its position
remarks       the faults of a turn, in words
advice        advice for a person: why a move loses, a safe move, the map
margins       the final lead of player 1 after each turn, if both play their best moves from there on
plot          the value of a game turn by turn, as a picture
"""
