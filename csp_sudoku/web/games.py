"""The games in progress: each is played in a thread of its own, and its turns are events that browsers follow.

The server keeps a game by its id, so a page that is loaded again continues it. The numbers of running and of kept games
are bounded; a game without any request for a while is abandoned.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

from csp_sudoku.arena.play import play_game
from csp_sudoku.errors import OptionError, SudokuError
from csp_sudoku.evaluation.advice import Adviser
from csp_sudoku.game.rules import PLAYERS, mode_named
from csp_sudoku.game.verification import ReplayedTurn
from csp_sudoku.pages.positions import MOST_PROPOSALS, turns
from csp_sudoku.sandbox.fork_server import ForkServer
from csp_sudoku.sandbox.terms import GameTerms
from csp_sudoku.web.people import Abandoned, Person
from csp_sudoku.web.positions import state_object
from csp_sudoku.web.puzzles import board_object
from csp_sudoku.web.workers import OverloadedError

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.game.outcome import Outcome
    from csp_sudoku.game.record import GameRecord, Proposal, Recorder, Turn
    from csp_sudoku.game.state import GameState
    from csp_sudoku.players.spec import Spec

PERSON = "human"
"""The name of a person in requests and in records."""
MAX_RUNNING = 6
"""Maximum number of games in progress."""
MAX_KEPT = 40
"""Maximum number of kept games, finished ones included."""
MAX_AGE_S = 2 * 3600.0
"""Time without a request after which a game is abandoned, in seconds."""
MAX_PACE_S = 10.0
"""Upper bound for the time that a game waits after each turn, in seconds."""
MAX_TURN_S = 60.0
"""Upper bound for the time of a program's turn, in seconds."""


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A requested game."""

    players: tuple[Spec | None, Spec | None]
    """The programs; None is a person."""
    names: tuple[str, str]
    board: Board
    mode: str
    seconds: float
    seed: int | None
    paused: bool = False
    """Whether the game waits before its first turn."""
    pace: float = 0.0
    """Time that the game waits after each turn, in seconds, so that people can watch it."""


class Game:
    """A game in progress or finished. The loop reads its events; a thread plays it."""

    def __init__(self, request: GameRequest, fork_server: ForkServer | None) -> None:
        self.id = token_urlsafe(9)
        self.request = request
        self.people = {number: Person() for number, spec in zip(PLAYERS, request.players, strict=True) if spec is None}
        self.adviser = Adviser()
        self.advising = threading.Lock()
        self.events: list[dict[str, Any]] = []
        self.asked_at = time.monotonic()
        self._loop = asyncio.get_running_loop()
        self._followers: set[asyncio.Event] = set()
        self._proposals: deque[Proposal] = deque(maxlen=MOST_PROPOSALS)
        """The last proposals of the current turn."""
        self._thinking: dict[str, Any] | None = None
        """The event that shows them; None if there are none."""
        self._gate = threading.Condition()
        self._turns_left: int | None = 0 if request.paused else None
        """Number of turns until the game pauses; None if it does not."""
        self._is_abandoned = False
        self._recorder: Recorder | None = None
        self._record: GameRecord | None = None
        self._before: GameState | None = None
        self._fork_server = fork_server
        self._thread = threading.Thread(target=self._play, name=f"game {self.id}", daemon=True)

    def begin(self) -> None:
        """Begin to play."""
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended in any way."""
        return bool(self.events) and self.events[-1]["kind"] in ("end", "failed")

    @property
    def is_paused(self) -> bool:
        """Whether the game waits to be continued."""
        with self._gate:
            return self._turns_left is not None

    def as_object(self) -> dict[str, Any]:
        """Return the game, without its events, for an answer."""
        request = self.request
        return {
            "id": self.id,
            "names": list(request.names),
            "people": sorted(self.people),
            "mode": request.mode,
            "seconds": request.seconds,
            "paused": self.is_paused,
            "over": self.is_over,
            "turns": sum(event["kind"] == "turn" for event in self.events),
            "board": board_object(request.board),
        }

    def record(self) -> GameRecord:
        """Return the record of the game, or of its turns so far."""
        if self._record is not None:
            return self._record
        if self._recorder is None:
            raise SudokuError("expected a game that has begun; found one whose players are not loaded")
        return self._recorder.interrupted()

    def let_go_on(self, turns: int | None) -> None:
        """Continue the game for this many turns: 0 pauses it, and None continues without a pause."""
        with self._gate:
            self._turns_left = turns
            self._gate.notify_all()

    def abandon(self) -> None:
        """End the game soon."""
        self._is_abandoned = True
        for person in self.people.values():
            person.leave()
        with self._gate:
            self._gate.notify_all()

    async def follow(self, after: int) -> AsyncIterator[tuple[int | None, dict[str, Any]]]:
        """Yield the events from number `after` on, with their numbers, as they come; the last one ends the game.

        Proposals during a turn are events without a number. They are not kept: a follower that is too slow, or comes
        later, gets only the last such event while the turn lasts.
        """
        news = asyncio.Event()
        shown = None
        self._followers.add(news)
        try:
            while True:
                news.clear()
                while after < len(self.events):
                    self.asked_at = time.monotonic()
                    event = self.events[after]
                    yield after, event
                    after += 1
                if self.is_over:
                    return
                if self._thinking is not None and self._thinking is not shown:
                    shown = self._thinking
                    yield None, shown
                    continue
                await news.wait()
        finally:
            self._followers.discard(news)

    def _play(self) -> None:
        """Play the game, in its thread."""
        request = self.request
        first, second = (PERSON if spec is None else spec for spec in request.players)
        try:
            self._record = play_game(
                first, second, request.board, seconds=request.seconds, seed=request.seed,
                terms=GameTerms(mode_named(request.mode)), on_start=self._started, on_turn=self._turned,
                on_recorder=self._keep, on_proposals=self._heard, fork_server=self._fork_server, local=self.people,
            )  # fmt: skip
        except Abandoned:
            self._publish({"kind": "end", "told": "The game was given up."})
        except Exception as error:  # noqa: BLE001 - whatever it is, those who follow the game must know
            self._publish({"kind": "failed", "told": f"The game could not be played: {error}"})
        else:
            self._publish({"kind": "end", "told": f"{self._record.ending()}."})

    def _keep(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def _started(self, state: GameState) -> None:
        self._before = state
        self._publish({"kind": "start", "state": state_object(state)})
        self._pass_gate()

    def _heard(self, state: GameState, proposals: Sequence[Proposal]) -> None:
        """Take the new proposals of the player to move; called in the thread of the game."""
        if self._is_abandoned:
            raise Abandoned
        assert self._recorder is not None
        self._proposals.extend(proposals)
        moves = [(one.move, one.seconds) for one in self._proposals if one.move is not None]
        if not moves:
            return
        event = {
            "kind": "thinking",
            "number": len(self._recorder.turns) + 1,
            "player": state.player,
            "move": list(moves[-1][0]),
            "proposals": [[str(move), seconds] for move, seconds in moves],
        }
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._show, event)

    def _turned(self, state: GameState, outcome: Outcome, turn: Turn) -> None:
        assert self._before is not None
        assert self._recorder is not None
        self._proposals.clear()
        number = len(self._recorder.turns)
        (shown,) = turns(self._before, [ReplayedTurn(number, turn, outcome, state)])
        self._before = state
        self._publish({"kind": "turn", "number": number, "turn": shown, "state": state_object(state)})
        if not state.is_over:
            self._pass_gate()

    def _pass_gate(self) -> None:
        """Wait for the pace, and while the game is paused; raise Abandoned if the game has to end."""
        with self._gate:
            if self._recorder is not None and self._recorder.turns:
                self._gate.wait_for(lambda: self._is_abandoned or self._turns_left is not None, self.request.pace)
            self._gate.wait_for(lambda: self._turns_left != 0 or self._is_abandoned)
            if self._turns_left:
                self._turns_left -= 1
        if self._is_abandoned:
            raise Abandoned

    def _publish(self, event: dict[str, Any]) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._add, event)

    def _add(self, event: dict[str, Any]) -> None:
        self._thinking = None
        self.events.append(event)
        self._wake_followers()

    def _show(self, thinking: dict[str, Any]) -> None:
        self._thinking = thinking
        self._wake_followers()

    def _wake_followers(self) -> None:
        for follower in self._followers:
            follower.set()


class Games:
    """All games of a server. `players` are the programs that may play, by the names that requests use."""

    def __init__(self, players: Mapping[str, Spec]) -> None:
        self.players = players
        self._games: dict[str, Game] = {}
        self._fork_server: ForkServer | None = None

    def begin(self, request: GameRequest) -> Game:
        """Begin a game; raise OverloadedError if too many are in progress."""
        self._tidy()
        if sum(not game.is_over for game in self._games.values()) >= MAX_RUNNING:
            raise OverloadedError(f"expected at most {MAX_RUNNING} games at a time; found more, so end one of them")
        if self._fork_server is None and any(request.players):
            self._fork_server = ForkServer()
        game = Game(request, self._fork_server)
        self._games[game.id] = game
        game.begin()
        return game

    def get(self, name: str) -> Game:
        """Return the game with an id; OptionError if there is none."""
        game = self._games.get(name)
        if game is None:
            raise OptionError("expected the id of a game that the server has; found another (was it restarted?)")
        game.asked_at = time.monotonic()
        return game

    def spec(self, name: str) -> Spec | None:
        """Return the program of a name, or None for a person; OptionError for any other player."""
        if name == PERSON:
            return None
        if name not in self.players:
            raise OptionError(
                f"expected a player that comes with this program or was named on the command line; found {name!r}"
            )
        return self.players[name]

    def all(self) -> list[Game]:
        """Return the games, the newest one first."""
        return list(self._games.values())[::-1]

    def close(self) -> None:
        """End all games and their processes."""
        for game in self._games.values():
            game.abandon()
        if self._fork_server is not None:
            self._fork_server.close()

    def _tidy(self) -> None:
        """Abandon old games, and discard surplus finished ones."""
        now = time.monotonic()
        for game in self._games.values():
            if not game.is_over and now - game.asked_at > MAX_AGE_S:
                game.abandon()
        over = [name for name, game in self._games.items() if game.is_over]
        for name in over[: max(0, len(self._games) - MAX_KEPT + 1)]:
            del self._games[name]
