"""Ordering: the choice of the cell, or of the value and region, to branch on, and the order of the attempts."""

from __future__ import annotations

from typing import Any

import numpy as np

from csp_sudoku.compiled.bits import lowest, popcount
from csp_sudoku.compiled.compilation import part
from csp_sudoku.solvers.backtracking.kernels.state import (
    ASCENDING,
    DEGREE,
    DOM_WDEG,
    LCV_COUNT,
    MRV,
    MRV_DEGREE,
    RANDOM,
    STATIC,
    State,
    Tables,
)

ONE = np.uint64(1)


@part
def cell_weight(g: Tables, s: State, cell: int) -> float:
    """Return the weight of a cell: the mean weight of its regions that have other empty cells."""
    total = 0.0
    for k in range(g.region_count_of[cell]):
        r = g.regions_of[cell, k]
        if s.free_cells[r] > 1:
            total += s.weight[r]
    return max(total / g.region_count_of[cell], 0.01)


@part
def choose_cell(g: Tables, s: State) -> int:
    """Return the cell to branch on by the chosen order; ties go to the first in reading order.

    The score to minimise is the size of the domain (mrv), the negated number of empty peers (degree), the first and
    then the second (mrv+degree), or the size of the domain divided by the weight of the regions (dom/wdeg).
    """
    rule = s.variable_order
    best = -1
    best_score = np.inf
    for cell in range(g.cells):
        if s.value[cell] >= 0:
            continue
        if rule == STATIC:
            return cell
        domain = popcount(s.candidates[cell])
        if rule == MRV:
            score = float(domain)
        elif rule == DEGREE:
            score = -float(s.free_peers[cell])
        elif rule == MRV_DEGREE:
            score = domain * 1024.0 - s.free_peers[cell]
        else:
            score = domain / cell_weight(g, s, cell)
        if score < best_score:
            best_score = score
            best = cell
            if rule == MRV and domain <= 1:
                break
    return best


@part
def choose_places(g: Tables, s: State, most: float) -> int:
    """Return the (region · 32 + value) with the fewest places, or -1 if no score is below `most`."""
    weighted = s.variable_order == DOM_WDEG
    best = -1
    for r in range(g.regions):
        if s.free_cells[r] == 0:
            continue
        weight = s.weight[r] if weighted else 1.0
        for value in range(g.size):
            places = s.places[r, value]
            if places & (places - ONE) == 0 and places and s.value[g.region_cells[r, lowest(places)]] >= 0:
                continue
            score = popcount(places) / weight
            if score < most:
                most = score
                best = r * 32 + value
    return best


@part
def random_below(s: State, bound: int) -> Any:
    """Return a number from 0 to bound - 1 (xorshift, seeded by the state)."""
    x = s.seed
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    s.seed = x
    return np.int64(x % np.uint64(bound))


@part
def value_cost(g: Tables, s: State, cell: int, value: int) -> int:
    """Return the cost of a value by the value order; the lowest is tried first.

    lcv-count: the number of empty peers with this candidate. lcv-domain: minus the smallest number of candidates that
    an empty peer keeps once the value is removed.
    """
    bit = ONE << np.uint64(value)
    count = 0
    smallest = 64
    for i in range(g.peer_count_of[cell]):
        peer = g.peers[cell, i]
        if s.value[peer] < 0:
            if s.candidates[peer] & bit:
                count += 1
            smallest = min(smallest, popcount(s.candidates[peer] & ~bit))
    return count if s.value_order == LCV_COUNT else -smallest


@part
def order_values(g: Tables, s: State, cell: int) -> int:
    """Write the candidates of a cell as the ordered choices of this level; return their number."""
    level = s.level
    mask = s.candidates[cell]
    count = 0
    while mask:
        s.choices[level, count] = cell * 32 + lowest(mask)
        mask &= mask - ONE
        count += 1
    rule = s.value_order
    if rule == RANDOM:
        for i in range(count - 1, 0, -1):
            j = random_below(s, i + 1)
            s.choices[level, i], s.choices[level, j] = s.choices[level, j], s.choices[level, i]
    elif rule != ASCENDING and count > 1:
        for i in range(count):  # insertion sort: stable, so that ties stay ascending
            code = s.choices[level, i]
            score = value_cost(g, s, cell, code & 31)
            j = i
            while j > 0 and s.scores[j - 1] > score:
                s.choices[level, j] = s.choices[level, j - 1]
                s.scores[j] = s.scores[j - 1]
                j -= 1
            s.choices[level, j] = code
            s.scores[j] = score
    return count


@part
def order_places(g: Tables, s: State, code: int) -> int:
    """Write the places of a value in a region as the choices of this level; return their number."""
    level = s.level
    r, value = code >> 5, code & 31
    mask = s.places[r, value]
    count = 0
    while mask:
        s.choices[level, count] = g.region_cells[r, lowest(mask)] * 32 + value
        mask &= mask - ONE
        count += 1
    if s.value_order == RANDOM:
        for i in range(count - 1, 0, -1):
            j = random_below(s, i + 1)
            s.choices[level, i], s.choices[level, j] = s.choices[level, j], s.choices[level, i]
    return count


@part
def choose(g: Tables, s: State) -> int:
    """Write the choices of the next decision at this level; return their number (0 at a dead end)."""
    cell = choose_cell(g, s)
    if s.branch_on_places:
        most = float(popcount(s.candidates[cell]))
        if s.variable_order == DOM_WDEG:
            most /= cell_weight(g, s, cell)
        code = choose_places(g, s, most)
        if code >= 0:
            return order_places(g, s, code)
    return order_values(g, s, cell)
