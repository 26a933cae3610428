"""csp-sudoku solve: print a solution of each board with statistics, or report that none exists."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.answers import CODES, Totals, as_object, as_text, verdict
from csp_sudoku.cli.codes import INTERRUPTED, worst
from csp_sudoku.cli.inputs import (
    BoardSource,
    Puzzle,
    format_name,
    json_option,
    reads_or_asks_for_boards,
    setting,
    solver_name,
    time_limit_option,
    whole,
)
from csp_sudoku.cli.legend import named
from csp_sudoku.cli.output import complain, remark, say
from csp_sudoku.cli.pictures import file_to_write, svg_option, with_pictures, write_svg
from csp_sudoku.cli.progress import Bar
from csp_sudoku.cli.question import Answered, SolveRequest, build
from csp_sudoku.errors import OptionError

if TYPE_CHECKING:
    from csp_sudoku.cli.bulk import SolvedBlock
    from csp_sudoku.notation import Grid
    from csp_sudoku.solvers.base import Result


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
  csp-sudoku solve --svg solution.svg hard-3x3
  csp-sudoku solve --json puzzles.txt | csp-sudoku convert - --to line
  csp-sudoku solve boards.npy --npy solutions.npy --jobs 2

\b
Exit codes: 0 all solved, 1 a board has no solution, 2 bad input or usage, 3 a
board is undecided within the limits, 130 interrupted.""",
)
@reads_or_asks_for_boards
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
    help="Solve J boards at a time, each in a thread of its own.",
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
@svg_option("the solution of each board, or a board without a known one,")
@click.option(
    "--npy",
    metavar="OUT",
    type=file_to_write(".npy"),
    shell_complete=completion.files,
    help="Write the solutions to OUT.npy, an array of numpy with a row of N·N values for each board, zeros where none "
    "is known; with --count, the numbers of solutions. All boards must have one shape.",
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
    svg: Path | None,
    npy: Path | None,
) -> int:
    """Print a solution of each board of FILE, or report that it is proven to have none.

    FILE may hold many boards in any notation; "-", or no FILE, is standard input. On a terminal without FILE, the
    command asks for a puzzle, or for a difficulty and makes a puzzle. Results come in order, each as soon as it is
    known. The givens are bold; without bold type, a dot marks each value that is not a given. Of several boards, a last
    line on standard error gives the number, the mean time and the worst. With --trace and --json, the rows and columns
    of the steps count from 0.
    """
    from csp_sudoku.solvers.base import Limits

    name = solver or ("backtracking" if trace else "auto")
    question = SolveRequest(
        build(name, dict(settings)), name, dict(settings), Limits(time_limit, node_limit), count, jobs
    )
    if target is not None and (as_json or trace or count is not None):
        raise OptionError("expected --to without --json, --trace and --count: it prints solutions and nothing else")
    if npy is not None:
        _require_array_options(
            {"--solver": solver, "--option": settings, "--time-limit": time_limit, "--node-limit": node_limit}
            | {"--json": as_json, "--to": target, "--trace": trace, "--svg": svg}
        )
        from csp_sudoku.cli.arrays import solve_to_array

        return solve_to_array(source, npy, count, jobs)
    if trace:
        others = {"--count": count is not None, "--jobs": jobs > 1, "--svg": svg is not None}
        given = " and ".join(name for name, is_given in others.items() if is_given)
        if given:
            raise OptionError(f"expected --trace without --count, --jobs and --svg; found {given}")
        from csp_sudoku.cli.trace import trace_boards

        return trace_boards(source, question.solver, question.limits, as_json=as_json)
    return _answer(source, question, target, svg, as_json=as_json)


def _require_array_options(others: Mapping[str, object]) -> None:
    """Raise OptionError if one of the options is given that --npy, which prints nothing, does not go with."""
    given = [name for name, value in others.items() if value not in (None, False, ())]
    if given:
        raise OptionError(f"expected --npy with no other options than --count, --jobs and --shape; found {given[0]}")


def _answer(source: BoardSource, question: SolveRequest, target: str | None, svg: Path | None, *, as_json: bool) -> int:
    """Print the answers about all puzzles, and return the exit code."""
    codes: set[int] = set()
    totals = Totals()

    def noted(answered: Iterator[Answered], bar: Bar) -> Iterator[Answered]:
        for item in answered:
            if isinstance(item, tuple):
                codes.add(CODES[item[1].status.value])
                totals.add(*item)
                bar.step()
            else:
                item.count_in(totals)
                bar.step(len(item.cells))
            yield item

    with Bar("solving") as bar:
        in_bulk = svg is None and (as_json or target == "line")
        answers = _drawn(noted(question.answers(source, in_bulk=in_bulk), bar), svg)
        if target == "line":
            texts = _lines(answers, bar)
        elif target is not None:
            texts = _solutions(answers, bar, target)
        else:
            texts = _texts(answers, question, as_json=as_json)
        for text in texts:
            with bar.aside():
                say(text)
    if question.is_interrupted:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    if total := totals.sentence():
        remark(total)
    return worst([*codes, source.code])


class _Answer(NamedTuple):
    """A puzzle, its result, and the file of its drawing, which is None if none is asked for."""

    puzzle: Puzzle
    result: Result
    path: Path | None


def _drawn(answered: Iterator[Answered], svg: Path | None) -> Iterator[_Answer | SolvedBlock]:
    """Draw each result to its file, if there is an `svg`, and yield it; puzzles in runs are not drawn."""
    for item, path in with_pictures(answered, svg):
        if not isinstance(item, tuple):
            yield item
            continue
        puzzle, result = item
        if path is not None:
            write_svg(path, result, puzzle=puzzle.board)
        yield _Answer(puzzle, result, path)


def _texts(answers: Iterator[_Answer | SolvedBlock], question: SolveRequest, *, as_json: bool) -> Iterator[str]:
    """Yield the output about each puzzle: an object, or a drawing with its statistics."""
    for place, item in enumerate(answers):
        if not isinstance(item, _Answer):
            yield item.objects()
            continue
        puzzle, result, path = item
        if as_json:
            found = as_object(puzzle, result, question.count) | ({} if path is None else {"svg": str(path)})
            yield json.dumps(found)
        else:
            said = as_text(puzzle, result, question.count, is_interrupted=question.is_interrupted)
            drawing = "" if path is None else f"\n# {puzzle}: drawing in {path}"
            yield ("\n" if place else "") + said + drawing


def _lines(answers: Iterator[_Answer | SolvedBlock], bar: Bar) -> Iterator[str]:
    """Yield the solutions in the notation `line`; see `_solutions`."""
    from csp_sudoku import notation

    for item in answers:
        if isinstance(item, _Answer):
            yield from notation.write([_solution(item.puzzle, item.result, bar, "line")], "line")
        else:
            yield item.lines()


def _solutions(answers: Iterator[_Answer | SolvedBlock], bar: Bar, target: str) -> Iterator[str]:
    """Yield the lines of the solutions in the notation `target`, and complain about each puzzle without one."""
    from csp_sudoku import notation

    singles = (item for item in answers if isinstance(item, _Answer))
    return notation.write((_solution(item.puzzle, item.result, bar, target) for item in singles), target)


def _solution(puzzle: Puzzle, result: Result, bar: Bar, target: str) -> Grid | None:
    """The solution of a puzzle in the form for the notation `target`; None, after a complaint, if there is none."""
    from csp_sudoku import notation

    solution, is_plain = result.solution, target in notation.FORMATS
    if solution is None:
        complaint = f"{puzzle}: {verdict(result)}"
    elif is_plain and not solution.geometry.plain.is_standard:
        complaint = f"{puzzle}: expected a board m×n to write as {target}; found {named(puzzle.board)}"
    else:
        geometry = solution.geometry.plain if is_plain else solution.geometry
        return notation.Grid.on(geometry, solution.values, puzzle.details)
    with bar.aside():
        complain(complaint)
    return None
