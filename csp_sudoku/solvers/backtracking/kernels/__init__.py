"""The compiled loops of the hand-written search.

state        the record of the search, and the tables of a geometry
propagation  removes values from the domains after an assignment, and restores them
ordering     the choice of the next cell or value to branch on
search       the search, depth-first on an explicit stack
"""
