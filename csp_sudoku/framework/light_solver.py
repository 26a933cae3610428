"""A solver that starts at once, because it uses only Python's integers; it decides the easy boards of solve_sudoku.

For each value, one integer has a bit for each cell that may still hold it. So a step of propagation takes a few
operations on integers, whatever the size of the board. Propagation finds naked and hidden singles; the search branches
on a cell with the fewest candidates. If a board is not solved after some rounds, the solver starts again with stronger
methods: it applies locked candidates and naked pairs, branches on the last two places of a value in a region, and among
several cells prefers the one whose regions have caused the most failures, where later failures count more. It leaves
boards that are undecided within the budget to the compiled solvers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from csp_sudoku.errors import UndecidedError
from csp_sudoku.geometry import Geometry

BUDGET = 12000
"""Maximum number of rounds of propagation; they take less time than importing the compiled solvers."""

RECENT = 1.02
"""The growth factor of the weight of failures: each failure counts this much more than the one before."""


class _Masks:
    """A geometry as integers with one bit per cell."""

    def __init__(self, geometry: Geometry) -> None:
        self.size = geometry.size
        self.all = (1 << geometry.cell_count) - 1
        self.regions = [sum(1 << cell for cell in region) for region in geometry.regions]
        self.regions_of = [[self.regions[number] for number in numbers] for numbers in geometry.regions_of]
        self.numbers_of = geometry.regions_of
        self.others = [~(row | column | block) for row, column, block in self.regions_of]  # neither peers nor the cell
        lines, blocks = self.regions[: 2 * self.size], self.regions[2 * self.size :]
        self.crossings = [
            (line & block, line & ~block, block & ~line) for block in blocks for line in lines if line & block
        ]


@cache
def _masks(m: int, n: int) -> _Masks:
    return _Masks(Geometry.standard(m, n))


def complete(m: int, n: int, cells: Sequence[int], budget: int = BUDGET) -> list[int] | None:
    """Return a solution of a board, or None if it has none (for example because two equal values clash).

    `m` and `n` are the rows and columns of a block, and `cells` the values row by row, with 0 for an empty cell. Raise
    UndecidedError if neither is proven within `budget` rounds of propagation (default BUDGET).

    >>> complete(2, 2, [1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4])
    [1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4]
    >>> complete(2, 2, [1, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]) is None
    True
    >>> complete(5, 5, [0] * 625, budget=1)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.UndecidedError: expected an answer within 1 rounds of propagation; found none
    """
    masks = _masks(m, n)
    root = _Node(masks, _Blame(masks), [masks.all] * masks.size, [masks.all] * masks.size, 0)
    if not all(root.place(value - 1, cell) for cell, value in enumerate(cells) if value):
        return None
    waiting, rounds, hard = [root], 0, False
    while waiting:
        node = waiting.pop()
        if rounds > len(cells) * 3 // 2 and not hard:  # The board is not easy: start again with all methods.
            node, waiting, hard = root, [], True
        alive = node.settle() and (not hard or node.infer(root=node is root))
        rounds += node.rounds
        if alive and node.filled == masks.all:
            return node.values()
        if alive:
            waiting += node.children(hard)
        if rounds >= budget and waiting:
            raise UndecidedError(f"expected an answer within {budget} rounds of propagation; found none")
    return None


class _Blame:
    """The weighted number of failures of a search in each region."""

    def __init__(self, masks: _Masks) -> None:
        self.weights = [1.0] * len(masks.regions)
        self.numbers_of = masks.numbers_of
        self._next = 1.0

    def add(self, regions: Sequence[int]) -> None:
        """Add a failure to the weights of these regions."""
        for region in regions:
            self.weights[region] += self._next
        self._next *= RECENT

    def of(self, cell: int) -> float:
        """Return the sum of the weights of the regions of a cell."""
        return sum([self.weights[region] for region in self.numbers_of[cell]])


class _Node:
    """A node of the search: for each value (from zero) the cells that may hold it, and the cells that are settled.

    `checked` is the last state of `places` in which every region was known to have several places for each value. The
    node owns both lists; all nodes of a search share `blame`.
    """

    def __init__(self, masks: _Masks, blame: _Blame, places: list[int], checked: list[int], filled: int) -> None:
        self.masks = masks
        self.blame = blame
        self.places = places
        self.checked = checked
        self.filled = filled
        self.rounds = 0

    def place(self, value: int, cell: int) -> bool:
        """Settle a cell; return False if it cannot hold the value."""
        bit = 1 << cell
        places = self.places
        if not places[value] & bit:
            return False
        kept = places[value] & self.masks.others[cell] | bit
        places[:] = [mask & ~bit for mask in places]
        places[value] = kept
        self.filled |= bit
        return True

    def values(self) -> list[int]:
        """Return the values of all cells, once every cell is settled."""
        values = [0] * self.masks.size**2
        for value, mask in enumerate(self.places, 1):
            for cell in _cells(mask):
                values[cell] = value
        return values

    def settle(self) -> bool:
        """Settle all naked and hidden singles; return False if a cell has no candidate or a value has no place in a
        region.
        """
        while True:
            self.rounds += 1
            found = self._naked()
            if found is None:
                return False
            if found:
                continue
            if self.places == self.checked:
                return True
            for value in range(len(self.places)):
                if self.places[value] != self.checked[value] and not self._hidden(value):
                    return False

    def _naked(self) -> bool | None:
        """Settle the cells with one candidate; return whether there were any, or None if a cell has none."""
        once = twice = 0
        for mask in self.places:
            twice |= once & mask
            once |= mask
        if once != self.masks.all:
            self.blame.add(self.masks.numbers_of[(self.masks.all ^ once).bit_length() - 1])
            return None
        single = once & ~twice & ~self.filled
        if not single:
            return False
        for value, mask in enumerate(self.places):
            here, left = mask & single, mask  # no other value has these cells
            while here:
                bit = here & -here
                if not left & bit:  # two equal values clash; adding blame for this made searches slower
                    return None
                left = left & self.masks.others[bit.bit_length() - 1] | bit
                here ^= bit
            self.places[value] = left
        self.filled |= single
        return True

    def _hidden(self, value: int) -> bool:
        """Settle the last place of a value in each region; return False if a region has no place for it."""
        mask = self.places[value]
        gone = mask ^ self.checked[value]
        self.checked[value] = mask
        for region in self._regions(gone):
            here = mask & region
            if not here & (here - 1) and not here & self.filled:
                if not here:
                    self.blame.add([self.masks.regions.index(region)])
                    return False
                self.place(value, here.bit_length() - 1)
                mask = self.places[value]
        return True

    def _regions(self, cells: int) -> list[int]:
        """Return the regions of some cells, or all regions if that is less work."""
        if cells.bit_count() * 3 >= len(self.masks.regions):
            return self.masks.regions
        regions_of = self.masks.regions_of
        return [region for cell in _cells(cells) for region in regions_of[cell]]

    def infer(self, *, root: bool) -> bool:
        """Apply the more expensive inferences too; return False on a contradiction.

        At the root this includes locked candidates, and repeats until nothing changes; deeper in the search this costs
        too much.
        """
        while True:
            if root:
                self._lock()
            self._pair()
            if self.places == self.checked:
                return True
            if not self.settle():
                return False
            if not root:
                return True

    def _lock(self) -> None:
        """Apply locked candidates: if a line has a value only within a block, the rest of the block cannot have it.

        The same holds with line and block exchanged.
        """
        for value, mask in enumerate(self.places):
            left = mask
            for crossing, rest_of_line, rest_of_block in self.masks.crossings:
                if left & crossing:
                    if not left & rest_of_block:
                        left &= ~rest_of_line
                    elif not left & rest_of_line:
                        left &= ~rest_of_block
            self.places[value] = left

    def _pair(self) -> None:
        """Apply naked pairs: if two cells of a region have the same two candidates, its other cells have neither."""
        once = twice = thrice = 0
        for mask in self.places:
            thrice |= twice & mask
            twice |= once & mask
            once |= mask
        pairs: dict[int, tuple[int, ...]] = {}
        for value, mask in enumerate(self.places):
            for cell in _cells(mask & twice & ~thrice):
                pairs[cell] = (*pairs.get(cell, ()), value)
        alike: dict[tuple[int, ...], int] = {}
        for cell, pair in pairs.items():
            alike[pair] = alike.get(pair, 0) | 1 << cell
        for pair, cells in alike.items():
            if cells & (cells - 1):
                for region in self.masks.regions:
                    if (region & cells).bit_count() == 2:
                        for value in pair:
                            self.places[value] &= ~region | cells

    def children(self, hard: bool) -> list[_Node]:
        """Return a node for each branch; the last one is to be tried first."""
        found = []
        for value, cell in self._fewest(hard):
            node = _Node(self.masks, self.blame, self.places.copy(), self.checked.copy(), self.filled)
            node.place(value, cell)
            found.append(node)
        return found[::-1]

    def _fewest(self, hard: bool) -> list[tuple[int, int]]:
        """Return the candidates of a cell with the fewest; on a `hard` board, prefer two places of a value."""
        planes = [0, 0, 0, 0, 0]  # the number of candidates of every cell, in binary
        for mask in self.places:
            carry = mask
            for level in range(5):
                planes[level], carry = planes[level] ^ carry, planes[level] & carry
                if not carry:
                    break
        cells, fewest = self.masks.all & ~self.filled, 0
        for level in range(4, -1, -1):
            less = cells & ~planes[level]
            fewest |= 0 if less else 1 << level
            cells = less or cells
        if hard and fewest > 2:
            for value, mask in enumerate(self.places):
                for region in self.masks.regions:
                    if (mask & region).bit_count() == 2:
                        return [(value, cell) for cell in _cells(mask & region)]
        if hard:  # Of equally blamed cells, take the cell with the most open peers, which causes the most inferences.
            blame, others = self.blame.of, self.masks.others
            cell = max(_cells(cells), key=lambda cell: (blame(cell), (cells & ~others[cell]).bit_count()))
            return self._candidates(cell)
        return self._candidates(next(_cells(cells)))

    def _candidates(self, cell: int) -> list[tuple[int, int]]:
        return [(value, cell) for value, mask in enumerate(self.places) if mask >> cell & 1]


def _cells(mask: int) -> Iterator[int]:
    """Yield the cells of a mask in ascending order."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit
