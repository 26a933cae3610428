"""An attack on the arena that stays: hostile agents, kills and damaged files, with a verdict on each.

    python -m tests.attack --minutes 10         see --help
    python -m tests.attack --all --jobs 2       every attack once
    python -m tests.attack.soak --minutes 30    whether memory, files and processes stay flat in a long tournament

    __main__      the command
    cases         what there is to attack with, in which settings, and the order of a run
    verdict       what is expected of a run of the arena, and what came of it
    table         the table at the end of a run
    battery       a hostile agent against an honest one, in a match of its own
    resuming      a tournament that is killed and goes on
    inputs        damaged boards, records and stores
    commands      hostile input to all commands
    caches        the cache of compiled kernels: empty, damaged, on a full disk
    many          matches of 60,000 and more games
    watch         a command under observation: its processes, memory, files and shared memory
    soak          a tournament of half an hour, with the curve of what it takes

    hostiles      the base class of hostile agents, the honest one, and their registry
    ending        agents that end, crash or hang
    starting      agents that start processes, and signal others
    flooding      agents that take memory, files, descriptors and shared memory
    forging       agents that patch, forge and write where they should not

The attack is independent of what it attacks. It runs the command line as a user does, reads /proc and the stores by
itself, and keeps its own clock. From the product it imports only what an agent imports.
"""
