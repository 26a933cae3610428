"""Competitive Sudoku: its rules, positions, referee and records. No player is run here.

rules         the points of completed regions, and the squares on which each side may play
outcome       the result of a turn
referee       whether a move leaves the board a completion
state         a position of the game, as an immutable value; `play` returns the next one
variant_part  the part of a record about blocks, extra regions and rules
record        a finished game as data and as JSON
reading       reads records from text
verification  replays a record by the rules, and names its errors
"""
