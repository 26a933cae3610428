"""Rules of every kind that a given full board obeys, drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.outside import diagonal_from, seen_from
from csp_sudoku.constraints.table import CONSTRAINTS
from csp_sudoku.errors import SudokuError
from csp_sudoku.geometry import Geometry

TRIES = 400
"""Maximum number of attempts to draw a rule of a kind."""


@dataclass
class Drawing:
    """A full board, `grid`, on which rules are drawn with `random` numbers; no two rules of a kind share a cell."""

    geometry: Geometry
    grid: bytes
    random: Random
    used: set[int] = field(default_factory=set)
    """The cells of the rules so far."""

    def near(self, cell: int, *, diagonally: bool = True) -> list[int]:
        """The cells around a cell, or only those beside it."""
        row, column = self.geometry.row_column(cell)
        steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r or c) and (diagonally or not r * c)]
        inside = range(self.geometry.size)
        places = [(row + r, column + c) for r, c in steps if row + r in inside and column + c in inside]
        return [self.geometry.cell(*place) for place in places]

    def walk(self, length: int, *, diagonally: bool = True) -> list[int]:
        """A line of up to `length` free cells, each a king's move from the one before, or a rook's."""
        free = [cell for cell in range(self.geometry.cell_count) if cell not in self.used]
        line = [self.random.choice(free)] if free else []
        while line and len(line) < length:
            after = [
                cell
                for cell in self.near(line[-1], diagonally=diagonally)
                if cell not in line and cell not in self.used
            ]
            if not after:
                break
            line.append(self.random.choice(after))
        return line

    def cage(self, count: int) -> list[int]:
        """Up to `count` connected free cells with different values."""
        cells = self.walk(1)
        while cells and len(cells) < count:
            held = {self.grid[cell] for cell in cells}
            beside = {other for cell in cells for other in self.near(cell, diagonally=False)} - {*cells, *self.used}
            fitting = sorted(cell for cell in beside if self.grid[cell] not in held)
            if not fitting:
                break
            cells.append(self.random.choice(fitting))
        return cells

    def pairs(self) -> list[list[int]]:
        """All pairs of neighbours."""
        cells = range(self.geometry.cell_count)
        return [[cell, other] for cell in cells for other in self.near(cell, diagonally=False) if other > cell]

    def sides(self) -> list[tuple[int, ...]]:
        """The rows and columns, seen from both ends, in random order."""
        size = self.geometry.size
        places = [place for at in range(size) for place in ((-1, at), (size, at), (at, -1), (at, size))]
        lines = [seen_from(self.geometry, *place) for place in places]
        self.random.shuffle(lines)
        return lines

    def total(self, cells: Sequence[int]) -> int:
        """The sum of the values of some cells."""
        return sum(self.grid[cell] for cell in cells)

    def holds(self, constraint: Constraint) -> bool:
        """Whether the board obeys a rule."""
        return constraint.check(self.geometry, self.grid)

    def draw(self, propose: Callable[[], Constraint | None], count: int) -> Iterator[Constraint]:
        """Yield up to `count` rules that the board obeys, of those that a function proposes."""
        for _ in range(count):
            proposed = (propose() for _ in range(TRIES))
            found = next((rule for rule in proposed if rule is not None and self.holds(rule)), None)
            if found is None:
                return
            self.used.update(found.scope(self.geometry))
            yield found


Maker = Callable[[Drawing], list[Constraint]]


def _kind(name: str) -> Callable[..., Constraint]:
    return CONSTRAINTS[name]


def _lines(name: str, lengths: Sequence[int], count: int, **more: Any) -> Maker:
    """Lines of these lengths."""

    def make(drawing: Drawing) -> list[Constraint]:
        def propose() -> Constraint | None:
            length = drawing.random.choice(lengths)
            line = drawing.walk(length)
            return _kind(name)(line, **more) if len(line) == length else None

        return list(drawing.draw(propose, count))

    return make


def _growing(name: str, count: int, **more: Any) -> Maker:
    """Lines each of whose beginnings is a line of the kind, too: the longest of several walks."""

    def make(drawing: Drawing) -> list[Constraint]:
        def propose() -> Constraint | None:
            best: Constraint | None = None
            longest = 2
            for _ in range(30):
                line = drawing.walk(7)
                while len(line) > longest and not drawing.holds(_kind(name)(line, **more)):
                    line.pop()
                if len(line) > longest:
                    longest, best = len(line), _kind(name)(line, **more)
            return best

        return list(drawing.draw(propose, count))

    return make


def _cages(drawing: Drawing) -> list[Constraint]:
    """Killer cages, one in ten of them without a sum."""

    def propose() -> Constraint | None:
        cells = drawing.cage(drawing.random.choice((2, 3, 3, 4, 5)))
        total = None if drawing.random.random() < 0.1 else drawing.total(cells)
        return _kind("killer")(cells, total) if len(cells) > 1 else None

    return list(drawing.draw(propose, 22))


def _arrows(drawing: Drawing) -> list[Constraint]:
    """Arrows, some of which have a circle of two cells."""

    def propose() -> Constraint | None:
        line = drawing.walk(drawing.random.choice((3, 4, 4, 5)))
        circle = 2 if drawing.random.random() < 0.1 else 1
        return _kind("arrow")(line[:circle], line[circle:]) if len(line) > circle + 1 else None

    return list(drawing.draw(propose, 11))


def _clones(drawing: Drawing) -> list[Constraint]:
    """Two groups of the same form with the same values."""
    size = drawing.geometry.size

    def propose() -> Constraint | None:
        cells = drawing.walk(drawing.random.choice((2, 3)), diagonally=False)
        down, right = (drawing.random.randrange(-size + 1, size) for _ in range(2))
        places = [drawing.geometry.row_column(cell) for cell in cells]
        moved = [(row + down, column + right) for row, column in places]
        if not down or not right or not all(0 <= row < size and 0 <= column < size for row, column in moved):
            return None
        copies = [drawing.geometry.cell(*place) for place in moved]
        if len(cells) < 2 or set(copies) & {*cells, *drawing.used}:
            return None
        return _kind("clone")(cells, copies)

    return list(drawing.draw(propose, 8))


def _quadruples(drawing: Drawing) -> list[Constraint]:
    """Values around corners."""
    size, used = drawing.geometry.size, set[int]()

    def propose() -> Constraint | None:
        row, column = (drawing.random.randrange(size - 1) for _ in range(2))
        corner = drawing.geometry.cell(row, column)
        cells = [corner, corner + 1, corner + size, corner + size + 1]
        if corner in used:
            return None
        used.add(corner)
        values = [drawing.grid[cell] for cell in drawing.random.sample(cells, drawing.random.choice((2, 3, 4)))]
        return _kind("quadruple")(cells, sorted(values))

    return list(drawing.draw(propose, 16))


def _little_killers(drawing: Drawing) -> list[Constraint]:
    """Sums of diagonals, from all sides."""
    geometry, size = drawing.geometry, drawing.geometry.size
    starts = [(geometry.cell(0, at), 1, right) for at in range(size) for right in (1, -1)]
    starts += [(geometry.cell(size - 1, at), -1, right) for at in range(size) for right in (1, -1)]
    drawing.random.shuffle(starts)
    diagonals = {frozenset(cells): cells for start in starts if len(cells := diagonal_from(geometry, *start)) > 2}
    return [_kind("little-killer")(cells, drawing.total(cells)) for cells in list(diagonals.values())[:16]]


def _clues(name: str, count: int, clue: Callable[[list[int]], int]) -> Maker:
    """Clues outside the board; a function computes the clue for the values of a line."""

    def make(drawing: Drawing) -> list[Constraint]:
        lines = drawing.sides()
        if name == "sandwich":  # it is the same from both ends
            lines = list({frozenset(line): tuple(sorted(line)) for line in lines}.values())
        return [_kind(name)(line, clue([drawing.grid[cell] for cell in line])) for line in lines[:count]]

    return make


def _sandwich(values: list[int]) -> int:
    first, last = sorted((values.index(1), values.index(len(values))))
    return sum(values[first + 1 : last])


def _ranks(drawing: Drawing) -> list[Constraint]:
    """The places of lines in the order of all lines."""
    lines = drawing.sides()
    order = sorted([drawing.grid[cell] for cell in line] for line in lines)
    return [_kind("full-rank")(line, order.index([drawing.grid[cell] for cell in line]) + 1) for line in lines[:24]]


def _cells(name: str, count: int) -> Maker:
    """Marks on single cells that the board obeys."""

    def make(drawing: Drawing) -> list[Constraint]:
        rules = [_kind(name)(cell) for cell in range(drawing.geometry.cell_count)]
        holding = [rule for rule in rules if drawing.holds(rule)]
        return drawing.random.sample(holding, min(count, len(holding)))

    return make


def _one_of(drawing: Drawing) -> list[Constraint]:
    """Cells with three values to choose from."""
    values = range(1, drawing.geometry.size + 1)
    rules = []
    count = drawing.geometry.cell_count
    for cell in drawing.random.sample(range(count), min(40, count // 2)):
        others = drawing.random.sample([value for value in values if value != drawing.grid[cell]], 2)
        rules.append(_kind("one-of")(cell, sorted([drawing.grid[cell], *others])))
    return rules


def _extremes(name: str, sign: int) -> Maker:
    """All cells that are less, or greater, than each of their neighbours."""

    def make(drawing: Drawing) -> list[Constraint]:
        grid = [sign * value for value in drawing.grid]
        cells = range(drawing.geometry.cell_count)
        found = [cell for cell in cells if all(grid[cell] < grid[n] for n in drawing.near(cell, diagonally=False))]
        return [_kind(name)(found)]

    return make


def _dots(name: str, of: Sequence[int], share: float, *, are_all: str = "") -> Maker:
    """Marks between neighbours, a share of all that could be drawn; with `are_all` also the rule on the other pairs."""

    def make(drawing: Drawing) -> list[Constraint]:
        marks = [_kind(name)(pair, number) for pair in drawing.pairs() for number in of]
        marks = [mark for mark in marks if drawing.holds(mark)]
        kept = [mark for mark in marks if drawing.random.random() < share]
        return [*kept, _kind(are_all)([mark.scope(drawing.geometry) for mark in marks], of)] if are_all else kept

    return make


def _greater(drawing: Drawing) -> list[Constraint]:
    """Signs within blocks."""
    block_of = drawing.geometry.block_of
    pairs = [pair for pair in drawing.pairs() if block_of[pair[0]] == block_of[pair[1]]]
    ordered = [sorted(pair, key=lambda cell: -drawing.grid[cell]) for pair in pairs]
    return [_kind("greater")(pair) for pair in ordered if drawing.random.random() < 0.8]


def _different(drawing: Drawing) -> list[Constraint]:
    """Groups of seven cells that hold different values."""

    def propose() -> Constraint | None:
        cells = drawing.cage(7)
        return _kind("different")(cells) if len(cells) == 7 else None

    return list(drawing.draw(propose, 8))


def _regions(drawing: Drawing) -> list[Constraint]:
    """Extra regions."""

    def propose() -> Constraint | None:
        cells = drawing.cage(drawing.geometry.size)
        return _kind("region")(sorted(cells)) if len(cells) == drawing.geometry.size else None

    return list(drawing.draw(propose, 5))


def _balances(drawing: Drawing) -> list[Constraint]:
    """Cages with as many even as odd, and as many low as high values."""

    def propose() -> Constraint | None:
        cells = drawing.cage(drawing.random.choice((4, 6)))
        return _kind("equality-cage")(cells) if len(cells) in (4, 6) else None

    return list(drawing.draw(propose, 12))


def _sums(drawing: Drawing) -> list[Constraint]:
    """Sums with coefficients, compared in every way."""

    def propose() -> Constraint:
        cells = drawing.random.sample(range(drawing.geometry.cell_count), drawing.random.choice((2, 3, 4)))
        coefficients = [drawing.random.choice((-2, -1, 1, 1, 3)) for _ in cells]
        total = sum(c * drawing.grid[cell] for c, cell in zip(coefficients, cells, strict=True))
        relation = drawing.random.choice(("==", "==", "<=", ">="))
        return _kind("sum")(cells, total, relation, coefficients)

    return list(drawing.draw(propose, 18))


def _circles(drawing: Drawing) -> list[Constraint]:
    """Circles: for some values, as many cells as the value says."""
    cells: list[int] = []
    size = drawing.geometry.size
    for value in drawing.random.sample(range(1, size + 1), min(5, size)):
        holding = [cell for cell, held in enumerate(drawing.grid) if held == value]
        cells += drawing.random.sample(holding, value)
    return [_kind("counting-circles")(sorted(cells))]


def _sum_lines(drawing: Drawing) -> list[Constraint]:
    """Lines in parts with the sum N + 1."""
    return _lines("sum-line", (3, 4, 5, 6), 8, total=drawing.geometry.size + 1)(drawing)


def _relations(drawing: Drawing) -> list[Constraint]:
    """Lines on which neighbours add up to a prime number."""
    values = range(1, drawing.geometry.size + 1)
    primes = [(a, b) for a in values for b in values if a + b in (2, 3, 5, 7, 11, 13, 17)]
    return _growing("neighbours", 9, pairs=primes)(drawing)


def _tables(drawing: Drawing) -> list[Constraint]:
    """Rows of three cells with twelve rows of values to choose from."""
    size, rules = drawing.geometry.size, []
    sides = drawing.sides()
    for cells in drawing.random.sample(sides, min(20, len(sides))):
        three = cells[:3]
        rows = [[drawing.random.randint(1, size) for _ in three] for _ in range(11)]
        rules.append(_kind("table")(three, [*rows, [drawing.grid[cell] for cell in three]]))
    return rules


def _automata(drawing: Drawing) -> list[Constraint]:
    """Lines on which no more than two values in a row are odd, or even."""
    size = drawing.geometry.size
    steps = [(state, v, 1 + v % 2 + 2 * (state == 1 + v % 2)) for state in range(5) for v in range(1, size + 1)]
    kept = [step for step in steps if not (step[0] > 2 and (step[0] - 3) == step[1] % 2)]

    def propose() -> Constraint | None:
        line = drawing.walk(6)
        return _kind("automaton")(line, 0, range(5), kept) if len(line) == 6 else None

    return list(drawing.draw(propose, 10))


def _either(drawing: Drawing) -> list[Constraint]:
    """A thermometer one way or the other."""

    def propose() -> Constraint | None:
        line = drawing.walk(4)
        if len(line) < 4:
            return None
        return _kind("any-of")([_kind("thermometer")(line), _kind("thermometer")(line[::-1])])

    return list(drawing.draw(propose, 8))


def _both(drawing: Drawing) -> list[Constraint]:
    """Thermometers whose tip is odd."""

    def propose() -> Constraint | None:
        line = drawing.walk(3)
        return _kind("all-of")([_kind("thermometer")(line), _kind("odd")(line[-1])]) if len(line) == 3 else None

    return list(drawing.draw(propose, 10))


MAKERS: Mapping[str, Maker] = {
    "killer": _cages,
    "equality-cage": _balances,
    "sum": _sums,
    "counting-circles": _circles,
    "thermometer": _growing("thermometer", 8),
    "slow-thermometer": _growing("slow-thermometer", 8),
    "palindrome": _lines("palindrome", (3, 4, 5), 9),
    "clone": _clones,
    "whispers": _growing("whispers", 8),
    "entropic": _growing("entropic", 9),
    "modular": _growing("modular", 9),
    "neighbours": _relations,
    "renban": _lines("renban", (3, 3, 4, 5), 10),
    "nabner": _growing("nabner", 9),
    "between": _lines("between", (4, 5), 9),
    "lockout": _lines("lockout", (4, 5), 9),
    "arrow": _arrows,
    "double-arrow": _lines("double-arrow", (4, 5, 6), 9),
    "region-sum-line": _lines("region-sum-line", (3, 4, 5), 10),
    "zipper": _lines("zipper", (3, 4, 5), 9),
    "sum-line": _sum_lines,
    "difference": _dots("difference", (1,), 0.8),
    "ratio": _dots("ratio", (2,), 0.9),
    "pair-sum": _dots("pair-sum", (5, 10), 0.9),
    "greater": _greater,
    "no-difference": _dots("difference", (1,), 1, are_all="no-difference"),
    "no-ratio": _dots("ratio", (2,), 1, are_all="no-ratio"),
    "no-pair-sum": _dots("pair-sum", (5, 10), 1, are_all="no-pair-sum"),
    "odd": _cells("odd", 20),
    "even": _cells("even", 18),
    "one-of": _one_of,
    "minimum": _extremes("minimum", 1),
    "maximum": _extremes("maximum", -1),
    "quadruple": _quadruples,
    "little-killer": _little_killers,
    "sandwich": _clues("sandwich", 14, _sandwich),
    "x-sum": _clues("x-sum", 16, lambda values: sum(values[: values[0]])),
    "skyscraper": _clues("skyscraper", 22, lambda v: sum(h > max(v[:at], default=0) for at, h in enumerate(v))),
    "numbered-room": _clues("numbered-room", 24, lambda values: values[values[0] - 1]),
    "full-rank": _ranks,
    "row-indexer": _cells("row-indexer", 9),
    "column-indexer": _cells("column-indexer", 9),
    "box-indexer": _cells("box-indexer", 9),
    "different": _different,
    "region": _regions,
    "table": _tables,
    "automaton": _automata,
    "any-of": _either,
    "all-of": _both,
}
"""For each kind of rules on parts of a board, the function that draws them."""

WHOLE: Mapping[str, Sequence[Constraint]] = {
    "diagonal": [_kind("diagonal")(falling) for falling in (True, False)],
    **{
        name: [_kind(name)()]
        for name in (
            "windoku", "disjoint-groups", "global-entropy", "anti-knight", "anti-king", "self-taxicab",
            "non-consecutive",
        )
    },
}  # fmt: skip
"""For each kind of rules on the whole board, the rules."""

KINDS = (*WHOLE, *MAKERS)
"""The kinds of rules that can be drawn."""


def drawn(kind: str, geometry: Geometry, grid: bytes, random: Random) -> list[Constraint]:
    """Return rules of a kind that a full board obeys; `WHOLE` has the rules of the whole board.

    `geometry` is the geometry of the board, `grid` are its values, and `random` is a source of random numbers.
    SudokuError if there are none on such boards.
    """
    if kind in WHOLE:
        return list(WHOLE[kind])
    found = MAKERS[kind](Drawing(geometry, grid, random))
    if not found:
        raise SudokuError(f"expected a kind of rules that boards of {geometry!r} can have; found {kind!r}")
    return found
