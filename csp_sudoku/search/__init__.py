"""Game-tree search on the abstract filling game: cells, regions and skips, no sudoku."""
