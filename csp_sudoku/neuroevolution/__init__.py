"""Networks that evolve by NEAT to choose a cell: the idea of an earlier system, with a fitness that can be climbed.

    network     a network without what made it, and its file
    phases      the two phases: to tell empty cells from filled ones, then to play; what a network's fitness is
    evolution   the population, by neat-python, in a state that can be kept
    settings    what a training is about
    crew        who judges the networks of a generation: one process or several
    training    generation after generation, and the best network so far
    checkpoint  the state of a training in a file
    kernels     the boards and games of the phases, compiled

Who plays needs only `network`.
"""
