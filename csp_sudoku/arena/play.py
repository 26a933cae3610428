"""One game between two players by the exact rules. A program plays in a process of its own, a person in this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from random import Random, SystemRandom
from types import MappingProxyType
from typing import Protocol

from csp_sudoku.board import BoardLike
from csp_sudoku.errors import OptionError
from csp_sudoku.game.outcome import RESIGNED, Loss, Outcome
from csp_sudoku.game.record import GameRecord, Proposal, Recorder, Turn
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import PLAYERS
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players.spec import Spec, labels
from csp_sudoku.sandbox.client import OnProposals, PlayerClient, Thought
from csp_sudoku.sandbox.fork_server import ForkServer
from csp_sudoku.sandbox.terms import DEFAULT_TERMS, LOADER, GameTerms
from csp_sudoku.warm_up import prepare

OnTurn = Callable[[GameState, Outcome, Turn], object]
"""A function that is called after each turn, with the state after it, its outcome, and its entry in the record."""

LONGEST = 10**6
"""Upper bound for the time of one turn, in seconds."""


class TurnPlayer(Protocol):
    """A player as a game asks it for a turn: the client of a program, or a person in this process."""

    def think(self, state: GameState, seconds: float, *, full_time: bool = False) -> Thought:
        """Return the result of a turn of `seconds`, as `PlayerClient.think` does; a person may ignore the limit."""
        ...


def answered(move: Move | None, seconds: float) -> Thought:
    """Return the result of a person's turn that took this many seconds; without a move, the person resigns."""
    return Thought((), seconds, resigned=True) if move is None else Thought((Proposal(move, seconds),), seconds)


NOBODY: Mapping[int, TurnPlayer] = MappingProxyType({})
"""No players in this process."""


def play_game(
    first: Spec | str,
    second: Spec | str,
    board: BoardLike,
    *,
    seconds: float | tuple[float, float] = 0.5,
    seed: int | None = None,
    terms: GameTerms = DEFAULT_TERMS,
    logs: str | PathLike[str] | None = None,
    on_start: Callable[[GameState], object] | None = None,
    on_turn: OnTurn | None = None,
    on_recorder: Callable[[Recorder], object] | None = None,
    on_proposals: OnProposals | None = None,
    fork_server: ForkServer | None = None,
    strict: bool = True,
    local: Mapping[int, TurnPlayer] = NOBODY,
) -> GameRecord:
    """Play a game between two players on `board`, a `Board` or what `Board.of` makes one of, and return its record.

    `seconds` is the time per turn, of both players or of each (default 0.5). The `seed` determines the squares of the
    mode random and the random numbers of the players; None (the default) draws a seed, which the record contains.
    `terms` are the conditions of the game and the resources of its players (default: mode classic, the default limits).
    `logs` is a folder for the output of the players; None discards it. `on_start` is called with the first state, and
    `on_turn` after each turn. `on_recorder` is called once, before the game, with the recorder of its turns: a caller
    that ends the game early has the turns so far. `on_proposals` is called while a player thinks, at most ten times a
    second, with the state and with the last twenty of the new proposals; the record has all of them. A caller that
    plays many games passes one `fork_server` for all; None starts one for this game. If `strict` is false, an agent
    with a syntax error or a missing import loses its first turn. `local` are the players that are asked in this
    process, by their numbers (default: none): `first` or `second` is then only a name, and the record has no time limit
    for that player.

    Raise SudokuError if a player cannot be loaded, or if the board has no completion.
    """
    times = _times(seconds)
    seed = SystemRandom().getrandbits(32) if seed is None else seed
    state = GameState.start(board, terms.mode, Random(seed))
    specs, names = _named(first, second, terms.loader, local)
    if terms.loader == LOADER:
        prepare(spec for number, spec in zip(PLAYERS, specs, strict=True) if number not in local)
    recorder = Recorder(state, names, seed=seed, time=_time_control(times, local))
    if on_recorder is not None:
        on_recorder(recorder)
    referee = Referee()
    if logs is not None:
        Path(logs).mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        if fork_server is None and len(local) < len(PLAYERS):
            fork_server = stack.enter_context(ForkServer())
        clients: dict[int, PlayerClient] = {}
        for number, spec in zip(PLAYERS, specs, strict=True):
            if number in local:
                continue
            log = None if logs is None else Path(logs) / f"player{number}.log"
            player = PlayerClient(
                spec,
                number,
                terms,
                seed=player_seed(seed, number),
                log=log,
                fork_server=fork_server,
                on_proposals=on_proposals,
            )
            clients[number] = stack.enter_context(player)
        for player in clients.values():
            stack.callback(player.leave)  # ask both players to leave before waiting for one
        referee.require_solvable(state.board)
        for player in clients.values():
            player.wait(strict=strict)
        if on_start is not None:
            on_start(state)
        players: dict[int, TurnPlayer] = {**clients, **local}
        for state, outcome, turn in _turns(state, players, referee, times, full_time=terms.full_time):  # noqa: B020 - goes on
            recorder.add(turn)
            if on_turn is not None:
                on_turn(state, outcome, turn)
    return recorder.finish(state)


def require_player(player: str, terms: GameTerms = DEFAULT_TERMS, fork_server: ForkServer | None = None) -> None:
    """Load a player in a process of its own, as a game on these terms does. Raise AgentError if that fails.

    `fork_server` starts the process; None starts one for this player.
    """
    with PlayerClient(player, 1, terms, fork_server=fork_server) as client:
        client.wait()


def _turns(
    state: GameState,
    players: Mapping[int, TurnPlayer],
    referee: Referee,
    times: tuple[float, float],
    *,
    full_time: bool,
) -> Iterator[tuple[GameState, Outcome, Turn]]:
    """Play turn after turn to the end of the game; yield the state after each turn, its outcome, and its record."""
    while not state.is_over:
        if state.must_pass:
            state, outcome = state.play(None, referee)
            yield state, outcome, Turn.of(outcome)
        else:
            thought = players[state.player].think(state, times[state.player - 1], full_time=full_time)
            state, outcome = judged(state, thought, referee)
            yield state, outcome, _turn(outcome, thought)


def judged(state: GameState, thought: Thought, referee: Referee) -> tuple[GameState, Outcome]:
    """Return the state after a turn, and its outcome: the last proposal that is a move counts.

    `thought` holds the proposals of the player, and `referee` decides whether the move is a bomb. A turn without a
    proposal is lost.

    >>> from csp_sudoku.moves.move import Move
    >>> state = GameState.start("12.. .... .... ....")
    >>> print(judged(state, Thought((Proposal(Move(0, 2, 3), 0.1),), 0.2, crash="ValueError"), Referee())[1])
    player 1 places r1c3=3
    >>> print(judged(state, Thought((), 0.2, crash="ValueError: too hard"), Referee())[1])
    player 1 loses: it crashed without a proposal (ValueError: too hard)
    >>> print(judged(state, Thought((), 0.2, nonsense="str"), Referee())[1])
    player 1 loses: its move is invalid (expected three integers; found str)
    >>> print(judged(state, Thought((), 0.2, resigned=True), Referee())[1])
    player 1 loses: it proposed nothing (resigned)
    """
    if thought.proposals:
        return state.play(thought.proposals[-1].move, referee)
    if thought.nonsense:
        return state.lose(Loss.INVALID, detail=f"expected three integers; found {thought.nonsense}")
    if thought.crash is not None:
        return state.lose(Loss.CRASH, detail=thought.crash)
    return state.lose(Loss.NO_PROPOSAL, detail=RESIGNED if thought.resigned else "")


def _turn(outcome: Outcome, thought: Thought) -> Turn:
    """Return the entry of a turn in the record."""
    return Turn.of(outcome, thought.seconds, _proposals(thought), _late_error(thought), thought.trace)


def _late_error(thought: Thought) -> str | None:
    """Return the error that ended a turn after its proposals; None if there was none, or if it lost the game."""
    return thought.crash if thought.proposals or thought.nonsense else None


def player_seed(seed: int, number: int) -> int:
    """Return the seed of a player, from that of the game: equal players must have different random numbers."""
    return Random(f"{seed} {number}").getrandbits(32)


def _proposals(thought: Thought) -> list[Proposal]:
    """Return the proposals for the record; a proposal that is no move is recorded only if there is no other one."""
    if not thought.proposals and thought.nonsense is not None:
        return [Proposal(None, thought.seconds)]
    return list(thought.proposals)


def _named(
    first: Spec | str, second: Spec | str, loader: str, local: Mapping[int, TurnPlayer]
) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the names of the players for their supervisors and for the record.

    Only our own loader reads specs; the name of a local player is taken as it is.
    """
    if loader != LOADER:
        return (str(first), str(second)), (str(first), str(second))
    both = dict(zip(PLAYERS, (first, second), strict=True))
    specs = {
        number: Spec.parse(one) if isinstance(one, str) else one for number, one in both.items() if number not in local
    }
    shown = dict(zip(specs, labels(list(specs.values())), strict=True))
    texts = [str(specs.get(number, one)) for number, one in both.items()]
    names = [shown.get(number, str(one)) for number, one in both.items()]
    return (texts[0], texts[1]), (names[0], names[1])


def _time_control(times: tuple[float, float], local: Mapping[int, TurnPlayer]) -> float | list[float | None] | None:
    """Return the time control for the record: the seconds per turn of both players or of each; None for no limit."""
    limits = [None if number in local else seconds for number, seconds in zip(PLAYERS, times, strict=True)]
    return limits[0] if limits[0] == limits[1] else limits


def _times(seconds: float | tuple[float, float]) -> tuple[float, float]:
    first, second = seconds if isinstance(seconds, tuple) else (seconds, seconds)
    for one in (first, second):
        if not 0 < one <= LONGEST:
            raise OptionError(f"expected a time per turn of more than 0 and at most {LONGEST} seconds; found {one!r}")
    return float(first), float(second)
