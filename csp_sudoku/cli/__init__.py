"""The csp-sudoku command: one file per subcommand."""
