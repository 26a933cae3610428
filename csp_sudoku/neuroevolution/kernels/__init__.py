"""The compiled evaluation of evolved networks, and the games that they play.

games  the outputs of a network, the quality of its ranking of cells, and filling games between networks
"""
