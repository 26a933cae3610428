"""The learning search: decide, propagate, learn, backjump; modes, restarts, and the deletion of clauses.

The search alternates between two modes, each period twice as long as the last. In focused mode it restarts as soon as
its learned clauses have more glue than usual. In stable mode it rarely restarts, and its decisions follow the longest
assignment without a conflict so far. Hard 25×25 boards are solved in stable mode as a rule, but only after focused mode
has found short clauses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.solvers.backtracking.kernels.search import luby
from csp_sudoku.solvers.backtracking.kernels.state import EXHAUSTED, FOUND, OUT_OF_NODES, SLICE_OVER, Tables
from csp_sudoku.solvers.kernels.matching import match_all
from csp_sudoku.solvers.learning.kernels.analysis import analyse, find_core, glue_of_learned
from csp_sudoku.solvers.learning.kernels.clauses import REDUCTION, forget_watches, is_full, reduce, store
from csp_sudoku.solvers.learning.kernels.memory import CLAUSE, DECISION, LOG, Memory
from csp_sudoku.solvers.learning.kernels.propagation import enqueue, heap_insert, heap_pop, propagate, undo_to, value_of
from csp_sudoku.solvers.learning.kernels.sharing import receive, share

ONE = np.uint64(1)
DECAY = 0.92
REFUTED = 20
"""Returned by `search` when the assumptions admit no solution."""

MODE_LENGTH = 300
STABLE_RESTART = 1024
FOCUSED_RESTART = 2
GLUE_MARGIN = 1.1
REPHASE = 1000


@part
def set_root(g: Tables, s: Memory) -> None:
    """Save the domains that hold without any decision; explanations omit candidates that the root excludes."""
    for cell in range(g.cells):
        s.root_candidates[cell] = s.candidates[cell]
    for r in range(g.regions):
        for value in range(g.size):
            s.root_places[r, value] = s.places[r, value]


@part
def clear(g: Tables, s: Memory) -> None:
    """Discard the last board and the clauses learned from it."""
    full = np.uint32((1 << g.size) - 1)
    s.decisions = s.conflicts = s.propagations = s.restarts = s.reductions = 0
    s.filled = s.trail_end = s.head = s.level = s.heap_size = s.clauses = s.arena_end = 0
    s.stable = s.stable_restarts = s.rephases = s.target_size = s.memory_full = 0
    s.step = 1.0
    s.mode_until = s.mode_length = MODE_LENGTH
    s.restart_left = FOCUSED_RESTART
    s.next_rephase = REPHASE
    s.next_reduction = REDUCTION
    s.fast_glue = s.slow_glue = 0.0
    s.assumption_count = s.core_length = s.is_logged = s.log_end = 0
    s.shared_glue = s.outbox_end = s.inbox_end = 0
    forget_watches(g, s)
    for r in range(g.regions):
        for value in range(g.size):
            s.places[r, value] = full
    for cell in range(g.cells):
        s.candidates[cell] = full
        for variable in range(cell * 32, cell * 32 + g.size):
            s.truth[variable] = 0
            s.activity[variable] = 0.0
            s.phase[variable] = 1
            s.target[variable] = 0
            s.seen[variable] = 0
            s.heap_place[variable] = -1


@part
def exclude_at_root(g: Tables, s: Memory, masks: Any) -> bool:
    """At the root: exclude every open candidate that is not in its cell's mask; return false on a conflict."""
    for cell in range(g.cells):
        rest = s.candidates[cell] & ~masks[cell]
        while rest:
            variable: Any = cell * 32 + lowest(rest)
            rest &= rest - ONE
            if s.truth[variable] > 0:
                return False
            if s.truth[variable] == 0:
                enqueue(g, s, variable * 2 + 1, DECISION)
    return propagate(g, s)


@part
def place_at_root(g: Tables, s: Memory, cell: int, value: int) -> bool:
    """At the root: place a value and propagate; return false on a conflict."""
    variable: Any = cell * 32 + value
    if s.truth[variable] < 0:
        return False
    if s.truth[variable] == 0:
        enqueue(g, s, variable * 2, DECISION)
    return propagate(g, s)


@part
def match_root(g: Tables, s: Memory) -> bool:
    """At the root: exclude candidates on no perfect matching and propagate, to a fixpoint; false on a conflict."""
    while s.filled < g.cells:
        for cell in range(g.cells):
            s.matched[cell] = s.candidates[cell]
        if not match_all(g, s, s.matched):
            return False
        before = s.trail_end
        if not exclude_at_root(g, s, s.matched):
            return False
        if s.trail_end == before:
            break
    return True


@part
def set_position(g: Tables, s: Memory, cells: Any, masks: Any) -> bool:
    """Set the position and draw the conclusions that need no search; false if they show that there is no solution."""
    clear(g, s)
    for cell in range(g.cells):
        given: Any = np.int64(cells[cell]) - 1
        if given >= 0 and not place_at_root(g, s, cell, given):
            return False
    if not exclude_at_root(g, s, masks) or not match_root(g, s):
        return False
    set_root(g, s)
    for cell in range(g.cells):
        for variable in range(cell * 32, cell * 32 + g.size):
            if s.truth[variable] == 0:
                heap_insert(s, variable)
    return True


@kernel
def begin(tables: np.ndarray, memories: np.ndarray, cells: np.ndarray, masks: np.ndarray) -> bool:
    """Set the position and draw the conclusions that need no search; false if they show that there is no solution.

    `masks` are the candidates of each cell that the caller's propagation has left.
    """
    return set_position(tables[0], memories[0], cells, masks)


@part
def note_target(s: Memory) -> None:
    """At a conflict: save the assignment below its level as the target if it is the longest since rephasing."""
    size = s.level_start[s.level]
    if size > s.target_size:
        s.target_size = size
        for i in range(size):
            s.target[s.trail[i] >> 1] = -1 if s.trail[i] & 1 else 1


@part
def rephase(g: Tables, s: Memory) -> None:
    """Set the phases to the target or to their initial values, in turn, and begin a new target."""
    for variable in range(g.cells * 32):
        if s.rephases & 1 == 0:
            s.phase[variable] = 1
        elif s.target[variable]:
            s.phase[variable] = s.target[variable]
        s.target[variable] = 0
    s.target_size = 0
    s.rephases += 1
    s.next_rephase = s.conflicts + REPHASE * (s.rephases + 1)


@part
def log_learned(s: Memory) -> None:
    """Append the clause in `learned` to the log; `is_logged` becomes -1 if there is no room."""
    if s.log_end + s.learned_length >= LOG:
        s.is_logged = -1
        return
    s.log[s.log_end] = s.learned_length
    for i in range(s.learned_length):
        s.log[s.log_end + 1 + i] = s.learned[i]
    s.log_end += s.learned_length + 1


@part
def learn(g: Tables, s: Memory) -> bool:
    """After a conflict: learn its clause and backjump to where it asserts a literal; return false if memory is full."""
    note_target(s)
    s.conflicts += 1
    level = analyse(g, s)
    glue = glue_of_learned(s)
    if s.is_logged > 0:
        log_learned(s)
    if s.shared_glue:
        share(s, glue)
    undo_to(g, s, level)
    if s.learned_length == 1:
        enqueue(g, s, s.learned[0], DECISION)
    elif is_full(s):
        undo_to(g, s, 0)
        reduce(g, s)
        if is_full(s):
            return False
        store(s, glue)
    else:
        enqueue(g, s, s.learned[0], CLAUSE + store(s, glue))
    s.step /= DECAY
    s.fast_glue += (glue - s.fast_glue) / 32.0
    s.slow_glue += (glue - s.slow_glue) / min(4096.0, s.conflicts)
    s.restart_left -= 1
    return True


@part
def change_mode(s: Memory) -> None:
    """Switch to the other mode, for a period twice as long as the last."""
    s.stable = 1 - s.stable
    s.mode_length *= 2
    s.mode_until = s.conflicts + s.mode_length
    s.restart_left = 0


@part
def restart(g: Tables, s: Memory) -> None:
    """Undo all decisions above the assumptions, and rephase if that is due; the learned clauses stay."""
    s.restarts += 1
    s.restart_left = FOCUSED_RESTART
    if s.stable:
        s.stable_restarts += 1
        s.restart_left = STABLE_RESTART * luby(s.stable_restarts)
    if s.conflicts >= s.next_rephase:
        rephase(g, s)
    undo_to(g, s, s.assumption_count)


@part
def restart_is_due(s: Memory) -> bool:
    """Return whether a restart is due, by the glue of recent clauses or by the number of conflicts."""
    return s.restart_left <= 0 and (s.stable or s.fast_glue > GLUE_MARGIN * s.slow_glue)


@part
def most_active(s: Memory) -> int:
    """Take variables from the heap, and return the first unassigned one: the most active."""
    while True:
        variable = heap_pop(s)
        if s.truth[variable] == 0:
            return variable


@part
def decide_on(g: Tables, s: Memory, literal: int) -> None:
    """Open a new level with a literal as its decision."""
    s.level += 1
    s.level_start[s.level] = s.trail_end
    s.decisions += 1
    enqueue(g, s, literal, DECISION)


@part
def decide(g: Tables, s: Memory) -> None:
    """Open a level with the most active open variable, in its target phase or its last."""
    variable = most_active(s)
    phase = s.target[variable] if s.stable and s.target[variable] else s.phase[variable]
    decide_on(g, s, variable * 2 + (1 if phase < 0 else 0))


@part
def assume(g: Tables, s: Memory) -> bool:
    """Open the level of the next assumption; return false if the earlier ones refute it, and write them to `core`."""
    literal = s.assumptions[s.level]
    truth = value_of(s, literal)
    if truth < 0:
        find_core(g, s, literal)
        return False
    if truth == 0:
        decide_on(g, s, literal)
    else:
        s.level += 1
        s.level_start[s.level] = s.trail_end
    return True


@kernel
def search(tables: np.ndarray, memories: np.ndarray, slice_work: int) -> int:
    """Search for about `slice_work` propagated literals; return FOUND, EXHAUSTED, SLICE_OVER, OUT_OF_NODES or REFUTED.

    After REFUTED, `core` contains assumptions that together admit no solution.
    """
    g, s = tables[0], memories[0]
    end = s.propagations + slice_work
    while True:
        if not propagate(g, s):
            if s.level == 0:
                return EXHAUSTED
            if not learn(g, s):
                return OUT_OF_NODES
            continue
        if s.level == 0:
            set_root(g, s)
        if s.filled == g.cells and s.level >= s.assumption_count:
            return FOUND
        if s.propagations >= end:
            return SLICE_OVER
        if 0 <= s.conflict_limit <= s.conflicts:
            return OUT_OF_NODES
        if s.conflicts >= s.mode_until:
            change_mode(s)
        if restart_is_due(s):
            restart(g, s)
            if s.inbox_end and s.level == 0 and not receive(g, s):
                return EXHAUSTED
        elif s.conflicts >= s.next_reduction:
            undo_to(g, s, 0)
            reduce(g, s)
        elif s.level < s.assumption_count:
            if not assume(g, s):
                return REFUTED
        else:
            decide(g, s)


@kernel
def ask(tables: np.ndarray, memories: np.ndarray, literals: np.ndarray) -> None:
    """Assume these literals from now on, instead of the previous assumptions."""
    g, s = tables[0], memories[0]
    undo_to(g, s, 0)
    s.assumption_count = len(literals)
    for i in range(len(literals)):
        s.assumptions[i] = literals[i]
    s.core_length = 0


@kernel
def block(tables: np.ndarray, memories: np.ndarray) -> bool:
    """Block the current solution permanently by a clause, and go back to the root; return false if none is left.

    If there is no room for the clause, set `memory_full` and return false.
    """
    g, s = tables[0], memories[0]
    s.learned_length = 0
    for i in range(s.level_start[1] if s.level else s.trail_end, s.trail_end):
        if s.trail[i] & 1 == 0:
            s.learned[s.learned_length] = s.trail[i] ^ 1
            s.learned_length += 1
    undo_to(g, s, 0)
    if s.learned_length == 0:
        return False
    if s.learned_length == 1:
        enqueue(g, s, s.learned[0], DECISION)
        return True
    if is_full(s):
        reduce(g, s)
    if is_full(s):
        s.memory_full = 1
        return False
    store(s, 0)
    return True
