"""Constraints beyond regions, as data: what variants of sudoku demand.

base          what a constraint is
posting       the CP-SAT model to which constraints are added
regions       different values in extra regions
chess         cells a knight's or a king's move apart, and more
cages         killer cages, sums with coefficients, counts
thermometers  growing and repeating lines
neighbours    lines on which neighbours stand in a relation
sets          lines with a set of values
sums          arrows, and other lines with sums
dots          marks between two cells, and the meaning of their absence
marks         marks on single cells and corners
outside       clues outside the board
indexing      cells that say where a value stands
generic       tables, automata, and combinations
table         the table of all constraints
"""
