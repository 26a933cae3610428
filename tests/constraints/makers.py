"""Random constraints of every kind, about half of which a given full board satisfies."""

from __future__ import annotations

from csp_sudoku.constraints.cages import RELATIONS
from csp_sudoku.constraints.outside import diagonal_from, seen_from
from csp_sudoku.constraints.table import CONSTRAINTS


def some_cells(geometry, random, least=2, most=4):
    """A few different cells, in any order."""
    return random.sample(range(geometry.cell_count), random.randint(least, min(most, geometry.size)))


def some_line(geometry, random, least=2, most=5):
    """A line of different cells, each a king's move from the one before."""
    while True:
        line = [random.randrange(geometry.cell_count)]
        for _ in range(random.randint(least, most) - 1):
            row, column = geometry.row_column(line[-1])
            near = [
                geometry.cell(r, c)
                for r in range(max(0, row - 1), min(geometry.size, row + 2))
                for c in range(max(0, column - 1), min(geometry.size, column + 2))
            ]
            free = [cell for cell in near if cell not in line]
            if not free:
                break
            line.append(random.choice(free))
        if len(line) >= least:
            return line


def some_pair(geometry, random):
    """Two neighbours."""
    while True:
        first, second = some_line(geometry, random, 2, 2)
        if abs(first - second) in (1, geometry.size):
            return [first, second]


def some_row(geometry, random):
    """A row or a column, seen from either end."""
    size = geometry.size
    side, at = random.randrange(4), random.randrange(size)
    return seen_from(geometry, *((-1, at), (size, at), (at, -1), (at, size))[side])


def some_diagonal(geometry, random):
    """A diagonal that starts in the first row or column."""
    return diagonal_from(geometry, random.randrange(geometry.size), 1, random.choice([-1, 1]))


def near(random, number):
    """The number, or another one that is not far from it."""
    return number if random.random() < 0.6 else max(1, number + random.randint(-2, 2))


def total_of(grid, cells):
    """The sum of the values of some cells."""
    return sum(grid[cell] for cell in cells)


def seen_in(grid, cells):
    """How many values are higher than all before them."""
    values = [grid[cell] for cell in cells]
    return sum(value > max(values[:at], default=0) for at, value in enumerate(values))


def between_in(grid, cells, size):
    """The sum of the values between 1 and N."""
    values = [grid[cell] for cell in cells]
    first, last = sorted((values.index(1), values.index(size)))
    return sum(values[first + 1 : last])


def of_cell(kind):
    """A constraint on one random cell."""
    return lambda geometry, random, grid: kind(random.randrange(geometry.cell_count))


def of_board(kind):
    """A constraint without parameters."""
    return lambda geometry, random, grid: kind()


def of_line(kind, least=2, most=5):
    """A constraint on a random line."""
    return lambda geometry, random, grid: kind(some_line(geometry, random, least, most))


def of_pair(kind):
    """A constraint on two neighbours."""
    return lambda geometry, random, grid: kind(some_pair(geometry, random))


def some_marks(geometry, random):
    """A few pairs of neighbours."""
    return [some_pair(geometry, random) for _ in range(random.randint(0, 6))]


def killer(geometry, random, grid):
    """A cage of cells that differ in the grid, with a sum or without."""
    cells = some_cells(geometry, random, 1, 5)
    total = None if random.random() < 0.2 else near(random, total_of(grid, cells))
    return CONSTRAINTS["killer"](cells, total)


def linear(geometry, random, grid):
    """A sum with coefficients."""
    cells = some_cells(geometry, random, 1, 4)
    coefficients = [random.choice([-2, -1, 1, 1, 3]) for _ in cells] if random.random() < 0.6 else []
    total = sum(c * grid[cell] for c, cell in zip(coefficients or [1] * len(cells), cells, strict=True))
    return CONSTRAINTS["sum"](cells, total + random.randint(-1, 1), random.choice(RELATIONS), coefficients)


def arrow(geometry, random, grid):
    """An arrow, whose circle is sometimes a pill."""
    line = some_line(geometry, random, 3, 6)
    circle = 1 if random.random() < 0.7 or len(line) < 4 else 2
    return CONSTRAINTS["arrow"](line[:circle], line[circle:])


def clone(geometry, random, grid):
    """Two groups of cells."""
    cells = some_cells(geometry, random, 2, 4)
    half = len(cells) // 2
    return CONSTRAINTS["clone"](cells[:half], cells[half : 2 * half])


def quadruple(geometry, random, grid):
    """Values around a corner, mostly of the grid."""
    size = geometry.size
    corner = geometry.cell(random.randrange(size - 1), random.randrange(size - 1))
    cells = [corner, corner + 1, corner + size, corner + size + 1]
    values = [grid[cell] for cell in random.sample(cells, random.randint(1, 4))]
    if random.random() < 0.3:
        values[0] = random.randint(1, size)
    return CONSTRAINTS["quadruple"](cells, values)


def equality_cage(geometry, random, grid):
    """A cage of two or four cells."""
    return CONSTRAINTS["equality-cage"](random.sample(range(geometry.cell_count), random.choice([2, 4])))


def table(geometry, random, grid):
    """Some rows of values, among them mostly that of the grid."""
    cells = some_cells(geometry, random, 1, 3)
    rows = [[random.randint(1, geometry.size) for _ in cells] for _ in range(random.randint(1, 12))]
    if random.random() < 0.7:
        rows.append([grid[cell] for cell in cells])
    return CONSTRAINTS["table"](cells, rows, random.random() < 0.7)


def automaton(geometry, random, grid):
    """A random automaton with three states."""
    steps = {(state, value): random.randrange(3) for state in range(3) for value in range(1, geometry.size + 1)}
    transitions = [(*key, after) for key, after in steps.items() if random.random() < 0.8]
    return CONSTRAINTS["automaton"](some_line(geometry, random), 0, [random.randrange(3)], transitions)


def some_small(geometry, random, grid):
    """A constraint of one of the simple kinds."""
    name = random.choice(["odd", "killer", "thermometer", "difference", "renban", "arrow", "sum-line", "between"])
    return MAKERS[name](geometry, random, grid)


def combined(name):
    """Two or three constraints of simple kinds."""

    def make(geometry, random, grid):
        return CONSTRAINTS[name]([some_small(geometry, random, grid) for _ in range(random.randint(2, 3))])

    return make


C = CONSTRAINTS
MAKERS = {
    "different": lambda g, r, grid: C["different"](some_cells(g, r)),
    "region": lambda g, r, grid: C["region"](r.sample(range(g.cell_count), g.size)),
    "diagonal": lambda g, r, grid: C["diagonal"](r.random() < 0.5),
    "windoku": of_board(C["windoku"]),
    "disjoint-groups": of_board(C["disjoint-groups"]),
    "global-entropy": of_board(C["global-entropy"]),
    "anti-knight": of_board(C["anti-knight"]),
    "anti-king": of_board(C["anti-king"]),
    "self-taxicab": of_board(C["self-taxicab"]),
    "killer": killer,
    "equality-cage": equality_cage,
    "sum": linear,
    "counting-circles": lambda g, r, grid: C["counting-circles"](r.sample(range(g.cell_count), r.randint(1, 7))),
    "thermometer": of_line(C["thermometer"], 2, 4),
    "slow-thermometer": of_line(C["slow-thermometer"], 2, 4),
    "palindrome": of_line(C["palindrome"]),
    "clone": clone,
    "whispers": lambda g, r, grid: C["whispers"](some_line(g, r, 2, 4), r.choice([None, 1, 2, 3])),
    "entropic": of_line(C["entropic"]),
    "modular": lambda g, r, grid: C["modular"](some_line(g, r), r.choice([2, 3])),
    "neighbours": lambda g, r, grid: C["neighbours"](
        some_line(g, r), [(a, b) for a in range(1, g.size + 1) for b in range(1, g.size + 1) if r.random() < 0.6]
    ),
    "renban": of_line(C["renban"], 2, 4),
    "nabner": of_line(C["nabner"], 2, 3),
    "between": of_line(C["between"], 2, 4),
    "lockout": lambda g, r, grid: C["lockout"](some_line(g, r, 2, 4), r.choice([None, 0, 1, 2])),
    "arrow": arrow,
    "double-arrow": of_line(C["double-arrow"], 3, 5),
    "region-sum-line": of_line(C["region-sum-line"], 2, 6),
    "zipper": of_line(C["zipper"], 3, 6),
    "sum-line": lambda g, r, grid: C["sum-line"](
        (line := some_line(g, r, 2, 6)) + line[: r.randint(0, 1)], r.choice([None, 5, 6])
    ),
    "difference": lambda g, r, grid: C["difference"](some_pair(g, r), r.choice([1, 1, 2])),
    "ratio": lambda g, r, grid: C["ratio"](some_pair(g, r), r.choice([2, 2, 3])),
    "pair-sum": lambda g, r, grid: C["pair-sum"](some_pair(g, r), r.randint(3, g.size + 2)),
    "greater": of_pair(C["greater"]),
    "non-consecutive": of_board(C["non-consecutive"]),
    "no-difference": lambda g, r, grid: C["no-difference"](some_marks(g, r), r.choice([(1,), (2,), (3,)])),
    "no-ratio": lambda g, r, grid: C["no-ratio"](some_marks(g, r), r.choice([(2,), (3,), (2, 3)])),
    "no-pair-sum": lambda g, r, grid: C["no-pair-sum"](some_marks(g, r), r.choice([(5,), (5, 7)])),
    "odd": of_cell(C["odd"]),
    "even": of_cell(C["even"]),
    "one-of": lambda g, r, grid: C["one-of"](r.randrange(g.cell_count), r.sample(range(1, g.size + 1), 2)),
    "minimum": lambda g, r, grid: C["minimum"](some_cells(g, r, 1, 3)),
    "maximum": lambda g, r, grid: C["maximum"](some_cells(g, r, 1, 3)),
    "quadruple": quadruple,
    "little-killer": lambda g, r, grid: C["little-killer"](
        cells := some_diagonal(g, r), near(r, total_of(grid, cells))
    ),
    "sandwich": lambda g, r, grid: C["sandwich"](cells := some_row(g, r), near(r, between_in(grid, cells, g.size))),
    "x-sum": lambda g, r, grid: C["x-sum"](cells := some_row(g, r), near(r, total_of(grid, cells[: grid[cells[0]]]))),
    "skyscraper": lambda g, r, grid: C["skyscraper"](cells := some_row(g, r), near(r, seen_in(grid, cells))),
    "numbered-room": lambda g, r, grid: C["numbered-room"](some_row(g, r), r.randint(1, g.size)),
    "full-rank": lambda g, r, grid: C["full-rank"](some_row(g, r), r.randint(1, 4 * g.size)),
    "row-indexer": of_cell(C["row-indexer"]),
    "column-indexer": of_cell(C["column-indexer"]),
    "box-indexer": of_cell(C["box-indexer"]),
    "table": table,
    "automaton": automaton,
    "any-of": combined("any-of"),
    "all-of": combined("all-of"),
}
"""For each name, a function of a geometry, a source of random numbers and a full grid that makes a constraint."""

THIRDS = ("entropic", "global-entropy")
"""The constraints that need a number of values that 3 divides."""
