"""Independent parts of a board: empty cells that no chain of shared candidates connects do not matter to each other."""

from __future__ import annotations

from csp_sudoku.board import Board


def independent_parts(board: Board, solution: Board) -> list[Board]:
    """A board per part: the solution with that part's cells emptied. None at all if there are less than two parts.

    Each completion of the board is one completion of each part, in every combination; so the number of solutions
    is the product over the parts.

    >>> board = Board.parse(".... 3412 .... 4321")
    >>> [part.format("line") for part in independent_parts(board, Board.parse("1234 3412 2143 4321"))]
    ['..343412..434321', '12..341221..4321']
    """
    import networkx

    parts = list(networkx.connected_components(board.graph()))
    if len(parts) < 2:
        return []
    return [solution.without(part) for part in sorted(parts, key=min)]
