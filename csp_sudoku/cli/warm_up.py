"""csp-sudoku warm-up: compile ahead what solvers and players need."""

from __future__ import annotations

import click

from csp_sudoku.cli.output import number, say
from csp_sudoku.cli.progress import Bar


@click.command(
    "warm-up",
    short_help="Compile ahead what solvers and players need.",
    epilog="""\b
Examples:
  csp-sudoku warm-up
  csp-sudoku warm-up auto champion""",
)
@click.argument("names", nargs=-1, metavar="[NAME…]")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="J",
    help="Number of processes (default: one per processor).",
)
def command(names: tuple[str, ...], jobs: int | None) -> int:
    """Compile the kernels of each NAME once for this computer: a solver, a player, "moves" or "value".

    Without a NAME everything is compiled. Later runs load the machine code from a cache: $CSP_SUDOKU_CACHE, or
    your cache folder. What is there already is not compiled again.
    """
    from csp_sudoku.warm_up import warm_up

    with Bar("preparing, once for this computer") as bar:

        def show(done: int, total: int) -> None:
            bar.done, bar.total = done, total

        compiled = warm_up(names, jobs=jobs, on_progress=show)
    say(f"{number(compiled, 'group')} of kernels compiled" if compiled else "everything is compiled already")
    return 0
