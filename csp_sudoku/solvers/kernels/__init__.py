"""The compiled loops that several solvers call.

matching  the candidates that lie on a perfect matching of a region or of a value
"""
