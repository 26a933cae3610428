"""All endings of the filling game, against plain recursion and against the search that does without them."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from csp_sudoku.compiled.compilation import kernel
from csp_sudoku.evaluation.value import evaluate
from csp_sudoku.game.state import GameState
from csp_sudoku.search.endings.kernels import endings as kernels
from csp_sudoku.search.endings.table import Endings
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.kernels import filling
from csp_sudoku.solvers.base import Deadline
from tests.game.support import ending, model
from tests.support import most_slow, random_of

FOR_EVER = Deadline(None)
LARGE = 1 << 28
REWARDS = (0, 1, 3, 7)


@kernel
def looked_up(memory, empty, skips):
    return kernels.value_of(memory, empty, skips)


def valued(game, most=LARGE, **options):
    endings = Endings(game, most, **options)
    while not endings.is_done:
        endings.go_on()
    return endings


def plain(game):
    """The value of any set of cells and skips of a game by recursion, straight from its record."""
    record = game.games[0]
    cells, skips = range(len(game.cells)), range(len(game.skips))
    regions = [int(region) for region in record["region"][: record["regions"]]]
    killed_by = [{skip for skip in skips if int(record["kills"][cell]) >> skip & 1} for cell in cells]

    @cache
    def value(empty, left):
        if not empty:
            return 0
        found = [-value(empty, left - {skip}) for skip in left]
        for cell in empty:
            rest = empty - {cell}
            mask = sum(1 << other for other in empty)
            points = REWARDS[sum(region & mask == 1 << cell for region in regions)]
            found.append(points - value(rest, left - killed_by[cell]))
        return max(found)

    return value


def killers(game, skip):
    record = game.games[0]
    return {cell for cell in range(len(game.cells)) if int(record["kills"][cell]) >> skip & 1}


def subsets(things):
    return (frozenset(some) for count in range(len(things) + 1) for some in combinations(things, count))


def with_skips(game, count, random):
    """The game with skips of our own making instead of its bombs."""
    record = game.games[0]
    record["kills"][:] = 0
    record["skips"] = count
    for skip in range(count):
        for cell in random.sample(range(len(game.cells)), random.randint(1, min(3, len(game.cells)))):
            record["kills"][cell] |= 1 << skip
    game.position[1] = (1 << count) - 1
    return replace(game, skips=[()] * count)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4)])
def test_every_ending_has_the_value_of_plain_recursion(m, n):
    """For every set of cells, and every set of skips that none of the filled ones kills."""
    random = random_of("endings", m, n)
    compared = 0
    for _ in range(10):
        board, _ = ending(m, n, random.randint(3, 7), random)
        game = model(GameState.start(board))
        if random.random() < 0.7 or len(game.skips) > 4:
            game = with_skips(game, random.randint(1, 4), random)
        endings = valued(game, all_skips=True)
        value = plain(game)
        kinds = range(len(game.skips))
        for empty in subsets(range(len(game.cells))):
            for left in subsets([kind for kind in kinds if killers(game, kind) <= empty]):
                words = (np.uint64(sum(1 << number for number in numbers)) for numbers in (empty, left))
                assert looked_up(endings.memory, *words) == value(empty, left)
                compared += bool(left)
    assert compared > 50


@pytest.mark.parametrize("all_skips", [False, True])
@pytest.mark.parametrize(("m", "n"), most_slow([(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5)], [(2, 3), (3, 3)]))
def test_the_search_finds_the_same_with_endings_as_without(m, n, all_skips):
    """The exact value; depth by depth as well, which ends with it; and the move is worth that much."""
    random = random_of("endings and search", m, n)
    for _ in range(25 if m * n < 25 else 5):
        board, _ = ending(m, n, random.randint(2, min(13, m * n * 2)), random)
        game = model(GameState.start(board))
        expected = Deepening(game, bits=14).exact(FOR_EVER).value
        endings = Endings(game, LARGE, all_skips=all_skips)
        assert endings.count
        search = Deepening(game, bits=14, endings=endings)
        last = list(search.verdicts(FOR_EVER))[-1]
        assert (last.value, last.is_exact) == (expected, True)
        points, after = search.after(game.position, last.move)
        assert points - search.value(after, filling.EXACT, FOR_EVER) == expected


def test_more_skips_than_there_is_room_for_are_searched():
    """The search handles moves that use or kill other skips itself, and finds the same value."""
    random = random_of("many skips")
    for _ in range(6):
        board, _ = ending(3, 3, 9, random)
        game = with_skips(model(GameState.start(board)), 10, random)
        endings = valued(game, most_skips=7)
        assert looked_up(endings.memory, *game.position[:2]) == kernels.UNKNOWN
        expected = Deepening(game).exact(FOR_EVER).value
        assert Deepening(game, endings=endings).exact(FOR_EVER).value == expected


def test_slices_change_no_value(monkeypatch):
    """Endings valued a few at a time are the same."""
    board, _ = ending(3, 3, 12, random_of("slices of endings"))
    game = model(GameState.start(board))
    whole = valued(game)
    monkeypatch.setattr("csp_sudoku.search.endings.table.SLICE_VALUES", 7)
    for part, other in zip(valued(game).memory, whole.memory, strict=True):
        assert part.tobytes() == other.tobytes()


@pytest.mark.parametrize("mode", ["rows", "border", "random"])
@pytest.mark.parametrize(("m", "n"), most_slow([(2, 2), (2, 3), (3, 3)], [(3, 3)]))
def test_in_the_newer_modes_the_search_finds_the_same(m, n, mode):
    """Endings are looked up where all squares are open to both."""
    random = random_of("endings in the newer modes", m, n, mode)
    shorter = 0
    for _ in range(60):
        state = played(m, n, mode, random.randint(3, 12), random)
        if state.is_over or state.must_pass:
            continue
        game = model(state)
        plainly, helped = Deepening(game, bits=14), Deepening(game, bits=14, endings=valued(game))
        expected, found = plainly.exact(FOR_EVER), helped.exact(FOR_EVER)
        assert found.value == expected.value
        points, after = plainly.after(game.position, found.move)
        assert points - plainly.value(after, filling.EXACT, FOR_EVER) == expected.value
        last = list(Deepening(game, bits=14, endings=Endings(game, LARGE)).verdicts(FOR_EVER))[-1]
        assert (last.value, last.is_exact) == (expected.value, True)
        shorter += found.nodes < expected.nodes
    assert shorter


def played(m, n, mode, empty, random):
    """A position with so many empty squares, or the end of its game, after random moves of the one completion."""
    board, solution = ending(m, n, m * n * m * n, random)
    state = GameState.start(board, mode, random)
    while not state.is_over and state.board.empty_count > empty:
        square = None if state.must_pass else random.choice(state.squares())
        state, _ = state.play(square and (*square, solution[square]))
    return state


@pytest.mark.parametrize(("empty", "mode"), [(30, "classic"), (24, "rows"), (24, "border")])
def test_what_has_no_room_is_left_alone(empty, mode):
    """Too many cells, in the newer modes fewer: no endings, and the search is as it was."""
    random = random_of("no room", empty, mode)
    board, _ = ending(3, 3, empty, random)
    endings = Endings(model(GameState.start(board, mode, random)), LARGE)
    assert endings.count == 0
    assert endings.is_done


def test_no_more_memory_is_taken_than_allowed():
    """Endings that exceed the allowed bytes are not computed; endings that take exactly the allowed bytes are."""
    board, _ = ending(3, 3, 10, random_of("memory"))
    game = model(GameState.start(board))
    needed = sum(part.nbytes for part in valued(game).memory[1:])
    assert valued(game, needed).count > 0
    assert valued(game, needed - 1).count == 0


@pytest.mark.slow
def test_a_position_of_22_cells_is_proven():
    """A game that takes the search alone a long time; each of the best moves keeps the value."""
    board, solution = ending(3, 3, 22, random_of("22 cells"))
    state = GameState.start(board)
    found = evaluate(state)
    assert found.exact
    for move in found.best[:3]:
        is_safe = solution[move.row, move.col] == move.value
        after, outcome = state.place(move) if is_safe else state.skip(move)
        assert outcome.reward - evaluate(after).margin == found.margin
