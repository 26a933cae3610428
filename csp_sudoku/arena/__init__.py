"""Games between untrusted players, each of which runs in its own process under a clock.

One player in one game, from the arena's side to the player's own process:

game        one game: the rules, the referee and the record
remote      the arena's side of a host: it sends states, and reads the result of each turn
assignment  the assignment that a host receives when it starts: which player, with which limits
nursery     the fork server: one process that has imported everything, and from which hosts are forked
hosting     the life of a host: which kind it is, and that it leaves nothing behind
host        the supervisor of a player: it keeps the clock, and ends every process that the player has started
forking     the host of a player that plays each turn in a copy of its process
keeping     the host of a player whose one process plays all turns
seat        the player's own process
slate       the shared memory in which a player's proposals are written down
limits      how much memory, time and how many processes a player may use
leftovers   removes the working folder and the shared memory that a player leaves behind
processes   finds and ends the processes that descend from another
log         what a player prints, kept up to a size
closing     a base class for objects that are closed at the end of a `with` block

Many games, and their evaluation:

fixture     a game that is to be played, with everything that it depends on; games come in pairs
schedule    the pairings of a round-robin, a gauntlet and the Swiss system
workers     runs many things at a time through an Executor
crew        plays many games at a time, on threads or on a Dask cluster, and stores each one
store       the finished games, in an SQLite file
match       two players and many games
tournament  many players, boards and times
standing    the games of one side, added up
statistics  Elo differences, their intervals, and when a match may stop
ratings     the strengths of many players, after Bradley and Terry
pairings    the results between every two players, from the games of a store
report      a tournament as Markdown and as pictures
"""
