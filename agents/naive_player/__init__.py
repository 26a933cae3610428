"""The player `naive`."""
