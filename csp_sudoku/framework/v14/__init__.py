"""Stand-ins of the framework's new API, version 14: a square is one argument, and there are play modes.

state   boards, moves and states
text    reads, writes and draws their text forms
sudoku  the module that agents import, with the names of the other two
"""
