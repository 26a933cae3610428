"""The exact move map: which legal moves of a board are safe, and which are bombs."""
