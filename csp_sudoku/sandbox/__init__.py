"""One untrusted player in one game, in processes of its own, under a clock.

A player runs on Linux only. `client`, and all that it imports, can be imported on every system.

From the arena's side to the player's own process:

client           the arena's side of a supervisor: it sends states, and reads the result of each turn
assignment       the assignment that a supervisor receives when it starts: which player, with which limits
terms            how a game is played, and what its players may use
messages         what the arena and a supervisor say to each other
fork_server      one process that has imported everything, and from which supervisors are forked
main             the life of a supervisor: which kind it is, and that it leaves nothing behind
supervisor       keeps the clock of a player, and kills every process that the player has started
forking          the supervisor of a player that plays each turn in a copy of its process
persistent       the supervisor of a player whose one process plays all turns
player_process   the player's own process
proposal_buffer  the shared memory in which a player's proposals are written down
outside          recognises harm that comes to a player at rest from outside
namespaces       hides all but itself from a player, as far as the kernel allows
limits           how much memory, time and how many processes a player may use
leftovers        removes the working folder and the shared memory that a player leaves behind
processes        finds and kills the processes that descend from another
log              what a player prints, kept up to a size
environment      the environment variables of a Python process that imports this package
linux            the check that this system is Linux, before anything is started
closing          a base class for objects that are closed at the end of a `with` block
"""
