"""The learning search: conflict-driven clause learning in which the rules of sudoku are implicit."""
