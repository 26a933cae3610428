"""The players after the earlier systems: that they play by the rules, remember, and are rid of the faults."""

import pickle
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import csp_sudoku
from csp_sudoku import Board, agents, load
from csp_sudoku.framework.conversion import position_of, to_game_state
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.classification import classify_moves
from csp_sudoku.players import Spec
from csp_sudoku.players.classic.alpha_beta import AlphaBeta
from csp_sudoku.players.classic.filling import Filling
from tests.cli.support import environment
from tests.game.support import MODES
from tests.support import is_solution_of, planted, random_of

HOME = Path(csp_sudoku.__file__).parents[1]
PLAYERS = ("parity", "heuristic", "skipper", "tree-mcts", "timed-mcts")
FAULTY = (
    "parity?fault=blocks&prune=no",
    "heuristic?fault=pairs+stale&order=none",
    "heuristic?fault=stale&emptiness=no&order=fewest",
    "skipper?bombs=rule&skip=behind",
    "tree-mcts?fault=pairs&c=0&keep=no",
    "timed-mcts?fault=playouts+side+root&result=score&choice=robust",
)
STEPS = 5
"""How many proposals are waited for: no player's end soon on a large board."""


def agent(text, seed=1):
    """The player of a text."""
    spec = Spec.parse(text)
    return spec.agent()(Random(seed), **spec.settings(spec.agent().OPTIONS))


def turn(text, state, saved=None, seed=1, steps=None):
    """The proposals of a player in a turn, and its saved data: as in the arena, with a new agent, through pickle."""
    player = agent(text, seed)
    if saved is not None:
        player.load(pickle.loads(saved))
    steps = steps or (2 if "stale" in text else STEPS)  # a third one may never come
    return list(islice(player.proposals(state), steps)), pickle.dumps(player.save())


def module_of(name, part="sudokuai"):
    """A module of a player's folder."""
    return import_module(f"{agents.__name__}.{name.replace('-', '_')}_player.{part}")


def play(text, state, rng, referee):
    """The end of a game against any moves; every proposal of the player is one that does not lose."""
    saved, who = None, rng.choice((1, 2))
    while not state.is_over:
        move = None
        if not state.must_pass:
            legal = state.moves()
            move = rng.choice(legal)
            if state.player == who:
                found, saved = turn(text, state, saved, rng.random())
                assert found
                assert set(found) <= set(legal)
                move = found[-1]
        state, _ = state.play(move, referee)
    return state


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", [*PLAYERS, *FAULTY])
def test_games_end_by_the_rules(text, mode):
    """In every mode, on boards of several shapes, none of them ever proposes a move that loses."""
    for m, n, share in ((2, 2, 1), (2, 3, 0.6)):
        rng = random_of(text, mode, m, n)
        board, _ = planted(m, n, rng, share)
        state = play(text, GameState.start(board, mode, rng), rng, Referee())
        assert state.loss is None


@pytest.mark.parametrize("text", PLAYERS)
def test_larger_boards_are_played(text):
    """On larger boards, and near the end of a game too."""
    for m, n, share in ((3, 3, 0.2), (3, 4, 0.1)):
        rng = random_of(text, m, n)
        board, _ = planted(m, n, rng, share)
        assert play(text, GameState.start(board), rng, Referee()).loss is None


@pytest.mark.parametrize("text", PLAYERS)
@pytest.mark.parametrize("shape", [(3, 3), (4, 4), (5, 5)])
def test_the_first_proposal_comes_at_once(text, shape, clock):
    """The first proposal is there before a completion is looked for; it is legal."""
    state = GameState.start(planted(*shape, random_of("at once", shape), 0.7)[0])

    def measure():
        player = agent(text)
        started = time.perf_counter()
        move = next(iter(player.proposals(state)))
        took = time.perf_counter() - started
        assert move in state.moves()
        return took

    clock.holds(measure, below=0.2)


@pytest.mark.parametrize("text", PLAYERS)
def test_what_is_proposed_after_that_is_safe_or_a_skip(text):
    """From the second proposal on there are no bombs but those that are meant."""
    for number in range(4):
        board, _ = planted(3, 3, random_of("safe", number), 0.5)
        state = GameState.start(board)
        (_, *found), _ = turn(text, state, seed=number)
        bombs = classify_moves(board).bombs
        assert found
        assert text == "skipper" or not any(move in bombs for move in found)


def test_a_board_without_completion_gets_a_legal_move():
    """If no move is safe, there is still the first proposal."""
    state = GameState.start(Board.parse("12.. .... ..3. ..4."))
    for text in PLAYERS:
        found, _ = turn(text, state)
        assert len(found) == 1
        assert found[0] in state.moves()


def test_most_players_need_nothing_heavy():
    """Four of the five load and play without numpy, so a turn starts at once where each has its own process."""
    script = (
        "import sys; from itertools import islice; from random import Random; from csp_sudoku import Board; "
        "from csp_sudoku.game.state import GameState; from csp_sudoku.players import Spec; "
        "state = GameState.start(Board.parse('1... ..2. .3.. ...4')); "
        "[list(islice(Spec.parse(name).agent()(Random(1)).proposals(state), 3)) "
        "for name in ('parity', 'heuristic', 'tree-mcts', 'timed-mcts')]; "
        "print([name for name in ('numpy', 'numba', 'ortools', 'networkx') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=HOME,
        env=environment(PYTHONPATH=str(HOME)),
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("api", ["v12", "v14"])
@pytest.mark.parametrize("name", ["parity", "heuristic", "skipper"])
def test_the_framework_s_class_proposes_the_same(name, api, tmp_path, monkeypatch):
    """As an agent of the framework, of either API, a player comes to the same last proposal."""
    monkeypatch.chdir(tmp_path)
    state = GameState.start(planted(2, 3, random_of("framework"), 0.2)[0])
    player = module_of(name).SudokuAI()
    proposed = []
    player.propose_move = proposed.append
    player.save, player.load = lambda _: None, lambda: None
    player.compute_best_move(to_game_state(position_of(state), api))
    square = (proposed[-1].i, proposed[-1].j) if hasattr(proposed[-1], "i") else proposed[-1].square
    *_, expected = agent(name).proposals(state)
    assert (*square, proposed[-1].value)[:2] == expected[:2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["skipper", "champion"])
def test_no_turn_has_to_load_the_move_map(name):
    """Once a player is made, both engines of the map are in memory: turns are played by copies, and would lose that."""
    code = f"""
        from random import Random
        from csp_sudoku.players import Spec
        kind = Spec.parse("{name}").agent()
        kind(Random(1), **Spec.parse("{name}").settings(kind.OPTIONS))
        from csp_sudoku.solvers.nine.kernels import moves as nine_moves
        from csp_sudoku.solvers.learning.kernels import cover
        print([bool(kernel.signatures) for kernel in (nine_moves.map_nine, cover.begin_cover, cover.cover)])
        """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True, env=environment()
    )
    assert run.stdout == "[True, True, True]\n"


@pytest.mark.parametrize("api", ["v12", "v14"])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)], ids=str)
@pytest.mark.parametrize("name", ["random", "greedy", "naive", "tree-mcts", "timed-mcts", "champion"])
def test_every_player_proposes_in_either_api(name, shape, api, tmp_path, monkeypatch):
    """As an agent of the framework, a player proposes squares that are empty, and legal moves unless it is naive."""
    monkeypatch.chdir(tmp_path)
    state = GameState.start(planted(*shape, random_of("either", shape), 0.3)[0])
    player, proposed = module_of(name).SudokuAI(), []

    def propose(*told):
        """As often as is waited for, and no more: some would go on for as long as they may."""
        row, col = (told[0].i, told[0].j) if hasattr(told[0], "i") else told[0].square
        proposed.append((row, col, told[0].value))
        if len(proposed) == STEPS:
            raise TimeoutError

    player.propose_move = propose
    player.save, player.load = lambda _: None, lambda: None
    with suppress(TimeoutError):
        player.compute_best_move(to_game_state(position_of(state), api))
    assert proposed
    assert all(not state.board[row, col] for row, col, _ in proposed)
    assert name == "naive" or set(proposed) <= {tuple(move) for move in state.moves()}


# What is kept between turns


@pytest.mark.parametrize("text", PLAYERS)
def test_a_completion_is_kept_while_the_board_agrees(text):
    """After a move of the completion it is used again, at once; after another one, a new one is looked for."""
    board = planted(3, 3, random_of("kept"), 0.6)[0]
    state = GameState.start(board)
    (*_, move), saved = turn(text, state)
    witness = pickle.loads(saved)[0]
    if witness[board.geometry.cell(move.row, move.col)] != move.value:  # a skip
        move = next(one for one in state.moves() if witness[one.row * 9 + one.col] == one.value)
    after, _ = state.place(move)
    for row, col, value in turn(text, after, saved, steps=1)[0]:
        assert witness[row * 9 + col] == value
    assert pickle.loads(turn(text, after, saved)[1])[0] == witness
    safe = classify_moves(after.board).safe
    other = next(one for one in safe if witness[one.row * 9 + one.col] != one.value)
    later, _ = after.place(other)
    renewed = pickle.loads(turn(text, later, saved)[1])[0]
    assert renewed != witness
    assert Board((3, 3), renewed).extends(later.board)


def test_the_tree_is_kept():
    """After the next two moves, the search continues with the tree that it kept; without `keep` it begins anew."""
    state = GameState.start(Board.parse("12.. .... .... 4..."))
    _, saved = turn("tree-mcts?c=0.5", state, steps=200)
    player = agent("tree-mcts")
    player.load(pickle.loads(saved))
    root = player.grown(state, Filling(state))
    assert root.playouts >= 1980
    move = root.most_tried()
    reply = root.after(move).most_tried()
    after, _ = state.place(player.move(state, move))
    later, _ = after.place(player.move(after, reply))
    found = player.grown(later, Filling(later))
    assert found.playouts == root.after(move).visits[root.after(move).moves.index(reply)] - 1
    assert found.moves == Filling(later).moves()
    bomb = next(iter(classify_moves(after.board).bombs))
    skipped, _ = after.skip(bomb)
    assert player.grown(skipped, Filling(skipped)) is None
    assert pickle.loads(turn("tree-mcts?keep=no", state)[1])[1] is None


@pytest.fixture
def now(monkeypatch):
    """A clock for timed-mcts that advances by 0.1 ms at each reading, and by each sleep."""
    module, seconds = module_of("timed-mcts"), [0.0]

    def look():
        seconds[0] += 0.0001
        return seconds[0]

    def sleep(pause):
        seconds[0] += pause

    monkeypatch.setattr(module, "perf_counter", look)
    monkeypatch.setattr(module, "sleep", sleep)
    return lambda: seconds[0]


def test_the_time_of_a_turn_is_learned(now):
    """The first turn lasts until it is cut off; the next one proposes when 95 % of that time is over, and ends."""
    state = GameState.start(planted(3, 3, random_of("timed"), 0.6)[0])
    player, started, saved = agent("timed-mcts"), now(), None
    for _ in player.proposals(state):
        if now() - started > 0.1:
            break
        saved = player.save()
    learned = saved[1]
    assert 0.09 < learned <= 0.1
    player, started = agent("timed-mcts"), now()
    player.load(saved)
    found = [(now() - started, move) for move in player.proposals(state)]
    assert len(found) == 2
    assert found[0][0] < 0.001
    assert 0.95 * learned - 0.002 < found[1][0] < 0.95 * learned
    assert now() - started < learned


@pytest.mark.usefixtures("now")
def test_nobody_waits_for_a_turn_without_end():
    """A first turn that is not cut off ends after the longest time that may be set."""
    state = GameState.start(Board.parse("1... .... .... ...."))
    assert len(list(agent("timed-mcts?longest=0.05").proposals(state))) > 2


def test_the_list_of_bombs_is_kept():
    """The rule's list is used up before a new one is made; the window says when one is made at all."""
    state = GameState.start(Board.parse("31..2..1.2.3.31."))
    bombs = pickle.loads(turn("skipper?bombs=rule&skip=behind", state)[1])[1].bombs
    assert set(bombs) == set(classify_moves(state.board, "rule").bombs)
    kept = pickle.dumps((None, pickle.loads(turn("skipper?bombs=rule", state)[1])[1]._replace(bombs=bombs[:1])))
    assert pickle.loads(turn("skipper?bombs=rule", state, kept)[1])[1].bombs == bombs[:1]
    for window in ("low=0.9", "high=0.1"):
        assert pickle.loads(turn(f"skipper?{window}", state)[1])[1].bombs == ()


def test_a_turn_that_was_over_too_soon_puts_the_list_off():
    """If nothing was kept for more than two moves, the board must be a tenth fuller."""
    state = GameState.start(Board.parse("12.. .... .... ...."))
    _, saved = turn("skipper", state)
    assert pickle.loads(saved)[1].low == pytest.approx(0.2)
    for count, low in ((2, 0.2), (4, 0.3)):
        later = state
        for _ in range(count):
            later, _ = later.place(next(iter(classify_moves(later.board).safe)))
        assert pickle.loads(turn("skipper", later, saved)[1])[1].low == pytest.approx(low)


# What they find, and the faults


def best_cells(state):
    """The cells that are best if the game is searched to its end, and the value."""
    position = Filling(state)
    search = AlphaBeta(position)
    values = {move: search.value_of(move, position.left) for move in position.moves()}
    return {cell for cell, value in values.items() if value == max(values.values())}


@pytest.mark.parametrize("text", ["parity", "parity?prune=no", "heuristic", "heuristic?emptiness=no&order=none"])
def test_short_games_are_played_perfectly(text):
    """With seven cells or fewer left, the last proposal is on a cell that is best to the end of the game."""
    judged = 0
    for number in range(10):
        board, _ = planted(2, 3, random_of("perfect", number), 0.2)
        if 0 < board.empty_count <= 7:
            state = GameState.start(board)
            *_, (row, col, _) = agent(text).proposals(state)
            assert row * 6 + col in best_cells(state)
            judged += 1
    assert judged >= 4


def test_001_counted_blocks_wrong():
    """The authors' counts of empty cells per block are not the truth, and on this board cost ten points."""
    state = GameState.start(Board.parse("....2421435665124.4.3.613456.2162435"))
    truth = Filling(state).empty[12:]
    assert module_of("parity").counted_as_before(state.board) != truth
    (*_, (row, col, _)), _ = turn("parity", state, steps=99)
    assert {row * 6 + col} == best_cells(state) == {28}
    (*_, (row, col, _)), _ = turn("parity?fault=blocks", state, steps=99)
    position = Filling(state)
    assert AlphaBeta(position).value_of(28, 9) - AlphaBeta(position).value_of(row * 6 + col, 9) >= 8


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("random-3x3", True, False),
        ("easy-3x3", True, True),
        ("easy-2x2", True, True),
        ("easy-2x3", False, True),
        ("random-2x3", False, False),
        ("hard-3x3", False, False),
    ],
)
def test_the_solvers_as_listed(name, first, second):
    """001's solver stumbles over equal singles and over blocks that are not square, 002's over every choice."""
    board = load(HOME / "boards" / f"{name}.txt")
    for solves, player in ((first, "parity"), (second, "timed-mcts")):
        solver = module_of(player, "listed").listed_completion
        if solves:
            assert is_solution_of(Board(board.geometry, solver(board)), board)
        else:
            with pytest.raises(KeyError):
                solver(board)


def test_001_as_listed_proposes_nothing_where_its_solver_fails():
    """On the empty 3×3 board it raises before it proposes; elsewhere it plays values of a completion."""
    with pytest.raises(KeyError):
        turn("parity?fault=as-listed", GameState.start(Board.empty(3, 3)))
    state = GameState.start(load(HOME / "boards" / "easy-3x3.txt"))
    found, _ = turn("parity?fault=as-listed", state, steps=2)
    assert len(found) == 2
    assert all(move in classify_moves(state.board).safe for move in found)


def test_001_as_listed_searches_with_its_wrong_counts():
    """With the right counts its search finds the best cell, and with its own ones another one."""
    state = GameState.start(Board.parse("....2421435665124.4.3.613456.2162435"))
    listed, depth = module_of("parity", "listed"), state.board.empty_count
    right = listed.ListedSearch(state.board, Filling(state).empty[12:])
    assert {right.best(depth)[1]} == best_cells(state)
    wrong = listed.ListedSearch(state.board, module_of("parity").counted_as_before(state.board))
    assert wrong.best(depth)[1] not in best_cells(state)
    assert sorted(wrong.open) == list(state.board.empty_cells())


@pytest.mark.usefixtures("now")
@pytest.mark.parametrize(("name", "fails"), [("hard-3x3", True), ("easy-2x2", False)])
def test_002_as_listed_plays_at_random_where_its_solver_fails(name, fails):
    """In its first turn it only waits; later it proposes a random move at once, and then the result of its search."""
    state = GameState.start(load(HOME / "boards" / f"{name}.txt"))
    found, saved = turn("timed-mcts?fault=as-listed&longest=0.05", state)
    assert len(set(found)) == 1
    assert pickle.loads(saved)[1] > 0
    player = agent("timed-mcts?fault=as-listed")
    player.load((None, 0.2))
    proposals = player.proposals(state)
    assert next(proposals) in state.moves()
    if fails:
        with pytest.raises(KeyError):
            next(proposals)
    else:
        assert next(proposals) in classify_moves(state.board).safe
        assert list(proposals) == []


def test_002_as_listed_searches_for_the_opponent():
    """Its tree gives the result of a move to the wrong player, so that it avoids the cell that wins 7 points."""
    state = GameState.start(Board.parse("1234 3412 2143 432."))
    listed = module_of("timed-mcts", "listed")
    search = listed.ListedSearch(state, Random(1), 2.0, counts_points=True)
    for _ in range(10):
        search.iterate()
    assert search.best(by_visits=False) == search.best(by_visits=True) == 15
    assert search.root.children[0].total < 0, "the seven points count for the opponent"


def test_000_s_emptiness_changes_no_choice():
    """The term is equal at all ends of a depth, so each depth has the same best cell with it and without it."""
    for number in range(8):
        state = GameState.start(planted(2, 3, random_of("emptiness", number), 0.15)[0])
        found = [turn(f"heuristic?emptiness={on}", state, steps=99)[0] for on in ("yes", "no")]
        assert found[0] == found[1]


def test_000_searched_pairs_with_much_work_for_nothing():
    """Cells and values take many times the moves to the same depth, and the value is the same."""
    from csp_sudoku.players.classic.filling import Pairs

    state = GameState.start(planted(2, 3, random_of("pairs"), 0.5)[0])
    cells, pairs = AlphaBeta(Filling(state)), AlphaBeta(Pairs(state))
    assert cells.value(3) == pairs.value(3)
    assert pairs.nodes > 3 * cells.nodes


def test_000_kept_a_value_that_was_too_good():
    """With the best value of all depths kept, a deeper search that sees the price of a move no longer changes it."""
    stale = 0
    for number in range(40):
        state = GameState.start(planted(2, 2, random_of("stale", number), 0.3)[0])
        if not 0 < state.board.empty_count <= 7:
            continue
        cells = [turn(f"heuristic?order=none{fault}", state, steps=99)[0][-1] for fault in ("", "&fault=stale")]
        assert cells[0].row * 4 + cells[0].col in best_cells(state)
        stale += cells[1].row * 4 + cells[1].col not in best_cells(state)
    assert stale


def test_skips_are_searched():
    """On this board the exact map has a bomb that the rule does not see, and spending it is best."""
    state = GameState.start(Board.parse(".2141..221...321"))
    (bomb,) = classify_moves(state.board).bombs
    assert turn("skipper", state, steps=99)[0][-1] == bomb
    assert turn("skipper?bombs=rule", state, steps=99)[0][-1] != bomb


def test_the_last_resort_is_for_who_is_behind():
    """As the authors had it, a bomb is spent when the best value with the points so far is negative, and only then."""
    board = Board.parse("2.31.3.2...4..23")
    bombs = classify_moves(board).bombs
    for scores, skips in (((0, 20), True), ((20, 0), False)):
        state = GameState.of(board, scores=scores, player=1)
        assert (turn("skipper?skip=behind", state, steps=99)[0][-1] in bombs) is skips


def test_skips_are_as_many_as_there_are_bombs():
    """A search counts the bombs that are still legal, however the cells were filled; undo counts back."""
    skips, odd = module_of("skipper", "skips"), 0
    for number in range(6):
        rng = random_of("skips", number)
        board, _ = planted(3, 3, rng, 0.4)
        state = GameState.start(board)
        player = agent("skipper")
        list(islice(player.proposals(state), 2))
        bombs = list(classify_moves(board).bombs)
        position = skips.SkipFilling(state, list(board.empty_cells()), player.witness, bombs)
        counts, now = [], board
        for cell in rng.sample(list(board.empty_cells()), 12):
            counts.append(position.bombs)
            position.play(cell)
            row, col = board.geometry.row_column(cell)
            now = now.place(row, col, player.witness[cell])
            left = sum(value in now.candidates(row, col) for row, col, value in bombs)
            assert position.bombs == left
            if left % 2:
                odd += 1
                assert position.moves()[-1] == skips.SKIP
                assert position.play(skips.SKIP) == 0
                assert skips.SKIP not in position.moves()
                position.undo()
            assert position.bombs == left
        while counts:
            position.undo()
            assert position.bombs == counts.pop()
    assert odd > 10


RIGHT = {
    "side": ("124.4.12...13.24", (0, 0), 2),
    "root": ("3241.13.2.13.324", (0, 5), 2),
}
"""For two faults of 002 a position: board, scores, and who is to move. Few of its moves are best."""


def searched(text, state, playouts, seed=1):
    """The tree of a search of so many playouts."""
    search = agent(text, seed).search(Filling(state))
    search.run(playouts)
    return search


@pytest.mark.parametrize("fault", RIGHT)
def test_002_preferred_what_helps_the_opponent(fault):
    """Repaired, the search finds the right move with every seed; with one of the faults, with none."""
    line, scores, player = RIGHT[fault]
    state = GameState.of(Board.parse(line), scores=scores, player=player)
    lead = scores[player - 1] - scores[2 - player]
    position = Filling(state)
    values = {move: AlphaBeta(position).value_of(move, 16) + lead for move in position.moves()}
    signs = {move: (value > 0) - (value < 0) for move, value in values.items()}
    right = {move for move, sign in signs.items() if sign == max(signs.values())}
    assert 0 < len(right) < len(signs)
    for seed in range(6):
        assert searched("timed-mcts?c=1", state, 500, seed).root.highest() in right
        assert searched(f"timed-mcts?c=1&fault={fault}", state, 500, seed).root.highest() not in right


def test_002_scored_playouts_by_counts_of_the_past():
    """On a board that is nearly empty the faulty playouts see no points at all, so all first moves are alike."""
    state = GameState.start(Board.parse("1... .... .... ...."))
    rights, wrongs = (searched(f"timed-mcts?result=score{fault}", state, 15) for fault in ("", "&fault=playouts"))
    assert set(wrongs.root.total) == {0}
    assert len(set(rights.root.total)) > 3


def test_002_chooses_by_mean_or_by_visits():
    """`max` takes the highest mean, `robust` the most playouts; score and sign count differently."""
    state = GameState.start(Board.parse("124.4.12...13.24"))
    search = searched("timed-mcts?c=2", state, 60)
    root = search.root
    assert root.mean(root.moves.index(root.highest())) == max(map(root.mean, root.tried()))
    assert root.visits[root.moves.index(root.most_tried())] == max(root.visits)
    means = {text: searched(f"timed-mcts?result={text}", state, 200).root for text in ("sign", "score")}
    assert max(abs(means["sign"].mean(index)) for index in means["sign"].tried()) <= 1
    assert max(abs(means["score"].mean(index)) for index in means["score"].tried()) > 1
