"""One turn, in its order, and the end of the game: a test for each rule."""

import pickle
from random import Random

import numpy as np
import pytest

from csp_sudoku import Board, Geometry, MoveError, SudokuError, solve
from csp_sudoku.game.outcome import Loss, OutcomeKind
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState, Played
from csp_sudoku.moves.move import Move
from tests.game.support import MODES, turns_of
from tests.support import planted, random_of

pytestmark = pytest.mark.quick

BOARD = Board.parse("12.. .... ..3. ....")
BOMB = Move(1, 3, 3)
"""Legal on this board, with no completion after it."""
NO_PLACE = Board.parse("123. ...4 .... ....")
"""The square r1c4 has no value left, so there is no completion."""


class Never:
    """A referee that must not be asked."""

    def is_safe(self, board, move):
        raise AssertionError((board, move))


def bombed():
    """The state after player 1 has skipped with the bomb."""
    return GameState.start(BOARD).play(BOMB)[0]


def lost(state, move):
    """The loss that a move brings before any referee is asked."""
    after, outcome = state.play(move, Never())
    assert (outcome.kind, outcome.player, outcome.reward) == ("lost", state.player, 0)
    assert after.is_over
    assert after.loss is outcome.reason
    assert after.result == ((0, 1) if state.player == 1 else (1, 0))
    assert after.reason == f"player {state.player} lost: {outcome.reason}"
    assert (after.board, after.scores, after.history) == (state.board, state.scores, state.history)
    assert after.moves() == []
    return outcome


def test_a_safe_move_is_placed_and_rewarded_and_the_turn_goes_to_the_other():
    """The value is on the board, the mover has its points, and the opponent is to move."""
    state = GameState.start(Board.parse("123. 34.. .... ...."))
    after, outcome = state.play(Move(0, 3, 4))
    assert (outcome.kind, outcome.player, outcome.reward, outcome.move) == ("placed", 1, 1, (0, 3, 4))
    assert after.board == Board.parse("1234 34.. .... ....")
    assert (after.scores, after.player) == ((1, 0), 2)
    assert after.history == (Played(Move(0, 3, 4), skipped=False),)
    assert after.occupied == ({(0, 3)}, frozenset())
    after, outcome = after.play(Move(1, 2, 1))
    after, outcome = after.play(Move(3, 0, 2))
    after, outcome = after.play(Move(1, 3, 2))
    assert (outcome.player, outcome.reward, after.scores, after.player) == (2, 3, (1, 3), 1)
    assert str(outcome) == "player 2 places r2c4=2: 3 points"


def test_a_bomb_is_skipped_and_becomes_taboo():
    """Nothing is placed and nothing scored, the move is taboo for both, and the turn passes."""
    state, outcome = GameState.start(BOARD).play(BOMB)
    assert (outcome.kind, outcome.player, outcome.reward, outcome.move) == ("skipped", 1, 0, BOMB)
    assert str(outcome) == "player 1 skips with r2c4=3: it would leave no completion"
    assert state.board == state.initial == BOARD
    assert (state.scores, state.player) == ((0, 0), 2)
    assert state.taboo == {BOMB}
    assert state.history == (Played(BOMB, skipped=True),)
    assert state.occupied == (frozenset(), frozenset())
    assert BOMB in GameState.start(BOARD).moves()
    assert BOMB not in state.moves()


def test_a_taboo_move_loses_for_both_players():
    """Neither the opponent nor the player that proposed the bomb may propose it again."""
    state = bombed()
    assert lost(state, BOMB).reason is Loss.TABOO
    state, _ = state.play((3, 3, 1))
    assert state.player == 1
    assert lost(state, BOMB).reason is Loss.TABOO


@pytest.mark.parametrize("nothing", [None, (0, 0, 0), Move(0, 0, 0), [0, 0, 0]])
def test_no_proposal_loses(nothing):
    """Neither nothing nor (0, 0, 0) is a proposal."""
    outcome = lost(GameState.start(BOARD), nothing)
    assert outcome.reason is Loss.NO_PROPOSAL
    assert str(outcome) == "player 1 loses: it proposed nothing"


@pytest.mark.parametrize(
    "move",
    [(0, 4, 1), (4, 0, 1), (-1, 0, 1), (0, -1, 1), (2, 2, 0), (2, 2, 5), (2, 2, -1), (0, 0, 300), (10**30, 0, 1)],
)
def test_an_invalid_move_loses(move):
    """An index or a value out of range loses; a column beyond the last is not the next row's first."""
    outcome = lost(GameState.start(BOARD), move)
    assert (outcome.reason, outcome.move) == (Loss.INVALID, move if max(move) < 10**18 else None)
    if outcome.move:
        found = f"r{move[0] + 1}c{move[1] + 1}={move[2]}"
        assert outcome.detail == f"expected a move from r1c1=1 to r4c4=4; found {found}"


@pytest.mark.parametrize(
    "junk", ["123", 7, (1, 2), (1, 2, 3, 4), (1.0, 2, 3), ("1", "2", "3"), {}, object(), [None] * 3]
)
def test_what_is_no_move_is_invalid(junk):
    """Whatever a player hands in, it loses and nothing breaks."""
    outcome = lost(GameState.start(BOARD), junk)
    assert outcome.reason is Loss.INVALID
    assert outcome.move is None


def test_endless_numbers_are_no_integers():
    """A number of 18 digits is shown unchanged; one of 19 is no integer, for both signs."""
    for number in (10**18 - 1, 1 - 10**18):
        assert lost(GameState.start(BOARD), (0, number, 1)).move == (0, number, 1)
    for number in (10**18, -(10**18)):
        for junk in ((number, 0, 1), (0, number, 1), (0, 0, number)):
            outcome = lost(GameState.start(BOARD), junk)
            assert (outcome.reason, outcome.move) == (Loss.INVALID, None)


def test_integers_of_numpy_are_integers():
    """A move made of numpy's integers is a move of ours."""
    _, outcome = GameState.start(BOARD).play(np.array([1, 2, 1]))
    assert outcome.kind is OutcomeKind.PLACED
    assert [type(number) for number in outcome.move] == [int, int, int]


@pytest.mark.parametrize(
    ("move", "detail"),
    [
        ((0, 0, 3), "expected an empty cell at r1c1; found 1 in it"),
        ((0, 3, 2), "expected a value that no peer of r1c4 holds; found 2, held at r1c2"),
        ((3, 1, 2), "expected a value that no peer of r4c2 holds; found 2, held at r1c2"),
        ((3, 3, 3), "expected a value that no peer of r4c4 holds; found 3, held at r3c3"),
    ],
)
def test_an_illegal_move_loses(move, detail):
    """A filled square, and a value in the row, column or block, lose, and the outcome names the reason."""
    outcome = lost(GameState.start(BOARD), move)
    assert outcome.reason is Loss.ILLEGAL
    assert str(outcome) == f"player 1 loses: its move is illegal ({detail})"


def test_a_square_that_is_not_open_is_illegal():
    """In a restricted mode a move outside of the player's squares loses."""
    state = GameState.start(Board.empty(2, 2), "rows")
    outcome = lost(state, (3, 0, 1))
    assert outcome.reason is Loss.ILLEGAL
    assert outcome.detail == "expected a square that is open to player 1; found r4c1"
    state, _ = state.play((0, 0, 1))
    assert lost(state, (1, 1, 2)).reason is Loss.ILLEGAL  # a neighbour, but of the opponent's square
    state, _ = state.play((3, 3, 1))
    _, outcome = state.play((1, 1, 2))
    assert outcome.kind is OutcomeKind.PLACED


def test_a_crash_loses():
    """A player that ends without a proposal loses, which the arena has to say."""
    state, outcome = GameState.start(BOARD).lose(Loss.CRASH)
    assert (outcome.kind, outcome.reason, state.result) == ("lost", Loss.CRASH, (0, 1))
    assert state.reason == "player 1 lost: crash"


def test_taboo_comes_before_illegal():
    """A taboo move whose square has been filled since is a taboo move."""
    state, _ = bombed().play((1, 3, 1))
    assert lost(state, BOMB).reason is Loss.TABOO
    assert lost(state, (1, 3, 2)).reason is Loss.ILLEGAL


def test_no_proposal_comes_before_invalid():
    """(0, 0, 0) has a value out of range, but it is no proposal; (0, 0, -1) is invalid."""
    assert lost(GameState.start(BOARD), (0, 0, 0)).reason is Loss.NO_PROPOSAL
    assert lost(GameState.start(BOARD), (0, 0, -1)).reason is Loss.INVALID


def test_illegal_comes_before_the_referee():
    """A bomb on a square that is not open is illegal, not a skip: the referee is not asked."""
    assert lost(GameState.start(BOARD, "rows"), BOMB).reason is Loss.ILLEGAL


def test_a_loss_is_immediate_whatever_the_score():
    """A player that leads by 50 points and proposes nothing has lost."""
    state = GameState.of(BOARD, scores=(50, 0))
    state, _ = state.play(None)
    assert state.result == (0, 1)


@pytest.mark.parametrize(("scores", "result"), [((5, 7), (1, 0)), ((5, 12), (0.5, 0.5)), ((5, 13), (0, 1))])
def test_more_points_win_when_the_board_is_full(scores, result):
    """The last value completes three regions; then the points decide, and equal points are a draw."""
    state = GameState.of(Board.parse("1234 3412 2143 432."), scores=scores, player=1)
    assert not state.is_over
    assert state.result is state.reason is None
    state, outcome = state.play((3, 3, 1))
    assert outcome.reward == 7
    assert state.is_over
    assert (state.result, state.reason) == (result, "board full")


def test_a_state_shows_itself():
    """Shape, mode, moves, points of both players, and the player to move or the reason for the end."""
    state = GameState.of(BOARD, scores=(5, 3), mode="border")
    assert repr(state) == "<GameState 2x2 border, 0 moves, 5:3, player 1 to move>"
    state = state.play((0, 2, 4))[0]
    assert repr(state) == "<GameState 2x2 border, 1 move, 5:3, player 2 to move>"
    state = state.play((0, 3, 3))[0]
    assert repr(state) == "<GameState 2x2 border, 2 moves, 5:4, player 1 to move>"
    assert repr(state.play(None)[0]) == "<GameState 2x2 border, 2 moves, 5:4, player 1 lost: no proposal>"


def test_a_game_that_is_over_cannot_be_played_on():
    """Any turn after the end is an error with the reason of the end."""
    full = GameState.start(Board.parse("1234 3412 2143 4321"))
    assert (full.result, full.reason, full.moves()) == ((0.5, 0.5), "board full", [])
    over, _ = GameState.start(BOARD).play(None)
    for state in (full, over):
        for turn in (lambda state: state.play((0, 2, 3)), lambda state: state.lose(Loss.CRASH)):
            with pytest.raises(MoveError, match=r"expected a game that goes on; found one that is over \("):
                turn(state)


def test_a_player_without_open_squares_is_passed_over():
    """It is not asked, nothing is added to the moves, and the other may move many times in a row."""
    state = GameState.start(Board.parse("1234 .... .... ...."), "rows")
    assert state.squares() == ()
    assert state.moves() == []
    assert state.must_pass
    assert not state.is_over
    state, outcome = state.play(None, Never())
    assert (outcome.kind, outcome.player, outcome.move) == ("passed", 1, None)
    assert (state.player, state.history) == (2, ())
    turns = list(turns_of(state, Random(1)))
    assert [outcome.player for _, outcome, _ in turns[:6]] == [2, 1, 2, 1, 2, 1]
    assert {outcome.kind.value for _, outcome, _ in turns if outcome.player == 1} == {"passed"}
    end = turns[-1][2]
    assert end.board.is_full
    assert len(end.history) == sum(outcome.player == 2 for _, outcome, _ in turns)


def test_who_must_pass_passes_whatever_it_proposes():
    """A player that passes cannot lose by a proposal."""
    state = GameState.start(Board.parse("1234 .... .... ...."), "rows")
    _, outcome = state.play((3, 3, 3), Never())
    assert outcome.kind is OutcomeKind.PASSED


def test_a_player_may_come_back_after_passing():
    """A pass is for one turn: when squares of its own open again, the player moves again."""
    allowed = ({(0, 0)}, {(3, 3)})
    state = GameState.of(Board.parse("1... .... .... ...."), mode="random", allowed=allowed, player=1)
    assert state.must_pass
    state = GameState.of(state.board, mode="random", allowed=allowed, occupied=({(0, 0)}, ()), player=1)
    assert state.squares() == ((0, 1), (1, 0), (1, 1))
    assert state.squares(2) == ((3, 3),)
    assert not state.must_pass


def test_the_game_ends_when_neither_can_move():
    """Without an open square for either, it is over although squares are empty, and the points decide."""
    board = Board.parse("1234 .... .... 4321")
    state = GameState.start(board, "rows")
    assert state.is_over
    assert not state.must_pass
    assert (state.result, state.reason) == ((0.5, 0.5), "neither player can move")
    with pytest.raises(MoveError, match="neither player can move"):
        state.play(None)
    assert GameState.of(board, mode="rows", scores=(0, 1)).result == (0, 1)


def test_a_player_with_squares_but_no_move_has_to_propose_and_loses():
    """On a board without a completion every move may be illegal or taboo; the game goes on, to a loss."""
    state = GameState.start(NO_PLACE, "rows")
    assert state.squares() == ((0, 3),)
    assert state.moves() == []
    assert not state.is_over
    assert not state.must_pass
    assert {lost(state, (0, 3, value)).reason for value in (1, 2, 3, 4)} == {Loss.ILLEGAL}
    board = Board.parse("12.. ..3. .... ....")
    allowed = [(0, 3)], [(3, 3)]
    state = GameState.of(board, mode="random", allowed=allowed, taboo=[(0, 3, 4)])
    assert state.moves() == []
    assert not state.is_over
    assert lost(state, (0, 3, 4)).reason is Loss.TABOO


@pytest.mark.parametrize("mode", MODES)
def test_moves_are_what_does_not_lose(mode):
    """The moves of a state are exactly those triples that play does not lose by, bombs among them."""
    state = GameState.start(BOARD, mode, Random(4))
    for before, _, _ in turns_of(state, Random(3)):
        if before.must_pass:
            continue
        every = [Move(row, col, value) for row in range(4) for col in range(4) for value in range(1, 5)]
        harmless = [move for move in every if before.play(move, Referee())[1].kind is not OutcomeKind.LOST]
        assert before.moves() == harmless
        squares = before.squares()
        assert (squares is None) == (mode is PlayMode.CLASSIC)
        assert squares is None or {move[:2] for move in harmless} <= set(squares)


def test_playing_without_a_referee_is_exact_too():
    """Without a referee, a new one decides."""
    rng = random_of("no referee")
    board, _ = planted(2, 2, rng, share=0.7)
    state = GameState.start(board)
    for move in state.moves():
        assert state.play(move) == state.play(move, Referee())


def test_placing_and_skipping_without_being_judged():
    """A caller that knows a move to be safe, or a bomb, gets the same states without a referee."""
    state = GameState.start(BOARD, "border")
    for before, outcome, after in turns_of(state, Random(8)):
        if outcome.kind is OutcomeKind.PLACED:
            assert before.place(outcome.move) == (after, outcome)
        elif outcome.kind is OutcomeKind.SKIPPED:
            assert before.skip(outcome.move) == (after, outcome)
    with pytest.raises(MoveError, match="expected an empty cell"):
        GameState.start(BOARD).place(Move(0, 0, 2))


def test_variants_are_played_by_the_same_rules():
    """A geometry with diagonals: a square in five regions can score 31."""
    solution = solve(Board(Geometry.diagonal(3, 3), [0] * 81)).solution
    state, outcome = GameState.start(solution.without([40])).play((4, 4, solution[4, 4]))
    assert outcome.reward == 31
    assert state.result == (1, 0)


@pytest.mark.parametrize("mode", MODES)
def test_a_state_is_a_value(mode):
    """Equal states are equal and hash alike, survive pickling, cannot be changed, and do not change by playing."""
    start = GameState.start(Board.empty(2, 3), mode, Random(1))
    again = GameState.start(Board.empty(2, 3), mode, Random(1))
    assert start == again
    *_, (_, _, end) = turns_of(start, Random(2))
    assert start == again
    assert hash(start) == hash(again)
    copy = pickle.loads(pickle.dumps(end))
    assert copy == end
    assert {copy: 1}[end] == 1
    assert end != start
    with pytest.raises(AttributeError):
        end.player = 1


@pytest.mark.parametrize("mode", MODES)
def test_a_state_is_made_again_from_its_parts(mode):
    """`of` restores every state of a game from the contents of a text form."""
    start = GameState.start(BOARD, mode, Random(4))
    for _, _, state in turns_of(start, Random(5)):
        parts = {
            "initial": state.initial,
            "scores": state.scores,
            "player": state.player,
            "taboo": state.taboo,
            "history": state.history,
            "mode": state.mode.value,
            "allowed": state.allowed,
            "occupied": state.occupied,
        }
        assert GameState.of(state.board, **parts) == state
        assert GameState.of(state.board, history=state.history, initial=None).initial == state.initial


def test_what_is_left_out_is_taken_from_the_history():
    """Without a player, players alternate; without an initial board, it is the board without the placed values."""
    moves = [(Move(0, 0, 1), False), (BOMB, True), (Move(2, 2, 3), False)]
    for count, player in enumerate((1, 2, 1, 2)):
        state = GameState.of(BOARD, history=moves[:count])
        assert (state.player, state.scores, state.loss, state.mode) == (player, (0, 0), None, PlayMode.CLASSIC)
        assert state.taboo == ({BOMB} if count > 1 else frozenset())
        assert state.history == tuple(moves[:count])
    assert state.initial == Board.parse(".2.. .... .... ....")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            {"initial": Board.parse("...4 .... .... ....")},
            "expected the board to have every value of the initial board",
        ),
        ({"initial": Board.empty(2, 3)}, "expected the board to have every value of the initial board"),
        ({"scores": (1, 2, 3)}, r"expected two scores of at least 0; found \(1, 2, 3\)"),
        ({"scores": (1, -2)}, "expected two scores of at least 0"),
        ({"scores": (1, 0.5)}, "expected two scores of at least 0"),
        ({"player": 3}, "expected the player 1 or 2; found 3"),
        ({"player": 0}, "expected the player 1 or 2; found 0"),
        ({"taboo": [(0, 4, 1)]}, r"found r1c5=1"),
        ({"taboo": [(0, 1)]}, r"expected a move of three integers; found \(0, 1\)"),
        ({"history": [((0, 0, 3), False)]}, r"expected r1c1=3, which was placed, to be there now; found"),
        ({"history": [((0, 0, 1), False)], "initial": BOARD}, r"found 1 in the initial board and 1 in the board"),
        (
            {"history": [((0, 3, 4), False)] * 2},
            r"once in the history; found r1c4 again",
        ),
        (
            {"history": [((0, 0, 1), False), ((0, 1, 2), False), ((2, 2, 3), False), ((0, 1, 3), False)]},
            r"once in the history; found r1c2 again",
        ),
        ({"mode": "diagonal"}, "expected a play mode among"),
        ({"mode": "random"}, "expected an rng, or allowed squares"),
        (
            {"mode": "rows", "allowed": ([(0, 0)], [(3, 3)])},
            "expected the allowed squares of the mode rows; found others",
        ),
        ({"allowed": ([(0, 0)], [(3, 3)])}, "expected the allowed squares of the mode classic; found others"),
        ({"mode": "random", "allowed": ([(0, 4)], [(3, 3)])}, r"expected allowed squares from r1c1 to r4c4"),
        ({"occupied": ([(0, 9)], [])}, r"expected occupied squares from r1c1 to r4c4; found r1c10"),
        ({"occupied": ([(0, 3)], [])}, r"expected a value on the occupied square r1c4; found none"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(parts, message):
    """Parts that contradict each other are an error that names the part."""
    with pytest.raises(SudokuError, match=message):
        GameState.of(BOARD, **parts)
