"""Every text form of boards, both ways; the forms are described in the modules of their readers.

`FORMATS` lists them. A text is recognised (see `csp_sudoku.notation.recognition`), or read as the one that is named.
"""

from csp_sudoku.notation.files import opened
from csp_sudoku.notation.formats import FORMATS, Format, format_grid, parse, read, read_one, write
from csp_sudoku.notation.grid import Grid

__all__ = ["FORMATS", "Format", "Grid", "format_grid", "opened", "parse", "read", "read_one", "write"]
