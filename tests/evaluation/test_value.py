"""The filling game: its model of a position, and its search, against a plain one."""

from time import perf_counter

import pytest
from csp_sudoku.agents.champion_player import thinking
from csp_sudoku.agents.champion_player.quick import any_move, quick_move
from csp_sudoku.agents.champion_player.stages import TRUTH_NODES, Stage, by_turns
from csp_sudoku.agents.champion_player.thinking import Thinking, _Values

from csp_sudoku import Board, Geometry, ShapeError, SudokuError, classify_moves, solve
from csp_sudoku.evaluation import value as evaluation
from csp_sudoku.evaluation.plain import plain_value
from csp_sudoku.evaluation.value import evaluate
from csp_sudoku.game.rules import reward
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.engines.search import NineSearch
from csp_sudoku.moves.move import Move
from csp_sudoku.search.completions.game import CompletionGame
from csp_sudoku.search.filling.deepening import Deepening, SearchResult
from csp_sudoku.search.filling.kernels import filling
from csp_sudoku.search.slices import SLICE_NODES
from csp_sudoku.solvers.base import Deadline
from tests.game.support import ending, model
from tests.support import most_slow, random_of

FOR_EVER = Deadline(None)
MODES = ["classic", "rows", "border", "random"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3)])
def test_exact_values_are_those_of_plain_recursion(m, n, mode):
    """On boards with one solution the value of the filling game is that of the real one, in every mode of play."""
    random = random_of("exact", m, n, mode)
    compared = 0
    while compared < 5:
        board, _ = ending(m, n, random.randint(1, 5), random)
        state = GameState.start(board, mode, random)
        if state.is_over or state.must_pass:
            continue
        compared += 1
        game = model(state)
        assert game.is_exact
        expected = plain_value(state)
        assert Deepening(game, bits=10).exact(FOR_EVER).value == expected
        last = list(Deepening(game, bits=10).verdicts(FOR_EVER))[-1]
        assert (last.value, last.is_exact) == (expected, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "mode"), [("...4 241. 3241 4..2", "border"), ("3..4 .431 4312 ..4.", "classic")], ids=["border", "classic"]
)
def test_a_line_of_best_play_earns_the_value(text, mode):
    """Also where the table has a move of a position of which it knows no more than a bound; the fuzzer found these."""
    state = GameState.start(Board.parse(text), mode)
    found = evaluate(state)
    assert found.exact
    assert found.margin == plain_value(state)
    for move in found.line:
        while state.must_pass:
            state, _ = state.play(None)
        margin = plain_value(state)
        state, outcome = state.play(move)
        assert outcome.reward - plain_value(state) == margin
    assert state.board.is_full


@pytest.mark.slow
def test_taboo_bombs_are_no_skips():
    """A bomb that was played is not a move any more, and the value follows."""
    random = random_of("taboo")
    compared = 0
    while compared < 12:
        board, _ = ending(3, 3, 6, random)
        bombs = classify_moves(board).bombs
        if not bombs:
            continue
        state = GameState.start(board).skip(random.choice(bombs))[0]
        assert Deepening(model(state), bits=10).exact(FOR_EVER).value == plain_value(state)
        compared += 1


@pytest.mark.parametrize("empty", [8, 12])
def test_deepening_ends_at_the_exact_value(empty):
    """Depth by depth, the value converges to that of the search without estimates, and its move is as good."""
    random = random_of("deepening", empty)
    for _ in range(6):
        board, _ = ending(3, 3, empty, random)
        game = model(GameState.start(board))
        exact = Deepening(game, bits=14).exact(FOR_EVER).value
        search = Deepening(game, bits=14)
        last = list(search.verdicts(FOR_EVER))[-1]
        assert (last.value, last.is_exact) == (exact, True)
        points, after = search.after(game.position, last.move)
        assert points - search.value(after, filling.EXACT, FOR_EVER) == exact


def test_a_small_table_changes_no_value():
    """Bounds that are overwritten cost time, and nothing else."""
    random = random_of("table")
    for _ in range(4):
        board, _ = ending(3, 3, 11, random)
        game = model(GameState.start(board))
        small, large = (Deepening(game, bits=bits).exact(FOR_EVER) for bits in (4, 18))
        assert small.value == large.value
        assert small.nodes > 4 * large.nodes


def test_slices_change_no_value(monkeypatch):
    """A search that is stopped again and again, and taken up each time, finds the same."""
    random = random_of("slices")
    board, _ = ending(3, 3, 13, random)
    game = model(GameState.start(board))
    whole = Deepening(game).exact(FOR_EVER).value
    monkeypatch.setattr("csp_sudoku.search.slices.SLICE_NODES", 50)
    assert Deepening(game).exact(FOR_EVER).value == whole


def test_no_time_is_no_verdict():
    """Without time there is neither a value nor a wrong one."""
    board, _ = ending(3, 3, 10, random_of("no time"))
    search = Deepening(model(GameState.start(board)))
    assert search.exact(Deadline(0)) is None
    assert list(search.verdicts(Deadline(0))) == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("m", "n"), most_slow([(2, 2), (2, 3), (3, 3), (4, 4), (5, 5)], [(2, 3), (3, 3)]))
def test_every_proposal_is_legal_and_never_loses(m, n, mode):
    """From empty and from part-filled boards, each proposal is a move that the rules accept; fills are safe."""
    random = random_of("proposals", m, n, mode)
    solution = solve(Board.empty(m, n)).solution
    for share in (0, 0.5, 0.9):
        cells = [value if random.random() < share else 0 for value in solution.values]
        state = GameState.start(Board((m, n), cells), mode, random)
        if state.is_over or state.must_pass:
            continue
        moves = list(Thinking(state).proposals(Deadline(0.1)))
        assert moves
        assert set(moves) <= set(state.moves())


def test_the_quick_move_takes_points_and_avoids_giving_them():
    """Without search: the move that completes most regions, else the one that leaves least to be completed."""
    board = Board.parse("12.4 .... .... ....")
    solution = solve(board).solution
    assert quick_move(GameState.start(board), solution.values).move[:2] == (0, 2)
    board = Board.parse("12.. .... .... ....")
    assert quick_move(GameState.start(board), solution.values).move[0] > 0
    assert reward(1) == 1


def test_where_search_is_of_no_use_the_first_safe_move_is_the_last():
    """With more empty cells than the horizon, or in a decided game: the quick move, with a known completion."""
    board = Board.empty(3, 3)
    known = [solve(board).solution.values]
    state = GameState.start(board)
    assert list(Thinking(state, known).proposals(Deadline(0.1))) == [quick_move(state, known[0]).move]
    assert len(list(Thinking(state, known, horizon=81).proposals(Deadline(0.1)))) > 1
    full = known[0]
    nearly = Board((3, 3), bytes(full[cell] if cell < 7 else 0 for cell in range(81)))
    assert quick_move(GameState.start(nearly), full).given == 0
    pairs = [region[-2:] for region in board.geometry.regions[:9]]
    given = Board((3, 3), bytes(0 if any(cell in pair for pair in pairs) else full[cell] for cell in range(81)))
    assert quick_move(GameState.start(given), full).given > 0
    assert len(list(Thinking(GameState.start(given), known, horizon=2).proposals(Deadline(0.1)))) > 1
    assert len(list(Thinking(GameState.start(board, "rows"), known).proposals(Deadline(0.1)))) > 1
    board = Board.parse("1243 3421 43.. 21..")
    for scores, decided in (((13, 3), False), ((14, 3), True), ((3, 14), True)):
        state = GameState.of(board, scores=scores)
        assert (len(list(Thinking(state, [solve(board).solution.values]).proposals(FOR_EVER))) == 1) == decided


def test_without_a_known_completion_any_legal_move_comes_first(monkeypatch):
    """It is there before the board is solved; other boards' completions are none of this one."""
    board = Board.parse("12.. .... .... ....")
    state = GameState.of(board, taboo=[(0, 2, 3)])
    assert list(any_move(state)) == [(0, 2, 4)]
    monkeypatch.setattr("csp_sudoku.agents.champion_player.thinking.get_solver", None)
    other = solve(Board.parse("21.. .... .... ....")).solution.values
    assert next(Thinking(state, [other]).proposals(FOR_EVER)) == (0, 2, 4)
    assert list(any_move(GameState.start(board.place(0, 2, 3).place(0, 3, 4), "rows"))) == []


@pytest.mark.parametrize(("m", "n"), [(4, 4), (5, 5)])
def test_large_positions_are_cut_to_what_is_close_to_points(m, n):
    """With more empty cells than the game has room for, it has those of the fullest regions, and is not exact."""
    board = Board.empty(m, n)
    for column in range(m * n - 1):
        board = board.place(0, column, column + 1)
    game = model(GameState.start(board))
    assert len(game.cells) == filling.MAX_CELLS
    assert m * n - 1 in game.cells
    assert not game.is_exact
    verdict = list(Deepening(game, bits=12).verdicts(FOR_EVER, most=2))[-1]
    assert game.move(verdict.move) == (0, m * n - 1, m * n)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 3)])
def test_an_evaluation_names_all_the_best_moves(m, n, mode):
    """Margin and best moves agree with plain recursion, bombs included, even numbers of bombs too."""
    random = random_of("evaluation", m, n, mode)
    compared = 0
    while compared < 6:
        board, solution = ending(m, n, random.randint(2, 5), random)
        state = GameState.start(board, mode, random)
        if state.is_over or state.must_pass:
            continue
        compared += 1
        found = evaluate(state)
        values = {}
        for move in state.moves():
            safe = solution[move.row, move.col] == move.value
            after, outcome = state.place(move) if safe else state.skip(move)
            values[move] = outcome.reward - plain_value(after)
        assert found.exact
        assert found.margin == max(values.values())
        assert list(found.best) == sorted(move for move, value in values.items() if value == found.margin)
        assert found.line[0] in found.best
        assert set(found.line) <= set(found.best) | {(*divmod(c, m * n), v) for c, v in all_candidates(board)}


def all_candidates(board):
    """Every (cell, value) that is legal."""
    return [(cell, value) for cell in board.empty_cells() for value in board.candidates(*divmod(cell, board.size))]


def test_searches_take_turns():
    """Each is asked until it ends, and those that are taken out no more."""

    def pieces(name, count):
        for number in range(count):
            busy_until = perf_counter() + 0.001
            while perf_counter() < busy_until:
                pass
            yield SearchResult(number, number, number, is_exact=False, nodes=0)

    class Named(Stage):
        def move(self, result):
            return result.move

    stages = [Named(pieces("a", 10), 1), Named(pieces("b", 40), 4), Named(pieces("c", 10**9), 1)]
    a, b, c = stages
    seen = []
    for stage, result in by_turns(stages):
        seen.append(stage)
        if stage is b and result.move == 39:
            stages.remove(c)
    assert (seen.count(a), seen.count(b)) == (10, 40)
    assert stages == []


@pytest.mark.parametrize("mode", ["rows", "border", "random"])
@pytest.mark.parametrize(("m", "n"), [(3, 3), (4, 4), (5, 5)])
def test_restricted_large_positions_are_cut_to_what_is_near(m, n, mode):
    """Open squares are in the game if there is room, and no cell that is not is nearer to a side than one that is."""
    state = GameState.start(Board.empty(m, n), mode, random_of("urgent", m, n, mode))
    game = model(state)
    near = [state.board.geometry.cell(*square) for player in (1, 2) for square in state.squares(player)]
    inside = set(game.cells)
    assert len(inside) == filling.MAX_CELLS
    assert set(near) <= inside or inside <= set(near)

    def steps(cell):
        row, column = divmod(cell, m * n)
        return min(max(abs(row - its // (m * n)), abs(column - its % (m * n))) for its in near)

    assert max(map(steps, inside)) <= min(map(steps, set(range((m * n) ** 2)) - inside))


def test_who_is_shut_in_has_a_square_in_the_game():
    """However many squares are nearer to the other side, some of those that the side to move has are in the game."""
    nearest = [(row, column) for row in range(5) for column in range(16)]
    state = GameState.start(Board.empty(4, 4), "random", allowed=([(15, 15)], nearest))
    game = model(state)
    assert len(game.cells) == filling.MAX_CELLS
    assert 15 * 16 + 15 in game.cells
    empty, _, mine, others = map(int, game.position)
    assert (empty & mine).bit_count() == 1
    assert (empty & others).bit_count() == filling.MAX_CELLS - 1
    for move in Thinking(state).proposals(Deadline(0.5)):
        assert move[:2] == (15, 15)


def test_variants_are_refused_or_valued():
    """Cells of more than three regions are refused in a line; jigsaws have no mirror images, and are valued."""
    diagonal = GameState.start(Board(Geometry.diagonal(3, 3), [0] * 81))
    with pytest.raises(ShapeError, match="expected a board whose cells are in 3 regions; found 3x3 diagonal"):
        evaluate(diagonal)
    with pytest.raises(ShapeError, match="found 2x2 diagonal"):  # few cells, for which there is another game
        evaluate(GameState.start(Board(Geometry.diagonal(2, 2), [0] * 16)))
    jigsaw = Board(Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]), [0] * 16)
    assert evaluate(GameState.start(jigsaw), time_limit=0.5).best
    late = Board(jigsaw.geometry, [*solve(jigsaw).solution.values[:10], *[0] * 6])
    assert evaluate(GameState.start(late)).margin == plain_value(GameState.start(late))


def test_values_are_compared_when_all_are_known():
    """Until all values are compared the move stays the same; then it has the value that is worst for the other side."""
    state = GameState.of(Board.parse("12.. .... .... ...4"), taboo=[(1, 1, 3)])
    values = _Values(state, classify_moves(state.board), random_of("values"))
    move = Move(2, 2, 1)
    options = [safe for safe in classify_moves(state.board).safe if safe[:2] == move[:2]]
    assert len(options) == 3
    for known in range(3):
        assert values.best(move) == move
        assert len(values._games) == known
        assert values.go_on(move)
    assert set(values._games) == set(options)
    values._games[options[2]] = -100.0
    assert values.best(move) == options[2]
    assert not values.go_on(move)
    bomb = classify_moves(state.board).bombs[0]
    assert not values.go_on(bomb)
    assert values.best(bomb) == bomb


def test_values_are_compared_to_the_end_when_the_rest_is_known(monkeypatch):
    """A game that is proven for one completion leaves the rest of the turn to the values of its best cell."""
    monkeypatch.setattr("csp_sudoku.agents.champion_player.thinking.SOME_DAY", 0)
    asked = []
    monkeypatch.setattr(_Values, "_value", lambda _, move: asked.append(move) or -move.value)
    state = GameState.start(Board.parse("12.. 34.. .... ...."))
    safe = classify_moves(state.board).safe
    *_, last = Thinking(state).proposals(FOR_EVER)
    options = [move for move in safe if move[:2] == last[:2]]
    assert len(options) > 1
    assert set(options) <= set(asked)
    assert last == max(options, key=lambda move: move.value)


def test_the_map_of_a_position_is_part_of_its_time(monkeypatch):
    """If the map is not ready in time, the estimate works without it; a board without a completion is detected."""
    board = ending(3, 3, 40, random_of("late map"))[0]
    whole = evaluate(GameState.start(board), time_limit=0.2)

    class NoTime(Deadline):
        def __init__(self, seconds):
            super().__init__(0)

    with monkeypatch.context() as patch:
        patch.setattr(NineSearch, "WORK", 1)
        patch.setattr(evaluation, "Deadline", NoTime)
        found = evaluate(GameState.start(board), time_limit=0.2)
        assert not found.exact
        assert set(found.best) <= set(GameState.start(board).moves())
        with pytest.raises(SudokuError, match="expected a board that has a completion; found none"):
            evaluate(GameState.start(board.place(*first_bomb(board))), time_limit=0.2)
    assert whole.best


def first_bomb(board):
    """A move after which a board has no completion."""
    return next(iter(classify_moves(board).bombs))


def test_no_search_keeps_the_others_waiting(monkeypatch):
    """The game of all completions, where nodes take long, begins with few of them when it takes turns."""
    asked = []
    search = CompletionGame.search
    monkeypatch.setattr(CompletionGame, "search", lambda *call: asked.append(call[-1]) or search(*call))
    state = GameState.start(Board.parse("12.. 34.. .... ...."))
    assert list(Thinking(state).proposals(FOR_EVER))
    assert asked[0] == TRUTH_NODES < SLICE_NODES / 5
    asked.clear()
    assert evaluate(state).exact
    assert asked[0] == SLICE_NODES


def test_who_shares_the_time_is_told_so(monkeypatch):
    """The endings of a position get the time of a turn that the other searches and the comparison of values leave."""
    told = []

    class ToldError(Exception):
        pass

    class Told(thinking.Endgame):
        def __init__(self, *arguments):
            told.append(arguments[-1])
            raise ToldError

    monkeypatch.setattr(thinking, "Endgame", Told)
    one = ending(3, 3, 14, random_of("share"))[0]
    several = Board.parse("12.. 34.. .... ....")
    many = Board.empty(3, 3)
    solution = solve(many).solution
    many = Board((3, 3), [value if cell < 45 else 0 for cell, value in enumerate(solution.values)])
    for board in (one, several, many):
        with pytest.raises(ToldError):
            list(Thinking(GameState.start(board)).proposals(FOR_EVER))
    assert told == pytest.approx([4 / 5, 4 / 9 * 0.7, 4 / 5 * 0.7])
