"""The hand-written search: depth-first with an explicit stack, resumable at any node. Its heuristics are options."""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.solvers.backtracking.kernels.ordering import choose
from csp_sudoku.solvers.backtracking.kernels.propagation import assign, drop_work, propagate, tell, undo_to
from csp_sudoku.solvers.backtracking.kernels.state import (
    BACKTRACK,
    EXHAUSTED,
    FAIL,
    FOUND,
    MAX_EVENTS,
    OUT_OF_NODES,
    SLICE_OVER,
    State,
    Tables,
)

ONE = np.uint64(1)


@part
def luby(i: int) -> int:
    """Return the i-th term, from 1, of Luby's restart sequence 1, 1, 2, 1, 1, 2, 4, …"""
    while True:
        power = 1
        while power * 2 - 1 < i:
            power *= 2
        if power * 2 - 1 == i:
            return power
        i -= power - 1


@part
def load(g: Tables, s: State, cells: np.ndarray) -> bool:
    """Set the position and propagate it; false if that alone shows that there is no solution."""
    full = np.uint32((1 << g.size) - 1)
    for cell in range(g.cells):
        s.candidates[cell] = full
        s.value[cell] = -1
        s.free_peers[cell] = g.peer_count_of[cell]
    for r in range(g.regions):
        s.free_cells[r] = g.size
        s.weight[r] = 1.0
        for value in range(g.size):
            s.places[r, value] = full
            s.in_locked_queue[r, value] = 0
    s.nodes = s.backtracks = s.propagations = s.solutions = s.restarts = 0
    s.trail = s.assigned = s.level = s.climbing = s.blame = s.event_count = 0
    s.head = s.tail = s.pair_tail = s.locked_tail = 0
    s.restart_left = s.restart_unit
    pruning = s.root_pruning
    tracing = s.tracing
    s.tracing = 0
    fine = True
    for cell in range(g.cells):
        given: Any = np.int64(cells[cell]) - 1
        if fine and given >= 0:
            fine = (s.candidates[cell] >> np.uint64(given)) & ONE and assign(g, s, cell, given, pruning)
    s.tracing = tracing
    return fine and propagate(g, s, pruning)


@part
def backtrack(g: Tables, s: State) -> bool:
    """Backtrack to the last decision with an untried choice, and undo it; return false if there is none."""
    while s.level > 0:
        level = s.level - 1
        undo_to(g, s, s.level_trail[level], s.level_order[level])
        s.backtracks += 1
        if s.tracing:
            code = s.choices[level, s.choice_next[level] - 1]
            tell(s, BACKTRACK, code >> 5, code & 31)
        s.level = level
        if s.choice_next[level] < s.choice_count[level]:
            return True
    return False


@part
def needs_node(g: Tables, s: State) -> bool:
    """Return whether the next step is a choice, rather than the end of the search or a solution to be counted."""
    if not s.climbing:
        return bool(s.assigned < g.cells)
    for level in range(s.level):  # noqa: SIM110 - what is compiled has no generators
        if s.choice_next[level] < s.choice_count[level]:
            return True
    return False


@part
def try_next(g: Tables, s: State) -> bool:
    """Try the next choice of this level one level deeper; return false on a conflict."""
    level = s.level
    code = s.choices[level, s.choice_next[level]]
    s.choice_next[level] += 1
    s.level = level + 1
    s.nodes += 1
    pruning = s.node_pruning
    if assign(g, s, code >> 5, code & 31, pruning) and propagate(g, s, pruning):
        return True
    drop_work(s)
    s.weight[s.blame] += 1.0
    if s.tracing:
        tell(s, FAIL, code >> 5, code & 31)
    return False


@part
def descend(g: Tables, s: State) -> bool:
    """Make a new decision at this level; return false at a dead end."""
    level = s.level
    count = choose(g, s)
    s.level_trail[level] = s.trail
    s.level_order[level] = s.assigned
    s.choice_count[level] = count
    s.choice_next[level] = 0
    return count > 0


@part
def restarted(g: Tables, s: State) -> bool:
    """After a conflict: count it, and return to the root if the conflict budget before the next restart is used up."""
    s.restart_left -= 1
    if s.restart_left > 0:
        return False
    s.restarts += 1
    s.restart_left = s.restart_unit * luby(s.restarts + 1)
    undo_to(g, s, s.level_trail[0], s.level_order[0])
    s.level = 0
    return True


@kernel
def begin(tables: np.ndarray, states: np.ndarray, cells: np.ndarray) -> bool:
    """Set the position and propagate it; false if that alone shows that there is no solution."""
    return load(tables[0], states[0], cells)


@kernel
def search(tables: np.ndarray, states: np.ndarray, slice_work: int) -> int:
    """Search for about `slice_work` removed candidates; return FOUND, EXHAUSTED, SLICE_OVER or OUT_OF_NODES.

    The next call continues after SLICE_OVER, and searches the next solution after FOUND. With a `solution_limit` above
    1 the search counts solutions up to the limit before it returns FOUND. It restarts only before the first solution,
    so it counts none twice.
    """
    g, s = tables[0], states[0]
    end = s.propagations + s.nodes * s.node_work + slice_work
    room = MAX_EVENTS - 4 * g.cells - g.cells * g.size
    while s.propagations + s.nodes * s.node_work < end and not (s.tracing and s.event_count > room):
        if s.node_limit >= 0 and s.nodes >= s.node_limit and needs_node(g, s):
            return OUT_OF_NODES
        if s.climbing:
            if not backtrack(g, s):
                return EXHAUSTED
            s.climbing = not try_next(g, s)
        elif s.assigned == g.cells:
            s.climbing = 1
            s.solutions += 1
            if s.solutions == 1:
                for cell in range(g.cells):
                    s.first[cell] = s.value[cell]
            if s.solutions >= s.solution_limit:
                return FOUND
            continue
        elif descend(g, s):
            s.climbing = not try_next(g, s)
        else:
            s.climbing = 1
        if s.climbing and s.restart_unit and s.solutions == 0 and s.level > 0 and restarted(g, s):
            s.climbing = 0
    return SLICE_OVER
