"""The bit-board search for plain 3×3 boards. The solver `auto` and the move map call it.

run      one board as a run, or many boards in one batch
kernels  the compiled search, and the move map by it
"""
