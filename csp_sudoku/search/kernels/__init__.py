"""Compiled search of the filling game."""
