"""The game as an environment for learning: two agents that act in turn, after PettingZoo's AEC interface.

    from csp_sudoku import Board, environment

    env = environment.env(Board.empty(2, 3), mode="rows")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else policy(observation["observation"], observation["action_mask"]))

`env` checks that it is used in order; `raw_env` does without. There is no `parallel_env`: the agents never act at once.
Both need pettingzoo, which the extra `csp-sudoku[rl]` brings; no other package of csp_sudoku imports it.

encoding  moves as numbers, positions as arrays
aec       the environment
"""

from __future__ import annotations

try:
    import pettingzoo  # noqa: F401 - whether it is there
except ImportError as error:
    raise ImportError('expected pettingzoo, which "csp-sudoku[rl]" brings; found none') from error

from csp_sudoku.environment.aec import AGENTS, REWARDS, env, raw_env
from csp_sudoku.environment.encoding import Encoding

__all__ = ["AGENTS", "REWARDS", "Encoding", "env", "raw_env"]
