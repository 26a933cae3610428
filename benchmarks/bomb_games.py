"""Games of random safe moves for `bombs`: the turns of the tracker, and the bombs during the games."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

import csp_sudoku as cs

from .bomb_boards import Shape, game, warm_board
from .bomb_maps import QUICK, Agreement, Time

TENTHS, SLICES = 10, 20
"""The number of parts of a game, in the tables of the tracker and in the tables of the bombs."""
LARGE = 20
"""The board size N from which on a game has too many slow turns to follow all of them."""
TENTH_SECONDS = 10.0
"""The time for which the tracker follows each tenth of a game on a large board, from its beginning, in CPU seconds."""


class TrackedTurn(NamedTuple):
    """A turn of the tracker."""

    tenth: int
    time: Time


@dataclass
class Tracking:
    """The measurements of the tracker in the games of a shape."""

    games: int = 0
    total: int = 0
    """The number of turns of these games, measured or not."""
    turns: list[TrackedTurn] = field(default_factory=list)
    scratch: list[list[Time]] = field(default_factory=lambda: [[] for _ in range(TENTHS)])
    """The times of some maps from scratch, by tenth of the game; of two runs of a quick map, the faster one counts."""

    def follow(self, played: list[cs.Board], rng: random.Random, limit: float, judge: Agreement) -> None:
        """Follow a game, and also make one map of each tenth from scratch.

        On a large board only the first TENTH_SECONDS of each tenth are followed. `limit` is in seconds per map.

        `played` are the boards of the game, `rng` chooses the maps from scratch, and `judge` records contradictions.
        """
        last = len(played) - 1
        tracker = cs.MoveTracker(played[0], limit)
        self.games += 1
        self.total += last
        for tenth in range(TENTHS):
            numbers = range(1 + last * tenth // TENTHS, 1 + last * (tenth + 1) // TENTHS)
            tracker.move_to(played[numbers.start - 1], limit)
            left = TENTH_SECONDS if played[0].size >= LARGE else float("inf")
            maps = []
            for number in numbers:
                cell = _difference(played[number - 1], played[number])
                move = (*played[number].geometry.row_column(cell), played[number].values[cell])
                judge.require(move not in tracker.map.bombs, "the move of a game is called a bomb", tracker.board)
                started = time.process_time()
                maps.append(tracker.place(*move, limit))
                seconds = time.process_time() - started
                self.turns.append(TrackedTurn(tenth, Time(not maps[-1].is_complete, seconds)))
                left -= seconds
                if left < 0:
                    break
            self._make_again(tenth, maps[rng.randrange(len(maps))], limit, judge)

    def _make_again(self, tenth: int, found: cs.MoveMap, limit: float, judge: Agreement) -> None:
        """Make a map from scratch, and compare it with the tracker's."""
        times = []
        for _ in range(2):
            started = time.process_time()
            fresh = cs.classify_moves(found.board, time_limit=limit)
            times.append(Time(not fresh.is_complete, time.process_time() - started))
            if times[-1].seconds > QUICK:
                break
        self.scratch[tenth].append(min(times))
        wrong = found.safe_masks & fresh.bomb_masks | found.bomb_masks & fresh.safe_masks
        judge.require(not wrong.any(), "the tracker's map is not that from scratch", found.board)


def _difference(board: cs.Board, after: cs.Board) -> int:
    """Return the cell that was filled."""
    return next(cell for cell in board.empty_cells() if after.values[cell])


COUNTED = ("positions", "safe", "bombs", "with bombs", "rule", "columns", "both")


@dataclass
class Counts:
    """The sums over positions, for each slice of a game."""

    sums: np.ndarray = field(default_factory=lambda: np.zeros((SLICES, len(COUNTED)), np.int64))
    undecided: int = 0

    def add(self, found: cs.MoveMap, judge: Agreement) -> None:
        """Count the moves of a position, and the bombs that the rules find."""
        if not found.is_complete:
            self.undecided += 1
            return
        board = found.board
        rule, columns = (cs.classify_moves(board, name).bomb_masks for name in ("rule", "rule-columns"))
        judge.require(not ((rule | columns) & ~found.bomb_masks).any(), "a rule calls a safe move a bomb", board)
        bombs, *by_rules = (
            int(np.bitwise_count(masks).sum()) for masks in (found.bomb_masks, rule, columns, rule | columns)
        )
        cells = board.geometry.cell_count
        place = SLICES * (cells - board.empty_count) // cells
        self.sums[place] += [1, len(found.safe), bombs, bombs > 0, *by_rules]

    def sample(self, played: list[cs.Board], rng: random.Random, judge: Agreement) -> None:
        """Count one position of each slice, if its map takes less than a minute."""
        cells = len(played) - 1
        for part in range(SLICES):
            found = cs.classify_moves(
                played[rng.randrange(cells * part // SLICES, cells * (part + 1) // SLICES)], time_limit=60
            )
            self.add(found, judge)

    def mean(self, name: str, of: str = "positions") -> np.ndarray:
        """Return the mean for each slice; NaN for a slice without positions.

        The mean is the sum of the column `name` divided by that of the column `of`, by default the number of positions.
        """
        above, below = self.sums[:, COUNTED.index(name)], self.sums[:, COUNTED.index(of)]
        means: np.ndarray = np.divide(above, below, out=np.full(SLICES, np.nan), where=below > 0)
        return means

    def whole(self, name: str, of: str) -> float:
        """Return the mean over all positions, in which each position has the same weight.

        The mean is the total of the column `name` divided by that of the column `of`; NaN if that is 0.
        """
        total = self.sums.sum(axis=0)
        return float(total[COUNTED.index(name)] / total[COUNTED.index(of)]) if total[COUNTED.index(of)] else np.nan


Message = tuple[str, Any]


def _ready(shape: Shape) -> Message:
    """Compile all kernels in use, and report the CPU seconds that this took."""
    started = time.process_time()
    warm = cs.MoveTracker(warm_board(shape))
    warm.place(*warm.map.safe[0])
    for engine in ("search", "rule", "rule-columns"):
        cs.classify_moves(warm.board, engine)
    return "ready", time.process_time() - started


def turns(common: dict[str, Any], items: list[int]) -> Iterator[Message]:
    """Measure the tracker's turns in the games of these numbers; this runs in a measuring process."""
    shape: Shape = tuple(common["shape"])
    yield _ready(shape)
    for number in items:
        tracking, judge = Tracking(), Agreement()
        tracking.follow(game(shape, number), random.Random(f"turns {shape} {number}"), common["limit"], judge)
        yield "part", {"total": tracking.total, "turns": tracking.turns, "scratch": tracking.scratch, **judge.told()}


def bombs(common: dict[str, Any], items: list[int]) -> Iterator[Message]:
    """Count the bombs in the games of these numbers; this runs in a measuring process."""
    shape: Shape = tuple(common["shape"])
    yield _ready(shape)
    for number in items:
        counts, judge = Counts(), Agreement()
        played = game(shape, number)
        if shape[0] * shape[1] >= LARGE:
            counts.sample(played, random.Random(f"turns {shape} {number}"), judge)
        else:
            tracker = cs.MoveTracker(played[0])
            for board in played[:-1]:
                counts.add(tracker.move_to(board), judge)
        yield "part", {"sums": counts.sums.tolist(), "undecided": counts.undecided, **judge.told()}
