"""The move map by CP-SAT and the cover method: solutions prove moves safe, and one proof shows that the rest are bombs.

A candidate is *unseen* as long as no solution has contained it. CP-SAT searches for a solution with at least one unseen
candidate, and hints guide it to solutions with many. The candidates of each solution are no longer unseen. If there is
no further solution, all candidates that are still unseen are bombs.

The model is built once, and only the clause, the hints and the objective change between the calls. benchmarks/cpsat.md
reports the effect of each kind of guidance.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.moves.move_map import Effort, MoveMap, legal_masks
from csp_sudoku.solvers.cpsat.model import Candidates, EncodedBoard, build
from csp_sudoku.solvers.cpsat.solver import ALWAYS, TUNED

if TYPE_CHECKING:
    from csp_sudoku.solvers.base import Deadline
    from csp_sudoku.solvers.cpsat.search import Read

PARAMETERS: Mapping[str, Any] = MappingProxyType(
    {
        **TUNED,
        "cp_model_probing_level": 0,  # probing takes most of the time of a short call
        "hint_conflict_limit": 1000,  # with CP-SAT's default of 10, later solutions contain few unseen candidates
    }
)
"""The parameters that were measured to be fastest up to 16×16, where a map takes many short calls and no long one."""


class Steering(NamedTuple):
    """The way in which CP-SAT is guided to solutions with many unseen candidates."""

    goal: str = "clause"
    """The way to demand an unseen candidate: a "clause", or the same clause enforced by a literal, an "assumption"."""
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
    started = time.perf_counter()
    legal = legal_masks(board)
    candidates = Candidates.of(board)
    cover = _Cover(board, deadline, steering)
    is_decided = cover.run(candidates)
    witnesses = np.frombuffer(b"".join(cover.witnesses), np.uint8).reshape(-1, board.geometry.cell_count).copy()
    shown = np.bitwise_or.reduce(np.left_shift(1, witnesses - 1, dtype=np.uint32), axis=0, initial=0, dtype=np.uint32)
    safe = legal & shown
    # No solution contains a candidate that singles exclude, even if the search is incomplete.
    bombs = legal & ~safe if is_decided else legal & ~np.array(candidates.masks, np.uint32)
    solvable = True if cover.witnesses else False if is_decided else None
    effort = Effort("cpsat", time.perf_counter() - started, cover.solves, cover.conflicts)
    return MoveMap(board, legal, safe, bombs, solvable=solvable, effort=effort, witnesses=witnesses)


class _Cover:
    """The calls of CP-SAT on one board, and the solutions that they found."""

    def __init__(self, board: Board, deadline: Deadline, steering: Steering) -> None:
        self._board = board
        self._deadline = deadline
        self._steering = steering
        self.witnesses: list[bytes] = []
        self.solves = 0
        self.conflicts = 0

    def run(self, candidates: Candidates) -> bool:
        """Fill singles, and search for solutions until all candidates are decided; False if time runs out first."""
        if not candidates.fill_singles():
            return True
        if not candidates.open_count:
            self._accept(candidates.values())
            return True
        model = build(candidates, "boolean")
        return model is None or self._cover(model)

    def _cover(self, model: EncodedBoard) -> bool:
        from csp_sudoku.solvers.cpsat import search as cpsat_search  # loads OR-Tools

        proto = model.model.proto
        clause = proto.constraints.add()
        unseen = list(range(len(model.cells)))
        if self._steering.goal == "assumption":
            proto.assumptions.append(len(unseen))
            proto.variables.add().domain.extend([0, 1])
            clause.enforcement_literal.append(len(unseen))
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
        if not solution.is_full or geometry.clash(values) is not None or not solution.extends(self._board):
            raise RuntimeError(f"expected a completion of {self._board!r} from CP-SAT; found {list(values)}")
        self.witnesses.append(values)
