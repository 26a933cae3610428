"""Monte Carlo tree search of a filling game.

tree       the search, slice by slice
kept_tree  a tree of playouts that is kept for the next turn
kernels    the compiled playouts
"""
