"""Compatibility with the TU/e "Competitive Sudoku" framework: its two APIs, its agents, its solve_sudoku program.

Everything here is written from a description of what the framework's users see. An agent of the framework, loaded:

sources       an agent's source files, and what they import; nothing is run
detection     which of the two APIs an agent's source expects
standins      puts the stand-ins of one API in the place of the package competitive_sudoku
loading       imports an agent's class SudokuAI from its folder
conversion    our states as the framework's, and an agent's proposals as our moves
adapter       one of our agents as an agent of the framework

The stand-ins for the framework's own modules:

sudokuai      the base class of all agents
boards        what the boards, moves and states of both APIs share
v12           the old API, versions 4 to 13
v14           the new API, version 14
execute       the framework's call of its referee, answered without a process

The program solve_sudoku, which starts once per turn and so imports as little as it can:

solve_sudoku  the command line
board_text    the framework's text forms of a board
light_solver  a solver on Python's integers, quick to start
oracle        the referee's answers, word for word
"""
