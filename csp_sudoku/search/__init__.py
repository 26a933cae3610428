"""Game-tree search: what a position is worth, and how the champion thinks.

The kernels and the searches that call them know cells, regions and skips, and no sudoku. `model` and `completion_game`
make such games of a position, and say which moves of the board their moves stand for. The games and their searches:

model            the filling game of a position, its values taken from one completion
pairing          leaves out skips that cancel one another out
kernels          the searches, compiled
slices           searching in slices, so that deadlines are seen
deepening        iterative deepening of a filling game
endings          all endings of a filling game, valued
endgame          the end of a game within a turn, by all its endings or some of them
playouts         Monte Carlo tree search of a filling game
kept_tree        a tree of playouts that is kept for the next turn
completion_game  the game on all completions of a board, searched exactly

How the champion thinks:

thinking         one turn: a safe move at once, the map, then these searches within the time
quick            what takes no search: a safe move, and whether a search is worth its time
turns            several searches that take turns
book             openings on 2×2
free_memory      how much memory may be taken

What a position is worth:

evaluation       a position, evaluated: its value, its best moves, a line of play
answer           that value, by the search that suits the position
confirmation     confirms the value at the end of a line by plain recursion
plain            that recursion, slow and independent of the searches
analysis         a recorded game, turn by turn, beside the best that there was to do
value_plot       the value of a game turn by turn, as a picture
"""
