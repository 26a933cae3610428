"""Puzzles: how they are made, how hard they are, how people solve them, and why some have no solution.

generate     puzzles with one solution
variants     the same on boards with constraints
rule_makers  rules of every kind that a full board obeys, drawn at random
grade        how hard a puzzle is
hint         the next step that a person can take, and all steps to the solution
steps        the techniques of a person, with a module for each
explain      which givens and constraints leave no completion
smallest     the smallest set of givens that admits no completion
"""
