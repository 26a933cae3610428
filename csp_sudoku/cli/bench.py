"""csp-sudoku bench: run benchmarks, each with its table, its picture and its raw runs, and compare two results."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.aliases import renamed_option
from csp_sudoku.cli.codes import DONE, NO
from csp_sudoku.cli.contest import ContestCommand, telling
from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.inputs import number_between, reader, whole
from csp_sudoku.cli.output import complain, say
from csp_sudoku.cli.progress import Bar

BENCHMARKS = {
    "solvers": "Compare our solvers, and those that pip installs, on the same puzzles.",
    "pruning": "Measure the worth of each heuristic and each pruning on 16x16 and 25x25.",
    "giants": "Solve 25x25 puzzles, which took an earlier system minutes.",
    "thousand": "Solve 1000 boards of 9x9, one after the other and in parallel.",
    "cover": "Compare Algorithm X with naked singles and guessing.",
    "variants": "Answer questions about boards with rules, beside straightforward models.",
    "workers": "Ask CP-SAT hard questions, with one worker and with two.",
    "bombs": "Map all moves: engines, sizes, and the number of bombs.",
    "throughput": "Measure what users feel: bulk solving, the command, threads, start, maps, beside peers.",
    "search": "Search game trees: pruning, tables and order; nodes and playouts by time.",
    "agents": "Play players against each other: win rates, heat map, crosstable, Elo.",
    "all": "Run all benchmarks, one after the other.",
}
"""The benchmarks and their help texts; the module of a benchmark is imported only when it runs."""

FOLDER = "bench-results"


def _module(name: str) -> Any:
    """Import a module of the benchmarks.

    The import is by name, because in a clone of the repository the benchmarks are outside the package's folder.
    """
    return import_module(f"csp_sudoku.benchmarks.{name}")


class Benchmarks(click.Group):
    """A group of commands: one for each benchmark, and `compare`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*BENCHMARKS, "compare"]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not (args[0].startswith("-") or ctx.resilient_parsing):  # the shell completes a line
            from csp_sudoku.errors import expect_name

            expect_name("benchmark", args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


@click.group(
    "bench",
    cls=Benchmarks,
    invoke_without_command=True,
    short_help="Run benchmarks of solvers, maps, searches and players.",
    epilog="""\b
Examples:
  csp-sudoku bench solvers --quick
  csp-sudoku bench all --out results --jobs 2 --plan
  csp-sudoku bench all --out results --jobs 2
  csp-sudoku bench solvers --puzzles top95.txt --solver my_module:my_solve
  csp-sudoku bench solvers --only auto --peer glucose4 --peer xcover
  csp-sudoku bench solvers --only auto --solver-cmd "./tdoku --solutions"
  csp-sudoku bench throughput --puzzles top95.txt --solver-cmd ./peer --json
  csp-sudoku bench agents --player ./my_team/agent7 --time 0.5
  csp-sudoku bench compare old/results/solvers.json new/results/solvers.json

\b
Exit codes: 0 done, 1 an answer was wrong, or (compare) something became
slower, 2 bad input or usage, 130 interrupted; the same command continues from
there.""",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Run a benchmark, and write its tables, its pictures and its raw runs to a folder.

    A benchmark that was interrupted continues when the same command is given again. Runs of different versions, of
    different code or of different machines are never mixed.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@reader
def _seconds(text: str) -> tuple[float, ...]:
    from csp_sudoku.cli.games import turn_time

    return tuple(turn_time(part) for part in text.split(","))


COMMON = (
    click.option("--quick", is_flag=True, help="Measure less; all benchmarks together then take minutes."),
    click.option(
        "--out", metavar="FOLDER", type=click.Path(), default=FOLDER, show_default=True, help="Folder of the results."
    ),
    click.option("--jobs", metavar="J", type=whole(1), help="Number of measurements at a time.  [default: 1]"),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help='Measure on a Dask cluster at this address, such as tcp://host:8786 (needs "csp-sudoku[cluster]").',
    ),
    click.option(
        "--seed", metavar="N", type=whole(0), default="0", show_default=True, help="Seed of all random numbers."
    ),
    click.option(
        "--repeat",
        metavar="R",
        type=whole(1),
        help="Number of measurements of each task; in the benchmark agents, of games.  [default: depends]",
    ),
    click.option(
        "--plan",
        "is_plan",
        is_flag=True,
        help="Print only the planned measurements, and an upper bound for their time.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each benchmark."),
)
"""The options that every benchmark has."""

PUZZLES = click.option(
    "--puzzles",
    metavar="FILE",
    multiple=True,
    shell_complete=completion.files,
    help="File of puzzles instead of generated ones; may be repeated.",
)
ISOMORPHS = click.option(
    "--isomorphs",
    metavar="K",
    type=whole(0),
    help="Add K isomorphs of each puzzle, with permuted values, rows and columns.  [default: 0]",
)
SOLVER = click.option(
    "--solver",
    "solvers",
    metavar="MODULE:FUNCTION",
    multiple=True,
    help="Your own function to measure as well: it takes a Board, and returns a Board, a Result, values or None; "
    "may be repeated.",
)
SOLVER_CMD = click.option(
    "--solver-cmd",
    "commands",
    metavar="COMMAND",
    multiple=True,
    help="External program to measure as well: it reads a puzzle per line, and writes a solution per line; may be "
    "repeated.",
)
EMPTY = click.option(
    "--empty",
    type=click.Choice([".", "0"]),
    default=".",
    show_default=True,
    help="Character for an empty cell that these programs read.",
)
PEER = click.option(
    "--peer",
    "peers",
    metavar="NAME",
    multiple=True,
    help="Third-party solver to compare with ours, instead of the usual ones, such as glucose4 "
    '(needs "csp-sudoku[bench]"); may be repeated.',
)
PLAYER = click.option(
    "--player",
    "players",
    metavar="FOLDER",
    multiple=True,
    shell_complete=completion.players,
    help="Your own player to measure as well; may be repeated.",
)
ONLY = click.option(
    "--only", metavar="NAME", multiple=True, help="Measure only this solver, peer or player; may be repeated."
)
LIMIT = renamed_option(
    "--time-limit",
    "limit",
    old="--limit",
    metavar="S",
    type=number_between(0.001, inf),
    help="Time limit of a puzzle, a map or a search, in seconds.  [default: depends]",
)
BOARDS = renamed_option(
    "--boards",
    old="--board",
    metavar="FILE...",
    shell_complete=completion.boards,
    multiple=True,
    help="Boards to play on: files, or names such as random-2x3.",
)
TIME = click.option("--time", "times", metavar="S[,S]...", type=_seconds, help="Seconds per turn.  [default: depends]")

RACE = (PUZZLES, ISOMORPHS, SOLVER, PEER, ONLY, LIMIT)
OWN: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("solvers", "thousand"), (PUZZLES, ISOMORPHS, SOLVER, SOLVER_CMD, EMPTY, PEER, ONLY, LIMIT)),
    **dict.fromkeys(("pruning", "giants", "cover"), RACE),
    "variants": (PUZZLES, ONLY, LIMIT),
    "workers": (LIMIT,),
    "bombs": (LIMIT,),
    "throughput": (PUZZLES, ISOMORPHS, SOLVER_CMD, EMPTY, ONLY, LIMIT),
    "search": (BOARDS, TIME, LIMIT),
    "agents": (PLAYER, ONLY, BOARDS, TIME),
    "all": (PUZZLES, SOLVER, PEER, PLAYER),
}
"""The options of each benchmark besides the common ones."""


def _add(name: str, help: str) -> None:
    def run(out: str, jobs: int | None, scheduler: str | None, is_plan: bool, as_json: bool, **asked: Any) -> int:
        if is_plan:
            return _plan(name, Path(out), jobs or 1, as_json, **asked)
        return _run(name, Path(out), jobs, scheduler, as_json, **asked)

    for option in reversed((*OWN[name], *COMMON)):
        run = option(run)
    command.command(name, cls=ContestCommand, short_help=help, help=help)(run)


for _name, _help in BENCHMARKS.items():
    _add(_name, _help)


def _suite(name: str, folder: Path, *, repeat: int | None, **asked: Any) -> Any:
    """Return the requested measurements; with `repeat` None, the benchmark decides their number."""
    suite = _module("suite")
    sys.path.append(str(Path.cwd()))  # Python then finds the user's own solvers as modules of the working directory.
    given = {option: value for option, value in asked.items() if value is not None}
    question = _module("benchmark").BenchmarkOptions(repeats=repeat, **given)
    line = shlex.join(["csp-sudoku", *sys.argv[1:]])
    with Bar("preparing"):
        return suite.Suite(tuple(suite.BENCHMARKS) if name == "all" else (name,), question, folder, line)


def _plan(name: str, folder: Path, jobs: int, as_json: bool, **asked: Any) -> int:
    """Print the planned measurements, and the upper bound for their time."""
    outlooks = list(_suite(name, folder, **asked).outlook(jobs))
    if as_json:
        for outlook in outlooks:
            say(json.dumps(outlook._asdict() | {"jobs": jobs}))
    else:
        say(folded(_module("suite").told(outlooks, jobs)))
    return DONE


def _run(name: str, folder: Path, jobs: int | None, scheduler: str | None, as_json: bool, **asked: Any) -> int:
    """Run the measurements, print each report, and return the exit code: NO if an answer was wrong."""
    suite, runner = _module("suite"), _module("runner")
    suite.prepare(folder)
    work = _suite(name, folder, **asked)
    code = DONE

    def tell() -> None:
        complain(f"the finished measurements are in {folder}; the same command continues from there")

    with Bar("measuring", work.total) as bar, telling(tell), runner.pool_of(jobs, scheduler) as pool:
        for record in work.run(pool, bar.step):
            with bar.aside():
                say(json.dumps(record) if as_json else folded(suite.markdown_of(record, folder)))
                for wrong in record["wrong"]:
                    complain(f"wrong answers: {wrong}")
                    code = NO
    return code


@command.command(
    "compare",
    short_help="Report what became faster or slower between two results.",
    epilog="""\b
Examples:
  csp-sudoku bench compare old/results/solvers.json new/results/solvers.json
  csp-sudoku bench compare before after

\b
Exit codes: 0 nothing became slower, 1 something did, 2 bad input or usage,
130 interrupted.""",
)
@click.argument("old", type=click.Path())
@click.argument("new", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print only one JSON object for each benchmark, for programs.")
def compare(old: str, new: str, as_json: bool) -> int:
    """Report what became faster or slower from OLD to NEW, beyond the spread of the repeats.

    Both are .json files that a benchmark wrote, or both are folders of results; then all benchmarks are compared that
    both folders have.
    """
    from csp_sudoku.errors import SudokuError

    comparison = _module("comparison")
    pairs, remarks = comparison.pairs_of(old, new)
    code, is_single = DONE, len(pairs) == 1 and not Path(old).is_dir()
    for place, (benchmark, before, after) in enumerate(pairs):
        try:
            found, notes = comparison.compare(before, after), comparison.notes(before, after)
        except SudokuError as error:
            if is_single:
                raise
            remarks.append(f"{benchmark}: {error}")
            continue
        if as_json:
            say(json.dumps({"benchmark": benchmark, **comparison.as_object(found, notes)}))
        else:
            heading = "" if is_single else ("\n" if place else "") + f"{benchmark}: "
            say(heading + folded(comparison.told(found, notes)))
        if any(change.verdict == "slower" for change in found):
            code = NO
    for text in remarks:
        complain(text)
    return code
