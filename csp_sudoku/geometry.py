"""The vocabulary of boards, and their geometry as data.

A **cell** is an index from 0 to N·N - 1, row by row; a **value** is an integer from 1 to N (0 stands for
empty); a **region** is a set of N cells that holds each value once: a row, a column, a block, or an extra region
of a variant (such as a diagonal). Two cells that share a region are **peers**. A **shape** m×n has blocks of m rows
and n columns, and N = m·n.

A `Geometry` consists of these tables only, so a variant needs a new table but no new solver code. It can also carry
**constraints** (`csp_sudoku.constraints`), which express rules that regions cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import chain, combinations, compress
from math import isqrt
from operator import getitem, index
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import ClashError, ShapeError

if TYPE_CHECKING:
    import networkx

MAX_SIZE = 25
"""Maximum of N, the number of values, rows, columns and blocks; a board of 5×5 blocks has it."""

Region = tuple[int, ...]
"""The cells of a region."""


class Rule(Protocol):
    """The interface of a constraint for a geometry and its users; `constraints.base.Constraint` describes it."""

    name: ClassVar[str]

    def require_fits(self, geometry: Geometry) -> None: ...
    def scope(self, geometry: Geometry) -> tuple[int, ...]: ...
    def check(self, geometry: Geometry, values: Sequence[int]) -> bool: ...
    def prune(self, geometry: Geometry, masks: list[int]) -> bool: ...
    def post(self, posting: Any) -> None: ...
    def describe(self, geometry: Geometry) -> str: ...
    def regions(self, geometry: Geometry) -> tuple[Region, ...] | None: ...


class Geometry:
    """The regions and peers of a board. The regions are the rows, the columns, the blocks, and then extra regions.

    `m` and `n` are the numbers of rows and columns of a block. `blocks` are the N blocks, or none for a board without
    blocks. `extra` are further regions (default none). `name` is the name of the geometry (default "m×n", written with
    the letter x). `constraints` are further rules for the values (default none). Two geometries are equal if
    they have the same m, n, blocks, regions and constraints. `Geometry.standard(m, n)` returns the same object for
    every call.

    >>> g = Geometry.standard(2, 3)
    >>> g.size, g.m, g.n, len(g.regions), len(g.peers[0])
    (6, 2, 3, 18, 12)
    >>> g.region_name(12), g.regions[12]
    ('block 1', (0, 1, 2, 6, 7, 8))
    """

    constraints: tuple[Rule, ...]
    """The constraints that regions do not express."""
    plain: Geometry
    """The same geometry without constraints, which is the geometry itself if it has none."""

    def __init__(
        self,
        m: int,
        n: int,
        blocks: Sequence[Region],
        extra: Sequence[Region] = (),
        name: str = "",
        *,
        constraints: Sequence[Rule] = (),
    ) -> None:
        m, n = index(m), index(n)
        size = m * n
        if not 1 <= size <= MAX_SIZE:
            raise ShapeError(f"expected blocks of m rows × n columns with 1 ≤ m·n ≤ {MAX_SIZE}; found {m}×{n}")
        rows = [tuple(range(r * size, (r + 1) * size)) for r in range(size)]
        columns = [tuple(range(c, size * size, size)) for c in range(size)]
        self.m = m
        self.n = n
        self.size = size
        self.cell_count = size * size
        self.name = name or f"{m}x{n}"
        self.regions: tuple[Region, ...] = (*rows, *columns, *blocks, *extra)
        self.block_of: tuple[int, ...] = _block_of(size, blocks)
        """The number of the block of each cell; 0 everywhere on a board without blocks."""
        self._first_extra = 2 * size + len(blocks)
        self.constraints = ()
        self.plain = self
        self._hash = hash((m, n, self.regions))
        for number, region in enumerate(self.regions):
            if len(set(region)) != size or not all(0 <= cell < self.cell_count for cell in region):
                raise ShapeError(f"expected {size} different cells in {self.region_name(number)}; found {region}")
        if constraints:
            self.__dict__.update(Geometry(m, n, blocks, extra, name).with_constraints(*constraints).__dict__)

    @staticmethod
    def standard(m: int, n: int) -> Geometry:
        """The geometry whose blocks have `m` rows and `n` columns; ShapeError if there is no such shape.

        >>> Geometry.standard(7, 7)
        Traceback (most recent call last):
            ...
        csp_sudoku.errors.ShapeError: expected blocks of m rows × n columns with 2 ≤ m, 2 ≤ n and m·n ≤ 25; found 7×7
        """
        m, n = index(m), index(n)  # plain integers, because the result is cached by them
        if not is_shape(m, n):
            raise ShapeError(
                f"expected blocks of m rows × n columns with 2 ≤ m, 2 ≤ n and m·n ≤ {MAX_SIZE}; found {m}×{n}"
            )
        return _standard(m, n)

    @staticmethod
    def diagonal(m: int, n: int) -> Geometry:
        """The geometry whose blocks have `m` rows and `n` columns, with the two long diagonals as extra regions.

        >>> [Geometry.diagonal(2, 2).region_name(r) for r in (12, 13)]
        ['extra region 1', 'extra region 2']
        """
        base = Geometry.standard(m, n)
        size = base.size
        falling = tuple(i * size + i for i in range(size))
        rising = tuple(i * size + size - 1 - i for i in range(size))
        return Geometry(base.m, base.n, base.blocks, (falling, rising), name=f"{base.name} diagonal")

    @staticmethod
    def irregular(layout: Sequence[Sequence[object]]) -> Geometry:
        """The geometry of a jigsaw sudoku. `layout` is N rows of N labels; the cells with the same label are a block.

        >>> Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]).region_name(8)
        'block 1'
        """
        size = len(layout)
        if not 2 <= size <= MAX_SIZE or any(len(row) != size for row in layout):
            raise ShapeError(
                f"expected N rows of N labels, 2 ≤ N ≤ {MAX_SIZE}; found rows of {[len(row) for row in layout]}"
            )
        pieces: dict[object, list[int]] = {}
        for cell, label in enumerate(label for row in layout for label in row):
            pieces.setdefault(label, []).append(cell)
        sizes = sorted(len(piece) for piece in pieces.values())
        if sizes != [size] * size:
            raise ShapeError(f"expected {size} pieces of {size} cells; found pieces of {sizes}")
        return Geometry(1, size, [tuple(piece) for piece in pieces.values()], name=f"irregular {size}")

    @staticmethod
    def latin(size: int) -> Geometry:
        """The geometry of a Latin square: `size` rows and columns, from 1 to 25, without blocks.

        >>> g = Geometry.latin(5)
        >>> g, g.blocks, len(g.regions)
        (<Geometry latin 5>, (), 10)
        """
        return Geometry(1, index(size), (), name=f"latin {size}")

    def with_constraints(self, *constraints: Rule) -> Geometry:
        """This geometry with these further `constraints`; ConstraintError if one of them does not fit.

        >>> from csp_sudoku.constraints.cages import Killer
        >>> g = Geometry.standard(2, 2).with_constraints(Killer([0, 1], 3))
        >>> g, g == Geometry.standard(2, 2), g.plain is Geometry.standard(2, 2)
        (<Geometry 2x2 with 1 constraint>, False, True)
        """
        if not constraints:
            return self
        for constraint in constraints:
            constraint.require_fits(self.plain)
        _ = self.plain.peers, self.plain.regions_of  # computed once, and shared by all geometries made from it
        made = Geometry.__new__(Geometry)
        made.__dict__.update(self.__dict__)
        made.constraints = (*self.constraints, *constraints)
        count = len(made.constraints)
        made.name = f"{self.plain.name} with {count} constraint{'' if count == 1 else 's'}"
        made._hash = hash((self.plain, made.constraints))
        return made

    @property
    def is_standard(self) -> bool:
        """Whether this is a plain shape m×n, without variant."""
        return self.m >= 2 and self is _standard(self.m, self.n)

    @property
    def blocks(self) -> tuple[Region, ...]:
        """The N block regions; none on a board without blocks."""
        return self.regions[2 * self.size : self._first_extra]

    @property
    def extra(self) -> tuple[Region, ...]:
        """The extra regions."""
        return self.regions[self._first_extra :]

    def region_name(self, region: int) -> str:
        """The name of a region for people, such as "row 3" or "block 1". Its number counts from 1, `region` from 0.

        >>> Geometry.standard(3, 3).region_name(17)
        'column 9'
        """
        if region >= self._first_extra:
            return f"extra region {region - self._first_extra + 1}"
        kind, number = divmod(region, self.size)
        return f"{('row', 'column', 'block')[kind]} {number + 1}"

    @cached_property
    def regions_of(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the numbers of its regions in ascending order."""
        found: list[list[int]] = [[] for _ in range(self.cell_count)]
        for number, region in enumerate(self.regions):
            for cell in region:
                found[cell].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the other cells of its regions in ascending order."""
        return tuple(
            tuple(sorted({peer for number in numbers for peer in self.regions[number]} - {cell}))
            for cell, numbers in enumerate(self.regions_of)
        )

    @cached_property
    def _claims(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each cell and value, a number for each region of the cell; it stands for "this region has this value"."""
        step = self.size + 1
        shared = tuple(range(len(self.regions) * step))  # sharing the integer objects saves megabytes on 5×5
        return tuple(
            tuple(tuple([shared[region * step + value] for region in regions]) for value in range(step))
            for regions in self.regions_of
        )

    def cell(self, row: int, column: int) -> int:
        """The cell at `row` and `column`, both counted from 0."""
        return index(row) * self.size + index(column)

    def row_column(self, cell: int) -> tuple[int, int]:
        """The row and the column of `cell`, all three counted from 0."""
        return divmod(cell, self.size)

    def clash(self, cells: Sequence[int]) -> tuple[int, int, int] | None:
        """The first clash of a board as (region, cell, cell), or None; the second cell repeats the value of the first.

        `cells` are the N·N values of the board, where 0 stands for an empty cell.

        >>> Geometry.standard(2, 2).clash([0, 3, 0, 3] + [0] * 12)
        (0, 1, 3)
        """
        claims = list(chain.from_iterable(map(getitem, compress(self._claims, cells), filter(None, cells))))
        if len(set(claims)) == len(claims):
            return None
        for number, region in enumerate(self.regions):
            seen: dict[int, int] = {}
            for cell in region:
                value = cells[cell]
                if value and value in seen:
                    return number, seen[value], cell
                seen[value] = cell
        return None

    def require_no_clash(self, cells: Sequence[int]) -> None:
        """Raise ClashError if a region holds a value twice; `cells` are the N·N values of the board, 0 for empty.

        >>> Geometry.standard(2, 2).require_no_clash([0, 3, 0, 3] + [0] * 12)
        Traceback (most recent call last):
            ...
        csp_sudoku.errors.ClashError: expected each value once in row 1; found 3 at r1c2 and at r1c4
        """
        found = self.clash(cells)
        if found is not None:
            region, first, second = found
            raise ClashError(
                f"expected each value once in {self.region_name(region)}; found {cells[first]} "
                f"at {cell_name(*self.row_column(first))} and at {cell_name(*self.row_column(second))}"
            )

    def violated(self, cells: Sequence[int]) -> Rule | None:
        """The first constraint that a full board violates, or None; `cells` are its N·N values.

        >>> from csp_sudoku.constraints.cages import Killer
        >>> g = Geometry.standard(2, 2).with_constraints(Killer([0, 1], 4))
        >>> g.violated([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
        Killer(cells=(0, 1), total=4)
        """
        if not self.constraints:
            return None
        values = [int(value) for value in cells]  # plain integers, because numpy's small integers would overflow
        return next((one for one in self.constraints if not one.check(self, values)), None)

    def graph(self) -> networkx.Graph:  # type: ignore[type-arg] # not subscriptable when the docs are built
        """The constraint graph, which has a node for each cell and an edge between each two peers.

        >>> graph = Geometry.standard(3, 3).graph()
        >>> graph.number_of_nodes(), graph.number_of_edges()
        (81, 810)
        """
        import networkx

        graph: networkx.Graph[int] = networkx.Graph()
        graph.add_nodes_from(range(self.cell_count))
        graph.add_edges_from(edge for region in self.regions for edge in combinations(region, 2))
        return graph

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Geometry):
            return NotImplemented
        return (
            self._hash == other._hash
            and (self.m, self.n, self._first_extra) == (other.m, other.n, other._first_extra)
            and self.regions == other.regions
            and self.constraints == other.constraints
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<Geometry {self.name}>"

    def __reduce__(self) -> tuple[object, ...]:
        if self.is_standard:
            return _standard, (self.m, self.n)
        if self.constraints:
            return _constrained, (self.plain, self.constraints)
        return Geometry, (self.m, self.n, self.blocks, self.extra, self.name)


@cache
def _standard(m: int, n: int) -> Geometry:
    size = m * n
    blocks = [
        tuple((top + r) * size + left + c for r in range(m) for c in range(n))
        for top in range(0, size, m)
        for left in range(0, size, n)
    ]
    return Geometry(m, n, blocks)


def _constrained(plain: Geometry, constraints: tuple[Rule, ...]) -> Geometry:
    return plain.with_constraints(*constraints)


def _block_of(size: int, blocks: Sequence[Region]) -> tuple[int, ...]:
    if not blocks:
        return (0,) * (size * size)
    owner = [-1] * (size * size)
    for number, block in enumerate(blocks):
        for cell in block:
            if 0 <= cell < size * size:
                owner[cell] = number
    if len(blocks) != size or -1 in owner:
        raise ShapeError(f"expected {size} blocks that cover every cell once; found {len(blocks)}")
    return tuple(owner)


def is_shape(m: int, n: int) -> bool:
    """Whether m×n is a shape, which requires 2 ≤ m, 2 ≤ n and m·n ≤ 25."""
    return m >= 2 and n >= 2 and m * n <= MAX_SIZE


def shapes() -> Iterator[tuple[int, int]]:
    """Yield every shape (m, n), ordered by size and then by m.

    >>> list(shapes())[:5], len(list(shapes()))
    ([(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)], 38)
    """
    for size in range(4, MAX_SIZE + 1):
        for m in range(2, size):
            if size % m == 0 and is_shape(m, size // m):
                yield m, size // m


def default_shape(size: int) -> tuple[int, int]:
    """The default shape of a board with N values: its blocks are as square as possible, and not higher than wide.

    ShapeError if no shape has this size.

    >>> default_shape(9), default_shape(6), default_shape(12), default_shape(20)
    ((3, 3), (2, 3), (3, 4), (4, 5))
    >>> default_shape(7)
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.ShapeError: expected a board size among 4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 22, 24, 25; \
found 7
    """
    for m in range(isqrt(size) if size > 0 else 0, 1, -1):
        if size % m == 0 and is_shape(m, size // m):
            return m, size // m
    sizes = sorted({m * n for m, n in shapes()})
    raise ShapeError(f"expected a board size among {', '.join(map(str, sizes))}; found {size}")
