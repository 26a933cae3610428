"""Stand-ins of the framework's old API, versions 4 to 13, where a square is written (i, j).

sudoku  boards, moves, states, and their text form
"""
