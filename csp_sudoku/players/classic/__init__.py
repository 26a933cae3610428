"""The parts of the players that follow earlier systems, in plain Python that is meant to be read.

baseline     a player that plays the first move of an order, or the first safe one
cells        a player that chooses a cell; the value comes from a completion
counters     the number of empty cells of each region
filling      the game without its values, as a position to search
alpha_beta   alpha-beta and iterative deepening on such a position
monte_carlo  Monte Carlo tree search on such a position
"""
