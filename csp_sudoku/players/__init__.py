"""Players: our agents and the framework's, found by a text such as `greedy?safe=true`, and made to play a turn.

    agent     what an agent of ours is: a generator of better and better moves
    baseline  one that plays the first move of an order, or the first that is no bomb
    spec      the text that names a player and sets its options
    turn      one turn of an agent, with its memory
    player    a loaded player, as a process that plays sees it
    probe     a player loaded in a process of its own, to see whether that works

Who writes an agent needs `Agent`; who runs players, `Spec.parse`, and then `load_player` where they play.
"""

from csp_sudoku.players.agent import Agent
from csp_sudoku.players.spec import Spec, registered_players

__all__ = ["Agent", "Spec", "registered_players"]
