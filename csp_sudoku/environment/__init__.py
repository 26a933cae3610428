"""The game as an environment for reinforcement learning: two agents that act in turn, with PettingZoo's AEC interface.

    from csp_sudoku import Board, environment

    env = environment.env(Board.empty(2, 3), mode="rows")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else policy(observation["observation"], observation["action_mask"]))

`env` checks that its methods are called in order; `raw_env` does not check. There is no `parallel_env`, because the
agents never act at the same time. The package needs pettingzoo, which the extra `csp-sudoku[rl]` installs; no other
package of csp_sudoku imports it.

encoding  moves as numbers, positions as arrays
aec       the environment
"""

from __future__ import annotations

try:
    import pettingzoo  # noqa: F401 - checks that it is installed
except ImportError as error:
    raise ImportError('expected pettingzoo, which "csp-sudoku[rl]" brings; found none') from error

from csp_sudoku.environment.aec import AGENTS, REWARDS, env, raw_env
from csp_sudoku.environment.encoding import Encoding

__all__ = ["AGENTS", "REWARDS", "Encoding", "env", "raw_env"]
