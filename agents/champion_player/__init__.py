"""The player `champion`."""
