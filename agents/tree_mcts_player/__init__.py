"""The player `tree-mcts`."""
