"""Algorithm X on dancing links (Knuth, "Dancing Links", 2000): sudoku as an exact cover, resumable at any node.

An item is a cell to be filled, or a value to be placed in a region; an option is a candidate (cell, value), which
covers its cell and its value in each of the cell's regions. `links` holds a row (left, right, up, down, item) per
node; node 0 is the root of the items, nodes 1 to items are their headers.
"""

from __future__ import annotations

import numpy as np

from csp_sudoku.compiled.compilation import kernel, part
from csp_sudoku.solvers.backtracking.kernels.state import EXHAUSTED, FOUND, OUT_OF_NODES, SLICE_OVER

LEFT, RIGHT, UP, DOWN, ITEM = range(5)
# Registers.
DEPTH, NODES, BACKTRACKS, UPDATES, SOLUTIONS, SOLUTION_LIMIT, NODE_LIMIT, CLIMBING = range(8)


@kernel
def build_cover(tables: np.ndarray, cells: np.ndarray, links: np.ndarray, size: np.ndarray, codes: np.ndarray) -> None:
    """Link the candidates that the givens leave; `codes[node]` is cell · 32 + value."""
    g = tables[0]
    items = g.cells + g.regions * g.size
    for item in range(items + 1):
        links[item, LEFT] = item - 1 if item else items
        links[item, RIGHT] = item + 1 if item < items else 0
        links[item, UP] = links[item, DOWN] = links[item, ITEM] = item
        size[item] = 0
    node = items + 1
    for cell in range(g.cells):
        for value in range(g.size):
            possible = cells[cell] == 0 or cells[cell] == value + 1
            if cells[cell] == 0:
                for i in range(g.peer_count_of[cell]):
                    if cells[g.peers[cell, i]] == value + 1:
                        possible = False
            if not possible:
                continue
            first = node
            for k in range(g.region_count_of[cell] + 1):
                item = cell + 1 if k == 0 else g.cells + g.regions_of[cell, k - 1] * g.size + value + 1
                links[node, LEFT] = node - 1
                links[node, RIGHT] = node + 1
                links[node, UP] = links[item, UP]
                links[node, DOWN] = item
                links[node, ITEM] = item
                links[links[item, UP], DOWN] = node
                links[item, UP] = node
                size[item] += 1
                codes[node] = cell * 32 + value
                node += 1
            links[first, LEFT] = node - 1
            links[node - 1, RIGHT] = first


@part
def cover(links: np.ndarray, size: np.ndarray, item: int) -> int:
    """Remove an item, and every option that competes for it, from the lists; return the number of changed links."""
    updates = 1
    links[links[item, RIGHT], LEFT] = links[item, LEFT]
    links[links[item, LEFT], RIGHT] = links[item, RIGHT]
    row = links[item, DOWN]
    while row != item:
        node = links[row, RIGHT]
        while node != row:
            links[links[node, DOWN], UP] = links[node, UP]
            links[links[node, UP], DOWN] = links[node, DOWN]
            size[links[node, ITEM]] -= 1
            updates += 1
            node = links[node, RIGHT]
        row = links[row, DOWN]
    return updates


@part
def uncover(links: np.ndarray, size: np.ndarray, item: int) -> None:
    """Undo `cover`, in the reverse order."""
    row = links[item, UP]
    while row != item:
        node = links[row, LEFT]
        while node != row:
            size[links[node, ITEM]] += 1
            links[links[node, DOWN], UP] = node
            links[links[node, UP], DOWN] = node
            node = links[node, LEFT]
        row = links[row, UP]
    links[links[item, RIGHT], LEFT] = item
    links[links[item, LEFT], RIGHT] = item


@part
def choose_item(links: np.ndarray, size: np.ndarray) -> int:
    """Return the item with the fewest options; the first of several."""
    best = links[0, RIGHT]
    item = best
    while item != 0 and size[best] > 1:
        if size[item] < size[best]:
            best = item
        item = links[item, RIGHT]
    return best


@part
def release(links: np.ndarray, size: np.ndarray, option: int) -> None:
    """Uncover the other items of an option."""
    node = links[option, LEFT]
    while node != option:
        uncover(links, size, links[node, ITEM])
        node = links[node, LEFT]


@kernel
def search_cover(links: np.ndarray, size: np.ndarray, stack: np.ndarray, n: np.ndarray, slice_work: int) -> int:
    """Search for about `slice_work` changed links; return FOUND, EXHAUSTED, SLICE_OVER or OUT_OF_NODES.

    `stack[depth]` is the option tried at each depth. The next call continues the search, after FOUND for the next
    solution.
    """
    end = n[UPDATES] + slice_work
    while n[UPDATES] < end:
        if n[NODE_LIMIT] >= 0 and n[NODES] >= n[NODE_LIMIT] and links[0, RIGHT] != 0:
            return OUT_OF_NODES
        if n[CLIMBING]:
            if n[DEPTH] == 0:
                return EXHAUSTED
            n[DEPTH] -= 1
            n[BACKTRACKS] += 1
            n[UPDATES] += 1
            release(links, size, stack[n[DEPTH]])
            option = links[stack[n[DEPTH]], DOWN]
        elif links[0, RIGHT] == 0:
            n[SOLUTIONS] += 1
            n[CLIMBING] = 1
            if n[SOLUTIONS] >= n[SOLUTION_LIMIT]:
                return FOUND
            continue
        else:
            item = choose_item(links, size)
            n[UPDATES] += cover(links, size, item)
            option = links[item, DOWN]
        item = links[option, ITEM]
        if option == item:  # back at the header: every option of the item was tried
            uncover(links, size, item)
            n[CLIMBING] = 1
            continue
        n[CLIMBING] = 0
        n[NODES] += 1
        stack[n[DEPTH]] = option
        n[DEPTH] += 1
        node = links[option, RIGHT]
        while node != option:
            n[UPDATES] += cover(links, size, links[node, ITEM])
            node = links[node, RIGHT]
    return SLICE_OVER
