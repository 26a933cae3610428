"""The compiled loops of Monte Carlo tree search.

tallies   which cells complete a region or give one away, kept up to date
playouts  the tree, and the playouts from it
"""
