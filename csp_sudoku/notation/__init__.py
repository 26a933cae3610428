"""The text forms of boards, for reading and writing.

`FORMATS` lists the notations of plain boards, and `VARIANT_FORMATS` those of boards with rules. Each has a module with
a reader and a writer. A text is read in the notation that the caller names; without a name, the notation is recognised
from the first lines.

files        opens a file of boards, or standard input
text         the input of every reader: clean lines, and the current position
grid         the result of a reader, and the checks that all readers share
symbols      the characters and words for cells
formats      the table of notations; read, write, parse, format
recognition  recognises the notation of a text
tue          the text form of the TU/e framework
properties   the newer key = value form of that framework
line         a puzzle per line, a character per cell
values       integers with white space or commas between them
drawing      a board as people draw it (the notation `grid`)
candidates   the same with the candidates of each cell, as `show --candidates` draws it
kaggle       a table with a column of puzzles (the notation `csv`)
objects      an object per board (the notation `json`)
tables       a board given as lists, an array or a data frame instead of text
elements     a stream of JSON, one object or list at a time
strict_json  JSON whose objects have no repeated keys
variants     boards with rules: our own text form, and the forms of f-puzzles
line_arrays  plain lines as arrays, thousands at a time
arrays       boards as numpy arrays, and files of them (`.npy`)
"""

from csp_sudoku.notation.files import opened
from csp_sudoku.notation.formats import (
    FORMATS,
    VARIANT_FORMATS,
    Format,
    format_grid,
    format_names,
    parse,
    parse_object,
    read,
    read_on,
    read_one,
    write,
)
from csp_sudoku.notation.grid import Details, Grid
from csp_sudoku.notation.tables import grid_of, values_of

__all__ = [
    "FORMATS",
    "VARIANT_FORMATS",
    "Details",
    "Format",
    "Grid",
    "format_grid",
    "format_names",
    "grid_of",
    "opened",
    "parse",
    "parse_object",
    "read",
    "read_on",
    "read_one",
    "values_of",
    "write",
]
