"""The page of `csp-sudoku serve`: a server on this computer, for a browser on this computer (extra `[web]`).

A browser asks by JSON. Work is done by a few threads, one question at a time each, and every question has a deadline. A
question whose asker is gone is cancelled. The page itself consists of the files in `static/` and of those that it
shares with `csp_sudoku.pages`; it has no build step, and loads nothing from elsewhere.

fields       the fields of a request, each checked as it is taken
puzzles      boards in requests and in answers
positions    positions of the game in requests and in answers
workers      the pool of threads: questions under way, their deadlines and their progress
preparation  the kernels that questions need: compiled before the time of a question begins
exploring    the questions about a puzzle: read, solve, count, explain, the next step, generate
analysing    the questions about a position: map, value, what a move does; recorded games
people       a person as a player, whose moves come from a browser
games        the games under way: each in a thread, with its turns as events
tournament   a store of games, while a tournament adds to it
guard        refuses foreign hosts and origins, and large requests; adds the headers of every answer
answers      answers as JSON and as streams of events
application  the routes
server       the socket and the loop
"""
