"""Constraints beyond regions, as data: the rules of variants of sudoku.

base          the base class of constraints
posting       the CP-SAT model to which constraints are added, with a literal for each candidate
bitmasks      masks of values, and sets of values by their sum
pairwise      relations of two cells each, from which many constraints are built
value_sets    cells whose set of values is one of some sets
totals        sums of cells, whose values may repeat
sequences     constraints that read their cells one after the other, as an automaton does
ordering      lines of cells compared as numbers
regions       different values in extra regions, and ranges in each 2×2 square
chess         cells a knight's or a king's move apart, or as many steps as their value
cages         killer cages, sums with coefficients, balances and counts
thermometers  lines that grow or repeat, and clones
neighbours    lines on which neighbours stand in a relation
sets          renban and nabner lines, and lines between bounds
sums          arrows, zippers, and other lines with equal or given sums
dots          marks between two cells, and rules about pairs without them
marks         marks on single cells and corners
indexing      cells whose value is the position of another value
outside       clues outside the board
generic       tables, automata, and combinations
shapes        marks: how constraints show on a board, as data
legend        what the rules of a board mean, and how they show
reduction     constraints that are regions, as regions of the geometry
derived       sums that follow from cages and regions
table         the table of all constraints

Every constraint of the table can be imported from here: `from csp_sudoku.constraints import AntiKnight, Killer`.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from csp_sudoku.constraints.table import CONSTRAINTS

    for kind in CONSTRAINTS.values():
        if kind.__name__ == name:
            return kind
    raise AttributeError(f"module 'csp_sudoku.constraints' has no attribute {name!r}")
