"""The player `greedy`."""
