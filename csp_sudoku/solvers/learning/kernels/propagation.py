"""Propagation with reasons: the rules of sudoku on bit masks, learned clauses by watched literals."""

from __future__ import annotations

import numpy as np

from csp_sudoku.compiled.bits import lowest
from csp_sudoku.compiled.compilation import part
from csp_sudoku.solvers.backtracking.kernels.state import Tables
from csp_sudoku.solvers.learning.kernels.clauses import LENGTH, LOOKED, add_watch, make_room_for_watches
from csp_sudoku.solvers.learning.kernels.memory import CELL, CLAUSE, PLACE, Memory

ONE = np.uint64(1)


@part
def enqueue(g: Tables, s: Memory, literal: int, reason: int) -> None:
    """Make an open literal true."""
    variable = literal >> 1
    s.level_of[variable] = s.level
    s.reason[variable] = reason
    s.trail[s.trail_end] = literal
    s.trail_end += 1
    if literal & 1:
        s.truth[variable] = -1
        cell, value = variable >> 5, variable & 31
        s.candidates[cell] &= ~(ONE << np.uint64(value))
        for k in range(g.region_count_of[cell]):
            s.places[g.regions_of[cell, k], value] &= ~(ONE << np.uint64(g.slots_of[cell, k]))
    else:
        s.truth[variable] = 1
        s.filled += 1


@part
def undo_to(g: Tables, s: Memory, level: int) -> None:
    """Undo all assignments above a level, and save the phase of each variable."""
    if s.level <= level:
        return
    start = s.level_start[level + 1]
    for i in range(s.trail_end - 1, start - 1, -1):
        literal = s.trail[i]
        variable = literal >> 1
        s.truth[variable] = 0
        if literal & 1:
            s.phase[variable] = -1
            cell, value = variable >> 5, variable & 31
            s.candidates[cell] |= ONE << np.uint64(value)
            for k in range(g.region_count_of[cell]):
                s.places[g.regions_of[cell, k], value] |= ONE << np.uint64(g.slots_of[cell, k])
        else:
            s.phase[variable] = 1
            s.filled -= 1
        if s.heap_place[variable] < 0:
            heap_insert(s, variable)
    s.trail_end = start
    s.head = start
    s.level = level


@part
def sift_up(s: Memory, place: int) -> None:
    """Restore the heap above a variable that became more active."""
    variable = s.heap[place]
    activity = s.activity[variable]
    while place > 0:
        parent = (place - 1) >> 1
        other = s.heap[parent]
        if s.activity[other] >= activity:
            break
        s.heap[place] = other
        s.heap_place[other] = place
        place = parent
    s.heap[place] = variable
    s.heap_place[variable] = place


@part
def sift_down(s: Memory, place: int) -> None:
    """Restore the heap below a variable that has replaced its root."""
    variable = s.heap[place]
    activity = s.activity[variable]
    while True:
        child = 2 * place + 1
        if child >= s.heap_size:
            break
        if child + 1 < s.heap_size and s.activity[s.heap[child + 1]] > s.activity[s.heap[child]]:
            child += 1
        other = s.heap[child]
        if activity >= s.activity[other]:
            break
        s.heap[place] = other
        s.heap_place[other] = place
        place = child
    s.heap[place] = variable
    s.heap_place[variable] = place


@part
def heap_insert(s: Memory, variable: int) -> None:
    """Put a variable into the heap."""
    s.heap[s.heap_size] = variable
    s.heap_size += 1
    sift_up(s, s.heap_size - 1)


@part
def heap_pop(s: Memory) -> int:
    """Take the most active variable from the heap."""
    top = s.heap[0]
    s.heap_place[top] = -1
    s.heap_size -= 1
    if s.heap_size > 0:
        last = s.heap[s.heap_size]
        s.heap[0] = last
        s.heap_place[last] = 0
        sift_down(s, 0)
    return top


@part
def exclude(g: Tables, s: Memory, variable: int) -> bool:
    """Propagate a placed value: exclude the cell's other values, and the value in peers; return false on a conflict."""
    cell, value = variable >> 5, variable & 31
    bit = ONE << np.uint64(value)
    rest = s.candidates[cell] & ~bit
    while rest:
        other = cell * 32 + lowest(rest)
        rest &= rest - ONE
        if s.truth[other]:
            s.conflict_kind = variable
            s.conflict_variable = other
            return False
        enqueue(g, s, other * 2 + 1, variable)
    for k in range(g.region_count_of[cell]):
        r = g.regions_of[cell, k]
        slots = s.places[r, value] & ~(ONE << np.uint64(g.slots_of[cell, k]))
        while slots:
            other = g.region_cells[r, lowest(slots)] * 32 + value
            slots &= slots - ONE
            if s.truth[other]:
                s.conflict_kind = variable
                s.conflict_variable = other
                return False
            enqueue(g, s, other * 2 + 1, variable)
    return True


@part
def require(g: Tables, s: Memory, variable: int) -> bool:
    """Propagate a removal: a cell's last candidate or a value's last place becomes true; return false on a conflict."""
    cell, value = variable >> 5, variable & 31
    left = s.candidates[cell]
    if left & (left - ONE) == 0:
        if left == 0:
            s.conflict_kind = CELL
            s.conflict_variable = variable
            return False
        last = cell * 32 + lowest(left)
        if s.truth[last] == 0:
            enqueue(g, s, last * 2, CELL)
    for k in range(g.region_count_of[cell]):
        r = g.regions_of[cell, k]
        slots = s.places[r, value]
        if slots & (slots - ONE) == 0:
            if slots == 0:
                s.conflict_kind = PLACE + r
                s.conflict_variable = variable
                return False
            last = g.region_cells[r, lowest(slots)] * 32 + value
            if s.truth[last] == 0:
                enqueue(g, s, last * 2, PLACE + r)
    return True


@part
def value_of(s: Memory, literal: int) -> int:
    """Return 1 if a literal is true, -1 if it is false, and 0 if it is unassigned."""
    return s.truth[literal >> 1] * (1 - 2 * (literal & 1))


@part
def find_watch(s: Memory, clause: int) -> int:
    """Return the index in the arena of a literal that can replace a false watch of a clause; -1 if there is none.

    The search resumes where the last one for this clause stopped.
    """
    end = clause + s.arena[clause + LENGTH]
    begin = clause + s.arena[clause + LOOKED]
    for i in range(begin, end):
        if value_of(s, s.arena[i]) >= 0:
            s.arena[clause + LOOKED] = i - clause
            return i
    for i in range(clause + 2, begin):
        if value_of(s, s.arena[i]) >= 0:
            s.arena[clause + LOOKED] = i - clause
            return i
    return -1


@part
def visit_watches(g: Tables, s: Memory, false_literal: int) -> bool:
    """Find new watches for the clauses on the watch list of a false literal; return false on a conflict."""
    size = s.watch_size[false_literal]
    if size == 0:
        return True
    make_room_for_watches(g, s)
    start = 2 * s.watch_start[false_literal]
    end = start + 2 * size
    at = kept = start
    fine = True
    while at < end:
        clause, hint = s.watches[at], s.watches[at + 1]
        at += 2
        s.watches[kept] = clause
        s.watches[kept + 1] = hint
        kept += 2
        if value_of(s, hint) > 0:
            continue
        other = s.arena[clause] ^ s.arena[clause + 1] ^ false_literal
        truth = value_of(s, other)
        if truth > 0:
            s.watches[kept - 1] = other
            continue
        found = find_watch(s, clause)
        if found >= 0:
            literal = s.arena[found]
            if value_of(s, literal) > 0:  # it stays true, because this literal became false on the last level
                s.watches[kept - 1] = literal
                continue
            s.arena[clause] = other
            s.arena[clause + 1] = literal
            s.arena[found] = false_literal
            add_watch(s, literal, clause, other)
            kept -= 2
        elif truth < 0:
            s.conflict_kind = CLAUSE + clause
            fine = False
            break
        else:
            enqueue(g, s, other, CLAUSE + clause)
    while at < end:
        s.watches[kept] = s.watches[at]
        s.watches[kept + 1] = s.watches[at + 1]
        at += 2
        kept += 2
    s.watch_size[false_literal] = (kept - start) // 2
    return fine


@part
def propagate(g: Tables, s: Memory) -> bool:
    """Run unit propagation on the literals of the trail to a fixpoint; return false on a conflict."""
    while s.head < s.trail_end:
        literal = s.trail[s.head]
        s.head += 1
        s.propagations += 1
        variable = literal >> 1
        fine = require(g, s, variable) if literal & 1 else exclude(g, s, variable)
        if not fine or not visit_watches(g, s, literal ^ 1):
            return False
    return True
