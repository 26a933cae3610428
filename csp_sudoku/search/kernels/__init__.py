"""The compiled loops that several searches share.

climbing  alpha-beta without recursion for any game: frames, the transposition table, and how a search climbs
plies     what the games have in common at each ply: points, and the step to the next position
"""
