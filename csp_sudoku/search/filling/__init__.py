"""The filling game: moves fill cells for points, or use up skips.

model      the filling game of a position, its values taken from one completion
pairing    leaves out skips that cancel one another out
deepening  iterative deepening of a filling game
kernels    the compiled game and its exact search
"""
