"""The bit-board search for plain 3×3 boards. The solver `auto` and the move map call it.

run      one board as a run, slice by slice
direct   one board in a single call of the kernel
batch    many boards as arrays
kernels  the compiled search, and the move map by it
"""
