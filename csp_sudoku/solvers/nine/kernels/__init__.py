"""The compiled loops on the bit boards of plain 3×3 boards.

digits  the bit boards, and the propagation on them
search  the search for solutions
moves   the exact move map
"""
