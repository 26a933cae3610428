"""Puzzles: generating and grading them, the steps by which people solve them, and explanations of unsolvable boards.

generate      generates puzzles with one solution
variants      the same on boards with constraints
rule_makers   draws random rules of every kind that a full board obeys
grade         grades the difficulty of a puzzle
hint          the next step that a person can take, and all steps to the solution
steps         the techniques of a person, with a module for each
explain       finds givens and constraints that leave no completion
optimum       the best known answer to a question of optimisation, with its bound
heaviest      a solution that maximises a weight for each candidate
fewest_clues  the fewest clues, within a pattern of cells, for a full board
smallest      the smallest set of givens that admits no completion
"""
