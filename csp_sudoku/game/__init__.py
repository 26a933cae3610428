"""Competitive Sudoku: its rules, positions, referee and records. No player is run here.

rules         what completed regions are worth, and on which squares each side may play
outcome       what came of a turn
referee       whether a move leaves the board a completion
state         a position of the game, as an immutable value; `play` returns the next one
record        a finished game as data and as JSON
reading       reads records from text
verification  replays a record by the rules, and names what is wrong in it
"""
