"""The player `heuristic`."""
