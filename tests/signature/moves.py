"""The layer of the move map: its engines on every shape, the tracker through a game, and why a move is what it is.

The map is exact, so all engines that decide every move must have the same masks; what it took them, and which solutions
they found on the way, is written for those of our own. The engine `cpsat` is OR-Tools' own, so of it the masks alone
are written; and of the fewest givens that explain a bomb, which it finds, how many they are.
"""

from __future__ import annotations

from csp_sudoku.board import Board
from csp_sudoku.moves.classification import ENGINES, classify_moves
from csp_sudoku.moves.explaining import explain_move
from csp_sudoku.moves.tracker import MoveTracker
from tests.signature import positions
from tests.signature.digest import line
from tests.signature.positions import SHAPES, name_of

LARGEST = {"naive": 8, "cpsat": 10}
"""The size up to which an engine is run that takes its time."""

TURNS = 8
"""How many values the tracker is given."""


def lines():
    """The lines of this layer."""
    for engine in ENGINES:
        yield from _maps(engine)
    for shape in SHAPES:
        yield from _tracked(shape)
    yield from _explained()


def _maps(engine):
    """The map of every board by an engine."""
    for shape in SHAPES:
        size = shape[0] * shape[1]
        if size > LARGEST.get(engine, 25):
            continue
        for kind, board in positions.boards(shape).items():
            if kind == "sparse" and size > 20 and engine == "search":
                continue  # it takes a second
            yield _mapped(f"{engine} {name_of(shape)} {kind}", classify_moves(board, engine))
    if engine != "cpsat":
        yield _mapped(f"{engine} 2x2 empty", classify_moves(Board.empty(2, 2), engine))


def _mapped(item, found):
    """The line of a map."""
    facts = {
        "solvable": found.solvable,
        "legal": len(found.legal),
        "safe": len(found.safe),
        "bombs": len(found.bombs),
        "safe_masks": found.safe_masks,
        "bomb_masks": found.bomb_masks,
    }
    if found.effort.engine != "cpsat":
        facts |= {
            "solves": found.effort.solves,
            "conflicts": found.effort.conflicts,
            "witnesses": len(found.witnesses),
            "witness_values": found.witnesses,
        }
    return line(item, **facts)


def _tracked(shape):
    """The maps of a game of safe moves, and after a bomb."""
    board, solution = positions.solvable(shape, 0.45)
    tracker = MoveTracker(board)
    item = f"tracker {name_of(shape)}"
    yield _mapped(f"{item} start", tracker.map)
    for number, move in enumerate(positions.fills(board, solution, TURNS)):
        yield _mapped(f"{item} {number}", tracker.place(*move))
    if len(tracker.map.bombs):
        yield _mapped(f"{item} bomb", tracker.place(*tracker.map.bombs[0]))
    yield _mapped(f"{item} back", tracker.move_to(board))


def _explained():
    """The explanations of moves: the first safe ones, the first bombs, an illegal one, and one on a filled cell."""
    for shape in SHAPES[:8]:
        board = positions.solvable(shape, 0.5)[0]
        known = classify_moves(board)
        filled = next(cell for cell, value in enumerate(board.values) if value)
        row, col = board.geometry.row_column(filled)
        empty = next(move for move in known.legal)
        taken = next((v for v in range(1, board.size + 1) if v not in board.candidates(empty.row, empty.col)), 1)
        for move in [*known.safe[:2], *known.bombs[:3], (row, col, 1), (empty.row, empty.col, taken)]:
            found = explain_move(board, *move)
            yield line(
                f"explain {name_of(shape)} {tuple(map(int, move))}",
                verdict=found.verdict,
                solvable=found.solvable,
                completion=found.completion,
                peer=found.peer,
                givens=None if found.clash is None else len(found.clash.givens),
                minimum=None if found.clash is None else found.clash.minimum,
            )
