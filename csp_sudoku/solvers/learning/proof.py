"""A slow checker of the learning search, which shares no code with it.

The checker accepts a clause if unit propagation refutes its negation (reverse unit propagation). The propagation uses
the rules, the candidates at the root, and the clauses that were accepted before. A literal is a number: `cell · size +
value`, with values from 1, states that the cell has the value; the negative number states that it does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from csp_sudoku.geometry import Geometry

Clause = tuple[int, ...]
"""A clause as its literals, of which at least one is true."""


class Checker:
    """The rules of a geometry, the candidates at the root, and the clauses that are known to follow from them.

    `masks` are the candidates at the root, one mask per cell.

    >>> checker = Checker(Geometry.standard(2, 2), [0b1111] * 16)
    >>> checker.follows([-1, -5]), checker.follows([1, 5]), checker.refutes([1, 6, 11])
    (True, False, False)
    >>> checker.refutes([1, 6, 11, 28])  # 1, 2, 3 in the row, and 4 below the last cell
    True
    """

    def __init__(self, geometry: Geometry, masks: Sequence[int]) -> None:
        self._size = geometry.size
        self._groups: list[Clause] = [
            tuple(self.literal(cell, value) for value in range(1, self._size + 1))
            for cell in range(geometry.cell_count)
        ]
        self._groups += [
            tuple(self.literal(cell, value) for cell in region)
            for region in geometry.regions
            if len(region) == self._size
            for value in range(1, self._size + 1)
        ]
        self._groups_of = defaultdict(list)
        for group in self._groups:
            for literal in group:
                self._groups_of[literal].append(group)
        self._clauses_of: defaultdict[int, list[Clause]] = defaultdict(list)
        self._known: set[int] = set()
        self._is_refuted = False
        self.exclude(masks)

    def literal(self, cell: int, value: int) -> int:
        """The literal for a cell and its value."""
        return cell * self._size + value

    def read(self, numbers: Iterable[int]) -> Clause:
        """Translate a clause from the literals of the kernel."""
        return tuple(
            self.literal(number >> 6, (number >> 1 & 31) + 1) * (-1 if number & 1 else 1)
            for number in map(int, numbers)
        )

    def refutes(self, literals: Iterable[int]) -> bool:
        """Whether propagation shows that these literals cannot all be true."""
        return self._is_refuted or self._propagate(set(self._known), literals) is None

    def follows(self, clause: Iterable[int]) -> bool:
        """Whether propagation shows that at least one of these literals is true."""
        return self.refutes([-literal for literal in clause])

    def exclude(self, masks: Sequence[int]) -> None:
        """Assume from now on that each cell has one of the candidates of its mask."""
        self._assert(
            -self.literal(cell, value)
            for cell, mask in enumerate(masks)
            for value in range(1, self._size + 1)
            if not mask >> value - 1 & 1
        )

    def add(self, clause: Clause) -> None:
        """Assume a clause from now on, without checking it."""
        for literal in clause:
            self._clauses_of[-literal].append(clause)
        if self._is_refuted:
            return
        open_ones = [literal for literal in clause if -literal not in self._known]
        if len(open_ones) <= 1:
            self._assert(open_ones)
            self._is_refuted |= not open_ones

    def learn(self, clause: Clause) -> None:
        """Check that a clause follows, and add it; RuntimeError if it does not follow."""
        if not self.follows(clause):
            raise RuntimeError(f"expected a clause that follows by propagation; found {clause}")
        self.add(clause)

    def _assert(self, literals: Iterable[int]) -> None:
        known = self._propagate(self._known, literals)
        self._is_refuted |= known is None

    def _propagate(self, true: set[int], literals: Iterable[int]) -> set[int] | None:
        """Add the literals and all their consequences to the set `true`, and return it; None if they contradict it."""
        waiting = list(literals)
        while waiting:
            literal = waiting.pop()
            if literal in true:
                continue
            if -literal in true:
                return None
            true.add(literal)
            for group in self._groups_of[abs(literal)]:
                if literal > 0:
                    waiting += [-other for other in group if other != literal]
                else:
                    found = self._unit(group, true)
                    if found is None:
                        return None
                    waiting += found
            for clause in self._clauses_of[literal]:
                found = self._unit(clause, true)
                if found is None:
                    return None
                waiting += found
        return true

    @staticmethod
    def _unit(clause: Clause, true: set[int]) -> list[int] | None:
        """The unit literal of a clause as a list: the only literal that is not false.

        The list is empty if the clause is true or has several such literals. None if all literals are false.
        """
        left = []
        for literal in clause:
            if literal in true:
                return []
            if -literal not in true:
                left.append(literal)
                if len(left) > 1:
                    return []
        return left or None


def checker_of(geometry: Geometry, memory: Any) -> Checker:
    """A checker for a search that has just begun; `memory` is the record of its kernel.

    From now on, the search logs the clauses that it learns.
    """
    memory["is_logged"] = 1
    return Checker(geometry, memory["root_candidates"][: geometry.cell_count].tolist())


def drain(memory: Any, checker: Checker) -> None:
    """Check the clauses that a search has logged in `memory` since the last call, and empty the log.

    RuntimeError if a clause does not follow, or if the log was too small.
    """
    if memory["is_logged"] != 1:
        raise RuntimeError("expected room for all clauses in the log of the learning search")
    end, at = int(memory["log_end"]), 0
    log = memory["log"][:end].tolist()
    while at < end:
        after = at + 1 + log[at]
        checker.learn(checker.read(log[at + 1 : after]))
        at = after
    memory["log_end"] = 0
