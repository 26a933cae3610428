"""Whether what the learning search has learned is so: a slow checker that shares nothing with it.

A clause is right if the rules, what was known at the root, and the clauses before it refute by mere propagation that
all its literals are false. Literals are numbers: `cell · size + value`, values from 1; negative where the cell does not
have the value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from csp_sudoku.geometry import Geometry

Clause = tuple[int, ...]


class Checker:
    """The rules of a geometry on the candidates that the root leaves, and the clauses that were found to follow.

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
        """The number that says that a cell has a value."""
        return cell * self._size + value

    def read(self, numbers: Iterable[int]) -> Clause:
        """The clause that the search has written as its own numbers."""
        return tuple(
            self.literal(number >> 6, (number >> 1 & 31) + 1) * (-1 if number & 1 else 1)
            for number in map(int, numbers)
        )

    def refutes(self, literals: Iterable[int]) -> bool:
        """Whether propagation shows that these are not all true."""
        return self._is_refuted or self._propagate(set(self._known), literals) is None

    def follows(self, clause: Iterable[int]) -> bool:
        """Whether propagation shows that one of these is true."""
        return self.refutes([-literal for literal in clause])

    def exclude(self, masks: Sequence[int]) -> None:
        """Take for granted from now on that each cell has one of the candidates of its mask."""
        self._assert(
            -self.literal(cell, value)
            for cell, mask in enumerate(masks)
            for value in range(1, self._size + 1)
            if not mask >> value - 1 & 1
        )

    def add(self, clause: Clause) -> None:
        """Take a clause for granted from now on."""
        for literal in clause:
            self._clauses_of[-literal].append(clause)
        if self._is_refuted:
            return
        open_ones = [literal for literal in clause if -literal not in self._known]
        if len(open_ones) <= 1:
            self._assert(open_ones)
            self._is_refuted |= not open_ones

    def learn(self, clause: Clause) -> None:
        """Take a clause that follows; RuntimeError if it does not."""
        if not self.follows(clause):
            raise RuntimeError(f"expected a clause that follows by propagation; found {clause}")
        self.add(clause)

    def _assert(self, literals: Iterable[int]) -> None:
        known = self._propagate(self._known, literals)
        self._is_refuted |= known is None

    def _propagate(self, true: set[int], literals: Iterable[int]) -> set[int] | None:
        """All that follows from literals, together with what is true already; None if that is a contradiction."""
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
        """The only literal of a clause that is not false; nothing if there are more or one is true; None if none is."""
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
    """A checker of what a search will learn that has just begun, and from now on writes it down."""
    memory["is_logged"] = 1
    return Checker(geometry, memory["root_candidates"][: geometry.cell_count].tolist())


def drain(memory: Any, checker: Checker) -> None:
    """Check what a search has logged since the last time, and empty its log."""
    if memory["is_logged"] != 1:
        raise RuntimeError("expected room for all clauses in the log of the learning search")
    end, at = int(memory["log_end"]), 0
    log = memory["log"][:end].tolist()
    while at < end:
        after = at + 1 + log[at]
        checker.learn(checker.read(log[at + 1 : after]))
        at = after
    memory["log_end"] = 0
