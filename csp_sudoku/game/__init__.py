"""Competitive sudoku: its rules, states, referee and records."""
