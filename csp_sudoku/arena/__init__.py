"""Many games between untrusted players, and their evaluation.

play            one game: the rules, the referee and the record
scheduled_game  a game to play, with everything that it depends on; games come in pairs
schedule        the pairings of a round-robin, a gauntlet and the Swiss system, and the games that follow from them
results         the results of many games of a schedule, in little memory
workers         runs many jobs at once, through the Executor interface
pool            plays many games at once, on threads or on a Dask cluster, and stores each one
store           the finished games, in an SQLite file
match           two players and many games
tournament      many players, boards and times
failures        the turns in which players failed or broke the rules, by kind
tally           the games of one side, added up
statistics      Elo differences, their intervals, and the sequential test of a match
ratings         the strengths of many players, after Bradley and Terry
head_to_head    the results between every two players, from the games of a store
standings       standings, ratings and crosstable, of a tournament or of the games of a store
report          a tournament, or the games of a store, as Markdown and as pictures
"""
