"""Puzzles: how they are made, how hard they are, and why some have no solution.

generate  puzzles with one solution
variants  the same on boards with constraints
grade     how hard a puzzle is
explain   which givens and constraints leave no completion
smallest  the smallest set of givens that admits no completion
"""
