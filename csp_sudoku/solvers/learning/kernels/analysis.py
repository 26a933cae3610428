"""Conflict analysis: from a conflict back to its first unique implication point, and to the learned clause."""

from __future__ import annotations

import numpy as np

from csp_sudoku.compiled.bits import lowest
from csp_sudoku.compiled.compilation import part
from csp_sudoku.solvers.backtracking.kernels.state import WIDTH, Tables
from csp_sudoku.solvers.learning.kernels.clauses import GLUE, LENGTH, USED
from csp_sudoku.solvers.learning.kernels.memory import CELL, CLAUSE, DECISION, MAX_VARIABLES, PLACE, Memory
from csp_sudoku.solvers.learning.kernels.propagation import sift_up

ONE = np.uint64(1)


@part
def explain(g: Tables, s: Memory, kind: int, variable: int, at: int) -> int:
    """Write the antecedents of a literal of `variable` to the buffer from `at` on; return where they end.

    `kind` is the reason of the literal, or the kind of a conflict at `variable`; for a conflict the caller writes
    `variable` itself. For a cell or a region, candidates that the root excludes are left out.
    """
    if kind >= CLAUSE:
        clause = kind - CLAUSE
        for i in range(clause, clause + s.arena[clause + LENGTH]):
            other = s.arena[i] >> 1
            if other != variable:
                s.buffer[at] = other
                at += 1
    elif kind >= PLACE:
        r, value = kind - PLACE, variable & 31
        slots = np.uint64(s.root_places[r, value])
        while slots:
            other = g.region_cells[r, lowest(slots)] * 32 + value
            slots &= slots - ONE
            if other != variable:
                s.buffer[at] = other
                at += 1
    elif kind >= CELL:
        cell = variable >> 5
        rest = np.uint64(s.root_candidates[cell])
        while rest:
            other = cell * 32 + lowest(rest)
            rest &= rest - ONE
            if other != variable:
                s.buffer[at] = other
                at += 1
    elif kind >= 0:
        s.buffer[at] = kind
        at += 1
    return at


@part
def explain_conflict(g: Tables, s: Memory) -> int:
    """Write the variables of the conflict to the buffer; return their number."""
    kind = s.conflict_kind
    if kind < CELL:
        s.buffer[0] = kind
        s.buffer[1] = s.conflict_variable
        return 2
    if kind >= CLAUSE:
        use_clause(s, kind - CLAUSE)
        return explain(g, s, kind, -1, 0)
    # the removed candidate could have satisfied the constraint too
    s.buffer[0] = s.conflict_variable
    return explain(g, s, kind, s.conflict_variable, 1)


@part
def use_clause(s: Memory, clause: int) -> None:
    """Mark a clause as used in a conflict, and lower its glue to the current number of levels of its literals."""
    s.arena[clause + USED] = 2 if s.arena[clause + GLUE] <= 6 else 1
    if s.arena[clause + GLUE] > 2:
        s.stamp += 1
        count = 0
        for i in range(clause, clause + s.arena[clause + LENGTH]):
            level = s.level_of[s.arena[i] >> 1]
            if level and s.level_stamp[level] != s.stamp:
                s.level_stamp[level] = s.stamp
                count += 1
        s.arena[clause + GLUE] = min(s.arena[clause + GLUE], count)


@part
def bump(s: Memory, variable: int) -> None:
    """Raise a variable's activity."""
    s.activity[variable] += s.step
    if s.activity[variable] > 1e100:
        s.activity[:] *= 1e-100
        s.step *= 1e-100
    if s.heap_place[variable] >= 0:
        sift_up(s, s.heap_place[variable])


@part
def false_literal_of(s: Memory, variable: int) -> int:
    """Return the literal of a variable that is false now."""
    return variable * 2 + (1 if s.truth[variable] > 0 else 0)


@part
def excluder(s: Memory, variable: int) -> int:
    """Return the placed value that excludes a candidate, or the candidate itself if it has another reason."""
    reason = s.reason[variable]
    return reason if 0 <= reason < CELL else variable


@part
def analyse(g: Tables, s: Memory) -> int:
    """Analyse the current conflict: write the learned clause to `learned`; return the level to backjump to.

    The clause asserts its first literal after the backjump; the second literal is of the level to backjump to.
    """
    s.learned_length = 1
    s.to_clear_length = 0
    open_here = 0
    at = s.trail_end - 1
    count = explain_conflict(g, s)
    while True:
        for i in range(count):
            variable = s.buffer[i]
            if s.seen[variable] or s.level_of[variable] == 0:
                continue
            if s.level_of[variable] < s.level:
                variable = excluder(s, variable)
                if s.seen[variable]:
                    continue
            s.seen[variable] = 1
            s.to_clear[s.to_clear_length] = variable
            s.to_clear_length += 1
            bump(s, variable)
            if s.level_of[variable] == s.level:
                open_here += 1
            else:
                s.learned[s.learned_length] = false_literal_of(s, variable)
                s.learned_length += 1
        while not s.seen[s.trail[at] >> 1]:
            at -= 1
        variable = s.trail[at] >> 1
        at -= 1
        open_here -= 1
        if open_here == 0:
            s.learned[0] = false_literal_of(s, variable)
            break
        reason = s.reason[variable]
        if reason >= CLAUSE:
            use_clause(s, reason - CLAUSE)
        count = explain(g, s, reason, variable, 0)
    minimise(g, s)
    bump_reasons(g, s)
    for i in range(s.to_clear_length):
        s.seen[s.to_clear[i]] = 0
    return second_watch(s)


@part
def find_core(g: Tables, s: Memory, literal: int) -> None:
    """Write to `core` an assumed literal that is false, and the assumptions that made it false."""
    s.core[0] = literal
    s.core_length = 1
    s.seen[literal >> 1] = 1
    first = s.level_start[1] if s.level else s.trail_end
    for at in range(s.trail_end - 1, first - 1, -1):
        variable = s.trail[at] >> 1
        if not s.seen[variable]:
            continue
        s.seen[variable] = 0
        if s.reason[variable] == DECISION:
            s.core[s.core_length] = s.trail[at]
            s.core_length += 1
        for i in range(explain(g, s, s.reason[variable], variable, 0)):
            if s.level_of[s.buffer[i]]:
                s.seen[s.buffer[i]] = 1
    s.seen[literal >> 1] = 0


@part
def bump_reasons(g: Tables, s: Memory) -> None:
    """Raise the activity of the antecedents of the learned literals."""
    for i in range(s.learned_length):
        variable = s.learned[i] >> 1
        if s.reason[variable] < 0:
            continue
        count = explain(g, s, s.reason[variable], variable, 0)
        for j in range(count):
            other = s.buffer[j]
            if not s.seen[other] and s.level_of[other] > 0:
                s.seen[other] = 1
                s.to_clear[s.to_clear_length] = other
                s.to_clear_length += 1
                bump(s, other)


@part
def minimise(g: Tables, s: Memory) -> None:
    """Minimise the learned clause: remove literals that the others imply, directly or through several steps."""
    s.stamp += 1
    for i in range(1, s.learned_length):
        s.level_stamp[s.level_of[s.learned[i] >> 1]] = s.stamp
    kept = 1
    for i in range(1, s.learned_length):
        literal = s.learned[i]
        if s.reason[literal >> 1] < 0 or not is_redundant(g, s, literal >> 1):
            s.learned[kept] = literal
            kept += 1
    s.learned_length = kept


@part
def is_redundant(g: Tables, s: Memory, variable: int) -> bool:
    """Return whether a variable of the clause follows from the others; 2 in `seen` marks a variable known to follow."""
    before = s.to_clear_length
    first = explain(g, s, s.reason[variable], variable, 0)
    end = first
    while end > 0:
        end -= 1
        other = s.buffer[end]
        if s.seen[other] or s.level_of[other] == 0:
            continue
        reason = s.reason[other]
        room = s.arena[reason - CLAUSE + LENGTH] if reason >= CLAUSE else WIDTH
        if reason < 0 or s.level_stamp[s.level_of[other]] != s.stamp or end + room > MAX_VARIABLES:
            for i in range(before, s.to_clear_length):
                s.seen[s.to_clear[i]] = 0
            s.to_clear_length = before
            return False
        s.seen[other] = 2
        s.to_clear[s.to_clear_length] = other
        s.to_clear_length += 1
        end = explain(g, s, reason, other, end)
    return True


@part
def second_watch(s: Memory) -> int:
    """Move a literal of the highest level below the conflict's to the second place; return that level."""
    if s.learned_length == 1:
        return 0
    best = 1
    for i in range(2, s.learned_length):
        if s.level_of[s.learned[i] >> 1] > s.level_of[s.learned[best] >> 1]:
            best = i
    s.learned[1], s.learned[best] = s.learned[best], s.learned[1]
    return s.level_of[s.learned[1] >> 1]


@part
def glue_of_learned(s: Memory) -> int:
    """Return the glue of the learned clause: the number of levels of its literals."""
    s.stamp += 1
    count = 0
    for i in range(s.learned_length):
        level = s.level_of[s.learned[i] >> 1]
        if s.level_stamp[level] != s.stamp:
            s.level_stamp[level] = s.stamp
            count += 1
    return count
