"""Networks that evolve by NEAT to choose a cell: the idea of an earlier system, with a fitness that improves gradually.

network     a network, independent of the training that made it, and its file
phases      the two phases of training, recognising empty cells and playing; the fitness of a network
settings    the settings of a training
evolution   the population, by neat-python, in a state that can be saved
pool        evaluates the networks of a generation, in one process or several
training    trains generation after generation, and keeps the best network
checkpoint  the state of a training in a file
kernels     the boards and games of the phases, compiled

A program that only plays a network imports no module of this package but `network`.
"""
