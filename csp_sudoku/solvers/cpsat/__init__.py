"""CP-SAT, the solver of OR-Tools.

solver  the solver: its options, and its questions
model   a board as a model: candidates, cheap propagation, encodings, constraints, and decoding of solutions
search  a call of CP-SAT in a thread of its own, so that Ctrl-C, a deadline or an abandoned generator can end it
"""
