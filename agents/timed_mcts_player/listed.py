"""The solver and the search of the earlier system 002 as its report lists them, with all their errors.

The solver is Knuth's Algorithm X on dictionaries, after A. Assaf. When it undoes a choice, it adds the wrong key to the
other columns, so the next choice raises a KeyError or finds no solution. It also continues after the first solution. So
it fails on every board where singles do not suffice, and the player plays the random move that it has proposed before.

The tree has the faults of `faults`, and one more: the bound of a move is computed only when the move is visited, so it
does not grow with the visits of its siblings.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, log, sqrt
from random import Random

from csp_sudoku.board import Board
from csp_sudoku.game.state import GameState
from csp_sudoku.players.classic.counters import REWARDS, RegionCounters

Key = tuple[str, int, int]
"""A column of the exact cover: a cell to fill, or a place for a value in a row, a column or a block."""
Choice = tuple[int, int]
"""A row of the exact cover: a cell and its value."""
Columns = dict[Key, set[Choice]]
Taken = list[set[Choice]]


def listed_completion(board: Board) -> bytes:
    """Return a completion as 002's solver finds it; raise KeyError where that solver fails.

    The empty cells stay empty if it finds nothing.

    >>> list(listed_completion(Board.parse("1243 3421 4312 213.")))[-4:]
    [2, 1, 3, 4]
    """
    geometry, size = board.geometry, board.size
    keys: dict[Choice, list[Key]] = {}
    for cell in range(geometry.cell_count):
        row, column = geometry.row_column(cell)
        for value in range(1, size + 1):
            keys[cell, value] = [
                ("cell", cell, 0),
                ("row", row, value),
                ("column", column, value),
                ("block", geometry.block_of[cell], value),
            ]
    columns: Columns = {}
    for choice, its_keys in keys.items():
        for key in its_keys:
            columns.setdefault(key, set()).add(choice)
    for cell, value in enumerate(board.values):
        if value:
            _select(columns, keys, (cell, value))
    values = bytearray(board.values)
    for solution in _solutions(columns, keys, []):  # all of them: the authors did not stop at the first one
        for cell, value in solution:
            values[cell] = value
    return bytes(values)


def _solutions(columns: Columns, keys: dict[Choice, list[Key]], chosen: list[Choice]) -> Iterator[list[Choice]]:
    """Yield the solutions, as far as the faults let the search find them."""
    if not columns:
        yield list(chosen)
        return
    fewest = min(columns, key=lambda key: len(columns[key]))
    for choice in list(columns[fewest]):
        chosen.append(choice)
        taken = _select(columns, keys, choice)
        yield from _solutions(columns, keys, chosen)
        _deselect(columns, keys, choice, taken)
        chosen.pop()


def _select(columns: Columns, keys: dict[Choice, list[Key]], choice: Choice) -> Taken:
    """Remove the columns of a choice, and its rivals from the other columns; return the removed columns."""
    taken = []
    for key in keys[choice]:
        for rival in columns[key]:
            for other in keys[rival]:
                if other != key:
                    columns[other].remove(rival)
        taken.append(columns.pop(key))
    return taken


def _deselect(columns: Columns, keys: dict[Choice, list[Key]], choice: Choice, taken: Taken) -> None:
    """Restore the columns of a choice; the authors added `key` to the other columns, which had lost `rival`."""
    for key in reversed(keys[choice]):
        columns[key] = taken.pop()
        for rival in columns[key]:
            for other in keys[rival]:
                if other != key:
                    columns[other].add(key)  # type: ignore[arg-type] # the fault


class ListedNode:
    """A position in the tree of 002, with copies of all that it needs."""

    def __init__(self, parent: ListedNode | None, sign: int, cells: list[int], empty: list[int], lead: int) -> None:
        self.parent = parent
        self.sign = sign
        """1 if the player who searches is to move, else -1."""
        self.cells = cells
        self.empty = empty
        """The number of empty cells of each region."""
        self.lead = lead
        self.visits = 0
        self.total = 0.0
        self.bound = inf
        self.children: list[ListedNode] = []


class ListedSearch:
    """The search of a state; `exploration` is the weight of the bonus for moves with few visits.

    With `counts_points`, the result of a playout is the difference in points, otherwise the winner.
    """

    def __init__(self, state: GameState, rng: Random, exploration: float, *, counts_points: bool) -> None:
        board = state.board
        counters = RegionCounters(board.geometry, board.values)
        self.regions_of = counters.regions_of
        self.rng = rng
        self.exploration = exploration
        self.counts_points = counts_points
        lead = 0 if counts_points else state.scores[0] - state.scores[1]  # also if player 2 searches
        self.root = ListedNode(None, 1, list(board.empty_cells()), list(counters.empty), lead)

    def iterate(self) -> None:
        """Make one playout: from a new child of a node that was visited once, or from the node itself."""
        node = self.root
        while node.children:
            node = max(node.children, key=lambda child: child.bound)
        if node.visits == 1:
            node.children = [self._child(node, cell) for cell in node.cells]
            if node.children:
                node = self.rng.choice(node.children)
        result = float(self._playout(node))
        if not self.counts_points:
            result = (result > 0) - (result < 0)
        self._record(node, result)

    def best(self, *, by_visits: bool) -> int:
        """Return the cell with the highest mean, or with `by_visits` the one that was tried most often.

        Raise ZeroDivisionError if the highest mean is asked for and a cell was not tried.
        """
        values = [child.visits if by_visits else child.total / child.visits for child in self.root.children]
        return self.root.cells[values.index(max(values))]

    def _child(self, node: ListedNode, cell: int) -> ListedNode:
        empty = node.empty.copy()
        points = REWARDS[sum(empty[region] == 1 for region in self.regions_of[cell])]
        for region in self.regions_of[cell]:
            empty[region] -= 1
        cells = [other for other in node.cells if other != cell]
        return ListedNode(node, -node.sign, cells, empty, node.lead + node.sign * points)

    def _playout(self, node: ListedNode) -> int:
        """Return the lead after a random game, with points computed from the counts at its start."""
        lead, sign = node.lead, node.sign
        cells = node.cells.copy()
        self.rng.shuffle(cells)
        for cell in cells:
            lead += sign * REWARDS[sum(node.empty[region] == 1 for region in self.regions_of[cell])]
            sign = -sign
        return lead

    def _record(self, node: ListedNode, result: float) -> None:
        """Add a result to the path, at each node for the player to move there instead of the player who moved there."""
        at: ListedNode | None = node
        while at is not None:
            at.visits += 1
            at.total += at.sign * result
            if at.parent is not None:
                bonus = self.exploration * sqrt(log(at.parent.visits + 1) / at.visits)
                at.bound = at.total / at.visits + bonus
            at = at.parent
