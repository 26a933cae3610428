"""The compiled evaluation of evolved networks, and the games that they play.

games  what a network answers, how well it ranks the cells, and games of filling cells between networks
"""
