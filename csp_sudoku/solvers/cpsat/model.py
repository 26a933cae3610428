"""A board as a CP-SAT model: candidates, cheap propagation, the two encodings, and the decoding of solutions.

Candidates are bit masks, one per cell: bit v - 1 stands for the value v. A cell is **settled** once it has only one
candidate and that value is no longer a candidate of any peer. Settled cells are not part of the model.

Constraints narrow the candidates first, and are then posted to the model.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

from csp_sudoku.board import Board
from csp_sudoku.candidates import bits, candidate_masks
from csp_sudoku.constraints.derived import strengthened
from csp_sudoku.constraints.posting import Posting
from csp_sudoku.geometry import Geometry


@dataclass(slots=True)
class Candidates:
    """The candidates of a board, and the cells that are settled.

    >>> candidates = Candidates.of(Board.parse("1... ..2. .3.. ...4"))
    >>> candidates.fill_singles(), candidates.open_count
    (True, 0)
    """

    geometry: Geometry
    """The geometry of the board."""
    masks: list[int]
    """The mask of the candidates of each cell."""
    settled: bytearray
    """For each cell, 1 if it is settled, else 0."""

    @classmethod
    def of(cls, board: Board, known: Iterable[int] | None = None) -> Candidates:
        """The candidates that the givens leave.

        `known` are masks that an earlier propagation has left; candidates outside them are removed. By default, no
        further candidates are removed.
        """
        masks = candidate_masks(board.geometry, board.values)
        if known is not None:
            masks = [mask & int(other) for mask, other in zip(masks, known, strict=True)]
        return cls(board.geometry, masks, bytearray(map(bool, board.values)))

    @property
    def open_count(self) -> int:
        """The number of cells that are not settled."""
        return self.settled.count(0)

    def values(self) -> bytes:
        """The values of the settled cells, and 0 for all other cells."""
        return bytes(mask.bit_length() if done else 0 for mask, done in zip(self.masks, self.settled, strict=True))

    def fill_singles(self) -> bool:
        """Settle naked and hidden singles until there are no more.

        False if a cell has no candidate left, or a region has no place for a value.
        """
        singles: list[int] | None = [cell for cell, mask in enumerate(self.masks) if not mask & mask - 1]
        while singles is not None and self._settle(singles):
            singles = self._hidden_singles()
            if singles == []:
                return True
        return False

    def propagate(self) -> bool:
        """Fill singles, and let the constraints of the geometry remove candidates, until nothing changes.

        False if a cell has no candidate left, a region has no place for a value, or a constraint cannot hold.
        """
        geometry, masks = self.geometry, self.masks
        if not geometry.constraints:
            return self.fill_singles()
        watched = [(constraint, constraint.scope(geometry)) for constraint in strengthened(geometry)]
        seen: list[list[int]] = [[] for _ in watched]
        is_stable = False
        while not is_stable:
            if not self.fill_singles():
                return False
            is_stable = True
            for number, (constraint, scope) in enumerate(watched):
                current = [masks[cell] for cell in scope]
                if current == seen[number]:
                    continue
                if not constraint.prune(geometry, masks):
                    return False
                narrowed = [masks[cell] for cell in scope]
                if not all(narrowed):
                    return False
                if narrowed == current:
                    seen[number] = current
                else:
                    is_stable = False
        return True

    def _settle(self, queue: list[int]) -> bool:
        """Settle these cells, remove their values from their peers, and settle the naked singles that follow.

        False if a cell has no candidate left.
        """
        masks, settled, peers = self.masks, self.settled, self.geometry.peers
        while queue:
            cell = queue.pop()
            bit = masks[cell]
            if not bit:
                return False
            if settled[cell]:
                continue
            settled[cell] = 1
            for peer in peers[cell]:
                mask = masks[peer]
                if mask & bit:
                    mask ^= bit
                    masks[peer] = mask
                    if not mask & mask - 1:
                        queue.append(peer)
        return True

    def _hidden_singles(self) -> list[int] | None:
        """The unsettled cells that are the only place for a value in a region; the value becomes their only candidate.

        None if a value has no place left in a region.
        """
        masks, settled = self.masks, self.settled
        full = (1 << self.geometry.size) - 1
        found = []
        for region in self.geometry.regions:
            once = twice = 0
            for cell in region:
                mask = masks[cell]
                twice |= once & mask
                once |= mask
            if once != full:
                return None
            once &= ~twice
            if not once:
                continue
            for cell in region:
                single = masks[cell] & once
                if single & single - 1:
                    return None
                if single and not settled[cell]:
                    masks[cell] = single
                    found.append(cell)
        return found


@dataclass(frozen=True, slots=True)
class EncodedBoard:
    """A CP-SAT model, and the meaning of its variables."""

    model: Any
    """The `cp_model.CpModel`."""
    given: bytes
    """The values of the cells that are not in the model."""
    cells: Sequence[int]
    """The cell of each variable."""
    values: Sequence[int] | None
    """The value that each Boolean variable stands for; None if the variables are integers."""
    posting: Posting | None = None
    """The variables by cell, if constraints were posted to the model; they follow the other variables."""

    @property
    def is_determined(self) -> bool:
        """Whether each solution of the board corresponds to exactly one solution of the model."""
        return self.posting is None or self.posting.is_determined

    def exclude(self, values: bytes) -> None:
        """Exclude this solution of the board from the model."""
        assert self.posting is not None
        posting = self.posting
        posting.forbid(*[posting.literal(cell, values[cell]) for cell in dict.fromkeys(self.cells)])

    def decode(self, solution: Sequence[int]) -> bytes:
        """The values of all cells of the board, from the values of the variables in a solution."""
        filled = bytearray(self.given)
        if self.values is None:
            for cell, value in zip(self.cells, solution, strict=False):
                filled[cell] = value
        else:
            for cell, value in compress(zip(self.cells, self.values, strict=True), solution):
                filled[cell] = value
        return bytes(filled)


def build(candidates: Candidates, encoding: str, seed: int = 0) -> EncodedBoard | None:
    """The model of the unsettled cells; None if a cell has no candidate, or a value has no place in a region.

    `encoding` is "boolean" or "integer". A `seed` other than 0, the default, shuffles the order of the variables, which
    changes the course of the search, because CP-SAT's own `random_seed` has no effect with these parameters.
    """
    if not all(candidates.masks):
        return None
    rng = random.Random(seed) if seed else None
    encoded = _integer_model(candidates, rng) if encoding == "integer" else _boolean_model(candidates, rng)
    if encoded is None or not candidates.geometry.constraints:
        return encoded
    return with_posting(encoded, candidates)


def with_posting(encoded: EncodedBoard, candidates: Candidates) -> EncodedBoard:
    """The model with the constraints of the geometry posted to it.

    `encoded` is the model of the regions for these `candidates`.
    """
    literals: list[dict[int, int]] = [{} for _ in candidates.masks]
    integers = {}
    if encoded.values is None:
        integers = {cell: variable for variable, cell in enumerate(encoded.cells)}
    else:
        for variable, (cell, value) in enumerate(zip(encoded.cells, encoded.values, strict=True)):
            literals[cell][1 << value - 1] = variable
    posting = Posting(encoded.model, candidates.geometry, candidates.masks, literals, integers)
    for constraint in strengthened(candidates.geometry):
        constraint.post(posting)
    return replace(encoded, posting=posting)


def _boolean_model(candidates: Candidates, rng: random.Random | None) -> EncodedBoard | None:
    """The Boolean model: each candidate is a literal.

    Exactly one literal is true for each unsettled cell, and for each region and value that it misses. None if a value
    has no place.
    """
    pairs = [
        (cell, bit) for cell, mask in enumerate(candidates.masks) if not candidates.settled[cell] for bit in bits(mask)
    ]
    if rng is not None:
        rng.shuffle(pairs)
    literals: list[dict[int, int]] = [{} for _ in candidates.masks]
    for literal, (cell, bit) in enumerate(pairs):
        literals[cell][bit] = literal
    groups = _places(candidates, literals)
    if groups is None:
        return None
    groups += [list(of_cell.values()) for of_cell in literals if of_cell]
    cells = [cell for cell, _ in pairs]
    values = [bit.bit_length() for _, bit in pairs]
    return EncodedBoard(exactly_one_model(len(pairs), groups), candidates.values(), cells, values)


def _places(candidates: Candidates, literals: Sequence[Mapping[int, int]]) -> list[list[int]] | None:
    """For each region and each value that it misses, the literals of its places; None if a value has no place."""
    groups: list[list[int]] = []
    for region in candidates.geometry.regions:
        missing = (1 << candidates.geometry.size) - 1
        places: dict[int, list[int]] = {}
        for cell in region:
            if candidates.settled[cell]:
                missing ^= candidates.masks[cell]
            else:
                for bit, literal in literals[cell].items():
                    places.setdefault(bit, []).append(literal)
        if len(places) != missing.bit_count():
            return None
        groups += places.values()
    return groups


def exactly_one_model(count: int, groups: Sequence[Sequence[int]]) -> Any:
    """A `cp_model.CpModel` with `count` literals, in which exactly one literal of each group is true.

    The constraints are written directly to the model's protocol buffer, in a third of the time that CpModel's methods
    take.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables, constraints = model.proto.variables, model.proto.constraints
    if count:
        literal = variables.add()
        literal.domain.extend([0, 1])
        variables.extend([literal] * (count - 1))
    for group in groups:
        constraints.add().exactly_one.literals.extend(group)
    return model


def _integer_model(candidates: Candidates, rng: random.Random | None) -> EncodedBoard:
    """The integer model: a variable for each unsettled cell, whose domain is its candidates.

    The variables of each region are all different.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [cell for cell, done in enumerate(candidates.settled) if not done]
    if rng is not None:
        rng.shuffle(cells)
    variables = {}
    for cell in cells:
        domain = cp_model.Domain.from_values([bit.bit_length() for bit in bits(candidates.masks[cell])])
        variables[cell] = model.new_int_var_from_domain(domain, "")
    for region in candidates.geometry.regions:
        group = [variables[cell] for cell in region if cell in variables]
        if len(group) > 1:
            model.add_all_different(group)
    return EncodedBoard(model, candidates.values(), cells, None)
