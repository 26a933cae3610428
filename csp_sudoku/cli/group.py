"""The group of commands; each command is imported when it is first used."""

from __future__ import annotations

from importlib import import_module

import click

from csp_sudoku.errors import expect_name

COMMANDS = (
    "solve",
    "show",
    "convert",
    "check",
    "explain",
    "generate",
    "solvers",
    "replay",
    "analyse",
    "moves",
    "value",
    "play",
    "match",
    "tournament",
    "results",
    "train",
    "bench",
    "warm-up",
)
"""The commands, in the order of the help; each has a module of its name, with _ for -, that defines `command`."""


class Commands(click.Group):
    """A group that imports a command when it is first used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"csp_sudoku.cli.{name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-"):
            expect_name("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:  # noqa: ARG001
    if wanted:
        from csp_sudoku import __version__

        click.echo(f"csp-sudoku {__version__}")
        ctx.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
    Examples:
      csp-sudoku solve puzzles.txt
      csp-sudoku solve hard-3x3
      csp-sudoku generate --rows 4 --columns 4 --difficulty 0.8 | csp-sudoku check
      csp-sudoku solve hard.txt --solver backtracking --option variables=dom/wdeg --time-limit 60

    \b
    Exit codes: 0 done, 1 a board has no solution, 2 bad input or usage,
    3 undecided within the limits, 130 interrupted.""",
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Show the version."
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Solve, check, explain, generate and convert sudokus of every shape from 4x4 to 25x25.

    A command that reads boards takes files in any notation, "-" for standard input, names of boards that ship with the
    program (hard-3x3), and puzzles themselves ("1... ..2. .3.. ...4").
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
