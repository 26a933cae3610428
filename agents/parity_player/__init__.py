"""The player `parity`."""
