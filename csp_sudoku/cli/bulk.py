"""Solving files of 81-character lines as arrays, thousands of puzzles at a time, without an object per puzzle.

`csp-sudoku solve --to line` and `--json` use this as long as the lines are plain and solved. Everything else (other
notations, comments, mistakes, puzzles without a solution) is solved puzzle by puzzle, with the same output.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO, TextIOBase
from itertools import islice
from typing import TYPE_CHECKING

from csp_sudoku.board import Board
from csp_sudoku.cli.answers import Totals
from csp_sudoku.cli.inputs import BoardSource, Puzzle
from csp_sudoku.notation import opened, read, read_on
from csp_sudoku.notation.line_arrays import LineArrays, lines_of
from csp_sudoku.solvers.auto import NINE
from csp_sudoku.solvers.nine.batch import Batch, search_batch
from csp_sudoku.solvers.parallel import Threads, in_order

if TYPE_CHECKING:
    from typing import BinaryIO

    import numpy as np
    from numpy.typing import NDArray

    from csp_sudoku.notation import Grid
    from csp_sudoku.solvers.base import NineSolver, Result

Solve = Callable[[Iterable[Puzzle]], Iterator[tuple[Puzzle, "Result"]]]
"""A function that solves puzzles one by one, and yields each with its result, in order."""


@dataclass(frozen=True, slots=True)
class SolvedBlock:
    """A run of solved puzzles of one source."""

    source: str
    """The name of the source."""
    first: int
    """The number of the first puzzle, from 1."""
    cells: NDArray[np.uint8]
    """The puzzles, a row for each."""
    batch: Batch
    """The solutions with their evidence, a row for each puzzle."""
    solver: NineSolver
    """The solver that has solved them."""

    def count_in(self, totals: Totals) -> None:
        """Count the puzzles in the totals of a command.

        A batch has only the mean time, so the puzzle with the most nodes is solved once more to measure its time.
        """
        place = int(self.batch.nodes().argmax())
        worst = self.solver.solve(Board.trusted(NINE, self.cells[place].tobytes())).stats.solve_seconds
        count, mean = len(self.cells), self.batch.seconds_each
        totals.add_run("solved", count, count * mean, max(mean, worst), f"{self.source}, puzzle {self.first + place}")

    def lines(self) -> str:
        """The solutions in the notation `line`, without the last line end."""
        return lines_of(self.batch.solutions)[:-1].decode()

    def objects(self) -> str:
        """The lines that `cli.answers.as_object` would give for the results, without the last line end."""
        head = f'{{"status": "solved", "rows": {NINE.m}, "columns": {NINE.n}, "solution": '
        name, options = json.dumps(self.solver.name), json.dumps(dict(self.solver.options))
        middle = f', "solutions": null, "solver": {name}, "options": {options}, "nodes": '
        tail = f', "build_seconds": 0.0, "solve_seconds": {json.dumps(self.batch.seconds_each)}}}'
        counters = self.batch.info.tolist()
        return "\n".join(
            [
                f'{head}{solution}{middle}{nodes}, "backtracks": {backtracks}{tail}'
                for solution, (_, _, nodes, backtracks, _) in zip(_rows(self.batch.solutions), counters, strict=True)
            ]
        )


def _rows(solutions: NDArray[np.uint8]) -> list[str]:
    """The JSON of each solution as a list of rows. All have the same length and differ only in the digits."""
    import numpy as np

    pattern = json.dumps([[0] * NINE.size] * NINE.size).encode()
    digits = [place for place, character in enumerate(pattern) if character == ord("0")]
    texts = np.tile(np.frombuffer(pattern, np.uint8), (len(solutions), 1))
    texts[:, digits] = solutions + ord("0")
    return texts.view(f"S{len(pattern)}").ravel().astype(str).tolist()


def answers(
    source: BoardSource, solver: NineSolver, jobs: int, solve: Solve
) -> Iterator[SolvedBlock | tuple[Puzzle, Result]]:
    """Yield the answers about all puzzles of a source, in order: runs of solved ones, and the others one by one.

    `jobs` threads search. `solve` solves the puzzles outside of runs.
    """
    for found in source.arguments():
        if found.path is None or found.name is not None or found.is_array:
            grids = found.grids(source.format, source.shape) if found.is_array else found.grids()
            yield from source.in_turn(solve(source.numbered(grids, found.source)))
        else:
            with source.noting(found.source), opened(found.path) as stream:
                yield from _of_stream(source, found.source, stream, solver, jobs, solve)
        yield from source.in_turn(())  # prints the remaining complaints


def _of_stream(
    source: BoardSource, name: str, stream: BinaryIO, solver: NineSolver, jobs: int, solve: Solve
) -> Iterator[SolvedBlock | tuple[Puzzle, Result]]:
    """Yield the answers about the puzzles of one stream."""
    number = 1
    rest: BinaryIO | None = stream
    if not isinstance(stream, TextIOBase):
        arrays = LineArrays(stream, NINE.cell_count)
        for cells, batch in _searches(arrays, solver.nine_node_limit, jobs):
            for start, end, is_solved in _stretches(batch):
                if is_solved:
                    yield SolvedBlock(name, number + start, cells[start:end], batch.rows(start, end), solver)
                    continue
                line = BytesIO(lines_of(cells[start:end]))
                line.name = stream.name
                yield from _one_by_one(source, name, read_on(line, "line", number + start - 1), number + start, solve)
                if NINE.clash(cells[start].tobytes()) is not None:
                    return  # a mistake ends the file
            number += len(cells)
        rest = arrays.rest or (None if arrays.lines else stream)
    if rest is not None:
        grids = read_on(rest, "line", number - 1) if number > 1 else read(rest, source.format)
        yield from _one_by_one(source, name, grids, number, solve)


def _one_by_one(
    source: BoardSource, name: str, grids: Iterator[Grid], number: int, solve: Solve
) -> Iterator[tuple[Puzzle, Result]]:
    """Yield the answers about the boards of a stream; `number` is the number of the first one."""
    return source.in_turn(solve(source.numbered(grids, name, number)))


def _searches(arrays: LineArrays, node_limit: int, jobs: int) -> Iterator[tuple[NDArray[np.uint8], Batch]]:
    """Yield each array with its batch."""

    def search(cells: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Batch]:
        return cells, search_batch(cells, 1, node_limit)

    if jobs == 1:
        yield from map(search, arrays)
    else:
        tables = iter(arrays)
        yield from map(search, islice(tables, 1))  # loads the kernel once
        with Threads(jobs) as threads:
            yield from in_order(threads.executor, search, tables)


def _stretches(batch: Batch) -> Iterator[tuple[int, int, bool]]:
    """Yield the rows of a batch as (start, end, is_solved): runs of solved rows, and other rows one by one."""
    start = 0
    for place in (batch.found() == 0).nonzero()[0].tolist():
        if start < place:
            yield start, place, True
        yield place, place + 1, False
        start = place + 1
    if start < len(batch.info):
        yield start, len(batch.info), True
