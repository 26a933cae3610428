"""Compatibility with the TU/e "Competitive Sudoku" framework: its two APIs, its agents, its solve_sudoku binary.

    solve_sudoku          the command: a drop-in for the framework's referee binary
    board_text, light_solver, oracle     what it is made of; light, for its start-up is what counts
    v12, v14              stand-ins for competitive_sudoku.sudoku, of the old and of the new API
    boards, sudokuai, execute            what both APIs share
    standins              puts one of the two in place of the package competitive_sudoku
    detection, loading    which API an agent's folder expects; its class SudokuAI
    conversion            states of the game to those that agents get, and back; what they propose to plain moves
    adapter               an agent of ours as one of the framework's

Everything here is written from a description of what the framework's users see.
"""
