"""Games between players that run in processes of their own, under a clock, and are not trusted.

game        one game: the rules, the referee and the record, from here
remote      a player as the arena has it: it is sent states, and answers what came of its turns
host        the process that keeps a player's clock, and ends what the player has started
forking     the host of a player that plays each turn in a copy of its process
keeping     the host of a player whose process plays all turns
seat        the player's own process
slate       the memory that they share, where proposals are written down
log         what a player prints
limits      what it may use
nursery     the process that hosts are forked from
processes   the processes that descend from another, found and ended
assignment  what a host is told when it starts
closing     a context that is to be closed

fixture     a game that is to be played; games come in pairs
store       the games that are finished, in a file
crew        who plays many games at once, here or on a cluster, and keeps them
statistics  what pairs of games say about two players
ratings     and about many
match       two players, many games
schedule    who meets whom
tournament  many players, boards and times
report      its tables and pictures
"""
