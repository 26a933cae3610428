"""The move map by CP-SAT and the cover method: solutions that show safe moves, and one proof that the rest are bombs.

*Unseen* are the candidates that no solution has shown yet. CP-SAT is asked for a solution with at least one of them,
and led to many; each solution takes its candidates off the list. Once there is none, all that are left are bombs.

The model is built once; only the clause, hints and objective change between the calls. How CP-SAT is led is measured
in benchmarks/cpsat.md.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.moves.move_map import Effort, MoveMap, legal_masks
from csp_sudoku.solvers.cpsat import ALWAYS, TUNED
from csp_sudoku.solvers.cpsat_model import Candidates, Model, build

if TYPE_CHECKING:
    from csp_sudoku.solvers.base import Deadline
    from csp_sudoku.solvers.cpsat_search import Read

PARAMETERS: Mapping[str, Any] = MappingProxyType(
    {
        **TUNED,
        "cp_model_probing_level": 0,  # it is most of what a short call costs
        "hint_conflict_limit": 1000,  # with CP-SAT's own 10, solutions soon show little that is new
    }
)
"""What was measured to be fastest up to 16×16, where many short calls matter and not one long one."""


class Steering(NamedTuple):
    """How CP-SAT is asked for a solution with unseen candidates, and led to many of them."""

    goal: str = "clause"
    """That one is in the solution: a "clause", or the same clause enforced by a literal that is an "assumption"."""
    hints: str = "unseen"
    """"unseen": these are hinted to be true; "all": the others to be false, too; "none"."""
    improvements: int = 0
    """With an objective, the number of unseen candidates: solutions after which a call may end; 0 for no objective."""
    parameters: Mapping[str, Any] = PARAMETERS


BEST = Steering()


def classify(board: Board, deadline: Deadline, steering: Steering = BEST) -> MoveMap:
    """The map of a board. What a solution has shown by the deadline is safe; what singles exclude is a bomb."""
    started = time.perf_counter()
    legal = legal_masks(board)
    candidates = Candidates.of(board)
    cover = _Cover(board, deadline, steering)
    is_decided = cover.run(candidates)
    witnesses = np.frombuffer(b"".join(cover.witnesses), np.uint8).reshape(-1, board.geometry.cell_count).copy()
    shown = np.bitwise_or.reduce(np.left_shift(1, witnesses - 1, dtype=np.uint32), axis=0, initial=0, dtype=np.uint32)
    safe = legal & shown
    # A candidate that singles exclude is in no solution, whether there are any or not.
    bombs = legal & ~safe if is_decided else legal & ~np.array(candidates.masks, np.uint32)
    solvable = True if cover.witnesses else False if is_decided else None
    effort = Effort("cpsat", time.perf_counter() - started, cover.solves, cover.conflicts)
    return MoveMap(board, legal, safe, bombs, solvable=solvable, effort=effort, witnesses=witnesses)


class _Cover:
    """The calls of CP-SAT on one board, and the solutions they gave."""

    def __init__(self, board: Board, deadline: Deadline, steering: Steering) -> None:
        self._board = board
        self._deadline = deadline
        self._steering = steering
        self.witnesses: list[bytes] = []
        self.solves = 0
        self.conflicts = 0

    def run(self, candidates: Candidates) -> bool:
        """Fill singles, and ask for solutions until every candidate is decided; False if the time was over before."""
        if not candidates.fill_singles():
            return True
        if not candidates.open_count:
            self._accept(candidates.values())
            return True
        model = build(candidates, "boolean")
        return model is None or self._cover(model)

    def _cover(self, model: Model) -> bool:
        from csp_sudoku.solvers import cpsat_search  # it loads OR-Tools

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
            response = cpsat_search.Search(model.model, self._parameters(), on_solution).finish()
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
        """Change what is asked for."""
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
        """Take in a solution, after a look at it that trusts neither CP-SAT nor the model."""
        geometry = self._board.geometry
        solution = Board.trusted(geometry, values)
        if not solution.is_full or geometry.clash(values) is not None or not solution.extends(self._board):
            raise RuntimeError(f"expected a completion of {self._board!r} from CP-SAT; found {list(values)}")
        self.witnesses.append(values)
