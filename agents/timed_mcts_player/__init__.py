"""The player `timed-mcts`."""
