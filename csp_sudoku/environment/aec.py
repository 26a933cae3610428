"""The environment: a game by the exact rules with the AEC interface (https://pettingzoo.farama.org/api/aec)."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any, ParamSpec

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from csp_sudoku.board import Board
from csp_sudoku.environment.encoding import Encoding
from csp_sudoku.errors import OptionError, expect_name
from csp_sudoku.game.outcome import Outcome, OutcomeKind
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import PlayMode, mode_named, other
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.tracker import MoveTracker

if TYPE_CHECKING:
    from numpy.typing import NDArray

Parameters = ParamSpec("Parameters")

AGENTS = ("player_1", "player_2")
"""The names of the agents, in the order in which they move."""

RENDER_MODES = ("ansi", "human")
"""The render modes: `ansi` returns the text, and `human` prints it."""

RESULT, MARGIN = "result", "margin"
REWARDS = (RESULT, MARGIN)
"""The kinds of rewards. `result` gives 1 to the winner and -1 to the loser at the end of the game. `margin` gives the
points of each turn to the player that scores them, and takes them from the opponent. An agent that loses by the rules
is charged 7N points, so that losing in this way is never better than playing on."""


class raw_env(AECEnv):  # type: ignore[misc] # noqa: N801 - pettingzoo's name for it, and it has no types
    """A game of two agents; the agent in `agent_selection` is to act. `reset` starts a game.

    An observation consists of `Encoding.planes` and, as `action_mask`, `Encoding.mask`. The mask is all zeros for the
    agent that is not to act; the agent to act always has at least one move. An action is the number of a move, or None
    to propose nothing. An action that the mask excludes loses the game at once, as the rules demand. MoveError if an
    action is not the number of a move. A bomb is an ordinary action: it places nothing, it is taboo from then on, and
    the opponent is to act. The environment passes on behalf of an agent without an open square and does not select it,
    so the same agent may be selected several times in a row.

    Each info has the `outcome` of the last turn (None at the start), the `scores` (the agent's own score first), and
    the `reason` why the game is over (None if it is not). With `move_map`, the info of the agent to act also has a
    `move_map` of all actions: SAFE, BOMB, or 0 for actions that lose.

    >>> game = raw_env(Board.parse("1234 3412 2143 432."))
    >>> game.reset()
    >>> game.agent_selection, np.flatnonzero(game.observe("player_1")["action_mask"]).tolist()
    ('player_1', [60])
    >>> game.step(60)
    >>> game.rewards, game.terminations, game.infos["player_2"]["reason"]
    ({'player_1': 1.0, 'player_2': -1.0}, {'player_1': True, 'player_2': True}, 'board full')
    """

    def __init__(
        self,
        board: Board | Iterable[Board] | None = None,
        mode: PlayMode | str = PlayMode.CLASSIC,
        *,
        rewards: str = RESULT,
        move_map: bool = False,
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment.

        `board` is the board to play on, or several boards of one shape, from which each game takes a random one
        (default: the empty 3×3 board). `mode` is the mode of the game or its name (default classic). `rewards` is one
        of `REWARDS` (default "result"). With `move_map` (default False), infos have a move map. `seed` is used until
        `reset` is called with a seed; later games continue with the same random numbers. `render_mode` is one of
        `RENDER_MODES`; with None, the default, the environment cannot render.
        """
        super().__init__()
        expect_name("kind of rewards", rewards, REWARDS)
        if render_mode is not None:
            expect_name("render mode", render_mode, RENDER_MODES)
        self.metadata = {"name": "competitive_sudoku_v0", "render_modes": [*RENDER_MODES], "is_parallelizable": False}
        self.boards = _checked_boards(board)
        self.mode = mode_named(mode)
        self.reward_kind = rewards
        self.has_move_map = move_map
        self.render_mode = render_mode
        self.encoding = Encoding(self.boards[0].size)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self.state_space = self._planes_space()
        self._action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in AGENTS}
        self._observation_spaces = {agent: self._observation_space() for agent in AGENTS}
        self._rng, self._boards_rng = Random(seed), Random(None if seed is None else f"{seed} boards")
        self._referee = Referee()
        self._tracker: MoveTracker | None = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        With a `seed`, the game has the same squares as in `play_game` and `csp-sudoku play` with that seed. Without
        one, the game continues with the random numbers of the last game. `options` may hold a `board` of the same shape
        for this game; other options are ignored.
        """
        if seed is not None:
            self._rng, self._boards_rng = Random(seed), Random(f"{seed} boards")
        given = (options or {}).get("board")
        if given is not None:
            if not isinstance(given, Board):
                raise OptionError(f"expected a Board as the option board; found {given!r}")
            (board,) = _checked_boards(given)
            if board.geometry != self.boards[0].geometry:
                raise OptionError(f"expected a board of {self.boards[0].geometry.name}; found {board.geometry.name}")
        else:
            board = self.boards[0] if len(self.boards) == 1 else self._boards_rng.choice(self.boards)
        position = GameState.start(board, self.mode, self._rng)
        if position.is_over:
            raise OptionError(f"expected a board to play on in the mode {self.mode}; found: {position.reason}")
        self._referee, self._tracker = Referee(), None
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._come_to(position, None)

    def step(self, action: Any) -> None:
        """Play the turn of the selected agent. Once the game is over, each agent has to step once more with None."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        move = None if action is None else self.encoding.move(action)
        position, outcome = self.position.play(move, self._referee)
        self._cumulative_rewards[agent] = 0.0
        mine = self._reward(position, outcome)
        self.rewards = dict.fromkeys(AGENTS, -mine) | {agent: mine}
        self._accumulate_rewards()
        self._come_to(position, outcome)

    def _come_to(self, position: GameState, outcome: Outcome | None) -> None:
        """Continue with a position, after passing for players that have no open square."""
        while position.must_pass:
            position, _ = position.play(None)
        self.position = position
        """The current position of the game."""
        if position.is_over:
            self.terminations = dict.fromkeys(AGENTS, True)
        # After the last turn, the opponent is selected first as well.
        told = other(outcome.player) if outcome is not None and position.is_over else position.player
        self.agent_selection = AGENTS[told - 1]
        self._mask = self.encoding.mask(position)
        reason = position.reason
        self.infos = {
            agent: {"outcome": outcome, "scores": scores, "reason": reason}
            for agent, scores in zip(AGENTS, (position.scores, position.scores[::-1]), strict=True)
        }
        if self.has_move_map and not position.is_over:
            self.infos[self.agent_selection]["move_map"] = self.encoding.verdicts(self._mask, self._known().map)
        if self.render_mode == "human":
            self.render()

    def _known(self) -> MoveTracker:
        """The tracker of the moves, moved to the current position."""
        if self._tracker is None:
            self._tracker = MoveTracker(self.position.board)
        else:
            self._tracker.move_to(self.position.board)
        return self._tracker

    def _reward(self, position: GameState, outcome: Outcome) -> float:
        """The reward of a turn for its player; the opponent gets the negative reward."""
        if self.reward_kind == MARGIN:
            return float(-self.encoding.most_points if outcome.kind is OutcomeKind.LOST else outcome.reward)
        result = position.result
        return 0.0 if result is None else 2.0 * result[outcome.player - 1] - 1.0

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """The observation of an agent: a dictionary with `observation` and `action_mask`."""
        player = AGENTS.index(agent) + 1
        mask = self._mask.copy() if player == self.position.player else np.zeros_like(self._mask)
        return {"observation": self.encoding.planes(self.position, player), "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """The planes from the point of view of player 1, which contain the whole state."""
        return self.encoding.planes(self.position, 1)

    def observation_space(self, agent: str) -> spaces.Dict:
        """The observation space of an agent, which is the same object at every call."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """The action space of an agent, the same object at every call; its `sample` takes the action mask."""
        return self._action_spaces[agent]

    def _planes_space(self) -> spaces.Box:
        return spaces.Box(-1.0, 1.0, self.encoding.shape, np.float32)

    def _observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.encoding.actions,), np.int8)
        return spaces.Dict({"observation": self._planes_space(), "action_mask": mask})

    def render(self) -> str | None:
        """The board, the score, and the player to move as text; the mode `human` prints the text and returns None."""
        if self.render_mode is None:
            gymnasium.logger.warn("expected a render_mode, given when the environment is made; found none")
            return None
        position = self.position
        end = position.reason or f"player {position.player} is to move"
        text = f"{position.board}\n{position.scores[0]}:{position.scores[1]}, {end}\n"
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text)
        return None

    def close(self) -> None:
        """Do nothing, because the environment holds no resources."""

    def clone(self) -> raw_env:
        """An independent copy of the game at the same position, with the same future random numbers."""
        twin = copy.copy(self)
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(twin, name, getattr(self, name).copy())
        twin.infos = {agent: info.copy() for agent, info in self.infos.items()}
        twin._action_spaces = copy.deepcopy(self._action_spaces)
        twin._observation_spaces = copy.deepcopy(self._observation_spaces)
        for name in ("_rng", "_boards_rng"):
            setattr(twin, name, Random())
            getattr(twin, name).setstate(getattr(self, name).getstate())
        twin._referee = self._referee.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_tracker": None}  # a search in progress is not pickled; a copy starts a new one

    def __deepcopy__(self, memo: dict[int, Any]) -> raw_env:
        return self.clone()


class _Ordered(OrderEnforcingWrapper):  # type: ignore[misc] # pettingzoo has no types
    """PettingZoo's wrapper that checks the order of calls; the clone of a wrapped environment is wrapped as well."""

    def clone(self) -> _Ordered:
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return str(self.env)


def _in_order(make: Callable[Parameters, raw_env]) -> Callable[Parameters, Any]:
    def env(*arguments: Parameters.args, **options: Parameters.kwargs) -> Any:
        """A `raw_env`, with the same arguments, that raises an error if its methods are called out of order.

        >>> game = env(Board.parse("12.. .... ...3 .4.."), rewards="margin", move_map=True)
        >>> game.reset(seed=1)
        >>> _, _, _, _, info = game.last()
        >>> [game.encoding.move(action) for action in np.flatnonzero(info["move_map"] == -1)][:2]
        [Move(row=0, col=2, value=4), Move(row=1, col=0, value=3)]
        >>> twin = game.clone()
        >>> game.step(game.encoding.action((0, 2, 4)))
        >>> print(game.infos["player_2"]["outcome"], twin.infos["player_2"]["outcome"], sep="; ")
        player 1 skips with r1c3=4: it would leave no completion; None
        """
        return _Ordered(make(*arguments, **options))

    return env


env = _in_order(raw_env)


def _checked_boards(given: Board | Iterable[Board] | None) -> list[Board]:
    """The boards to play on; OptionError unless there is at least one, all have one shape, and none is full.

    Each board must have a completion.
    """
    if given is None:
        return [Board.empty(3, 3)]
    boards = [given] if isinstance(given, Board) else list(given)
    if not boards or not all(isinstance(board, Board) for board in boards):
        raise OptionError(f"expected a Board, or several; found {given!r}")
    names = {board.geometry.name for board in boards}
    if len({board.geometry for board in boards}) > 1:
        raise OptionError(f"expected boards of one shape; found {', '.join(sorted(names))}")
    referee = Referee()
    for board in boards:
        referee.require_solvable(board)
        if board.is_full:
            raise OptionError("expected a board with an empty square; found a full one")
    return boards
