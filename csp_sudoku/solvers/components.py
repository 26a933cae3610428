"""Independent parts of a board: no chain of peers that share a candidate links empty cells of different parts."""

from __future__ import annotations

from csp_sudoku.board import Board


def independent_parts(board: Board, solution: Board) -> list[Board]:
    """One board for each independent part of `board`: the `solution` with the cells of that part emptied.

    The list is empty if the board has fewer than two parts. Every combination of completions of the parts is a
    completion of the board, so the number of solutions is the product over the parts.

    >>> board = Board.parse(".... 3412 .... 4321")
    >>> [part.format("line") for part in independent_parts(board, Board.parse("1234 3412 2143 4321"))]
    ['..343412..434321', '12..341221..4321']
    """
    import networkx

    parts = list(networkx.connected_components(board.graph()))
    if len(parts) < 2:
        return []
    return [solution.without(part) for part in sorted(parts, key=min)]
