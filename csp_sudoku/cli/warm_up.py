"""csp-sudoku warm-up: compile ahead what solvers and players need."""

from __future__ import annotations

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.output import number, say
from csp_sudoku.cli.progress import Bar


@click.command(
    "warm-up",
    short_help="Compile the kernels of solvers and players ahead.",
    epilog="""\b
Examples:
  csp-sudoku warm-up
  csp-sudoku warm-up auto champion

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@click.argument("names", nargs=-1, metavar="[NAME…]", shell_complete=completion.warmed)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="J",
    help="Number of processes that compile.  [default: one per processor]",
)
def command(names: tuple[str, ...], jobs: int | None) -> int:
    """Compile the kernels of each NAME once for this computer: a solver, a player, "moves" or "value".

    Without a NAME, the command compiles everything. Later runs load the machine code from a cache, which is in
    $CSP_SUDOKU_CACHE or your cache folder. Kernels in the cache are not compiled again.
    """
    from csp_sudoku.warm_up import warm_up

    with Bar("preparing, once for this computer") as bar:

        def show(done: int, total: int) -> None:
            bar.done, bar.total = done, total

        compiled = warm_up(names, jobs=jobs, on_progress=show)
    say(f"{number(compiled, 'group')} of kernels compiled" if compiled else "everything is compiled already")
    return 0
