"""The learned clauses, stored in one array, and the watch list of each literal.

The index of its first literal in `arena` identifies a clause; the fields before it are its length, glue, use, and the
place where the last search for a watch ended. Its first two literals are watched. The watch list of a literal is a run
of pairs in `watches`: a clause, and another of its literals; if that one is true, the clause need not be visited.
"""

from __future__ import annotations

import numpy as np

from csp_sudoku.compiled.compilation import part
from csp_sudoku.solvers.backtracking.kernels.state import Tables
from csp_sudoku.solvers.learning.kernels.memory import ARENA, MAX_CLAUSES, MAX_VARIABLES, WATCHES, Memory

HEADER = 4
LENGTH, GLUE, USED, LOOKED = -4, -3, -2, -1
"""The offsets of the header fields from the first literal."""

FORGOTTEN = 0.75
KEPT_GLUE = 2
REDUCTION = 300

SPARE = 4
"""Spare capacity of each watch list, in pairs, when the lists are rebuilt."""
RESERVE = 5 * MAX_CLAUSES
"""Number of pairs that must be free before the list of a literal is visited; a visit never needs more."""


@part
def add_watch(s: Memory, literal: int, clause: int, other: int) -> None:
    """Add a clause to the watch list of a literal; a full list moves to the end, with twice the capacity."""
    size = s.watch_size[literal]
    if size == s.watch_room[literal]:
        old = 2 * s.watch_start[literal]
        new = 2 * s.watch_end
        for i in range(2 * size):
            s.watches[new + i] = s.watches[old + i]
        s.watch_start[literal] = s.watch_end
        s.watch_room[literal] = 2 * size + SPARE
        s.watch_end += 2 * size + SPARE
    at = 2 * (s.watch_start[literal] + size)
    s.watches[at] = clause
    s.watches[at + 1] = other
    s.watch_size[literal] = size + 1


@part
def watch(s: Memory, clause: int) -> None:
    """Watch the first two literals of a clause."""
    one, other = s.arena[clause], s.arena[clause + 1]
    add_watch(s, one, clause, other)
    add_watch(s, other, clause, one)


@part
def forget_watches(g: Tables, s: Memory) -> None:
    """Empty all watch lists."""
    s.watch_end = 0
    s.watch_size[: g.cells * 64] = 0
    s.watch_room[: g.cells * 64] = 0


@part
def lay_out_watches(g: Tables, s: Memory) -> None:
    """Rebuild the watch lists, each with a little spare capacity."""
    forget_watches(g, s)
    for i in range(s.clauses):
        clause = s.clause_at[i]
        s.watch_room[s.arena[clause]] += 1
        s.watch_room[s.arena[clause + 1]] += 1
    for literal in range(g.cells * 64):
        if s.watch_room[literal]:
            s.watch_room[literal] += SPARE
            s.watch_start[literal] = s.watch_end
            s.watch_end += s.watch_room[literal]
    for i in range(s.clauses):
        watch(s, s.clause_at[i])


@part
def make_room_for_watches(g: Tables, s: Memory) -> None:
    """Rebuild the watch lists if a visit of one literal could exceed the free room."""
    if s.watch_end > WATCHES - RESERVE:
        lay_out_watches(g, s)


@part
def store(s: Memory, glue: int) -> int:
    """Store the clause in `learned` and watch its first two literals; return the clause."""
    clause = s.arena_end + HEADER
    s.clause_at[s.clauses] = clause
    s.clauses += 1
    s.arena[clause + LENGTH] = s.learned_length
    s.arena[clause + GLUE] = glue
    s.arena[clause + USED] = 1
    s.arena[clause + LOOKED] = 2
    for i in range(s.learned_length):
        s.arena[clause + i] = s.learned[i]
    s.arena_end = clause + s.learned_length
    watch(s, clause)
    return clause


@part
def is_full(s: Memory) -> bool:
    """Return whether another clause may not fit."""
    return s.clauses >= MAX_CLAUSES or s.arena_end > ARENA - MAX_VARIABLES - HEADER


@part
def worst_key(s: Memory) -> float:
    """Give each clause a key (worse if higher, -1 to keep it); return the key above which clauses are deleted."""
    candidates = 0
    for i in range(s.clauses):
        clause = s.clause_at[i]
        s.keys[i] = -1.0
        if s.arena[clause + USED] > 0:
            s.arena[clause + USED] -= 1
        elif s.arena[clause + GLUE] > KEPT_GLUE:
            s.keys[i] = s.arena[clause + GLUE] * 100_000.0 + s.arena[clause + LENGTH]
            candidates += 1
    if candidates == 0:
        return 1e300
    order = np.sort(s.keys[: s.clauses])
    return order[s.clauses - 1 - np.int64(candidates * FORGOTTEN)]


@part
def reduce(g: Tables, s: Memory) -> None:
    """At the root: delete unused clauses of high glue and satisfied clauses, and drop literals false at the root."""
    most = worst_key(s)
    kept = 0
    end = 0
    for i in range(s.clauses):
        if s.keys[i] > most:
            continue
        old, new = s.clause_at[i], end + HEADER
        length = 0
        satisfied = False
        header = s.arena[old + LENGTH], s.arena[old + GLUE], s.arena[old + USED]
        for j in range(old, old + header[0]):
            literal = s.arena[j]
            truth = s.truth[literal >> 1]
            if truth == 0:
                s.arena[new + length] = literal
                length += 1
            elif truth == (-1 if literal & 1 else 1):
                satisfied = True
                break
        if satisfied:
            continue
        s.arena[new + LENGTH] = length
        s.arena[new + GLUE] = header[1]
        s.arena[new + USED] = header[2]
        s.arena[new + LOOKED] = 2
        s.clause_at[kept] = new
        end = new + length
        kept += 1
    s.clauses = kept
    s.arena_end = end
    lay_out_watches(g, s)
    s.reductions += 1
    s.next_reduction = s.conflicts + REDUCTION * (s.reductions + 1)


@part
def forget_all(g: Tables, s: Memory) -> None:
    """At the root: delete every clause."""
    forget_watches(g, s)
    s.clauses = 0
    s.arena_end = 0
