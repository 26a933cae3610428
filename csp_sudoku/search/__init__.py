"""Game-tree search: the value of a position, and the champion's thinking.

The kernels and the searches that call them know cells, regions and skips, but nothing about sudoku. `model` and
`completion_game` turn a position into such a game, and map the moves of the game to moves of the board. The games and
their searches:

model            the filling game of a position, its values taken from one completion
pairing          leaves out skips that cancel one another out
kernels          the searches, compiled
slices           searching in slices, so that a search checks its deadline often enough
deepening        iterative deepening of a filling game
endings          the values of all endings of a filling game
endgame          solves the end of a game within a turn, by all its endings or by some of them
playouts         Monte Carlo tree search of a filling game
kept_tree        a tree of playouts that is kept for the next turn
completion_game  the game on all completions of a board, searched exactly

The champion's thinking:

thinking         one turn: a safe move at once, the map, then these searches within the time
quick            decisions without search: a safe move, and whether a search is worth its time
turns            shares the time among several searches
book             openings on 2×2
free_memory      the amount of memory that a search may allocate

The value of a position:

evaluation       a position, evaluated: its value, its best moves, a line of play
answer           that value, by the search that suits the position
confirmation     confirms the value at the end of a line by plain recursion
plain            that recursion, slow and independent of the searches
analysis         compares each turn of a recorded game with the best moves of its position
value_plot       the value of a game turn by turn, as a picture
"""
