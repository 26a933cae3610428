"""Compatibility with the TU/e "Competitive Sudoku" framework: its two APIs, its agents, its solve_sudoku program.

Everything here is written from a description of the framework's visible behaviour. These modules load its agents:

sources       reads an agent's source files and their imports; it runs nothing
detection     determines which of the two APIs an agent's source expects
standins      installs the stand-ins of one API as the package competitive_sudoku
failing       describes the error of an agent with the file and the line where it was raised
loading       imports an agent's class SudokuAI from its folder
conversion    converts states and moves between this package and the framework
adapter       makes an agent of the framework from one of our agents

These modules stand in for the framework's own modules:

sudokuai      the base class of all agents
boards        the common parts of the boards, moves and states of both APIs
v12           the old API, versions 4 to 13
v14           the new API, version 14
execute       the framework's call of its referee, answered without a process

The program solve_sudoku starts once per turn, so it imports as little as it can:

solve_sudoku  the command line
board_text    the framework's text forms of a board
light_solver  a solver on Python's integers, quick to start
oracle        the referee's answers, word for word
"""
