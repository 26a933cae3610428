"""Make the boards with rules in variants/ again: python -m csp_sudoku.boards.make_variants [--check] [KIND ...]

Each file has puzzles of one kind of rules, in the notation `variant`, each with its solution. A puzzle begins as a
random full board on which rules are drawn that it obeys; then values are taken away while one solution is left. Where
that takes CP-SAT more than CONFLICTS conflicts, the value stays, so another version of OR-Tools may leave a few values
more or fewer. With --check, nothing is made: every file must be there and be read, and each puzzle must have rules of
its kind and its solution as the only one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from csp_sudoku import Board, Geometry, Limits, Status, get_solver, notation
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.puzzles.rule_makers import MAKERS, WHOLE, Drawing

FOLDER = Path(__file__).parent / "variants"
SEED = 1
COUNT = 3
"""How many puzzles of each kind there are."""
CONFLICTS = 3000
"""How many conflicts CP-SAT may take to show that a value can be taken away."""

MIXED = (
    ("killer", "thermometer", "arrow"),
    ("renban", "whispers", "difference", "ratio"),
    ("sandwich", "little-killer", "quadruple"),
)
"""The kinds of the puzzles with several kinds of rules."""
GEOMETRIES = ("jigsaw", "latin")
"""Boards with other regions, on which killer cages are drawn."""
KINDS = (*WHOLE, *MAKERS, *GEOMETRIES, "mixed")


def geometry_of(kind: str, random: Random) -> Geometry:
    """The board of a kind, 9×9, without its rules."""
    if kind == "latin":
        return Geometry.latin(9)
    return _jigsaw(random) if kind == "jigsaw" else Geometry.standard(3, 3)


def _jigsaw(random: Random) -> Geometry:
    """Nine pieces that hang together, made from blocks by swapping cells at their borders."""
    size = 9
    label = [cell // size // 3 * 3 + cell % size // 3 for cell in range(size * size)]

    def beside(cell: int) -> list[int]:
        row, column = divmod(cell, size)
        places = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [r * size + c for r, c in places if 0 <= r < size and 0 <= c < size]

    def hang_together(piece: int) -> bool:
        cells = {cell for cell, mine in enumerate(label) if mine == piece}
        reached = [min(cells)]
        for cell in reached:
            reached += [other for other in beside(cell) if other in cells and other not in reached]
        return len(reached) == size

    for _ in range(3000):
        cell, other = random.sample(range(size * size), 2)
        first, second = label[cell], label[other]
        touches = any(label[n] == second for n in beside(cell)) and any(label[n] == first for n in beside(other))
        if first == second or not touches:
            continue
        label[cell], label[other] = second, first
        if not (hang_together(first) and hang_together(second)):
            label[cell], label[other] = first, second
    return Geometry.irregular([label[at : at + size] for at in range(0, size * size, size)])


def full_board(geometry: Geometry, random: Random) -> Board:
    """A random full board that obeys the rules of a geometry: cell by cell a random value of those that are left.

    Only whether boards can be completed matters, so it is the same whatever solver says that.
    """
    solver = get_solver("auto")
    board = Board.trusted(geometry, bytes(geometry.cell_count))
    solution = solver.solve(board).solution
    assert solution is not None
    for cell in random.sample(range(geometry.cell_count), geometry.cell_count):
        place = geometry.row_column(cell)
        values = list(board.candidates(*place))
        random.shuffle(values)
        for value in values:
            tried = board.place(*place, value)
            found = solution if solution.extends(tried) else solver.solve(tried).solution
            if found is not None:
                board, solution = tried, found
                break
    return board


def thinned(board: Board, random: Random) -> Board:
    """The board with as many values taken away, in random order, as can be with one solution left."""
    solver, cells = get_solver("auto"), list(range(board.geometry.cell_count))
    random.shuffle(cells)
    at, width = 0, 27
    while at < len(cells):
        group = cells[at : at + width]
        fewer = board.without(group)
        found = solver.count(fewer, 2, Limits(nodes=CONFLICTS))
        if found.status is Status.SOLVED and found.solutions == 1:
            board, at, width = fewer, at + len(group), width * 2
        elif width > 1:
            width = max(1, min(width, len(group)) // 3)
        else:
            at += 1
    return board


def puzzle(kind: str, number: int) -> tuple[Board, Board]:
    """The puzzle of a kind with this number, from 0, and its solution."""
    random = Random(f"{SEED} {kind} {number}")
    plain = geometry_of(kind, random)
    rules: list[Constraint] = list(WHOLE.get(kind, ()))
    solution = full_board(plain.with_constraints(*rules), random)
    kinds = MIXED[number % len(MIXED)] if kind == "mixed" else ("killer",) if kind in GEOMETRIES else (kind,)
    for each in kinds:
        if each in MAKERS:
            drawn: list[Constraint] = []
            while not drawn:
                drawn = MAKERS[each](Drawing(plain, solution.values, random))
            rules += drawn[: max(1, 2 * len(drawn) // (1 + len(kinds)))]
    geometry = plain.with_constraints(*rules)
    solution = Board(geometry, solution.values)
    return thinned(solution, random), solution


def text_of(kind: str) -> str:
    """The file of a kind."""
    parts = [f"# Made by `python -m csp_sudoku.boards.make_variants {kind}`: puzzles with one solution."]
    for number in range(COUNT):
        board, solution = puzzle(kind, number)
        details = notation.Details(title=f"{kind} {number + 1}", solution=solution.values)
        grid = notation.Grid.on(board.geometry, board.values, details)
        parts.append(notation.format_grid(grid, "variant"))
    return "\n\n".join(parts) + "\n"


def grids_of(kind: str) -> list[notation.Grid]:
    """The puzzles in the file of a kind; none if there is no file."""
    path = FOLDER / f"{kind}.txt"
    if not path.exists():
        return []
    with path.open("rb") as stream:
        return list(notation.read(stream, "variant"))


def faults(kind: str) -> Iterator[str]:
    """Yield what is wrong with the file of a kind."""
    path, grids = FOLDER / f"{kind}.txt", grids_of(kind)
    if len(grids) != COUNT:
        yield f"{path.name}: expected {COUNT} puzzles; found {len(grids)}"
    for number, grid in enumerate(grids, 1):
        board = Board.trusted(grid.geometry, grid.values)
        names = {rule.name for rule in board.geometry.constraints}
        if kind not in names and kind not in (*GEOMETRIES, "mixed"):
            yield f"{path.name}, puzzle {number}: expected rules of its kind; found {sorted(names)}"
        found = get_solver("auto").count(board, 2)
        if found.solutions != 1 or found.solution is None or found.solution.values != grid.details.solution:
            yield f"{path.name}, puzzle {number}: expected the solution as the only one; found {found.solutions}"


def main() -> int:
    """Write the files, or with --check look at them; return the exit code."""
    asked = [word for word in sys.argv[1:] if word != "--check"] or list(KINDS)
    if unknown := [kind for kind in asked if kind not in KINDS]:
        print(f"expected kinds of rules; found {', '.join(unknown)}")
        return 2
    if "--check" in sys.argv[1:]:
        wrong = [fault for kind in asked for fault in faults(kind)]
        print("\n".join(wrong) if wrong else f"all {len(asked)} files hold puzzles with one solution")
        return 1 if wrong else 0
    FOLDER.mkdir(exist_ok=True)
    for kind in asked:
        (FOLDER / f"{kind}.txt").write_text(text_of(kind), encoding="utf-8")
    print(f"{len(asked)} files written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
