"""The player `neat`."""
