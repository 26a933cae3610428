"""`python -m csp_sudoku`: the csp-sudoku command."""

from csp_sudoku.cli.main import run

if __name__ == "__main__":
    run()
