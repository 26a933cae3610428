"""The exact value of positions whose boards have several completions.

game     the game that distinguishes the values of a cell
kernels  the compiled game and its exact search
"""
