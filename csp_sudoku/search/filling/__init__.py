"""The filling game: moves fill cells for points, or use up skips.

model      the filling game of a position, its values taken from one completion
pairing    removes pairs of skips that cancel each other out
deepening  iterative deepening of a filling game
kernels    the compiled game and its exact search
"""
