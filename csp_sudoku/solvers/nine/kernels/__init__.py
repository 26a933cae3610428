"""The compiled loops on the bit boards of plain 3×3 boards.

search  the search for solutions
moves   the exact move map
"""
