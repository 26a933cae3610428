"""Compiled evaluation of networks, and the games that they play."""
