"""Endings: every set of empty cells and live skips near the end of a filling game, with its value.

table    the values of all endings, computed slice by slice, which the search of the game looks up
endgame  solves the end of a game within a turn, by the values of all its endings or of some
kernels  the compiled valuation
"""
