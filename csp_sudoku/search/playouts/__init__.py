"""Monte Carlo tree search of a filling game.

tree       the search, slice by slice
kept_tree  the part of a tree that is kept for the next turn
kernels    the compiled playouts
"""
