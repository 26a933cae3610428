"""The player `skipper`."""
