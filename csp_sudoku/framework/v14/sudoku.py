"""The stand-in for competitive_sudoku.sudoku of the new API.

`__all__` includes the names that agents use after `from competitive_sudoku.sudoku import *` without importing them.
"""

from __future__ import annotations

import copy
import io
import random
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple, Union  # noqa: UP035 - agents use these names

from csp_sudoku.framework.boards import Square
from csp_sudoku.framework.v14.state import (
    GameState,
    Move,
    SudokuBoard,
    SudokuSettings,
    TabooMove,
    allowed_squares,
    generate_random_tuples,
)
from csp_sudoku.framework.v14.text import (
    parse_game_state,
    parse_properties,
    parse_sudoku_board,
    pretty_print_game_state,
    pretty_print_sudoku_board,
    print_game_state,
    print_sudoku_board,
)

__all__ = [
    "Any", "Dict", "GameState", "Iterator", "List", "Move", "Optional", "Path", "Set", "Square", "SudokuBoard",
    "SudokuSettings", "TabooMove", "Tuple", "Union", "allowed_squares", "copy", "generate_random_tuples", "io",
    "parse_game_state", "parse_properties", "parse_sudoku_board", "pretty_print_game_state",
    "pretty_print_sudoku_board", "print_game_state", "print_sudoku_board", "random", "re",
]  # fmt: skip
