"""The compiled loop of the endings.

endings  computes the values of all endings of a filling game, from the last cell backwards
"""
