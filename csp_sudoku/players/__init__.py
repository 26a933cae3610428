"""Players: the agents of this package and of the framework, named by a text such as `greedy?safe=true`.

spec         the text that names a player and sets its options
probe        loads a player in a process of its own, to check whether that works
player       a loaded player, ours or the framework's, inside the process that plays it
classic      the searches of the gallery of earlier systems, in plain Python

The author of an agent needs `Agent`. A program that runs players needs `Spec.parse`, and `load_player` in the process
that plays.
"""

from csp_sudoku.agent import Agent
from csp_sudoku.players.spec import Spec, registered_players

__all__ = ["Agent", "Spec", "registered_players"]
