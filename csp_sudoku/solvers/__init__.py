"""Solvers by name behind one protocol; see `base` for the protocol and `registry` for the names."""
