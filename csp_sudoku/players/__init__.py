"""Players: our agents and the framework's, found by a text such as `greedy?safe=true`, and made to play a turn.

agent        what an agent of ours is: a generator of better and better moves
turn         one turn of an agent, with its memory
spec         the text that names a player and sets its options
probe        a player loaded in a process of its own, to see whether that works
player       a loaded player, ours or the framework's, as the process that plays it sees it

What players of ours share, in plain Python:

baseline     a player that plays the first move of an order, or the first one that is no bomb
cells        a player that looks for a cell; the value comes from a completion
counters     how many cells of each region are empty
filling      the game without its values, to be searched
alpha_beta   alpha-beta and iterative deepening on it
monte_carlo  Monte Carlo tree search on it

Who writes an agent needs `Agent`; who runs players, `Spec.parse`, and then `load_player` where they play.
"""

from csp_sudoku.players.agent import Agent
from csp_sudoku.players.spec import Spec, registered_players

__all__ = ["Agent", "Spec", "registered_players"]
