"""A repeatable attack on the arena: hostile agents, kills and damaged files, with a verdict on each.

    python -m tests.attack --minutes 10         see --help
    python -m tests.attack --all --jobs 2       every attack once
    python -m tests.attack.soak --minutes 30    memory, files and processes in a long tournament

    __main__      the command
    cases         the attacks and their settings, and the order of a run
    verdict       the expected and the observed outcome of a run of the arena
    table         the table at the end of a run
    battery       a hostile agent against an honest one, in a match of its own
    resuming      a tournament that is killed and continues
    inputs        damaged boards, records and stores
    commands      hostile input to all commands
    caches        the cache of compiled kernels: empty, damaged, on a full disk
    many          matches of 60,000 and more games
    watch         a command under observation: its processes, memory, files and shared memory
    soak          a tournament of half an hour, with the curves of its resources

    hostiles      the base class of hostile agents, and the honest one
    registry      all hostile agents by their names
    ending        agents that end, crash or hang
    starting      agents that start processes, and signal others
    flooding      agents that take memory, files, descriptors and shared memory
    forging       agents that patch, forge and write where they should not

The attack is independent of its target. It runs the command line as a user does, reads /proc and the stores by itself,
and keeps its own clock. From the product it imports only the modules that an agent imports.
"""
