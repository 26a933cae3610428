"""Kind `values`: the exact value of small endings in every mode, by each search, against plain recursion.

The best moves and the line of `evaluate` are held against it, too.
"""

from __future__ import annotations

from random import Random

from csp_sudoku import Board, classify_moves, solve
from csp_sudoku.evaluation.plain import plain_value
from csp_sudoku.evaluation.value import evaluate
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.search.completions.game import completion_game
from csp_sudoku.search.endings.table import Endings
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.model import model_of
from csp_sudoku.solvers.base import Deadline
from tests.fuzz.boards import Sample, random_sample
from tests.fuzz.case import Budget, SpentError, expect, expect_equal
from tests.fuzz.reference import safe_moves

MOST_EMPTY = 6
MOST_BOMBS = 4
"""The budget of plain recursion, about a second."""

TABLE_BITS = (4, 10, 14)
"""Entries of a search's table, as a power of two: small ones forget, and the value must be the same."""


def check(random: Random, budget: Budget) -> None:
    """A position near its end: the margin, the best moves, and the points of the line."""
    state, sample = _position(random, budget)
    name = f"{sample.name} {state.mode}, {list(state.board.cells)}, {len(state.taboo)} taboo, player {state.player}"
    value, safe = plain_value(state), safe_moves(sample.regions, state.board.cells, budget)
    found = evaluate(state)
    expect(found.exact, f"{name}: evaluate is not exact without a time limit")
    expect_equal(f"{name}: the margin of evaluate", found.margin, value)
    best = set()
    for move in state.moves():
        is_safe = (move.row * sample.size + move.col, move.value) in safe
        after, outcome = state.place(move) if is_safe else state.skip(move)
        if outcome.reward - plain_value(after) == value:
            best.add(move)
    expect_equal(f"{name}: the best moves of evaluate", sorted(found.best), sorted(best))
    expect_equal(f"{name}: what the line of evaluate earns", _earned(state, found.line), value)
    for search, said in _by_each_search(state, random).items():
        expect_equal(f"{name}: the value by {search}", said, value)


def _by_each_search(state: GameState, random: Random) -> dict[str, float]:
    """The value by the game of all completions and, where there is one completion alone, by the filling game."""
    moves, bits, found = classify_moves(state.board), random.choice(TABLE_BITS), {}
    game = completion_game(state, moves, bits)
    if game is not None:
        found[f"the game of completions with {bits} bits"] = game.exact(Deadline(None)).value
    model = model_of(state, moves, solve(state.board).solution.values)
    if model.is_exact:
        found[f"deepening with {bits} bits"] = Deepening(model, bits).exact(Deadline(None)).value
        endings = Endings(model, 1 << 26, all_skips=random.random() < 0.5)
        found["deepening with endings"] = Deepening(model, bits, endings).exact(Deadline(None)).value
        found["deepening depth by depth"] = list(Deepening(model, bits).verdicts(Deadline(None)))[-1].value
    return found


def _position(random: Random, budget: Budget) -> tuple[GameState, Sample]:
    """A position before the end of its game, with few empty squares and few bombs, perhaps after some turns."""
    for _ in range(40):
        sample = random_sample(random, random.choice([4, 4, 6, 9]), is_plain=random.random() < 0.8, styles=("full",))
        if max(map(len, sample.board.geometry.regions_of)) > 3:
            continue
        state = GameState.start(
            _thinned(sample, random), random.choice(("classic", "rows", "border", "random")), random
        )
        referee = Referee()
        for _ in range(random.choice([0, 0, 1, 2, 3])):
            if not state.is_over:
                state, _ = state.play(random.choice(state.moves()) if not state.must_pass else None, referee)
        if state.is_over or state.must_pass:
            continue
        safe = safe_moves(sample.regions, state.board.cells, budget)
        bombs = [move for move in _every_move(state) if (move[0] * sample.size + move[1], move[2]) not in safe]
        if len(bombs) <= MOST_BOMBS and len(safe) <= 2 * MOST_EMPTY:
            return state, sample
    raise SpentError


def _every_move(state: GameState) -> list[tuple[int, int, int]]:
    """Every legal move of the board, taboo or not, wherever the players may play."""
    size = state.board.size
    return [
        (*divmod(cell, size), v)
        for cell in state.board.empty_cells()
        for v in state.board.candidates(*divmod(cell, size))
    ]


def _thinned(sample: Sample, random: Random) -> Board:
    """The grid of a sample with few holes, mostly of two or three values, so that there may be several completions."""
    some = random.sample(range(1, sample.size + 1), random.choice([2, 2, 3]))
    cells = [cell for cell, value in enumerate(sample.solution) if value in some or random.random() < 0.1]
    return sample.board.without(random.sample(cells, min(len(cells), random.randint(1, MOST_EMPTY))))


def _earned(state: GameState, line: tuple) -> int:
    """The lead that the side to move gains when the line is played; an error if the line does not end the game."""
    mover, margin, referee = state.player, 0, Referee()
    for move in line:
        while state.must_pass:
            state, _ = state.play(None)
        state, outcome = state.play(move, referee)
        expect(outcome.reason is None, f"the line of evaluate loses with {move}: {outcome.detail}")
        margin += outcome.reward if outcome.player == mover else -outcome.reward
    while state.must_pass:
        state, _ = state.play(None)
    expect(state.is_over, "the line of evaluate ends before the game does")
    return margin
