"""The move map of plain 3×3 boards, on the bit boards of `nine`.

A candidate is *unseen* until a solution contains it. The search places an unseen candidate and looks for a solution
that takes further unseen candidates wherever there is a choice. A solution proves all of its candidates safe. If there
is none, the placed candidate is a bomb, and the propagation of its removal may refute other candidates. The search ends
when no candidate is unseen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.solvers.nine.kernels.digits import (
    BACKTRACKS,
    CELLS,
    INFO,
    NODES,
    ONE,
    U,
    is_solved,
    propagate_nine,
    set_up,
    write_solution,
)
from csp_sudoku.solvers.nine.kernels.search import (
    BRANCHING,
    CLIMBING,
    IDLE,
    branch,
    branch_within,
    choose_within,
    climb,
)

PATIENCE = 60
"""Number of backtracks after which a search towards unseen candidates restarts with the usual branching order."""

MAX_WITNESSES = 9 * CELLS
"""Maximum number of witnesses: each one contains a candidate that no earlier one contains."""

ALL_DIGITS = 511
"""The mask of a cell with all digits possible."""

NINE_MAP = np.dtype(
    [
        ("begun", np.int64),
        ("solvable", np.int64),  # -1 while unknown
        ("witnesses", np.int64),  # number of witnesses, including those that the caller has put there
        ("solves", np.int64),
        ("target", np.int64),  # the candidate that the current search has placed
        ("patience", np.int64),  # number of backtracks at which this search restarts; -1 after the restart
        ("unseen", np.uint32, (27,)),  # the unseen candidates, by digit · 3 + band
        ("info", np.int64, (INFO,)),
        ("safe", np.uint32, (CELLS,)),  # the answer, a mask per cell
        ("possible", np.uint32, (CELLS,)),  # candidates not known to be bombs; the caller may set them at the beginning
    ]
)


def new_nine_map() -> np.ndarray:
    """Return an empty map, as an array of one record."""
    maps = np.zeros(1, NINE_MAP)
    maps["solvable"] = -1
    maps["possible"] = ALL_DIGITS
    return maps


@part
def note_witness(m: Any, witness: Any) -> None:
    """Remove the candidates of a solution from the unseen ones."""
    for cell in range(CELLS):
        m.unseen[3 * witness[cell] - 3 + cell // 27] &= ~(ONE << U(cell % 27))
    m.solvable = 1


@part
def first_digit(p: Any, cell: int) -> int:
    """Return the lowest digit of a cell (band · 32 + bit) as a candidate: digit · 128 + cell."""
    band, bit = cell >> 5, U(cell & 31)
    d = 0
    while not p[3 * d + band] >> bit & ONE:
        d += 1
    return d * 128 + cell


@part
def prefer_unseen(p: Any, unseen: Any, cell: int) -> int:
    """Return a digit of a cell as a candidate: an unseen one if there is any."""
    band, bit = cell >> 5, U(cell & 31)
    for d in range(9):
        if p[3 * d + band] & unseen[3 * d + band] & ONE << bit:
            return d * 128 + cell
    return first_digit(p, cell)


@part
def towards_unseen(p: Any, unseen: Any) -> int:
    """Return the candidate to try next: in a cell with two digits, else in one with an unseen digit, if any."""
    best, most = -1, 0
    for band in range(3):
        once, twice, thrice, wanted = U(0), U(0), U(0), U(0)
        for d in range(9):
            x = p[3 * d + band]
            wanted |= x & unseen[3 * d + band]
            thrice |= twice & x
            twice |= once & x
            once |= x
        two = twice & ~thrice
        if two:
            rank, place = 64 + popcount(two), lowest(two & wanted or two)
        elif wanted & thrice:
            rank, place = 32 + popcount(wanted & thrice), lowest(wanted & thrice)
        elif thrice:
            rank, place = 1, lowest(thrice)
        else:
            continue
        if rank > most:
            most = rank
            best = band * 32 + place
    return prefer_unseen(p, unseen, best)


@part
def next_target(p: Any, unseen: Any) -> int:
    """Return an unseen candidate, in a cell with two digits if possible; -1 if there is none."""
    best = -1
    fewest = 4
    for band in range(3):
        once, twice, thrice, wanted = U(0), U(0), U(0), U(0)
        for d in range(9):
            x = p[3 * d + band]
            wanted |= x & unseen[3 * d + band]
            thrice |= twice & x
            twice |= once & x
            once |= x
        if wanted & twice & ~thrice:
            return prefer_unseen(p, unseen, band * 32 + lowest(wanted & twice & ~thrice))
        if wanted and fewest > 3:
            fewest = 3
            best = prefer_unseen(p, unseen, band * 32 + lowest(wanted))
    return best


@part
def allow_target(s: Any, m: Any) -> None:
    """Restore the target at the root, from which `branch` has removed it."""
    s.digits[0, 3 * (m.target >> 7) + (m.target >> 5 & 3)] |= ONE << U(m.target & 31)


@part
def find(s: Any, m: Any, work_end: int) -> int:
    """Search for a solution below level 0; return 1 if there is one, 0 if there is none, -1 if the work ran out."""
    fine = s.active == BRANCHING
    while True:
        p = s.digits[s.level]
        if fine and is_solved(p):
            return 1
        if m.info[NODES] >= work_end:
            s.active = BRANCHING if fine else CLIMBING
            return -1
        if 0 <= m.patience < m.info[BACKTRACKS]:
            m.patience = -1
            s.level = 0
            allow_target(s, m)
            fine = branch(s, m.info, m.target)
        elif fine and m.patience < 0:
            fine = branch_within(s, m.info, choose_within(p))
        elif fine:
            fine = branch(s, m.info, towards_unseen(p, m.unseen))
        else:
            fine = climb(s, m.info)
            if s.level == 0:
                m.solvable = m.solvable if fine else 0
                return 0


@part
def begin_map(s: Any, m: Any, cells: Any, witnesses: Any) -> bool:
    """Set the position and propagate it; false if that shows that there is no solution."""
    m.begun = 1
    m.solvable = -1
    m.solves = 0
    m.info[:] = 0
    s.level = 0
    s.active = IDLE
    set_up(s.digits[0], s.digits[1], cells)
    for cell in range(CELLS):
        for d in range(9):
            if not m.possible[cell] >> U(d) & ONE:
                s.digits[0, 3 * d + cell // 27] &= ~(ONE << U(cell % 27))
    if not propagate_nine(s.digits[0], 511, m.info):
        m.solvable = 0
        return False
    for i in range(27):
        m.unseen[i] = s.digits[0, i]
    for i in range(m.witnesses):
        note_witness(m, witnesses[i])
    return True


@part
def write_map(s: Any, m: Any) -> None:
    """Write the safe and the possible candidates as masks."""
    for cell in range(CELLS):
        band, bit = cell // 27, U(cell % 27)
        safe, possible = U(0), U(0)
        if m.solvable != 0:
            for d in range(9):
                if s.digits[0, 3 * d + band] >> bit & ONE:
                    possible |= ONE << U(d)
                    if not m.unseen[3 * d + band] >> bit & ONE:
                        safe |= ONE << U(d)
            if s.active != IDLE and m.target & 127 == band * 32 + cell % 27:
                possible |= ONE << U(m.target >> 7)  # the target is not refuted yet
        m.safe[cell] = safe
        m.possible[cell] = possible


@kernel
def map_nine(states: np.ndarray, maps: np.ndarray, cells: np.ndarray, witnesses: np.ndarray, work: int) -> bool:
    """Continue the map of a board for about `work` branches; return whether it is complete.

    The first `maps.witnesses` rows of `witnesses` are known solutions; the search appends those that it finds.
    """
    s, m = states[0], maps[0]
    if not m.begun and not begin_map(s, m, cells, witnesses):
        write_map(s, m)
        return True
    work_end = m.info[NODES] + work
    p = s.digits[0]
    while m.solvable != 0:
        if s.active == IDLE:
            m.target = next_target(p, m.unseen)
            if m.target < 0:
                break
            m.solves += 1
            m.patience = m.info[BACKTRACKS] + PATIENCE
            s.active = BRANCHING if branch(s, m.info, m.target) else CLIMBING
        found = find(s, m, work_end)
        if found < 0:
            write_map(s, m)
            return False
        s.active = IDLE
        if found:
            allow_target(s, m)
            write_solution(s.digits[s.level], witnesses[m.witnesses])
            note_witness(m, witnesses[m.witnesses])
            m.witnesses += 1
            s.level = 0
    write_map(s, m)
    return True
