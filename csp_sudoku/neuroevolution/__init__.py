"""Networks that evolve by NEAT to choose a cell: the idea of an earlier system, with a fitness that can be climbed.

network     a network without what made it, and its file
phases      the two phases, telling empty cells from filled ones and playing; the fitness of a network
settings    what a training is asked to do
evolution   the population, by neat-python, in a state that can be kept
crew        evaluates the networks of a generation, in one process or several
training    generation after generation, and the best network so far
checkpoint  the state of a training in a file
kernels     the boards and games of the phases, compiled

A program that only plays a network imports no module of this package but `network`.
"""
