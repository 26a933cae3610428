"""The memory of the learning search: one record of fixed layout, like the state of the hand-written search.

A *variable* is a candidate, cell · 32 + value, values counted from zero. A *literal* is variable · 2, plus 1 if it
negates the candidate. The module `clauses` describes the storage of clauses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.solvers.backtracking.kernels.state import MAX_CELLS, MAX_REGIONS, WIDTH
from csp_sudoku.solvers.kernels.matching import MATCHING

MAX_VARIABLES = MAX_CELLS * WIDTH
MAX_CLAUSES = 60_000
ARENA = 6_000_000
WATCHES = 1_500_000
LOG = 1_000_000
MAIL = 1 << 16

# The reasons of literals. A reason below CELL is the variable of the value that excludes the literal.
DECISION = -1
CELL = 1 << 20  # the last candidate of its cell
PLACE = 1 << 21  # plus region: the last place of its value in a region
CLAUSE = 1 << 22  # plus clause, which is where its literals begin in the arena

MEMORY = np.dtype(
    [
        # Settings.
        ("conflict_limit", np.int64),  # -1 for none
        # Counters.
        ("decisions", np.int64),
        ("conflicts", np.int64),
        ("propagations", np.int64),
        ("restarts", np.int64),
        ("reductions", np.int64),
        ("memory_full", np.int64),
        # The domains, as in the hand-written search.
        ("candidates", np.uint32, (MAX_CELLS,)),
        ("places", np.uint32, (MAX_REGIONS, WIDTH)),
        ("filled", np.int64),  # cells with a value
        # The root: the domains that hold without any decision.
        ("root_candidates", np.uint32, (MAX_CELLS,)),
        ("root_places", np.uint32, (MAX_REGIONS, WIDTH)),
        # The assignment.
        ("truth", np.int8, (MAX_VARIABLES,)),  # 1, -1, or 0 while open
        ("level_of", np.int32, (MAX_VARIABLES,)),
        ("reason", np.int32, (MAX_VARIABLES,)),
        ("trail", np.int32, (MAX_VARIABLES,)),
        ("trail_end", np.int64),
        ("head", np.int64),  # the literals of the trail before this index are propagated
        ("level", np.int64),
        ("level_start", np.int32, (MAX_VARIABLES + 1,)),
        # The order of decisions: activities, a binary heap, and the phase last seen.
        ("activity", np.float64, (MAX_VARIABLES,)),
        ("step", np.float64),
        ("heap", np.int32, (MAX_VARIABLES,)),
        ("heap_place", np.int32, (MAX_VARIABLES,)),
        ("heap_size", np.int64),
        ("phase", np.int8, (MAX_VARIABLES,)),
        # The assumptions, in the order in which they are made before any decision; and the refuted subset.
        ("assumptions", np.int32, (MAX_CELLS,)),
        ("assumption_count", np.int64),
        ("core", np.int32, (MAX_CELLS,)),
        ("core_length", np.int64),
        # Clauses.
        ("clauses", np.int64),
        ("arena_end", np.int64),
        ("clause_at", np.int32, (MAX_CLAUSES + 1,)),
        ("arena", np.int32, (ARENA,)),
        ("watch_start", np.int32, (2 * MAX_VARIABLES,)),  # the list of each literal in `watches`, in pairs
        ("watch_size", np.int32, (2 * MAX_VARIABLES,)),
        ("watch_room", np.int32, (2 * MAX_VARIABLES,)),
        ("watch_end", np.int64),
        ("watches", np.int32, (2 * WATCHES,)),
        # Conflict analysis.
        ("conflict_kind", np.int64),  # CELL, PLACE, CLAUSE (plus number), or a variable for two values that clash
        ("conflict_variable", np.int64),
        ("seen", np.uint8, (MAX_VARIABLES,)),
        ("buffer", np.int32, (MAX_VARIABLES,)),
        ("learned", np.int32, (MAX_VARIABLES,)),
        ("learned_length", np.int64),
        ("to_clear", np.int32, (MAX_VARIABLES,)),
        ("to_clear_length", np.int64),
        ("stamp", np.int64),
        ("level_stamp", np.int64, (MAX_VARIABLES + 1,)),
        ("keys", np.float64, (MAX_CLAUSES + 1,)),
        # The log of learned clauses for a proof checker: each clause follows its length.
        ("is_logged", np.int64),  # -1 if there was no room
        ("log_end", np.int64),
        ("log", np.int32, (LOG,)),
        # Clauses to and from searches of the same board; see `sharing`.
        ("shared_glue", np.int64),  # clauses of at most this glue are shared; 0 for none
        ("outbox_end", np.int64),
        ("outbox", np.int32, (MAIL,)),
        ("inbox_end", np.int64),
        ("inbox", np.int32, (MAIL,)),
        # Modes, restarts, target phases.
        ("stable", np.int64),  # 1 in stable mode: few restarts, towards the target; else many, by glue
        ("mode_until", np.int64),  # conflicts
        ("mode_length", np.int64),
        ("stable_restarts", np.int64),
        ("restart_left", np.int64),
        ("target_size", np.int64),  # length of the longest trail without a conflict since the last rephasing
        ("target", np.int8, (MAX_VARIABLES,)),
        ("rephases", np.int64),
        ("next_rephase", np.int64),
        ("next_reduction", np.int64),
        ("fast_glue", np.float64),
        ("slow_glue", np.float64),
        # The root candidates that the matchings leave.
        ("matched", np.uint32, (MAX_CELLS,)),
        *MATCHING,
    ]
)

Memory = Any
"""A record of MEMORY, inside a kernel."""


def new_memory() -> np.ndarray:
    """Return an empty memory, as an array of one record."""
    return np.zeros(1, MEMORY)


def found_values(memory: Any, cells: int) -> bytes:
    """Return the values of the cells; every cell must have one."""
    return bytes(mask.bit_length() for mask in memory["candidates"][:cells].tolist())
