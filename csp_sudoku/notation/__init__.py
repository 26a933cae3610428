"""The text forms of boards, both ways. `FORMATS` lists them; each has a module with a reader and a writer.

A text is recognised by its first line, or read as the notation that is named.

files        opens a file of boards, or standard input
text         what every reader reads from: clean lines, and the place that has been reached
grid         what a reader returns, and the checks that all readers share
symbols      how cells are written, as characters or as words
formats      the table of notations; read, write, parse, format
recognition  which notation a text is in
tue          the text form of the TU/e framework
properties   its newer key = value form
line         a puzzle per line, a character per cell
values       integers with white space or commas between them
drawing      a board as people draw it (the notation `grid`)
kaggle       a table with a column of puzzles (the notation `csv`)
objects      an object per board (the notation `json`)
elements     a stream of JSON, one object or list at a time
"""

from csp_sudoku.notation.files import opened
from csp_sudoku.notation.formats import FORMATS, Format, format_grid, parse, read, read_one, write
from csp_sudoku.notation.grid import Grid

__all__ = ["FORMATS", "Format", "Grid", "format_grid", "opened", "parse", "read", "read_one", "write"]
