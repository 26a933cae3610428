"""The work of a measuring process for `search`: trees to a fixed depth, exact endgames, and searches by time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import inf
from random import Random
from typing import Any

import csp_sudoku as cs
from csp_sudoku.game.state import GameState
from csp_sudoku.players.classic.alpha_beta import AlphaBeta, deepen
from csp_sudoku.players.classic.filling import Filling, Pairs
from csp_sudoku.players.classic.monte_carlo import MonteCarlo

from .sets import board_named, safe_game

Message = tuple[str, Any]


class Recounting(Filling):
    """The naive way: it copies the board for every move, and recounts the empty cells of all regions."""

    def fill(self, cell: int) -> int:
        """Fill a cell, and return the points for it."""
        self._count()
        points = super().fill(cell)
        self.is_filled = self.is_filled.copy()
        return points

    def gain(self, cell: int) -> int:
        """Return the points for filling a cell."""
        self._count()
        return super().gain(cell)

    def _count(self) -> None:
        self.empty = [0] * len(self.empty)
        for cell, is_filled in enumerate(self.is_filled):
            if not is_filled:
                for region in self.regions_of[cell]:
                    self.empty[region] += 1


class PointsFirst(Filling):
    """A position that tries the moves with the most points first, and the moves that give points away last.

    A move gives points away if it leaves a region with one empty cell.
    """

    def moves(self) -> list[int]:
        """Return the same moves in that order."""
        empty, regions_of = self.empty, self.regions_of

        def promise(cell: int) -> tuple[int, int]:
            return -self.gain(cell), sum(empty[region] == 2 for region in regions_of[cell])

        return sorted(super().moves(), key=promise)


class Remembering(AlphaBeta):
    """Alpha-beta with a table of bounds; the key is the set of filled cells, which determines the rest of the game."""

    def __init__(self, position: Filling) -> None:
        super().__init__(position)
        self.table: dict[tuple[int, int], tuple[float, float]] = {}
        self.filled = 0

    def value_of(self, move: int, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """Return the value of a move and its continuation."""
        self.filled ^= 1 << move
        value = super().value_of(move, depth, alpha, beta)
        self.filled ^= 1 << move
        return value

    def value(self, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """Return the value of the position, or a bound.

        The value is exact between `alpha` and `beta`.
        """
        key = self.filled, depth
        low, high = self.table.get(key, (-inf, inf))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        value = super().value(depth, alpha, beta)
        self.table[key] = (low if value <= alpha else value), (high if value >= beta else value)
        return value


TREE_OF_PARITY = "alpha-beta (parity)"

TREES: dict[str, Callable[[GameState], AlphaBeta]] = {
    "naive: all counted anew, no pruning": lambda state: AlphaBeta(Recounting(state), prune=False),
    "counts kept, no pruning": lambda state: AlphaBeta(Filling(state), prune=False),
    TREE_OF_PARITY: lambda state: AlphaBeta(Filling(state)),
    "alpha-beta, points first": lambda state: AlphaBeta(PointsFirst(state)),
    "alpha-beta, table": lambda state: Remembering(Filling(state)),
    "alpha-beta, table, points first": lambda state: Remembering(PointsFirst(state)),
}
"""The ways to search a tree; all find the same value."""


def tree(common: dict[str, Any], items: list[list[Any]]) -> Iterator[Message]:
    """Search boards, each to a depth; this runs in a measuring process."""
    yield "ready", 0.0
    for name, depth in items:
        search = TREES[common["way"]](GameState.start(board_named(name)))
        started = time.process_time()
        value = search.value(depth)
        seconds = time.process_time() - started
        yield "part", {"seconds": seconds, "nodes": search.nodes, "value": value}


ALL_ENDINGS = "all endings, from the last cell"

NO_SKIPS = "table, no skips"

PARITY = "parity: plain Python, no skips"

ENDGAMES = {ALL_ENDINGS: 10, "table": 20, "table, depth by depth": 20, "no table": 1, NO_SKIPS: 20}
"""The champion's ways to prove an endgame, with log2 of the size of the search's table."""


def endgame(common: dict[str, Any], items: list[list[int]]) -> Iterator[Message]:
    """Find the exact values of endgames with the champion's kernel; this runs in a measuring process.

    An item is the number of a game and the number of empty cells.
    """
    from csp_sudoku.agents.champion_player.thinking import warm_up

    from csp_sudoku.search.endings.table import Endings
    from csp_sudoku.search.filling.deepening import Deepening
    from csp_sudoku.search.filling.kernels import filling
    from csp_sudoku.search.free_memory import free_bytes
    from csp_sudoku.solvers.base import Deadline

    way = common["way"]
    started = time.process_time()
    warm_up()
    models = [_endgame(common["board"], number, left, skips=way != NO_SKIPS) for number, left in items]
    yield "ready", time.process_time() - started
    for (_, left), model in zip(items, models, strict=True):
        started = time.process_time()
        search = Deepening(model, ENDGAMES[way], Endings(model, free_bytes() if way == ALL_ENDINGS else 0))
        if way == ALL_ENDINGS:
            search.exact(Deadline(None))
        else:
            search._table["move"] = 0  # this allocates the table before the clock starts
            started = time.process_time()
        nodes, depth = search.nodes, 1 if way == "table, depth by depth" else filling.EXACT
        while True:
            value = filling.search_value(*search._arguments(model.position, depth, 2**60))
            nodes += int(model.games[0]["nodes"])
            if not model.games[0]["estimates"]:
                break
            depth = depth + 1 if depth < left + len(model.skips) else filling.EXACT
        seconds = time.process_time() - started
        skips = int(model.position[1]).bit_count()
        yield "part", {"seconds": seconds, "nodes": nodes, "value": value / filling.UNIT, "skips": skips}


def endgame_of_parity(common: dict[str, Any], items: list[list[int]]) -> Iterator[Message]:
    """Find the values of the same endgames with the search of an earlier system, which has no skips."""
    states = [GameState.start(_endgame_boards(common["board"], number, left)[0]) for number, left in items]
    yield "ready", 0.0
    for (_, left), state in zip(items, states, strict=True):
        search = TREES[TREE_OF_PARITY](state)
        started = time.process_time()
        value = search.value(left)
        yield "part", {"seconds": time.process_time() - started, "nodes": search.nodes, "value": value}


def _endgame_boards(name: str, number: int, left: int) -> list[cs.Board]:
    """Return a position of a game of random safe moves, and the end of the game."""
    return [each for each in safe_game(board_named(name), f"endgame {number}") if each.empty_count in (0, left)]


def _endgame(name: str, number: int, left: int, *, skips: bool) -> Any:
    """Return the filling game of such a position."""
    from csp_sudoku.search.filling.model import model_of

    board, full = _endgame_boards(name, number, left)
    model = model_of(GameState.start(board), cs.classify_moves(board), full.values)
    if not skips:
        model.position[1] = 0
    return model


def _deepening(search: AlphaBeta) -> Iterator[int]:
    """Yield the nodes of deeper and deeper searches until the time is over."""
    for _ in deepen(search, search.position.moves()):
        yield search.nodes


def _playouts(position: Filling, rng: Random) -> Iterator[int]:
    search = MonteCarlo(position, rng, exploration=2.0, worth=lambda lead: 1.0 if lead > 0 else 0.0)
    while True:
        search.run(10)
        yield search.root.playouts


PACES = (
    "calls of minimax, cells and values (000)",
    "calls of minimax, cells (parity)",
    "nodes of the champion",
    "playouts of MCTS, cells and values (000)",
    "playouts of MCTS, cells (tree-mcts)",
)
"""The kinds of counts by time."""


class SearchTimeout(BaseException):
    """The exception that cuts off a search at any point."""


def pace(common: dict[str, Any], items: list[list[float]]) -> Iterator[Message]:
    """Count the work of a search in a number of seconds; this runs in a measuring process.

    An item is the seconds, and the share of a game of random safe moves after which the position is taken.
    """
    kind, name = common["pace"], common["board"]
    played = list(safe_game(board_named(name), f"pace {name}"))
    if kind == PACES[2]:
        from csp_sudoku.agents.champion_player.thinking import warm_up

        warm_up()
    yield "ready", 0.0
    for seconds, share in items:
        board = played[round(share * (len(played) - 2))]
        state = GameState.start(board)
        yield "part", _champion(state, seconds) if kind == PACES[2] else _cut_off(kind, state, seconds)


def _champion(state: GameState, seconds: float) -> dict[str, Any]:
    """Return the nodes of the champion's exact search in the time of a turn, with the time of the move map."""
    from csp_sudoku.moves.engines.search import search_for
    from csp_sudoku.search.endings.endgame import ENDINGS_BYTES
    from csp_sudoku.search.endings.table import Endings
    from csp_sudoku.search.filling.deepening import Deepening
    from csp_sudoku.search.filling.model import model_of
    from csp_sudoku.solvers.base import Deadline

    deadline = Deadline(seconds)
    search = search_for(state.board)
    search.run(Deadline(min(seconds, 0.15)))
    moves = search.map(0.0)
    model = model_of(state, moves, moves.witnesses[0].tobytes())
    deepening = Deepening(model, endings=Endings(model, int(seconds * ENDINGS_BYTES)))
    depth, exact = 0, False
    for verdict in deepening.verdicts(deadline):
        depth, exact = verdict.depth, verdict.is_exact
    return {"count": deepening.nodes, "depth": depth, "done": exact}


def _cut_off(kind: str, state: GameState, seconds: float) -> dict[str, Any]:
    """Return the count of a search in Python when its time is over."""
    import signal

    pairs = "values" in kind
    position = Pairs(state) if pairs else Filling(state)
    count, done, armed = 0, False, True
    search = None if kind.startswith("playouts") else AlphaBeta(position)
    steps = _playouts(position, Random(1)) if search is None else _deepening(search)

    def ring(*_: object) -> None:
        if armed:
            raise SearchTimeout

    signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
        for step in steps:
            count = step
        done = True
    except SearchTimeout:
        pass
    armed = False
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"count": count if search is None else search.nodes, "depth": None, "done": done}
