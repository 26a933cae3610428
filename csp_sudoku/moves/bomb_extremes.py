"""The board with the most, or the fewest, bombs among all solvable boards with a number of givens.

A model has a literal for each given, a solution of the board, and a literal for each legal move that is true if the
move is a bomb. Whether a move is a bomb depends on all solutions of the board, and a model can list only a few:

- Boards with at most `MOST_LISTED` solutions when they are empty, such as 2×2: all are listed, so the model is exact.
- The most bombs: a move of a known solution of the board is no bomb. A model with few known solutions counts at least
the actual bombs, so its bound is valid. Its board is mapped, and the completions of the map become known solutions. -
The fewest bombs: a move is counted as a bomb only if it takes the last candidate of a cell, or the last place of a
  value. These are at most the actual bombs, so this bound is valid, too; only a search finds boards.

A search moves the givens of random boards and counts the bombs of each board by its map.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from csp_sudoku.board import Board
from csp_sudoku.candidates import bits, candidate_masks
from csp_sudoku.errors import SudokuError
from csp_sudoku.geometry import Geometry
from csp_sudoku.moves.classification import classify_moves
from csp_sudoku.puzzles.optimum import Best, OnProgress, Optimising
from csp_sudoku.solvers.cpsat.model import Candidates, build
from csp_sudoku.solvers.registry import get_solver

MOST_LISTED = 300
"""Maximum number of solutions to list in the model; the empty 2×2 board has 288."""
STEPS = 600
"""Number of boards that the search examines, if time allows."""
RESTART = 60
"""Number of boards without an improvement after which the search begins anew."""


def most_bombs(
    geometry: Geometry,
    givens: int,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    workers: int = 1,
    on_progress: OnProgress | None = None,
) -> Best:
    """A solvable board with `givens` givens that has as many bombs as possible; its value is their number.

    `seed` is for the search (default 0). `time_limit` bounds the time in seconds (default None: until it is proven);
    at the limit, the best board so far is returned, with the bound. `workers` is the number of threads of CP-SAT
    (default 1), and `on_progress` is called with each better number of bombs and bound.

    >>> best = most_bombs(Geometry.standard(2, 2), 2)
    >>> best.value, best.is_proven
    (8, True)
    """
    return _Search(geometry, givens, Optimising(time_limit, workers, on_progress), is_maximum=True).run(Random(seed))


def fewest_bombs(
    geometry: Geometry,
    givens: int,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    workers: int = 1,
    on_progress: OnProgress | None = None,
) -> Best:
    """A solvable board with `givens` givens that has as few bombs as possible; its value is their number.

    The parameters are as for `most_bombs`.

    >>> best = fewest_bombs(Geometry.standard(2, 2), 5)
    >>> best.value, best.is_proven
    (0, True)
    """
    return _Search(geometry, givens, Optimising(time_limit, workers, on_progress), is_maximum=False).run(Random(seed))


class _Search:
    """The best board so far, and the bound."""

    def __init__(self, geometry: Geometry, givens: int, optimising: Optimising, *, is_maximum: bool) -> None:
        if not 0 <= givens <= geometry.cell_count:
            raise SudokuError(f"expected from 0 to {geometry.cell_count} givens; found {givens}")
        self._geometry = geometry
        self._givens = givens
        self._optimising = optimising
        self._is_maximum = is_maximum
        self._best: Board | None = None
        self._value = 0
        self._bound = geometry.cell_count * geometry.size if is_maximum else 0

    def run(self, random: Random) -> Best:
        """Search until the best board is proven to be the best, or time is over."""
        empty = Board.trusted(self._geometry, bytes(self._geometry.cell_count))
        solutions = list(islice(get_solver("auto").solutions(empty), MOST_LISTED + 1))
        if not solutions:
            raise SudokuError("expected a board that has a solution; found none")
        all_listed = len(solutions) <= MOST_LISTED
        self._look(random, solutions)
        if not self._is_over():
            model = _Model(self._geometry, self._givens, is_maximum=self._is_maximum)
            if all_listed:
                model.list_all([solution.values for solution in solutions])
            self._improve(model, all_listed=all_listed)
        assert self._best is not None
        bound = max(self._bound, self._value) if self._is_maximum else min(self._bound, self._value)
        return Best(self._best, self._value, bound)

    def _improve(self, model: _Model, *, all_listed: bool) -> None:
        """Ask the model for a better board and a better bound, repeatedly, as long as it learns solutions."""
        while not self._is_over():
            values, bound, _ = self._optimising.run(model.model, lambda _, bound: self._limit(bound))
            if bound is not None:
                self._limit(bound)
            if not values:
                return
            board = model.board(values)
            completions = self._count(board)
            if all_listed or not self._is_maximum or not model.learn(completions):
                return

    def _is_over(self) -> bool:
        """Whether the best board is proven to be the best, or time is over."""
        return self._best is not None and (self._value == self._bound or self._optimising.deadline.passed())

    def _limit(self, bound: int) -> None:
        """Keep a better bound."""
        better = min(self._bound, bound) if self._is_maximum else max(self._bound, bound)
        if better != self._bound:
            self._bound = better
            self._optimising.tell(None if self._best is None else self._value, better)

    def _count(self, board: Board) -> Iterable[bytes]:
        """Map a board, and keep it if it is better; return the completions of the map."""
        found = classify_moves(board, time_limit=self._optimising.deadline.left())
        if found.is_complete and found.solvable:
            bombs = len(found.bombs)
            if self._best is None or (bombs > self._value if self._is_maximum else bombs < self._value):
                self._best, self._value = board, bombs
                self._optimising.tell(bombs, self._bound)
        return [bytes(values) for values in np.asarray(found.witnesses, np.uint8)]

    def _look(self, random: Random, solutions: Sequence[Board]) -> None:
        """Search: move one given of a board at a time, and continue from boards that are not worse."""
        cells = range(self._geometry.cell_count)
        current: Board | None = None
        value = idle = 0
        for _ in range(STEPS):
            if self._is_over():
                return
            if current is None or idle > RESTART:
                solution, idle = random.choice(solutions), 0
                kept = random.sample(cells, self._givens)
                tried = solution.without(cell for cell in cells if cell not in kept)
            else:
                moved = self._moved(current, random)
                if moved is None:
                    return
                tried = moved
            before = self._value if self._best is not None else None
            found = classify_moves(tried, time_limit=self._optimising.deadline.left())
            if not (found.is_complete and found.solvable):
                idle += 1
                continue
            bombs = len(found.bombs)
            if self._best is None or (bombs > self._value if self._is_maximum else bombs < self._value):
                self._best, self._value = tried, bombs
                self._optimising.tell(bombs, self._bound)
            is_as_good = bombs >= value if self._is_maximum else bombs <= value
            if current is None or idle == 0 or is_as_good:
                current, value = tried, bombs
            idle = 0 if self._value != before else idle + 1

    def _moved(self, board: Board, random: Random) -> Board | None:
        """The board with one given taken away and a safe value put elsewhere; None if there is nothing to move."""
        geometry = board.geometry
        given = [cell for cell, value in enumerate(board.values) if value]
        if not given:
            return None
        board = board.without([random.choice(given)])
        masks = candidate_masks(geometry, board.values)
        places = [(cell, bit) for cell in board.empty_cells() for bit in bits(masks[cell])]
        random.shuffle(places)
        solver = get_solver("auto")
        for cell, bit in places:
            tried = board.place(*geometry.row_column(cell), bit.bit_length())
            if solver.solve(tried).solution is not None:
                return tried
        return None


class _Model:
    """The model of a board with a number of givens, of one of its solutions, and of its bombs."""

    def __init__(self, geometry: Geometry, givens: int, *, is_maximum: bool) -> None:
        from ortools.sat.python import cp_model

        empty = Candidates.of(Board.trusted(geometry, bytes(geometry.cell_count)))
        encoded = build(empty, "boolean")
        assert encoded is not None
        assert encoded.values is not None
        self._geometry = geometry
        self._is_maximum = is_maximum
        self.model: cp_model.CpModel = encoded.model
        numbers = {pair: number for number, pair in enumerate(zip(encoded.cells, encoded.values, strict=True))}
        pairs = sorted(numbers)
        self._solution = {pair: self.model.get_bool_var_from_proto_index(numbers[pair]) for pair in pairs}
        self._given, self._legal, self._bomb = ({pair: self.model.new_bool_var("") for pair in pairs} for _ in range(3))
        self._values = range(1, geometry.size + 1)
        self._cells = range(geometry.cell_count)
        self._post(givens)

    def _post(self, givens: int) -> None:
        """Post the common constraints: the givens, the legal moves, and that the moves of the solution are no bombs."""
        model, geometry = self.model, self._geometry
        model.add(sum(self._given.values()) == givens)
        for (cell, value), given in self._given.items():
            model.add_implication(given, self._solution[cell, value])
            legal, bomb = self._legal[cell, value], self._bomb[cell, value]
            own = [self._given[cell, other] for other in self._values]
            blocking = [*own, *(self._given[peer, value] for peer in geometry.peers[cell])]
            for literal in blocking:
                model.add_implication(literal, ~legal)
            model.add_bool_or([legal, *blocking])
            model.add_implication(bomb, legal)
            model.add_implication(bomb, ~self._solution[cell, value])
        if not geometry.constraints:  # values can be renamed, so the first row of the solution may be 1, 2, 3 …
            for column in range(geometry.size):
                model.add_bool_or([self._solution[column, column + 1]])
        if self._is_maximum:
            model.maximize(sum(self._bomb.values()))
        else:
            self._count_direct_bombs()
            model.minimize(sum(self._bomb.values()))

    def _count_direct_bombs(self) -> None:
        """A legal move is a bomb if it takes the last candidate of a cell, or the last place of a value in a region."""
        for region in self._geometry.regions:
            for value in self._values:
                for cell in region:
                    only = self._holds(
                        [self._legal[cell, value], *(~self._legal[c, value] for c in region if c != cell)]
                    )
                    for other in self._values:
                        if other != value:
                            self._is_bomb(only, cell, other)
        for cell in self._cells:
            for value in self._values:
                others = [~self._legal[cell, other] for other in self._values if other != value]
                only = self._holds([self._legal[cell, value], *others])
                for peer in self._geometry.peers[cell]:
                    self._is_bomb(only, peer, value)

    def _holds(self, literals: Sequence[Any]) -> Any:
        """A literal that is true if all literals are."""
        made = self.model.new_bool_var("")
        self.model.add_bool_or([made, *(~literal for literal in literals)])
        return made

    def _is_bomb(self, condition: Any, cell: int, value: int) -> None:
        """If the condition holds and a move is legal, it is a bomb."""
        self.model.add_bool_or([~condition, ~self._legal[cell, value], self._bomb[cell, value]])

    def list_all(self, solutions: Sequence[bytes]) -> None:
        """A move is a bomb if and only if no solution that has it agrees with the givens; these are all solutions."""
        agreeing: dict[tuple[int, int], list[Any]] = {pair: [] for pair in self._bomb}
        for values in solutions:
            agrees = self.model.new_bool_var("")
            against = [given for (cell, value), given in self._given.items() if values[cell] != value]
            self.model.add_bool_or([agrees, *against])
            for given in against:
                self.model.add_implication(given, ~agrees)
            for cell, value in enumerate(values):
                agreeing[cell, value].append(agrees)
                self.model.add_implication(agrees, ~self._bomb[cell, value])
        for pair, literals in agreeing.items():
            self.model.add_bool_or([*literals, ~self._legal[pair], self._bomb[pair]])

    def learn(self, solutions: Iterable[bytes]) -> bool:
        """Add solutions: their moves are no bombs on boards that agree with them. False if there are none."""
        count = 0
        for values in solutions:
            count += 1
            against = [given for (cell, value), given in self._given.items() if values[cell] != value]
            agrees = self.model.new_bool_var("")
            self.model.add_bool_or([agrees, *against])
            for cell, value in enumerate(values):
                self.model.add_implication(agrees, ~self._bomb[cell, value])
        return count > 0

    def board(self, values: Sequence[int]) -> Board:
        """The board of a solution of the model."""
        found = bytearray(self._geometry.cell_count)
        for (cell, value), given in self._given.items():
            if values[given.index]:
                found[cell] = value
        return Board(self._geometry, bytes(found))
