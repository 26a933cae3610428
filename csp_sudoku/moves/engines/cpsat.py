"""The move map by CP-SAT and the cover method: solutions prove moves safe, and one proof shows that the rest are bombs.

A candidate is *unseen* as long as no solution has contained it. CP-SAT searches for a solution with at least one unseen
candidate, and hints guide it to solutions with many. The candidates of each solution are no longer unseen. If there is
no further solution, all candidates that are still unseen are bombs.

The model is built once, and only the clause, the hints and the objective change between the calls. benchmarks/cpsat.md
reports the effect of each kind of guidance. This engine knows every constraint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.compiled.loading import Stopwatch
from csp_sudoku.constraints.reduction import reduced
from csp_sudoku.moves.move_map import Effort, MoveMap, legal_masks
from csp_sudoku.solvers.cpsat.model import Candidates, EncodedBoard, build
from csp_sudoku.solvers.cpsat.solver import ALWAYS, TUNED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csp_sudoku.solvers.base import Deadline
    from csp_sudoku.solvers.cpsat.search import Read

PARAMETERS: Mapping[str, Any] = MappingProxyType(
    {
        **TUNED,
        "cp_model_probing_level": 0,  # probing takes most of the time of a short call
        "hint_conflict_limit": 1000,  # with CP-SAT's default of 10, later solutions contain few unseen candidates
    }
)
"""The parameters that were measured to be fastest up to 16×16, where a map takes many short calls."""


class Steering(NamedTuple):
    """The way in which CP-SAT is guided to solutions with many unseen candidates."""

    goal: str = "clause"
    """The form in which an unseen candidate is demanded: a "clause", or an "assumption" that enforces this clause."""
    hints: str = "unseen"
    """The hints: "unseen" hints unseen candidates to be true, "all" also hints the others to be false, or "none"."""
    improvements: int = 0
    """The number of solutions after which a call may end, if it maximises the number of unseen candidates.

    With 0, the default, a call has no objective.
    """
    parameters: Mapping[str, Any] = PARAMETERS
    """The parameters of CP-SAT."""


BEST = Steering()
"""The default guidance."""


def classify(board: Board, deadline: Deadline, steering: Steering = BEST) -> MoveMap:
    """The move map of a board, by CP-SAT.

    After the deadline, the moves of solutions found so far are safe, moves that singles exclude are bombs, and all
    others are unknown. `steering` guides CP-SAT (default `BEST`).
    """
    stopwatch = Stopwatch()
    search = CoverSearch(board, steering)
    search.run(deadline)
    return search.map(stopwatch.seconds())


def covered(board: Board, model: EncodedBoard, deadline: Deadline) -> MoveMap:
    """The move map of a board by CP-SAT with its default parameters; `model` has the same solutions as the board."""
    stopwatch = Stopwatch()
    search = CoverSearch(board, Steering(parameters={}))
    search.run(deadline, model)
    return search.map(stopwatch.seconds())


class CoverSearch:
    """A search for the map of a board to which values are added: it keeps the solutions and bombs that remain valid.

    `board` is the board at the start, and `steering` guides CP-SAT (default `BEST`).
    """

    def __init__(self, board: Board, steering: Steering = BEST) -> None:
        self.board = board
        self._steering = steering
        self._legal = legal_masks(board)
        self._bombs = np.zeros_like(self._legal)
        self._witnesses: list[bytes] = []
        self._solvable: bool | None = None
        self._is_decided = False
        self._solves = self._conflicts = 0

    def place(self, row: int, col: int, value: int) -> None:
        """Place a value and keep the solutions that agree with it; MoveError if it is illegal, and nothing changes."""
        self.board = board = self.board.place(row, col, value)
        cell = board.geometry.cell(row, col)
        self._legal = legal_masks(board)
        self._witnesses = [values for values in self._witnesses if values[cell] == value]
        self._solvable = True if self._witnesses else False if self._solvable is False else None
        self._is_decided = self._solvable is False

    def run(self, deadline: Deadline, model: EncodedBoard | None = None) -> None:
        """Search until every move is decided, or the deadline has passed.

        `model` is the model of the board (default None: it is built).
        """
        if self._is_decided:
            return
        cover = _Cover(self.board, deadline, self._steering, self._witnesses)
        full = (1 << self.board.size) - 1
        possible = [full & ~int(mask) for mask in self._bombs]
        self._is_decided = is_decided = cover.run(possible) if model is None else cover.cover(model)
        self._witnesses = cover.witnesses
        self._solves += cover.solves
        self._conflicts += cover.conflicts
        # No solution contains a candidate that propagation excludes, even if the search is incomplete.
        self._bombs |= np.uint32(full) & ~(self._shown() if is_decided else np.array(cover.left, np.uint32))
        self._solvable = True if self._witnesses else False if is_decided else None

    def _shown(self) -> NDArray[np.uint32]:
        """For each cell, the mask of the values that a known solution has."""
        witnesses = self._array()
        bits = np.left_shift(1, witnesses - 1, dtype=np.uint32)
        shown: NDArray[np.uint32] = np.bitwise_or.reduce(bits, axis=0, initial=0, dtype=np.uint32)
        return shown

    def _array(self) -> NDArray[np.uint8]:
        return np.frombuffer(b"".join(self._witnesses), np.uint8).reshape(-1, self.board.geometry.cell_count).copy()

    def map(self, seconds: float) -> MoveMap:
        """Return the map as far as it is known; `seconds` is the time of the search that the map reports."""
        legal = self._legal.copy()
        safe = legal & self._shown()
        bombs = legal.copy() if self._solvable is False else legal & self._bombs
        effort = Effort("cpsat", seconds, self._solves, self._conflicts)
        return MoveMap(self.board, legal, safe, bombs, solvable=self._solvable, effort=effort, witnesses=self._array())


class _Cover:
    """The calls of CP-SAT on one board, and the solutions: the known ones, then those that the calls have found."""

    def __init__(self, board: Board, deadline: Deadline, steering: Steering, known: Iterable[bytes] = ()) -> None:
        self._board = board
        self._deadline = deadline
        self._steering = steering
        self.witnesses = list(known)
        self.left: Sequence[int] = [(1 << board.size) - 1] * board.geometry.cell_count
        """For each cell, the mask of the candidates that propagation has left."""
        self.solves = 0
        self.conflicts = 0

    def run(self, possible: Sequence[int]) -> bool:
        """Propagate, and search for solutions until all candidates are decided; False if time runs out first.

        `possible` has, for each cell, the mask of candidates that contains those of every solution.
        """
        geometry = reduced(self._board.geometry) if self._board.geometry.constraints else self._board.geometry
        if geometry is not self._board.geometry and geometry.clash(self._board.values) is not None:
            return True
        candidates = Candidates.of(Board.trusted(geometry, self._board.values), possible)
        self.left = candidates.masks
        if not candidates.propagate():
            return True
        if not candidates.open_count:
            values = candidates.values()
            if not self.witnesses and geometry.violated(values) is None:
                self._accept(values)
            return True
        model = build(candidates, "boolean")
        return model is None or self.cover(model)

    def cover(self, model: EncodedBoard) -> bool:
        """Search for solutions of the model until all its candidates are decided; False if time runs out first."""
        from csp_sudoku.solvers.cpsat import search as cpsat_search  # loads OR-Tools

        proto = model.model.proto
        clause = proto.constraints.add()
        assert model.values is not None
        seen = set().union(*(enumerate(values) for values in self.witnesses))
        pairs = enumerate(zip(model.cells, model.values, strict=True))
        unseen = [literal for literal, pair in pairs if pair not in seen]
        if self._steering.goal == "assumption":
            assumed = len(proto.variables)
            proto.assumptions.append(assumed)
            proto.variables.add().domain.extend([0, 1])
            clause.enforcement_literal.append(assumed)
        while unseen:
            if self._deadline.passed():
                return False
            self._lead(proto, clause, unseen)
            found: list[Sequence[int]] = []

            def note(read: Read, found: list[Sequence[int]] = found) -> bool:
                found.append(read())
                return len(found) < self._steering.improvements

            on_solution = note if self._steering.improvements else None
            response = cpsat_search.CpSatCall(model.model, self._parameters(), on_solution).finish()
            self.solves += 1
            self.conflicts += response.num_conflicts
            if response.solution and not found:
                found.append(list(response.solution))
            if not found:
                return cpsat_search.is_complete(response)
            for solution in found:
                self._accept(model.decode(solution))
                unseen = [literal for literal in unseen if not solution[literal]]
        return True

    def _lead(self, proto: Any, clause: Any, unseen: list[int]) -> None:
        """Update the clause, the hints and the objective of the model to the unseen candidates."""
        steering = self._steering
        clause.bool_or.literals.clear()
        clause.bool_or.literals.extend(unseen)
        if steering.hints != "none":
            wanted = dict.fromkeys(unseen, 1)
            if steering.hints == "all":
                wanted = {literal: wanted.get(literal, 0) for literal in range(len(proto.variables))}
            hint = proto.solution_hint
            hint.vars.clear()
            hint.values.clear()
            hint.vars.extend(wanted.keys())
            hint.values.extend(wanted.values())
        if steering.improvements:
            objective = proto.objective
            objective.vars.clear()
            objective.coeffs.clear()
            objective.vars.extend(unseen)
            objective.coeffs.extend([-1] * len(unseen))

    def _parameters(self) -> dict[str, Any]:
        parameters = {**ALWAYS, **self._steering.parameters}
        left = self._deadline.left()
        return parameters if left is None else {**parameters, "max_time_in_seconds": left}

    def _accept(self, values: bytes) -> None:
        """Keep a solution after checking it independently of CP-SAT and of the model; RuntimeError if it is wrong."""
        geometry = self._board.geometry
        solution = Board.trusted(geometry, values)
        is_valid = solution.is_full and geometry.clash(values) is None and solution.extends(self._board)
        if not is_valid or geometry.violated(values) is not None:
            raise RuntimeError(f"expected a completion of {self._board!r} from CP-SAT; found {list(values)}")
        self.witnesses.append(values)
