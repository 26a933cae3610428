"""The compiled loops of the filling game.

filling  the game, and its exact search
"""
