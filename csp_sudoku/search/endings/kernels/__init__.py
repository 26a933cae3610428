"""The compiled loop of the endings.

endings  every ending of a filling game, valued from the last cell backwards
"""
