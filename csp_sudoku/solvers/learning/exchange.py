"""The exchange of learned clauses between searches of isomorphs of one board, each in a thread of its own.

Each search has a `Mailbox`. Between two slices of work it takes the clauses from the outbox of the kernel, translates
them to the literals of the board, and leaves them with the other searches; and it fills the inbox of the kernel with
what the others have left. A queue has one reader and needs no lock, because Python's deques are safe between threads.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_sudoku.solvers.backtracking.kernels.state import WIDTH
from csp_sudoku.solvers.learning.kernels.memory import MAIL, MAX_VARIABLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.solvers.isomorphs import Isomorphism

    Clauses = NDArray[np.int32]


class Mailbox:
    """The place where a search leaves clauses for the others, and finds theirs.

    `way` is the isomorphism from the board to what the search searches; None stands for the board itself.
    """

    def __init__(self, way: Isomorphism | None) -> None:
        self.others: list[Mailbox] = []
        self._waiting: deque[Clauses] = deque()
        self._maps = None if way is None else literal_maps(way)

    def swap(self, memory: Any) -> None:
        """Send what is in the outbox of a search, and fill its inbox, in its own thread and between two slices.

        `memory` is the record of the search.
        """
        end = int(memory["outbox_end"])
        if end:
            memory["outbox_end"] = 0
            clauses = _translated(memory["outbox"][:end], self._maps and self._maps[0])
            for other in self.others:
                other._waiting.append(clauses)
        start = int(memory["inbox_end"])
        while self._waiting and start + len(self._waiting[0]) <= MAIL:
            clauses = _translated(self._waiting.popleft(), self._maps and self._maps[1])
            memory["inbox"][start : start + len(clauses)] = clauses
            start += len(clauses)
        memory["inbox_end"] = start


def mailboxes(ways: list[Isomorphism | None]) -> list[Mailbox]:
    """Return a mailbox for each search, each of which reaches all others."""
    boxes = [Mailbox(way) for way in ways]
    for box in boxes:
        box.others = [other for other in boxes if other is not box]
    return boxes


def literal_maps(way: Isomorphism) -> tuple[Clauses, Clauses]:
    """Return for each literal of an isomorph that of its board, and the other way around.

    >>> from random import Random
    >>> from csp_sudoku.geometry import Geometry
    >>> from csp_sudoku.solvers.isomorphs import Isomorphism
    >>> to_board, from_board = literal_maps(Isomorphism(Geometry.standard(2, 2), Random(1)))
    >>> literals = np.arange(8)
    >>> from_board[to_board[literals]].tolist() == literals.tolist() != to_board[literals].tolist()
    True
    """
    cells, values = way.origins()
    to_board = np.arange(2 * MAX_VARIABLES, dtype=np.int32)
    from_board = to_board.copy()
    images = (np.arange(len(cells))[:, None] * WIDTH + np.arange(len(values))).ravel()
    originals = (cells[:, None] * WIDTH + values).ravel()
    for sign in (0, 1):
        to_board[2 * images + sign] = 2 * originals + sign
        from_board[2 * originals + sign] = 2 * images + sign
    return to_board, from_board


def _translated(clauses: Clauses, table: Clauses | None) -> Clauses:
    """Return clauses with each literal replaced by its entry in a table; their headers, which are negative, stay."""
    if table is None:
        return clauses.copy()
    return np.where(clauses >= 0, table[clauses], clauses)
