"""The player `random`."""
