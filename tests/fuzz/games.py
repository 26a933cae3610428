"""Kind `games`: the state of the game turn by turn, the referee, and records written, read, verified and damaged."""

from __future__ import annotations

import pickle
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from csp_sudoku import Board, Move, SudokuError
from csp_sudoku.game.outcome import Loss
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import Recorder, Turn
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import verify
from tests.fuzz.boards import Sample, random_sample
from tests.fuzz.case import Budget, expect, expect_equal
from tests.fuzz.reference import first_solution, legal_moves, with_values
from tests.fuzz.slow_game import SlowGame

MODES = ("classic", "rows", "border", "random")
STYLES = ("holes", "few holes", "few holes", "without values", "empty", "full")


def check(random: Random, budget: Budget) -> None:
    """One of the checks of this module."""
    random.choices([played, refereed], [4, 1])[0](random, budget)


def solvable_sample(random: Random, most: int, *, is_plain: bool = False) -> Sample:
    """A board with a completion."""
    return random_sample(random, most, is_plain=is_plain, styles=STYLES)


def played(random: Random, budget: Budget) -> None:
    """A game of random moves: each state and outcome is that of the slow game; so is the record in the end."""
    sample = solvable_sample(random, random.choice([4, 6, 6, 9]))
    mode = random.choice(MODES)
    state = GameState.start(sample.board, mode, random)
    recorder = Recorder(state, ("one", {"name": "two"}), seed=7) if state.board.geometry.is_standard else None
    allowed = _allowed(mode, state, sample.size)
    slow = SlowGame(sample.regions, sample.cells, allowed, budget)
    referee, states = random.choice([Referee(), Referee(solver="learning"), None]), [state]
    name = f"{sample.name} {mode}"
    for turn in range(random.choice([3, 200])):
        expect_same(f"{name}, turn {turn + 1}", state, slow)
        if state.is_over:
            break
        if not state.must_pass and random.random() < 0.01:
            state, outcome = state.lose(Loss.CRASH)
            expected = slow.lose("crash")
        else:
            proposal = random_proposal(slow, random)
            state, outcome = state.play(proposal, referee)
            expected = slow.play(proposal)
        loss = None if outcome.reason is None else outcome.reason.value
        expect_equal(f"{name}, turn {turn + 1}: the outcome", (outcome.kind.value, outcome.reward, loss), expected)
        states.append(state)
        if recorder is not None:
            recorder.add(Turn.of(outcome, seconds=random.choice([None, 0.25])))
    if recorder is not None and state.is_over:
        _expect_record(name, recorder, state, random)
    past = random.choice(states)
    expect_equal(f"{name}: a pickled state", pickle.loads(pickle.dumps(past)), past)
    parts = {
        part: getattr(past, part) for part in ("initial", "scores", "player", "taboo", "history", "mode", "allowed")
    }
    again = GameState.of(past.board, occupied=past.occupied, loss=past.loss, **parts)
    expect_equal(f"{name}: GameState.of its parts", again, past)


def _allowed(mode: str, state: GameState, size: int) -> tuple[set, set] | None:
    """The squares of both players; in the mode random they come from the state, and must be 2·N different ones."""
    if mode == "classic":
        return None
    whole = [divmod(cell, size) for cell in range(size * size)]
    if mode == "rows":
        return {square for square in whole if square[0] == 0}, {square for square in whole if square[0] == size - 1}
    if mode == "border":
        border = {square for square in whole if {0, size - 1} & set(square)}
        return border, border
    first, second = (set(squares) for squares in state.allowed or ((), ()))
    expect(len(first) == len(second) == size and len(first | second) == 2 * size, "the random squares are not 2·N")
    return first, second


def random_proposal(slow: SlowGame, random: Random) -> Any:
    """The proposals of a player: mostly a move that does not lose at once, sometimes any object."""
    moves = slow.moves()
    if moves and random.random() < 0.97:
        move = random.choice(moves)
        return random.choice([move, list(move), Move(*move), tuple(map(np.int64, move)), tuple(map(np.int8, move))])
    size = slow.size
    numbers = [random.choice([0, 1, -1, size - 1, size, size + 1, 10**20]) for _ in range(3)]
    anything = [None, (0, 0, 0), [], (1, 2), (1, 2, 3, 4), "123", (0.0, 1.0, 2.0), 5, (None, 1, 2), numbers, numbers]
    return random.choice([*anything, *sorted(slow.taboo), (0, 0, 1), tuple(random.randint(0, size) for _ in range(3))])


def expect_same(name: str, state: GameState, slow: SlowGame) -> None:
    """Raise unless a state is that of the slow game, in everything that can be asked of it."""
    pairs = {
        "the board": (list(state.board.cells), slow.cells),
        "the scores": (list(state.scores), slow.scores),
        "the player": (state.player, slow.player),
        "the taboo moves": (set(map(tuple, state.taboo)), slow.taboo),
        "the history": ([(tuple(move), skipped) for move, skipped in state.history], slow.history),
        "the occupied squares": (tuple(map(set, state.occupied)), slow.occupied),
        "is_over": (state.is_over, slow.is_over),
        "must_pass": (state.must_pass, slow.must_pass),
        "the result": (state.result, slow.result),
        "the reason": (state.reason, slow.reason),
    }
    if not state.is_over:
        pairs["the moves"] = ([tuple(move) for move in state.moves()], slow.moves())
    for player in (1, 2):
        squares = None if slow.allowed is None else tuple(slow.squares(player))
        pairs[f"the squares of player {player}"] = (state.squares(player), squares)
        pairs[f"can_move({player})"] = (state.can_move(player), bool(slow.squares(player)))
    for what, (found, expected) in pairs.items():
        expect_equal(f"{name}: {what}", found, expected)


def _expect_record(name: str, recorder: Recorder, state: GameState, random: Random) -> None:
    """Raise unless the record of a game is read back as it was and has no problem, and a changed one has one."""
    record = recorder.finish(state)
    again = parse_record(record.to_json())
    expect_equal(f"{name}: the record read again", again, record)
    expect_equal(f"{name}: the problems of the record", [str(problem) for problem in verify(again)], [])
    first, second = record.scores
    wrong = [replace(record, scores=(first + 1, second)), replace(record, result=(0.5, 0.5)), replace(record, turns=())]
    wrong += [replace(record, turns=record.turns[:-1])] if record.turns else []
    if record.turns:
        at = random.randrange(len(record.turns))
        turn = record.turns[at]
        for changed in (replace(turn, reward=turn.reward + 1), replace(turn, player=3 - turn.player)):
            wrong.append(replace(record, turns=(*record.turns[:at], changed, *record.turns[at + 1 :])))
    for other in wrong:
        if other != record:
            expect(bool(verify(other)), f"{name}: verify finds no problem in a record that was changed")


def refereed(random: Random, budget: Budget) -> None:
    """A referee asked about several boards and moves, in any order: always right; illegal moves are errors."""
    sample = random_sample(random, random.choice([4, 6, 9]))
    referee, board = Referee(), sample.board
    for _ in range(random.randint(1, 25)):
        cells = list(board.cells)
        legal = sorted(legal_moves(sample.regions, cells))
        if not legal or random.random() < 0.15:
            board = _emptier(board, random)
            continue
        if random.random() < 0.1:
            _expect_solvable(sample, referee, board, budget)
        cell, value = random.choice(legal)
        row, col = divmod(cell, sample.size)
        expected = first_solution(sample.regions, with_values(cells, [(cell, value)]), budget) is not None
        who = f"{sample.name}: the referee on {value} at ({row}, {col})"
        expect_equal(who, referee.is_safe(board, Move(row, col, value)), expected)
        if random.random() < 0.1:
            referee = referee.copy()
        if random.random() < 0.6:
            board = board.place(row, col, value)


def _emptier(board: Board, random: Random) -> Board:
    """The board without some of its values."""
    filled = [cell for cell, value in enumerate(board.cells) if value]
    return board.without(random.sample(filled, min(len(filled), random.randint(1, 5))))


def _expect_solvable(sample: Sample, referee: Referee, board: Board, budget: Budget) -> None:
    """Raise unless the referee refuses a board exactly if it has no completion."""
    solvable = first_solution(sample.regions, board.cells, budget) is not None
    try:
        referee.require_solvable(board)
    except SudokuError:
        expect(not solvable, f"{sample.name}: the referee refuses a board that the reference solves")
        return
    expect(solvable, f"{sample.name}: the referee accepts a board, reference unsolvable")
