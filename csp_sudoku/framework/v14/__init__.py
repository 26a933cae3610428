"""Stand-ins of the framework's new API, version 14: a square is one argument, and play modes limit who plays where."""
