"""The compiled loops of the game on a board with several completions.

completions  the game, and its exact search
mirroring    mirror images of a position on an empty board, which share one table entry
"""
