"""The table of the techniques, in order of difficulty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from csp_sudoku.puzzles.steps.colouring import SIMPLE_COLOURING, simple_colouring
from csp_sudoku.puzzles.steps.fish import X_WING, x_wings
from csp_sudoku.puzzles.steps.locked import LOCKED_CANDIDATES, locked_candidates
from csp_sudoku.puzzles.steps.marks import PencilMarks
from csp_sudoku.puzzles.steps.singles import HIDDEN_SINGLE, NAKED_SINGLE, hidden_singles, naked_singles
from csp_sudoku.puzzles.steps.step import Step
from csp_sudoku.puzzles.steps.subsets import hidden_subsets, naked_subsets
from csp_sudoku.puzzles.steps.trial import TRIAL, trials
from csp_sudoku.puzzles.steps.wings import XY_WING, xy_wings


class Technique(NamedTuple):
    """A technique."""

    name: str
    """The name, as in `Step.technique`."""
    find: Callable[[PencilMarks], Iterator[Step]]
    """A function that yields all steps of the technique on the marks, and does not change the marks."""


TECHNIQUES = (
    Technique(NAKED_SINGLE, naked_singles),
    Technique(HIDDEN_SINGLE, hidden_singles),
    Technique(LOCKED_CANDIDATES, locked_candidates),
    Technique("naked pair", partial(naked_subsets, count=2)),
    Technique("hidden pair", partial(hidden_subsets, count=2)),
    Technique("naked triple", partial(naked_subsets, count=3)),
    Technique("hidden triple", partial(hidden_subsets, count=3)),
    Technique(X_WING, x_wings),
    Technique(XY_WING, xy_wings),
    Technique(SIMPLE_COLOURING, simple_colouring),
    Technique(TRIAL, trials),
)
"""The techniques, from the easiest one. The last one, trial, always finds a step unless the board is full."""
