"""The players after the earlier systems: they play by the rules, and remember."""

import pickle
import subprocess
import sys
import textwrap
import time
from contextlib import suppress

import pytest

from csp_sudoku import Board
from csp_sudoku.framework.conversion import position_of, to_game_state
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.classification import classify_moves
from csp_sudoku.players.classic.filling import Filling
from tests.agents.support import HOME, STEPS, agent, best_cells, module_of, now, play, turn
from tests.cli.support import environment
from tests.game.support import MODES
from tests.support import planted, random_of

__all__ = ["now"]

PLAYERS = ("parity", "heuristic", "skipper", "tree-mcts", "timed-mcts")


FAULTY = (
    "parity?fault=blocks&prune=no",
    "heuristic?fault=pairs+stale&order=none",
    "heuristic?fault=stale&emptiness=no&order=fewest",
    "skipper?bombs=rule&skip=behind",
    "tree-mcts?fault=pairs&c=0&keep=no",
    "timed-mcts?fault=playouts+side+root&result=score&choice=robust",
)


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
