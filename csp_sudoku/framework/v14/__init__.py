"""Stand-ins of the framework's new API, version 14: a square is one argument, and play modes limit who plays where.

state   boards, moves and states
text    their text forms, both ways
sudoku  the module that agents import, with the names of the other two
"""
