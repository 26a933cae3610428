"""The compiled loops of Monte Carlo tree search.

tallies   incremental counts: which cells complete a region or give one away
playouts  the tree, and the playouts from it
"""
