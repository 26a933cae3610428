"""Propagation: it removes values from the domains after an assignment, to a fixpoint, and restores them.

Every removal goes through `remove`, which keeps both views of the domains in step (the values of a cell, the
places of a value in a region), writes the trail, and queues the work that follows from it. `propagate` does that work
to a fixpoint: naked and hidden singles first, then locked candidates, then naked pairs, each only if its pruning flag
is set.
"""

from __future__ import annotations

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import part
from csp_sudoku.solvers.backtracking.kernels.state import (
    ASSIGN,
    DEGREE,
    HIDDEN,
    LOCKED,
    MRV_DEGREE,
    NAKED,
    PAIRS,
    PRUNE,
    State,
    Tables,
)

ONE = np.uint64(1)


@part
def tell(s: State, kind: int, cell: int, value: int) -> None:
    """Append an event to the trace."""
    event = s.event_count
    s.events[event, 0] = kind
    s.events[event, 1] = cell
    s.events[event, 2] = value
    s.events[event, 3] = s.level
    s.event_count = event + 1


@part
def remove(g: Tables, s: State, cell: int, mask: np.uint64, region: int, pruning: int) -> bool:
    """Remove values, all of them candidates, from a cell; on a conflict, blame `region` for it and return false.

    Without pruning the function reports no conflict: the search meets the empty domain when it branches on it.
    """
    left = s.candidates[cell] & ~mask
    s.candidates[cell] = left
    trail = s.trail
    s.trail_cell[trail] = cell
    s.trail_mask[trail] = mask
    s.trail = trail + 1
    s.propagations += popcount(mask)
    fine = True
    while mask:
        value = lowest(mask)
        mask &= mask - ONE
        if s.tracing:
            tell(s, PRUNE, cell, value)
        for k in range(g.region_count_of[cell]):
            r = g.regions_of[cell, k]
            places = s.places[r, value] & ~(ONE << np.uint64(g.slots_of[cell, k]))
            s.places[r, value] = places
            if pruning & HIDDEN and not places & (places - ONE):
                if places == 0:
                    s.blame = r
                    fine = False
                else:
                    only = g.region_cells[r, lowest(places)]
                    if s.value[only] < 0:
                        s.queue[s.tail] = only * 32 + value
                        s.tail += 1
            if pruning & LOCKED and not s.in_locked_queue[r, value]:
                s.in_locked_queue[r, value] = 1
                s.locked_queue[s.locked_tail] = r * 32 + value
                s.locked_tail += 1
    if pruning:
        rest = left & (left - ONE)
        if rest == 0:
            if left == 0:
                s.blame = region
                return False
            if pruning & NAKED and s.value[cell] < 0:
                s.queue[s.tail] = cell * 32 + lowest(left)
                s.tail += 1
        elif pruning & PAIRS and rest & (rest - ONE) == 0:
            s.pair_queue[s.pair_tail] = cell
            s.pair_tail += 1
    return fine


@part
def remove_from(g: Tables, s: State, region: int, value: int, slots: np.uint64, pruning: int) -> bool:
    """Remove a value from cells of a region in which it is still possible; return false at the first conflict."""
    while slots:
        slot = lowest(slots)
        slots &= slots - ONE
        if not remove(g, s, g.region_cells[region, slot], ONE << np.uint64(value), region, pruning):
            return False
    return True


@part
def assign(g: Tables, s: State, cell: int, value: int, pruning: int) -> bool:
    """Assign one of its candidates to a cell, and remove the value from its peers; return false on a conflict."""
    bit = ONE << np.uint64(value)
    s.value[cell] = value
    s.order[s.assigned] = cell
    s.assigned += 1
    if s.tracing:
        tell(s, ASSIGN, cell, value)
    for k in range(g.region_count_of[cell]):
        r = g.regions_of[cell, k]
        s.free_cells[r] -= 1
    if s.variable_order == DEGREE or s.variable_order == MRV_DEGREE:
        change_free_peers(g, s, cell, -1)
    others = s.candidates[cell] & ~bit
    if others and not remove(g, s, cell, others, g.regions_of[cell, 0], pruning):
        return False
    for k in range(g.region_count_of[cell]):
        r = g.regions_of[cell, k]
        slots = s.places[r, value] & ~(ONE << np.uint64(g.slots_of[cell, k]))
        if slots and not remove_from(g, s, r, value, slots, pruning):
            return False
    return True


@part
def change_free_peers(g: Tables, s: State, cell: int, change: int) -> None:
    """Add `change` to the number of empty peers of each peer of a cell."""
    for i in range(g.peer_count_of[cell]):
        s.free_peers[g.peers[cell, i]] += change


@part
def apply_locked(g: Tables, s: State, region: int, value: int, pruning: int) -> bool:
    """If all places of a value in one region lie in a second region too, remove it from the rest of the second."""
    places = s.places[region, value]
    if not places & (places - ONE):
        return True
    first = g.region_cells[region, lowest(places)]
    for k in range(g.region_count_of[first]):
        other = g.regions_of[first, k]
        if other != region and not places & ~g.overlap[region, other]:
            slots = s.places[other, value] & ~g.overlap[other, region]
            if slots and not remove_from(g, s, other, value, slots, pruning):
                return False
    return True


@part
def apply_pair(g: Tables, s: State, cell: int, pruning: int) -> bool:
    """If a cell and a peer have the same two candidates, remove both from the rest of the regions that they share."""
    pair = s.candidates[cell]
    if popcount(pair) != 2:
        return True
    for k in range(g.region_count_of[cell]):
        r = g.regions_of[cell, k]
        for slot in range(g.size):
            twin = g.region_cells[r, slot]
            if twin != cell and s.candidates[twin] == pair:
                for i in range(g.size):
                    other = g.region_cells[r, i]
                    both = s.candidates[other] & pair
                    if both and other not in (cell, twin) and not remove(g, s, other, both, r, pruning):
                        return False
                break
    return True


@part
def propagate(g: Tables, s: State, pruning: int) -> bool:
    """Propagate to a fixpoint; return false on a conflict. The queues are empty afterwards in either case."""
    fine = True
    while fine:
        if s.head < s.tail:
            code = s.queue[s.head]
            s.head += 1
            cell, value = code >> 5, code & 31
            if s.value[cell] != value:
                if s.value[cell] >= 0 or not (s.candidates[cell] >> np.uint64(value)) & ONE:
                    s.blame = g.regions_of[cell, 0]
                    fine = False
                else:
                    fine = assign(g, s, cell, value, pruning)
        elif s.locked_tail > 0:
            s.locked_tail -= 1
            code = s.locked_queue[s.locked_tail]
            s.in_locked_queue[code >> 5, code & 31] = 0
            fine = apply_locked(g, s, code >> 5, code & 31, pruning)
        elif s.pair_tail > 0:
            s.pair_tail -= 1
            fine = apply_pair(g, s, s.pair_queue[s.pair_tail], pruning)
        else:
            break
    drop_work(s)
    return fine


@part
def drop_work(s: State) -> None:
    """Empty the queues of pending propagation."""
    while s.locked_tail > 0:
        s.locked_tail -= 1
        code = s.locked_queue[s.locked_tail]
        s.in_locked_queue[code >> 5, code & 31] = 0
    s.pair_tail = 0
    s.head = 0
    s.tail = 0


@part
def undo_to(g: Tables, s: State, trail: int, assigned: int) -> None:
    """Undo all removals and assignments after these positions of the trail."""
    for i in range(s.trail - 1, trail - 1, -1):
        cell, mask = s.trail_cell[i], s.trail_mask[i]
        s.candidates[cell] |= mask
        for k in range(g.region_count_of[cell]):
            r = g.regions_of[cell, k]
            slot = ONE << np.uint64(g.slots_of[cell, k])
            rest = mask
            while rest:
                s.places[r, lowest(rest)] |= slot
                rest &= rest - ONE
    s.trail = trail
    for i in range(assigned, s.assigned):
        cell = s.order[i]
        s.value[cell] = -1
        for k in range(g.region_count_of[cell]):
            r = g.regions_of[cell, k]
            s.free_cells[r] += 1
        if s.variable_order == DEGREE or s.variable_order == MRV_DEGREE:
            change_free_peers(g, s, cell, 1)
    s.assigned = assigned
