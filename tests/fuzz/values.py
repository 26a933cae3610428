"""Kind `values`: the exact value of small endings in every mode, the best moves and the line, by plain recursion."""

from __future__ import annotations

from random import Random

from csp_sudoku import Board
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.search.evaluation import evaluate
from csp_sudoku.search.plain import plain_value
from tests.fuzz.boards import Sample, random_sample
from tests.fuzz.case import Budget, SpentError, expect, expect_equal
from tests.fuzz.reference import safe_moves

MOST_EMPTY = 6
MOST_BOMBS = 4
"""What plain recursion decides within a second."""


def check(random: Random, budget: Budget) -> None:
    """A position near its end: the margin, the best moves, and what the line earns."""
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


def _position(random: Random, budget: Budget) -> tuple[GameState, Sample]:
    """A position that goes on, with few empty squares and few bombs, perhaps after some turns."""
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
    """What the side to move earns more than the other when the line is played; an error if it is no whole game."""
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
