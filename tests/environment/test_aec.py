"""The environment for learning: PettingZoo's own tests, and the games of the referee, turn for turn."""

import copy
import pickle
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as state_is_in_space
from pettingzoo.test.state_test import test_state_space as state_space_is_sound

from csp_sudoku import Board, MoveError, MoveMap, OptionError, SudokuError, classify_moves
from csp_sudoku.arena.play import play_game
from csp_sudoku.environment import AGENTS, env, raw_env
from csp_sudoku.environment.encoding import BOMB, SAFE
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.sandbox.terms import GameTerms
from tests.game.support import MODES, turns_of
from tests.support import most_slow, planted

BOMBS = Board.parse("12.. .... ...3 .4..")
"""Many bombs among the legal moves."""
LAST = Board.parse("1234 3412 2143 432.")
SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 4)]


def some_board(m, n, seed=0):
    """A board, half full, that has a completion."""
    return planted(m, n, Random(seed), 0.5)[0]


def played_on(game, rng):
    """Play a game on to its end with random moves of the mask: the actions, and the sums of the rewards."""
    actions, sums = [], dict.fromkeys(AGENTS, 0.0)
    for agent in game.agent_iter():
        observation, _, over, _, _ = game.last()
        action = None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        game.step(action)
        for one, reward in game.rewards.items():
            sums[one] += 0 if over else reward
        actions += [] if over else [(agent, action)]
    return actions, sums


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", [{}, {"rewards": "margin", "move_map": True}], ids=["plain", "all"])
# pettingzoo knows by name which of its own environments have dicts as observations
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent prob")
# nobody can act in a game that is over
@pytest.mark.quick
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.parametrize("shape", most_slow([(2, 2), (2, 3), (3, 3)], [(2, 3)], is_one_argument=True), ids=str)
def test_pettingzoo_finds_nothing_wrong(shape, mode, options, capsys):
    """The environment has everything that PettingZoo requires, in all modes, on several shapes."""
    boards = [some_board(*shape), Board.empty(*shape)]
    api_test(env(boards, mode, **options), num_cycles=60)
    seed_test(lambda: env(boards, mode, **options), num_cycles=60)
    seed_test(lambda: raw_env(boards, mode, **options), num_cycles=60)
    assert capsys.readouterr().out.endswith("Passed API test\n")


def test_pettingzoo_finds_nothing_wrong_with_state_and_render(capsys):
    """The state is in its space, and every render mode renders as documented."""
    game = env(BOMBS)
    game.reset(seed=1)
    state_space_is_sound(game)
    state_is_in_space(game, 20)
    render_test(lambda render_mode: env(BOMBS, render_mode=render_mode))
    assert "player 1 is to move\n" in capsys.readouterr().out


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_games_are_those_of_the_referee(shape, mode):
    """Turn for turn, a random game here has the states, outcomes, masks and scores of the same game by the rules."""
    board = some_board(*shape, seed=len(mode))
    game = env(board, mode)
    game.reset(seed=5)
    start = GameState.start(board, mode, Random(5))
    rng = Random(1)
    passed = 0
    for before, outcome, after in turns_of(start, rng):
        if outcome.kind is OutcomeKind.PASSED:
            passed += 1
            continue
        assert game.position == before
        assert game.agent_selection == AGENTS[before.player - 1]
        mask = game.last()[0]["action_mask"]
        assert [game.encoding.move(action) for action in np.flatnonzero(mask)] == before.moves()
        game.step(game.encoding.action(outcome.move))
        assert game.infos[AGENTS[0]]["outcome"] == outcome
        assert (game.infos[AGENTS[0]]["scores"], game.infos[AGENTS[1]]["scores"]) == (after.scores, after.scores[::-1])
    assert game.position == after
    assert all(game.terminations.values())
    assert [(reward + 1) / 2 for reward in game.rewards.values()] == list(after.result)
    assert game.infos[AGENTS[1]]["reason"] == after.reason


def test_who_cannot_move_is_passed_over():
    """An agent without an open square is not selected: the other one acts again and again."""
    game = env(Board.parse("1234 .... .... ...."), "rows")
    game.reset(seed=1)
    actions, _ = played_on(game, Random(1))
    agents = [agent for agent, _ in actions]
    assert agents[:2] == [AGENTS[1], AGENTS[1]]
    assert game.position.is_over


@pytest.mark.parametrize("mode", MODES)
def test_the_same_seed_is_the_same_game_in_the_arena(mode):
    """A game of the arena, with its seed, can be played again here."""
    record = play_game("random", "random", Board.empty(2, 2), terms=GameTerms(mode), seed=11, seconds=60)
    game = raw_env(Board.empty(2, 2), mode)
    game.reset(seed=11)
    for turn in record.turns:
        if turn.move is not None:
            game.step(game.encoding.action(turn.move))
    assert game.position.scores == record.scores
    assert game.infos[AGENTS[0]]["reason"] == record.reason


@pytest.mark.parametrize("mode", MODES)
def test_the_move_map_tells_safe_moves_from_bombs(mode):
    """The mask has the bombs too; the map says which they are, and taboo moves are in neither."""
    game = env(BOMBS, mode, move_map=True)
    game.reset(seed=3)
    rng, taboo = Random(2), 0
    while not any(game.terminations.values()):
        observation, _, _, _, info = game.last()
        told, known = info["move_map"], classify_moves(game.position.board)
        assert isinstance(known, MoveMap)
        assert np.array_equal(observation["action_mask"], told != 0)
        for action in np.flatnonzero(told):
            move = game.encoding.move(action)
            assert (move in known.safe, move in known.bombs) == (told[action] == SAFE, told[action] == BOMB)
        for move in game.position.taboo:
            assert told[game.encoding.action(move)] == 0
        assert "move_map" not in game.infos[AGENTS[AGENTS[0] == game.agent_selection]]
        taboo = len(game.position.taboo)
        game.step(rng.choice(np.flatnonzero(told).tolist()))
    assert taboo > 0


def test_planes_tell_the_position_from_either_side():
    """Values, taboo moves, squares filled by either player, open squares, the margin and the turn have their planes."""
    game = raw_env(Board.parse("12.. .... ...3 .4.."), "border")
    game.reset(seed=1)
    for move in ((0, 2, 4), (0, 2, 3), (0, 3, 4)):
        game.step(game.encoding.action(move))
    mine, theirs = (game.observe(agent)["observation"] for agent in AGENTS)
    assert np.array_equal(mine, game.state())
    values = np.asarray(game.position.board)
    assert np.array_equal(mine[:, :, :4].argmax(2) + 1, np.where(values, values, 1))
    assert np.array_equal(mine[:, :, :4].sum(2), values > 0)
    assert np.argwhere(mine[:, :, 4:8]).tolist() == [[0, 2, 3]]
    assert (np.argwhere(mine[:, :, 8]).tolist(), np.argwhere(mine[:, :, 9]).tolist()) == ([[0, 3]], [[0, 2]])
    for plane, player in ((10, 1), (11, 2)):
        assert list(map(tuple, np.argwhere(mine[:, :, plane]).tolist())) == list(game.position.squares(player))
    assert game.position.scores == (1, 0)
    assert (mine[0, 0, 12], theirs[3, 3, 12]) == (np.float32(1 / 28), np.float32(-1 / 28))
    assert (mine[:, :, 13].max(), theirs[:, :, 13].min()) == (0, 1)
    assert np.array_equal(mine[:, :, [8, 9, 10, 11]], theirs[:, :, [9, 8, 11, 10]])


def test_only_who_is_to_act_has_moves():
    """The mask of the other one is empty."""
    game = env(BOMBS)
    game.reset(seed=1)
    assert game.observe(AGENTS[0])["action_mask"].any()
    assert not game.observe(AGENTS[1])["action_mask"].any()


@pytest.mark.parametrize(
    ("action", "reason"),
    [(0, "player 1 lost: illegal"), (13, "player 1 lost: illegal"), (None, "player 1 lost: no proposal")],
)
@pytest.mark.parametrize(("rewards", "stake"), [("result", 1), ("margin", 28)])
def test_what_the_mask_leaves_out_loses(action, reason, rewards, stake):
    """A filled square, a value that a peer has, nothing at all: the game is lost at once, whatever the points."""
    game = env(BOMBS, rewards=rewards)
    game.reset(seed=1)
    game.step(action)
    assert game.rewards == {AGENTS[0]: -stake, AGENTS[1]: stake}
    assert game.terminations == dict.fromkeys(AGENTS, True)
    assert game.infos[AGENTS[0]]["reason"] == reason
    played_on(game, Random(0))
    assert game.agents == []


def test_a_taboo_move_loses():
    """A bomb is skipped once; whoever plays it again has lost."""
    game = env(BOMBS)
    game.reset()
    bomb = game.encoding.action((0, 2, 4))
    assert game.last()[0]["action_mask"][bomb]
    game.step(bomb)
    assert game.rewards == dict.fromkeys(AGENTS, 0)
    assert not game.last()[0]["action_mask"][bomb]
    game.step(bomb)
    assert game.infos[AGENTS[0]]["reason"] == "player 2 lost: taboo"


@pytest.mark.parametrize("action", [-1, 64, 1.5, "0", np.int64(64)])
def test_what_is_no_action_is_an_error(action):
    """A number that no move has is an error of the program, and no turn."""
    game = env(BOMBS)
    game.reset()
    with pytest.raises(MoveError, match="expected an action from 0 to 63; found"):
        game.step(action)
    assert game.agent_selection == AGENTS[0]


def test_actions_are_moves():
    """The numbers of all moves, there and back, in the order of the moves."""
    encoding = raw_env(Board.empty(2, 3)).encoding
    moves = [encoding.move(np.int32(action)) for action in range(encoding.actions)]
    assert moves == sorted(set(moves))
    assert [encoding.action(move) for move in moves] == list(range(216))


def test_rewards_are_the_result_or_the_points():
    """Over a game `result` is 1 and -1, or 0 for both; `margin` is the difference of the points, turn by turn."""
    for seed in range(10):
        games = [env(BOMBS, rewards=kind) for kind in ("result", "margin")]
        for game in games:
            game.reset(seed=seed)
        (actions, results), (same, margins) = (played_on(game, Random(seed)) for game in games)
        assert actions == same
        first, second = games[0].unwrapped.position.scores
        assert margins == {AGENTS[0]: first - second, AGENTS[1]: second - first}
        assert results == {agent: np.sign(margin) for agent, margin in margins.items()}


@pytest.mark.parametrize("copied", [lambda game: game.clone(), copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("mode", MODES)
def test_clones_go_their_own_ways(mode, make, copied):
    """A clone continues like its original, independently of it; later games are the same too."""
    game = make([some_board(2, 3), Board.empty(2, 3)], mode, move_map=True)
    game.reset(seed=8)
    for _ in range(4):
        game.step(np.flatnonzero(game.last()[0]["action_mask"])[0])
    game.action_space(AGENTS[0]).seed(3)
    twin, third = copied(game), copied(game)
    before = (game.position, game.agent_selection, dict(game.rewards), list(game.agents))
    ends = [played_on(one, Random(seed)) for one, seed in ((twin, 1), (third, 2))]
    assert ends[0] != ends[1]
    assert before == (game.position, game.agent_selection, dict(game.rewards), list(game.agents))
    assert played_on(game, Random(1)) == ends[0]
    assert game.action_space(AGENTS[0]).sample() == twin.action_space(AGENTS[0]).sample()
    for one in (game, twin):
        one.reset()
    assert game.position == twin.position
    assert type(twin) is type(game)


def test_a_clone_knows_no_bombs_of_other_boards():
    """Facts that a clone finds on a fuller board are not applied to the board of its original."""
    game = raw_env(Board.parse("1... .... .... ...."))
    game.reset()
    game.step(game.encoding.action((0, 1, 2)))
    twin = game.clone()
    for move in ((1, 2, 1), (2, 3, 3), (3, 1, 4), (0, 2, 4)):
        twin.step(twin.encoding.action(move))
    assert twin.infos[AGENTS[0]]["outcome"].kind is OutcomeKind.SKIPPED
    game.step(game.encoding.action((0, 2, 4)))
    assert game.infos[AGENTS[0]]["outcome"].kind is OutcomeKind.PLACED


def test_seeds():
    """The seed of the environment starts a series of games, that of a reset begins it anew."""
    boards = [some_board(2, 2, seed) for seed in range(20)]

    def series(game, first=None):
        found = []
        for seed in (first, None, None, None):
            game.reset(seed=seed)
            found.append((game.position.board, game.position.allowed))
        return found

    mode = PlayMode.RANDOM
    game = env(boards, mode, seed=4)
    assert series(game) == series(env(boards, mode, seed=4)) == series(game, 4) != series(game, 5)
    assert len(set(series(game, 4))) > 1


def test_a_board_for_one_game():
    """reset takes a board of the same shape, and forgets it afterwards."""
    game = env(Board.empty(2, 2))
    game.reset(options={"board": BOMBS, "another": 1})
    assert game.position.board == BOMBS
    game.reset()
    assert game.position.board == Board.empty(2, 2)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ({"mode": "row"}, None, "did you mean 'rows'"),
        ({"rewards": "points"}, None, "expected a kind of rewards among margin, result; found 'points'"),
        ({"render_mode": "rgb_array"}, None, "expected a render mode among ansi, human; found 'rgb_array'"),
        ({"board": "empty-2x2"}, None, "expected a Board, or several; found 'empty-2x2'"),
        ({"board": []}, None, r"expected a Board, or several; found \[\]"),
        ({"board": [Board.empty(2, 3), Board.empty(3, 2)]}, None, "expected boards of one shape; found 2x3, 3x2"),
        ({"board": Board.parse("12.. ..3. .... ....")}, None, "expected a board with a completion"),
        ({"board": LAST.place(3, 3, 1)}, None, "expected a board with an empty square"),
        ({"board": LAST, "mode": "rows"}, {"board": Board.empty(3, 3)}, "expected a board of 2x2; found 3x3"),
        (
            {"board": Board.parse("1234 .... .... 4321"), "mode": "rows"},
            {},
            "expected a board to play on in the mode rows; found: neither player can move",
        ),
    ],
)
def test_bad_input(arguments, options, message):
    """Settings that allow no game are an error in one line, at creation or at the reset."""
    with pytest.raises(SudokuError, match=message):  # noqa: PT012 - either of both raises
        game = env(**arguments)
        assert options is not None
        game.reset(options=options)


def test_an_environment_wants_to_be_used_in_order():
    """Before a reset there is nothing to do; `env` says so."""
    game = env()
    with pytest.raises(AttributeError, match="agent_selection cannot be accessed before reset"):
        game.last()
    assert str(game) == "competitive_sudoku_v0"


def test_without_pettingzoo(monkeypatch):
    """Without the extra, the error names it."""
    import importlib
    import sys

    import csp_sudoku.environment

    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match=r'expected pettingzoo, which "csp-sudoku\[rl\]" brings'):
        importlib.reload(csp_sudoku.environment)


def test_rendering_is_asked_for_when_the_environment_is_made():
    """ansi is the board, the score and the player to move; without a render mode there is a warning."""
    game = env(LAST, render_mode="ansi")
    game.reset()
    assert "0:0, player 1 is to move" in game.render()
    game.step(60)
    assert game.render().endswith("7:0, board full\n")
    plain = env(LAST)
    plain.reset()
    with pytest.warns(UserWarning, match="expected a render_mode"):
        assert plain.render() is None


def test_an_option_error_is_a_sudoku_error():
    """Whatever is wrong with the arguments can be caught as one kind of error."""
    with pytest.raises(OptionError):
        env(Board.empty(2, 2), "nowhere")
