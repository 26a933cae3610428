"""The steps by which a person solves a puzzle: the conclusions from the noted candidates, with their reasons.

step        a step: its technique, its reason, its consequences, and a sentence for people
marks       the candidates that a person has noted, and the boards' tables as sets of cells
singles     naked and hidden singles
locked      locked candidates
subsets     naked and hidden pairs and triples
fish        X-wings
wings       XY-wings
colouring   simple colouring
trial       the last resort if no technique applies: a cell whose values have to be tried
techniques  the table of the techniques, in order of difficulty
"""
