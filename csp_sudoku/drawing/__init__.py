"""Drawings of boards as SVG: one renderer for notebooks, files and pages, in plain Python.

`svg(value)` draws a board, a move map, a result, a position, a record or an explanation. A drawing needs no font, no
script and no other file, is light or dark as its reader prefers, and is the same text on every machine.

elements         elements as text: escaped, and with rounded numbers
palette          the colours in light and dark, and the style sheet
outline          polygons around sets of cells
layout           where cells, candidates, coordinates and captions stand
board_layer      grounds, grid, borders, values and coordinates
candidate_layer  candidates by their verdict, taboo crosses, and the heat of cells
game_layer       last move, completed regions, filled and open squares
marks            draws the marks of variants, which `csp_sudoku.constraints.shapes` has
picture          what is to be seen of a board, and its drawing from the layers
subjects         what a picture shows of each kind of object
live             a drawing that the script of a page fills in
"""

from csp_sudoku.drawing.subjects import svg

__all__ = ["svg"]
