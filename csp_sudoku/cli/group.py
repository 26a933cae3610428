"""The group of commands; each command is imported when it is first used."""

from __future__ import annotations

from importlib import import_module

import click

from csp_sudoku.errors import expect_name

PARTS = {
    "Solving": (
        "solve",
        "check",
        "hint",
        "explain",
        "generate",
        "optimize",
        "show",
        "convert",
        "solvers",
    ),
    "Moves": (
        "moves",
        "value",
    ),
    "Game": (
        "play",
        "serve",
        "match",
        "tournament",
        "results",
        "replay",
        "analyse",
        "train",
    ),
    "Benchmarks": (
        "bench",
        "warm-up",
    ),
}
"""The parts of the help, each with its commands in order.

Each command has a module of its name, with _ for -, that defines `command`.
"""

COMMANDS = tuple(name for part in PARTS.values() for name in part)
"""The commands, in the order of the help."""


class Commands(click.Group):
    """A group that imports a command when it is first used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their parts, all with the same width of the first column."""
        width = max(map(len, COMMANDS))
        for part, names in PARTS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            lines = [
                (name.ljust(width), "" if command is None else command.short_help or "") for name, command in commands
            ]
            with formatter.section(part):
                formatter.write_dl(lines)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"csp_sudoku.cli.{name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not (args[0].startswith("-") or ctx.resilient_parsing):  # the shell completes a line
            expect_name("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:  # noqa: ARG001
    if wanted and not ctx.resilient_parsing:  # the shell completes a line
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
      csp-sudoku generate --shape 4x4 --difficulty 0.8 | csp-sudoku check
      csp-sudoku moves --explain r1c5=7 board.txt
      csp-sudoku play greedy champion --boards random-3x3 --watch

    \b
    Exit codes: 0 done, 1 a board has no solution, 2 bad input or usage,
    3 undecided within the limits, 130 interrupted.""",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Solve sudokus of every shape from 4x4 to 25x25, map their moves, and play Competitive Sudoku.

    A command that reads boards takes files in any notation, "-" for standard input, names of boards that ship with the
    program (hard-3x3), and puzzles themselves ("1... ..2. .3.. ...4").
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
