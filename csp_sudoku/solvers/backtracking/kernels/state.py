"""The state of the hand-written search, and the tables of a geometry, as records of fixed layout.

A kernel gets each record as one pointer, and all offsets are known when it is compiled. This made the search twenty
times faster than passing the arrays one by one. A search can be resumed at any node, because its whole state is in the
record.

Inside the kernels values count from zero, so that a value is a bit number; a *slot* is the position of a cell in
a region; a *code* is cell · 32 + value or region · 32 + value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from csp_sudoku.errors import ShapeError
from csp_sudoku.geometry import MAX_SIZE, Geometry

MAX_CELLS = MAX_SIZE * MAX_SIZE
MAX_REGIONS = 128
MAX_REGIONS_OF_CELL = 8
MAX_PEERS = 196
WIDTH = 32
"""Values and slots per row of a table: a power of two, and more than 25."""
MAX_EVENTS = 3 * MAX_CELLS * WIDTH

# Pruning, as flags: the bits of PRUNINGS in `solver`.
FORWARD, NAKED, HIDDEN, PAIRS, LOCKED = 1, 2, 4, 8, 16
# Orders, numbered as in VARIABLE_ORDERS and VALUE_ORDERS of `solver`.
STATIC, MRV, DEGREE, MRV_DEGREE, DOM_WDEG = range(5)
ASCENDING, RANDOM, LCV_COUNT, LCV_DOMAIN = range(4)
# The results of `search`.
EXHAUSTED, FOUND, SLICE_OVER, OUT_OF_NODES = range(4)
# Events of a trace.
ASSIGN, PRUNE, FAIL, BACKTRACK = range(4)

TABLES = np.dtype(
    [
        ("cells", np.int64),
        ("size", np.int64),
        ("regions", np.int64),
        ("region_cells", np.int16, (MAX_REGIONS, WIDTH)),
        ("region_count_of", np.int16, (MAX_CELLS,)),
        ("regions_of", np.int16, (MAX_CELLS, MAX_REGIONS_OF_CELL)),
        ("slots_of", np.int16, (MAX_CELLS, MAX_REGIONS_OF_CELL)),
        ("overlap", np.uint32, (MAX_REGIONS, MAX_REGIONS)),  # slots of the first region whose cells lie in the second
        ("peer_count_of", np.int16, (MAX_CELLS,)),
        ("peers", np.int16, (MAX_CELLS, MAX_PEERS)),
    ]
)

STATE = np.dtype(
    [
        # Options.
        ("variable_order", np.int64),
        ("value_order", np.int64),
        ("branch_on_places", np.int64),
        ("root_pruning", np.int64),
        ("node_pruning", np.int64),
        ("restart_unit", np.int64),  # unit in conflicts; 0 for never
        ("seed", np.uint64),
        ("node_limit", np.int64),  # -1 for none
        ("solution_limit", np.int64),
        ("tracing", np.int64),
        ("node_work", np.int64),  # work of a decision, in removals, so that slices stay short
        # Counters.
        ("nodes", np.int64),
        ("backtracks", np.int64),
        ("propagations", np.int64),
        ("solutions", np.int64),
        ("restarts", np.int64),
        ("restart_left", np.int64),
        # The domains, in two views kept in step.
        ("candidates", np.uint32, (MAX_CELLS,)),  # the values still possible in each cell
        ("places", np.uint32, (MAX_REGIONS, WIDTH)),  # the slots of each region still possible for each value
        ("value", np.int8, (MAX_CELLS,)),  # -1 while empty
        ("first", np.int8, (MAX_CELLS,)),  # the values of the first solution
        ("free_peers", np.int16, (MAX_CELLS,)),  # number of empty peers; kept only if the variable order needs it
        ("free_cells", np.int16, (MAX_REGIONS,)),  # number of empty cells of each region
        ("weight", np.float64, (MAX_REGIONS,)),  # number of conflicts blamed on each region, plus 1
        ("blame", np.int64),  # the region of the last conflict
        # The trail of removals, and the cells in the order in which they got their values.
        ("trail", np.int64),
        ("trail_cell", np.int16, (MAX_CELLS * MAX_SIZE + 1,)),
        ("trail_mask", np.uint32, (MAX_CELLS * MAX_SIZE + 1,)),
        ("assigned", np.int64),
        ("order", np.int16, (MAX_CELLS,)),
        # The queues of propagation.
        ("head", np.int64),
        ("tail", np.int64),
        ("queue", np.int32, (MAX_CELLS + MAX_REGIONS * WIDTH,)),  # codes of forced assignments
        ("pair_tail", np.int64),
        ("pair_queue", np.int16, (MAX_CELLS,)),  # cells with two candidates
        ("locked_tail", np.int64),
        ("locked_queue", np.int32, (MAX_REGIONS * WIDTH,)),  # codes of regions and values that have lost places
        ("in_locked_queue", np.uint8, (MAX_REGIONS, WIDTH)),
        # The stack of decisions.
        ("level", np.int64),
        ("climbing", np.int64),  # 1 if the next step is to undo a decision
        ("level_trail", np.int32, (MAX_CELLS + 1,)),
        ("level_order", np.int32, (MAX_CELLS + 1,)),
        ("choices", np.int32, (MAX_CELLS + 1, WIDTH)),
        ("choice_count", np.int32, (MAX_CELLS + 1,)),
        ("choice_next", np.int32, (MAX_CELLS + 1,)),
        ("scores", np.int64, (WIDTH,)),
        # The trace: kind, cell, value, level.
        ("event_count", np.int64),
        ("events", np.int32, (MAX_EVENTS, 4)),
    ]
)

Tables = Any
"""A record of TABLES, inside a kernel."""
State = Any
"""A record of STATE, inside a kernel."""


@lru_cache(maxsize=64)
def tables(geometry: Geometry) -> np.ndarray:
    """Return the tables of a geometry, which are cached, as an array of one record."""
    peers = geometry.peers
    if len(geometry.regions) > MAX_REGIONS or max(map(len, geometry.regions_of)) > MAX_REGIONS_OF_CELL:
        raise ShapeError(
            f"expected at most {MAX_REGIONS} regions, and {MAX_REGIONS_OF_CELL} of one cell; "
            f"found {len(geometry.regions)} and {max(map(len, geometry.regions_of))}"
        )
    record = np.zeros(1, TABLES)
    table = record[0]
    table["cells"], table["size"], table["regions"] = geometry.cell_count, geometry.size, len(geometry.regions)
    for number, region in enumerate(geometry.regions):
        table["region_cells"][number, : len(region)] = region
    for cell, numbers in enumerate(geometry.regions_of):
        table["region_count_of"][cell] = len(numbers)
        table["peer_count_of"][cell] = len(peers[cell])
        table["peers"][cell, : len(peers[cell])] = peers[cell]
        for k, number in enumerate(numbers):
            slot = geometry.regions[number].index(cell)
            table["regions_of"][cell, k] = number
            table["slots_of"][cell, k] = slot
            for other in numbers:
                table["overlap"][number, other] |= np.uint32(1 << slot)
    return record


def new_state() -> np.ndarray:
    """Return an empty state, as an array of one record; `begin` in `search` sets the position."""
    return np.zeros(1, STATE)
