"""One untrusted player in one game, in processes of its own, under a clock.

A player runs on Linux only. `client`, and all that it imports, can be imported on every system.

From the arena's side to the player's own process:

client           the arena's side of a supervisor: it sends states, and reads the result of each turn
assignment       the assignment that a supervisor receives when it starts: the player and its limits
terms            the conditions of a game: its mode, its API, and the resources of its players
messages         the messages between the arena and a supervisor
fork_server      one process that has imported all modules and forks the supervisors
main             starts a supervisor of the right kind, and cleans up after it
supervisor       keeps the clock of a player, and kills every process that the player has started
forking          the supervisor of a player that plays each turn in a copy of its process
persistent       the supervisor of a player whose one process plays all turns
player_process   the player's own process
proposal_buffer  the shared memory for a player's proposals
outside          recognises harm that comes to a player at rest from outside
namespaces       hides all other processes from a player, as far as the kernel allows
limits           the limits of a player: memory, time, processes and files
leftovers        removes the working folder and the shared memory that a player leaves behind
processes        finds and kills the processes that descend from another
log              the output of a player, kept up to a size
environment      the environment variables of a Python process that imports this package
linux            the check that this system is Linux, before anything is started
closing          a base class for objects that are closed at the end of a `with` block
"""
