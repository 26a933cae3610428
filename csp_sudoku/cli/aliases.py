"""Renamed options: the old name is accepted for one version, and no help shows it.

An old name prints one line on standard error, such as "--deadline is called --time-limit now".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.output import remark

if TYPE_CHECKING:
    from click.parser import _Option, _OptionParser, _ParsingState


def renamed_option(name: str, *more: str, old: str, **settings: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make an option as `click.option` does, but one that also accepts its old name `old`.

    >>> @click.command
    ... @renamed_option("--time-limit", old="--deadline", type=float)
    ... def command(time_limit): return time_limit
    >>> command.main(["--deadline", "2"], standalone_mode=False)
    2.0
    """
    return click.option(name, *more, cls=RenamedOption, old=old, **settings)


def tell_new_name(old: str, new: str) -> None:
    """Print on standard error that the option `old` is called `new` now."""
    remark(f"{old} is called {new} now")


class RenamedOption(click.Option):
    """An option that also accepts its name from the previous version."""

    def __init__(self, *names: Any, old: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.old = old

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        option = parser._long_opt[self.opts[0]]
        parser._long_opt[self.old] = _OldName(option, self, is_silent=ctx.resilient_parsing)  # type: ignore[assignment]


class _OldName:
    """The old name of an option as click's parser sees it: the option itself, which reports its new name once."""

    def __init__(self, option: _Option, renamed: RenamedOption, *, is_silent: bool) -> None:
        self.option = option
        self.renamed = renamed
        self.is_silent = is_silent

    def __getattr__(self, name: str) -> Any:
        return getattr(self.option, name)

    def process(self, value: Any, state: _ParsingState) -> None:
        if not self.is_silent:
            self.is_silent = True
            tell_new_name(self.renamed.old, self.renamed.opts[0])
        self.option.process(value, state)
