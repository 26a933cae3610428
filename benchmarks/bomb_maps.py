"""The ways to make maps for `bombs`: our engines, the naive loop and python-sat, with their times and agreement."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

import csp_sudoku as cs
from csp_sudoku.moves.engines import cpsat as covering
from csp_sudoku.moves.engines import naive
from csp_sudoku.moves.engines import search as searching
from csp_sudoku.solvers.base import Deadline

from .bomb_boards import Shape, board_of, warm_board
from .models import PeerPuzzle, clauses, is_completion
from .peers import PEERS

QUICK = 0.5
"""Time below which a map is made several times, in CPU seconds."""
SLICE = 2000
"""The number of conflicts after which a solver of python-sat returns, because it does not check the clock itself."""
NAIVE = 4
"""The naive loop, which only shows the scale, gets the limit divided by this."""


class FoundMap(NamedTuple):
    """The map of an engine or a peer: a mask per cell, and the time to build its formula, in seconds."""

    safe: np.ndarray
    bombs: np.ndarray
    is_complete: bool
    built: float = 0.0


class MapColumn(NamedTuple):
    """A column of the table: a function that makes a map, which is measured, and one that reads it, which is not."""

    label: str
    ask: Callable[[cs.Board, Deadline], Any]
    read: Callable[[cs.Board, Any], FoundMap]


class Time(NamedTuple):
    """The time of a map; undecided maps sort last."""

    is_late: bool
    seconds: float
    built: float = 0.0


def _of_map(_: cs.Board, found: cs.MoveMap) -> FoundMap:
    return FoundMap(found.safe_masks, found.bomb_masks, found.is_complete)


def _of_candidates(board: cs.Board, answer: tuple[list[Any], list[Any], bool, float]) -> FoundMap:
    safe, bombs = np.zeros((2, board.geometry.cell_count), np.uint32)
    for masks, candidates in zip((safe, bombs), answer[:2], strict=True):
        for cell, value in candidates:
            masks[cell] |= np.uint32(1 << value - 1)
    return FoundMap(safe, bombs, *answer[2:])


def _sat(name: str) -> Callable[[cs.Board, Deadline], Any]:
    """Make maps by the cover method with a solver of python-sat, which tests the unseen candidates one by one.

    Its phases are set to true for unseen candidates, and to false for the others.
    """
    from pysat import solvers

    kind = getattr(solvers, name)

    def classify(board: cs.Board, deadline: Deadline) -> tuple[list[Any], list[Any], bool, float]:
        started = time.process_time()
        formula, meanings = clauses(PeerPuzzle(board.m, board.n, board.cells))
        with kind(bootstrap_with=formula) as solver:
            built = time.process_time() - started
            open_ones = list(range(len(meanings), 0, -1))
            unseen = set(open_ones)
            bombs = []
            solver.set_phases(open_ones)
            while unseen and not deadline.passed():
                target = open_ones[-1]
                if target not in unseen:
                    open_ones.pop()
                    continue
                solver.conf_budget(SLICE)
                answer = solver.solve_limited(assumptions=[target])
                if answer is None:
                    continue
                shown = unseen.intersection(solver.get_model()) if answer else [target]
                unseen.difference_update(shown)
                solver.set_phases([-literal for literal in shown])
                if not answer:
                    bombs.append(meanings[target - 1])
        found = set(meanings).difference(bombs, (meanings[literal - 1] for literal in unseen))
        return list(found), bombs, not unseen, built

    return classify


def askable() -> list[MapColumn]:
    """Return the columns; the naive loop is the last one."""
    solver = cs.get_solver("cpsat")
    rows = [MapColumn("search", searching.classify, _of_map), MapColumn("cpsat", covering.classify, _of_map)]
    if PEERS["minisat22"].is_installed():
        rows += [MapColumn(f"python-sat {name}", _sat(name), _of_candidates) for name in ("Minisat22", "Glucose4")]
    return [*rows, MapColumn("naive", lambda board, deadline: naive.classify(board, deadline, solver), _of_map)]


@dataclass
class Agreement:
    """The contradictions between maps, and the number of confirmed maps."""

    wrong: list[str] = field(default_factory=list)
    maps: int = 0
    confirmed: int = 0

    def told(self) -> dict[str, Any]:
        """Return the findings for JSON."""
        return dict(vars(self))

    def compare(self, board: cs.Board, found: Mapping[str, FoundMap]) -> None:
        """Compare the maps of a board; the map of `search` is confirmed if it and another map are complete."""
        for (one, first), (other, second) in combinations(found.items(), 2):
            if (first.safe & second.bombs | first.bombs & second.safe).any():
                self.wrong.append(f"{one} and {other} contradict each other: {_line(board)}")
        first, *rest = found.values()
        self.maps += bool(rest)
        self.confirmed += any(each.is_complete for each in rest) and first.is_complete

    def look_up(self, found: cs.MoveMap) -> None:
        """Check that every safe move is in a completion."""
        board = found.board
        puzzle, shown = PeerPuzzle(board.m, board.n, board.cells), np.zeros_like(found.safe_masks)
        for witness in found.witnesses:
            if not is_completion(witness.tolist(), puzzle):
                self.wrong.append(f"expected a completion; found {witness.tolist()}: {_line(board)}")
            shown |= np.uint32(1) << witness.astype(np.uint32) - np.uint32(1)
        if (found.safe_masks & ~shown).any():
            self.wrong.append(f"expected a completion for every safe move: {_line(board)}")

    def require(self, is_right: object, what: str, board: cs.Board) -> None:
        """Record a mistake unless `is_right`."""
        if not is_right:
            self.wrong.append(f"{what}: {_line(board)}")


def _line(board: cs.Board) -> str:
    return f"{board.m}×{board.n} {board.format('values')}"


def measured(
    asked: Sequence[MapColumn], board: cs.Board, repeat: int, limit: float, judge: Agreement
) -> dict[str, tuple[Time, FoundMap]]:
    """Measure every column on a board; return the best time and the map of each.

    `repeat` is the number of runs of quick maps, and `limit` is in seconds per map.

    `asked` are the columns, and `judge` records contradictions.
    """
    best: dict[str, tuple[Time, FoundMap]] = {}
    for number in range(repeat):
        for who in asked:
            if number and best[who.label][0].seconds > QUICK:
                continue
            started = time.process_time()
            answer = who.ask(board, Deadline(limit / NAIVE if who.label == "naive" else limit))
            seconds = time.process_time() - started
            found = who.read(board, answer)
            taken = Time(not found.is_complete, seconds, found.built)
            if isinstance(answer, cs.MoveMap) and who.label == "search":
                judge.look_up(answer)
            if number == 0 or taken < best[who.label][0]:
                best[who.label] = taken, found
    judge.compare(board, {name: found for name, (_, found) in best.items()})
    return best


def median(times: Sequence[Time]) -> Time:
    """Return the median, which is late if half of the times are."""
    ordered = sorted(times)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return Time(high.is_late, (low.seconds + high.seconds) / 2)


def scratch(common: dict[str, Any], items: list[list[int]]) -> Iterator[tuple[str, Any]]:
    """Make maps of boards of a family, in a measuring process; an item is a board's number and its fill in percent.

    The first boards are measured with all engines and peers, the others with `search` only, and one with the naive
    loop.
    """
    shape: Shape = tuple(common["shape"])
    columns, limit = askable(), common["limit"]
    started = time.process_time()
    warm = warm_board(shape)
    for column in columns:
        column.read(warm, column.ask(warm, Deadline(limit)))
    yield "ready", time.process_time() - started
    known: dict[int, list[cs.Board]] = {}
    for number, fill in items:
        judge = Agreement()
        board = board_of(shape, common["family"], number, fill, known)
        asked = columns[: 1 if number >= common["shared"] else -1 if number else len(columns)]
        found = measured(asked, board, common["rounds"], limit, judge)
        bombs = int(np.bitwise_count(found["search"][1].bombs).sum())
        yield "part", {"times": {name: taken for name, (taken, _) in found.items()}, "bombs": bombs, **judge.told()}
