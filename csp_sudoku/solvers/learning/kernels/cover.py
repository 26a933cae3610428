"""The move map by the learning search: it searches solutions until each candidate is in one of them or refuted.

An *unseen* candidate is in no solution so far. The search places one unseen candidate after the other and looks for a
solution, in which the tightest cells take unseen candidates first. So twenty to a hundred solutions contain all safe
moves. A search that does not succeed soon continues in the order of activity. Learned clauses are kept. The map is kept
too when a value is placed: only candidates whose solutions disagree with the value become undecided again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.solvers.backtracking.kernels.state import MAX_CELLS, SLICE_OVER, Tables
from csp_sudoku.solvers.learning.kernels.clauses import forget_all, reduce
from csp_sudoku.solvers.learning.kernels.memory import Memory
from csp_sudoku.solvers.learning.kernels.propagation import heap_insert, propagate, undo_to
from csp_sudoku.solvers.learning.kernels.search import (
    change_mode,
    decide_on,
    learn,
    match_root,
    most_active,
    place_at_root,
    restart,
    restart_is_due,
    set_position,
    set_root,
)

ONE = np.uint64(1)

COMPLETE = 10
"""Returned by `cover` when every candidate is decided."""
ROOM_NEEDED = 11
"""Returned by `cover` when there is no room for another witness."""

TURNS = 20
"""Maximum number of conflicts per search that only negate the latest decision; most searches need no more."""
PATIENCE = 5
"""Number of learned conflicts after which a search decides by activity."""
HOLD = 100
"""Number of conflicts before the first restart of a search for a solution, and between restarts."""

COVER = np.dtype(
    [
        ("solvable", np.int64),  # -1 while unknown
        ("witnesses", np.int64),
        ("solves", np.int64),
        ("turns", np.int64),  # number of negated decisions in the search for the current target
        ("started_at", np.int64),  # number of conflicts when the search for the current target began
        ("hold_until", np.int64),  # number of conflicts before which there is no restart
        ("unseen", np.uint32, (MAX_CELLS,)),
        ("latest", np.uint32, (MAX_CELLS,)),  # the last solution found, as masks
    ]
)

Cover = Any
"""A record of COVER, inside a kernel."""


def new_cover() -> np.ndarray:
    """Return an empty cover, as an array of one record."""
    return np.zeros(1, COVER)


@part
def see(g: Tables, m: Cover, witness: Any) -> None:
    """Remove the candidates of a solution from the unseen ones."""
    for cell in range(g.cells):
        m.latest[cell] = np.uint32(ONE << np.uint64(witness[cell] - 1))
        m.unseen[cell] &= ~m.latest[cell]
    m.solvable = 1


@part
def look_again(g: Tables, s: Memory, m: Cover, witnesses: Any) -> None:
    """Rebuild the set of unseen candidates: those that the root leaves and no witness contains."""
    for cell in range(g.cells):
        m.unseen[cell] = s.candidates[cell]
    for i in range(m.witnesses):
        see(g, m, witnesses[i])


@part
def note_solution(g: Tables, s: Memory, m: Cover, witnesses: Any) -> None:
    """Append the current solution to the witnesses."""
    witness = witnesses[m.witnesses]
    for cell in range(g.cells):
        witness[cell] = lowest(s.candidates[cell]) + 1
    see(g, m, witness)
    m.witnesses += 1


@part
def most_active_unseen(g: Tables, s: Memory, m: Cover) -> int:
    """Return the unseen candidate of highest activity that the root leaves open; -1 if there is none."""
    best = -1
    most = -1.0
    for cell in range(g.cells):
        m.unseen[cell] &= s.candidates[cell]
        rest = np.uint64(m.unseen[cell])
        while rest:
            variable = cell * 32 + lowest(rest)
            rest &= rest - ONE
            if s.truth[variable] == 0 and s.activity[variable] > most:
                most = s.activity[variable]
                best = variable
    return best


@part
def tightest(g: Tables, s: Memory, m: Cover) -> int:
    """Return a candidate of the tightest cell: an unseen one, else that of the latest solution, else the lowest."""
    best = 0
    least = 1000
    for cell in range(g.cells):
        left = s.candidates[cell]
        if left & (left - ONE):
            rank = 2 * popcount(left) + (0 if left & m.unseen[cell] else 1)
            if rank < least:
                least = rank
                best = cell
    left = np.uint64(s.candidates[best])
    return best * 32 + lowest(left & m.unseen[best] or left & m.latest[best] or left)


@part
def decide_towards_unseen(g: Tables, s: Memory, m: Cover) -> None:
    """Open a level: in the tightest cell at first, later with the most active variable, as in the latest solution."""
    if s.conflicts - m.started_at < PATIENCE:
        decide_on(g, s, tightest(g, s, m) * 2)
        return
    variable = most_active(s)
    cell = variable >> 5
    known = s.candidates[cell] & m.latest[cell]
    if known:
        heap_insert(s, variable)
        decide_on(g, s, (cell * 32 + lowest(np.uint64(known))) * 2)
        return
    decide_on(g, s, variable * 2 + (1 if s.stable and s.target[variable] < 0 else 0))


@part
def turn_round(g: Tables, s: Memory, m: Cover) -> bool:
    """After an early conflict: negate the latest decision that placed a candidate other than the target.

    This costs much less than learning from the conflict. Return false if it is time to learn.
    """
    level = s.level
    while level > 1 and s.trail[s.level_start[level]] & 1:
        level -= 1
    if level <= 1 or m.turns >= TURNS:
        return False
    decision = s.trail[s.level_start[level]]
    undo_to(g, s, level - 1)
    m.turns += 1
    decide_on(g, s, decision ^ 1)
    return True


@part
def aim(g: Tables, s: Memory, m: Cover) -> bool:
    """At the root: begin the search for the next unseen candidate; return false if there is none."""
    set_root(g, s)
    target = most_active_unseen(g, s, m)
    if target < 0 and m.witnesses:
        return False
    m.solves += 1
    m.turns = 0
    m.started_at = s.conflicts
    m.hold_until = s.conflicts + HOLD
    if target >= 0:
        decide_on(g, s, target * 2)
    else:
        decide_towards_unseen(g, s, m)
    return True


@part
def keep_house(g: Tables, s: Memory, m: Cover) -> bool:
    """Change mode, restart or reduce the clauses if due; return whether the search went back to the root."""
    if s.conflicts < m.hold_until:
        return False
    m.hold_until = s.conflicts + HOLD
    if s.conflicts >= s.mode_until:
        change_mode(s)
    if restart_is_due(s):
        restart(g, s)
        return True
    if s.conflicts >= s.next_reduction:
        undo_to(g, s, 0)
        reduce(g, s)
        return True
    return False


@kernel
def begin_cover(
    tables: np.ndarray, memories: np.ndarray, covers: np.ndarray, cells: np.ndarray, masks: np.ndarray
) -> None:
    """Set a position, with the possible candidates `masks`, and discard all witnesses."""
    g, s, m = tables[0], memories[0], covers[0]
    m.witnesses = m.solves = m.started_at = m.hold_until = 0
    m.solvable = -1 if set_position(g, s, cells, masks) else 0
    for cell in range(g.cells):
        m.unseen[cell] = s.candidates[cell]
        m.latest[cell] = 0


@kernel
def place_in_cover(
    tables: np.ndarray, memories: np.ndarray, covers: np.ndarray, witnesses: np.ndarray, cell: int, value: int
) -> None:
    """Place a value (from 0) for good. The first `covers.witnesses` rows of `witnesses` agree with it."""
    g, s, m = tables[0], memories[0], covers[0]
    if m.solvable == 0:
        return
    m.solvable = -1
    undo_to(g, s, 0)
    if not place_at_root(g, s, cell, value) or not match_root(g, s):
        m.solvable = 0
        return
    s.reductions = 0
    reduce(g, s)
    set_root(g, s)
    look_again(g, s, m, witnesses)


@kernel
def cover(tables: np.ndarray, memories: np.ndarray, covers: np.ndarray, witnesses: np.ndarray, slice_work: int) -> int:
    """Search for about `slice_work` propagated literals; return COMPLETE, SLICE_OVER or ROOM_NEEDED."""
    g, s, m = tables[0], memories[0], covers[0]
    end = s.propagations + slice_work
    while m.solvable != 0:
        if not propagate(g, s):
            if s.level == 0:
                m.solvable = 0
            elif not turn_round(g, s, m) and not learn(g, s):
                forget_all(g, s)
            continue
        if s.filled == g.cells:
            if s.level == 0 and m.witnesses:  # the only solution, which is a witness
                m.solvable = 1
                set_root(g, s)
                break
            if m.witnesses == witnesses.shape[0]:
                return ROOM_NEEDED
            note_solution(g, s, m, witnesses)
            if s.level == 0:
                set_root(g, s)
                break
            undo_to(g, s, 0)
            s.target_size = 0
            continue
        if s.propagations >= end:
            return SLICE_OVER
        if s.level == 0:
            if not aim(g, s, m):
                break
        elif not keep_house(g, s, m):
            decide_towards_unseen(g, s, m)
    return COMPLETE
