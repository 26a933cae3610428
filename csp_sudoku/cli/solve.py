"""csp-sudoku solve: find a solution of each board with its statistics, or the proof that there is none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.answers import CODES, Totals, as_object, as_text, verdict
from csp_sudoku.cli.codes import INTERRUPTED, worst
from csp_sudoku.cli.inputs import (
    BoardSource,
    Puzzle,
    format_name,
    json_option,
    reads_boards,
    setting,
    solver_name,
    time_limit_option,
    whole,
)
from csp_sudoku.cli.interrupt import begin_line, on_interrupt
from csp_sudoku.cli.legend import named
from csp_sudoku.cli.output import complain, remark, say
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import OptionError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.notation import Grid
    from csp_sudoku.solvers.base import Limits, Result, Solver


@click.command(
    "solve",
    short_help="Solve boards, or prove that they have no solution.",
    epilog="""\b
Examples:
  csp-sudoku solve puzzles.txt
  csp-sudoku solve hard-3x3
  csp-sudoku solve '1... ..2. .3.. ...4'
  csp-sudoku solve --count 2 --json - < puzzles.txt
  csp-sudoku solve hard.txt --solver backtracking --option variables=dom/wdeg --time-limit 60
  csp-sudoku solve small.txt --solver brute-force --trace
  csp-sudoku solve --to line puzzles.txt | sort | uniq
  csp-sudoku solve --json puzzles.txt | csp-sudoku convert - --to line

\b
Exit codes: 0 all solved, 1 a board has no solution, 2 bad input or usage, 3 a
board is undecided within the limits, 130 interrupted.""",
)
@reads_boards
@click.option(
    "--solver",
    metavar="NAME",
    type=solver_name,
    shell_complete=completion.solvers,
    help="Solver; `csp-sudoku solvers` lists them.  [default: auto]",
)
@click.option(
    "--option", "settings", multiple=True, metavar="K=V", type=setting, help="Set option K of the solver to V."
)
@time_limit_option
@click.option(
    "--node-limit",
    type=whole(0),
    metavar="N",
    help="Leave a board undecided after N search nodes or conflicts.  [default: no limit]",
)
@click.option(
    "--count",
    type=whole(1),
    metavar="K",
    help="Count the solutions of each board, and stop at K. On Ctrl-C, print the number found so far.",
)
@click.option(
    "--jobs",
    type=whole(1),
    metavar="J",
    default=1,
    show_default=True,
    help="Solve J boards at a time, each in a process of its own.",
)
@json_option
@click.option(
    "--to",
    "target",
    metavar="NOTATION",
    type=format_name,
    shell_complete=completion.notations,
    help="Print only the solutions, in this notation: line, values, csv, json, grid, tue or properties. In the first "
    "four, a board without a known solution is an empty line.",
)
@click.option(
    "--trace", is_flag=True, help="Print each step of the search. Only backtracking and its presets can do that."
)
def command(
    source: BoardSource,
    solver: str | None,
    settings: tuple[tuple[str, str], ...],
    time_limit: float | None,
    node_limit: int | None,
    count: int | None,
    jobs: int,
    as_json: bool,
    target: str | None,
    trace: bool,
) -> int:
    """Print a solution of each board of FILE, or report that it is proven to have none.

    FILE may hold many boards in any notation; "-", or no FILE, is standard input. Results come in order, each as soon
    as it is known. The givens are bold; without bold type, a dot marks each value that is not a given. Of several
    boards, a last line on standard error gives the number, the mean time and the worst. With --trace and --json, the
    rows and columns of the steps count from 0.
    """
    from csp_sudoku.solvers.base import Limits

    limits = Limits(time_limit, node_limit)
    name = solver or ("backtracking" if trace else "auto")
    chosen = build(name, dict(settings))
    if target is not None and (as_json or trace or count is not None):
        raise OptionError("expected --to without --json, --trace and --count: it prints solutions and nothing else")
    if trace:
        if count is not None or jobs > 1:
            given = " and ".join(
                name for name, is_given in (("--count", count is not None), ("--jobs", jobs > 1)) if is_given
            )
            raise OptionError(f"expected --trace without --count and --jobs; found {given}")
        from csp_sudoku.cli.trace import trace_boards

        return trace_boards(source, chosen, limits, as_json=as_json)
    counting = _Counting()
    if jobs == 1:
        results = _results(chosen, source.boards(), limits, count, counting)
    else:
        from csp_sudoku.solvers.many import solve_many

        options: dict[str, Any] = dict(settings)
        results = solve_many(
            source.boards(),
            solver=name,
            time_limit=time_limit,
            node_limit=node_limit,
            count=count,
            jobs=jobs,
            **options,
        )
    codes: set[int] = set()
    totals = Totals()

    def counted(bar: Bar) -> Iterator[tuple[Puzzle, Result]]:
        for puzzle, result in source.answered(results):
            codes.add(CODES[result.status.value])
            totals.add(puzzle, result)
            bar.step()
            yield puzzle, result

    with Bar("solving") as bar:
        texts = (
            _texts(counted(bar), count, counting, as_json=as_json)
            if target is None
            else _solutions(counted(bar), bar, target)
        )
        for text in texts:
            with bar.aside():
                say(text)
    if counting.is_interrupted:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    if total := totals.sentence():
        remark(total)
    return worst([*codes, source.code])


class _Counting:
    """The counts of solutions of a command, which Ctrl-C ends with the number so far."""

    is_interrupted = False

    def count(self, solver: Solver, board: Board, up_to: int, limits: Limits) -> Result:
        """Count the solutions of a board; on Ctrl-C the result is UNKNOWN with those found so far."""
        from csp_sudoku.solvers.base import Deadline

        def stop() -> None:
            self.is_interrupted = Deadline.are_over = True
            with suppress(OSError):  # the terminal may be gone
                begin_line()

        try:
            with on_interrupt(stop):
                return solver.count(board, up_to, limits)
        finally:
            Deadline.are_over = False


def _texts(
    answered: Iterator[tuple[Puzzle, Result]], count: int | None, counting: _Counting, *, as_json: bool
) -> Iterator[str]:
    """Yield what is printed about each puzzle: an object, or a drawing with its statistics."""
    for place, (puzzle, result) in enumerate(answered):
        if as_json:
            yield json.dumps(as_object(puzzle, result, count))
        else:
            yield ("\n" if place else "") + as_text(puzzle, result, count, is_interrupted=counting.is_interrupted)


def _solutions(answered: Iterator[tuple[Puzzle, Result]], bar: Bar, target: str) -> Iterator[str]:
    """Yield the lines of the solutions in the notation `target`, and complain about each puzzle without one."""
    from csp_sudoku import notation

    def grids() -> Iterator[Grid | None]:
        for puzzle, result in answered:
            if result.solution is None:
                with bar.aside():
                    complain(f"{puzzle}: {verdict(result)}")
                yield None
            elif target in notation.FORMATS and not result.solution.geometry.plain.is_standard:
                with bar.aside():
                    complain(f"{puzzle}: expected a board m×n to write as {target}; found {named(puzzle.board)}")
                yield None
            else:
                solution = result.solution
                geometry = solution.geometry.plain if target in notation.FORMATS else solution.geometry
                yield notation.Grid.on(geometry, solution.values, puzzle.details)

    return notation.write(grids(), target)


def build(name: str, settings: Mapping[str, str]) -> Solver:
    """Build the solver `name` with these settings; raise OptionError, with a hint, at a setting that it lacks."""
    from csp_sudoku.solvers.registry import PRESETS, SOLVERS, get_solver

    table = (SOLVERS.get(name) or PRESETS[name]).option_table()
    for key in settings:  # as keyword arguments, `self=` and `name=` would mean something else
        expect_name(f"setting of {name}", key, table)
    return get_solver(name, **settings)


def _results(
    solver: Solver, boards: Iterable[Board], limits: Limits, count: int | None, counting: _Counting
) -> Iterator[Result]:
    for board in boards:
        yield solver.solve(board, limits) if count is None else counting.count(solver, board, count, limits)
        if counting.is_interrupted:
            return
