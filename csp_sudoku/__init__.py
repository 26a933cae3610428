"""csp_sudoku: exact constraint solving for sudoku from 4×4 to 25×25, and the game of Competitive Sudoku.

This module is the public API. A name loads its module when it is first used, so that importing the package is cheap.
ARCHITECTURE.md, in the repository, describes how the parts work together. In reading order:

errors          every exception, and the form of their messages
coordinates     how text for people names cells and moves
geometry        shapes, cells, regions and peers, as tables
notebook        drawings of our values for notebooks
atomic_file     a file that is written completely or not at all
notation        the text forms of boards, for reading and writing
candidates      candidate masks, and whether a completion fits a board
constraints     the rules of variants beyond regions, as data
board           an immutable board
compiled        the compilation of the inner loops, and their common parts
solvers         the solvers behind one protocol, a folder for each
puzzles         generating and grading puzzles, hints and steps for people, and why a board has no solution
moves           the exact map of moves: which are safe, which are bombs, and why
open_model      a board as a CP-SAT model that takes any further constraint
game            the rules of Competitive Sudoku, its referee and its records
drawing         boards, maps, positions and explanations as SVG
search          game-tree search on games of cells, regions and skips
evaluation      the value of a position, and of the turns of a game
agent           the base class of our players: a generator of better and better moves
turn            one turn of an agent, with its memory
framework       the two APIs of the TU/e framework, and its solve_sudoku program
players         naming and loading players, ours or the framework's
sandbox         one untrusted player in processes of its own, under a clock
arena           many games: matches, tournaments, ratings, and the store of games
pages           HTML pages in one file: a game to step through
environment     the game as an environment for learning, after PettingZoo
neuroevolution  networks that choose a cell, evolved by NEAT
warm_up         compiling ahead of time for solvers and players
web             the page of `csp-sudoku serve`
cli             the command csp-sudoku
__main__        `python -m csp_sudoku`, the same command
agents          the players that come with this package, from `agents/`
benchmarks      the benchmarks, from `benchmarks/`
boards          the boards that come with this package, from `boards/`
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from csp_sudoku.board import Board, load, load_many
    from csp_sudoku.errors import (
        ClashError,
        ConstraintError,
        KeywordError,
        MoveError,
        NotationError,
        OptionError,
        ShapeError,
        SudokuError,
        UndecidedError,
        UnsolvableError,
    )
    from csp_sudoku.geometry import Geometry
    from csp_sudoku.moves.classification import classify_moves
    from csp_sudoku.moves.explaining import MoveExplanation, explain_move
    from csp_sudoku.moves.move import Move, Verdict
    from csp_sudoku.moves.move_map import MoveMap
    from csp_sudoku.moves.tracker import MoveTracker
    from csp_sudoku.open_model import CpModel
    from csp_sudoku.puzzles.explain import Explanation, explain
    from csp_sudoku.puzzles.generate import generate
    from csp_sudoku.puzzles.grade import Grade, grade
    from csp_sudoku.puzzles.hint import hint
    from csp_sudoku.puzzles.steps.step import Step
    from csp_sudoku.solvers.arrays import ArrayResult, solve_array
    from csp_sudoku.solvers.base import Limits, Result, Solver, Stats, Status
    from csp_sudoku.solvers.many import solve_many
    from csp_sudoku.solvers.questions import count_solutions, is_solvable, is_unique, solutions, solve
    from csp_sudoku.solvers.registry import get_solver

__version__ = "0.1.0"

__all__ = [
    "ArrayResult",
    "Board",
    "ClashError",
    "ConstraintError",
    "CpModel",
    "Explanation",
    "Geometry",
    "Grade",
    "KeywordError",
    "Limits",
    "Move",
    "MoveError",
    "MoveExplanation",
    "MoveMap",
    "MoveTracker",
    "NotationError",
    "OptionError",
    "Result",
    "ShapeError",
    "Solver",
    "Stats",
    "Status",
    "Step",
    "SudokuError",
    "UndecidedError",
    "UnsolvableError",
    "Verdict",
    "classify_moves",
    "count_solutions",
    "explain",
    "explain_move",
    "generate",
    "get_solver",
    "grade",
    "hint",
    "is_solvable",
    "is_unique",
    "load",
    "load_many",
    "solutions",
    "solve",
    "solve_array",
    "solve_many",
]

_HOMES = {
    "csp_sudoku.board": ("Board", "load", "load_many"),
    "csp_sudoku.errors": (
        "ClashError", "ConstraintError", "KeywordError", "MoveError", "NotationError", "OptionError", "ShapeError",
        "SudokuError", "UndecidedError", "UnsolvableError",
    ),
    "csp_sudoku.puzzles.explain": ("Explanation", "explain"),
    "csp_sudoku.puzzles.generate": ("generate",),
    "csp_sudoku.puzzles.grade": ("Grade", "grade"),
    "csp_sudoku.puzzles.hint": ("hint",),
    "csp_sudoku.puzzles.steps.step": ("Step",),
    "csp_sudoku.geometry": ("Geometry",),
    "csp_sudoku.moves.classification": ("classify_moves",),
    "csp_sudoku.moves.explaining": ("MoveExplanation", "explain_move"),
    "csp_sudoku.moves.move": ("Move", "Verdict"),
    "csp_sudoku.moves.move_map": ("MoveMap",),
    "csp_sudoku.moves.tracker": ("MoveTracker",),
    "csp_sudoku.solvers.arrays": ("ArrayResult", "solve_array"),
    "csp_sudoku.open_model": ("CpModel",),
    "csp_sudoku.solvers.base": ("Limits", "Result", "Solver", "Stats", "Status"),
    "csp_sudoku.solvers.many": ("solve_many",),
    "csp_sudoku.solvers.questions": ("count_solutions", "is_solvable", "is_unique", "solutions", "solve"),
    "csp_sudoku.solvers.registry": ("get_solver",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(module), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'csp_sudoku' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
