"""The compiled loops that several searches share.

climbing  alpha-beta without recursion for any game: the frames, the transposition table, and the search loop
plies     the steps that the games share at each ply: points, and the next position
"""
