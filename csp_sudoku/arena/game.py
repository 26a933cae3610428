"""One game between two players, each in a process of its own, by the exact rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from csp_sudoku.arena.assignment import LOADER
from csp_sudoku.arena.limits import Limits
from csp_sudoku.arena.nursery import Nursery
from csp_sudoku.arena.remote import Remote, Thought
from csp_sudoku.board import Board
from csp_sudoku.errors import OptionError
from csp_sudoku.game.outcome import Loss, Outcome
from csp_sudoku.game.record import GameRecord, Proposal, Recorder, Turn
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import PLAYERS, PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.players.spec import Spec, labels

OnTurn = Callable[[GameState, Outcome, Turn], object]
"""What is called after each turn: with the state after it, what came of it, and how it is recorded."""

LONGEST = 10**6
"""Seconds of the longest turn."""


def play_game(
    first: Spec | str,
    second: Spec | str,
    board: Board,
    *,
    seconds: float | tuple[float, float] = 0.5,
    mode: PlayMode | str = PlayMode.CLASSIC,
    seed: int | None = None,
    api: str | None = None,
    full_time: bool = False,
    persistent: bool = False,
    limits: Limits | None = None,
    logs: str | PathLike[str] | None = None,
    on_start: Callable[[GameState], object] | None = None,
    on_turn: OnTurn | None = None,
    loader: str = LOADER,
    nursery: Nursery | None = None,
) -> GameRecord:
    """The record of a game that these players play; SudokuError if one of them, or the board, does not do.

    `seconds` is the time per turn of both or of each. A turn ends when its player is done, with `full_time` not before
    the time is over; it is played by a copy of the player's process, or if that is `persistent`, by itself. `seed`
    gives the mode random its squares and the players their random numbers; None takes any, which the record tells.
    `logs` is a folder for what the players print. Who plays many games has a `nursery` for all.
    """
    times = _times(seconds)
    seed = SystemRandom().getrandbits(32) if seed is None else seed
    state = GameState.start(board, mode, Random(seed))
    specs, names = _named(first, second, loader)
    recorder = Recorder(state, names, seed=seed, time=times[0] if times[0] == times[1] else list(times))
    referee = Referee()
    if logs is not None:
        Path(logs).mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        if nursery is None:
            nursery = stack.enter_context(Nursery())
        options: dict[str, Any] = {"api": api, "limits": limits, "loader": loader, "persistent": persistent}
        remotes = []
        for number, spec in zip(PLAYERS, specs, strict=True):
            log = None if logs is None else Path(logs) / f"player{number}.log"
            player = Remote(spec, number, seed=player_seed(seed, number), log=log, nursery=nursery, **options)
            remotes.append(stack.enter_context(player))
        for player in remotes:
            stack.callback(player.leave)  # both at once, before one is waited for
        referee.require_solvable(board)
        for player in remotes:
            player.wait()
        if on_start is not None:
            on_start(state)
        for state, outcome, turn in _turns(state, remotes, referee, times, full_time=full_time):  # noqa: B020 - goes on
            recorder.add(turn)
            if on_turn is not None:
                on_turn(state, outcome, turn)
    return recorder.finish(state)


def _turns(
    state: GameState, remotes: Sequence[Remote], referee: Referee, times: tuple[float, float], *, full_time: bool
) -> Iterator[tuple[GameState, Outcome, Turn]]:
    """Play turn after turn, to the end of the game: the state after each, what came of it, and how it is recorded."""
    while not state.is_over:
        if state.must_pass:
            state, outcome = state.play(None, referee)
            yield state, outcome, Turn.of(outcome)
        else:
            who = state.player - 1
            thought = remotes[who].think(state, times[who], full_time=full_time)
            state, outcome = judged(state, thought, referee)
            yield state, outcome, Turn.of(outcome, thought.seconds, _proposals(thought))


def judged(state: GameState, thought: Thought, referee: Referee) -> tuple[GameState, Outcome]:
    """The state after a turn, and what came of it: the last proposal that is a move counts, whatever came after it.

    >>> from csp_sudoku.moves.move import Move
    >>> state = GameState.start(Board.parse("12.. .... .... ...."))
    >>> print(judged(state, Thought((Proposal(Move(0, 2, 3), 0.1),), 0.2, crash="ValueError"), Referee())[1])
    player 1 places 3 at (0, 2)
    >>> print(judged(state, Thought((), 0.2, crash="ValueError: too hard"), Referee())[1])
    player 1 loses: it crashed without a proposal (ValueError: too hard)
    >>> print(judged(state, Thought((), 0.2, nonsense="str"), Referee())[1])
    player 1 loses: its move is invalid (expected three integers; found str)
    """
    if thought.proposals:
        return state.play(thought.proposals[-1].move, referee)
    if thought.nonsense:
        return state.lose(Loss.INVALID, detail=f"expected three integers; found {thought.nonsense}")
    if thought.crash is not None:
        return state.lose(Loss.CRASH, detail=thought.crash)
    return state.lose(Loss.NO_PROPOSAL)


def player_seed(seed: int, number: int) -> int:
    """The seed of a player, from that of the game: equal players are to have different random numbers."""
    return Random(f"{seed} {number}").getrandbits(32)


def _proposals(thought: Thought) -> list[Proposal]:
    """What the record tells of the proposals; what was no move is in it only if nothing else was proposed."""
    if not thought.proposals and thought.nonsense is not None:
        return [Proposal(None, thought.seconds)]
    return list(thought.proposals)


def _named(first: Spec | str, second: Spec | str, loader: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """What the players are told to the hosts by, and in the record. Only our own loader understands specifications."""
    if loader != LOADER:
        return (str(first), str(second)), (str(first), str(second))
    specs = [Spec.parse(one) if isinstance(one, str) else one for one in (first, second)]
    ours, theirs = labels(specs)
    return (str(specs[0]), str(specs[1])), (ours, theirs)


def _times(seconds: float | tuple[float, float]) -> tuple[float, float]:
    first, second = seconds if isinstance(seconds, tuple) else (seconds, seconds)
    for one in (first, second):
        if not 0 < one <= LONGEST:
            raise OptionError(f"expected a time per turn of more than 0 and at most {LONGEST} seconds; found {one!r}")
    return float(first), float(second)
