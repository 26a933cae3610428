"""Shell completion of the names in the arguments and options of the commands.

At each press of the tab key a shell runs the program with $_CSP_SUDOKU_COMPLETE, and click answers it. So completers
import no large packages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

AWAITS_BOARD = f"{__name__}.awaits_board"
"""A key in the metadata of click's context: whether the next argument belongs to --boards, which takes several."""


def one_of(known: Callable[[], Iterable[str]]) -> Completer:
    """Return the completer of an option whose value is one of the names that `known` returns."""

    def complete(ctx: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:  # noqa: ARG001
        return _items(known, text)

    return complete


def file_or(known: Callable[[], Iterable[str]]) -> Completer:
    """Return the completer of a value that is a file, a folder, or one of the names that `known` returns."""

    def complete(ctx: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:  # noqa: ARG001
        return _items_or_files(known, text)

    return complete


def players(ctx: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:  # noqa: ARG001
    """Complete a player, or a board after --boards, which takes all arguments that follow."""
    return _items_or_files(_board_names if ctx.meta.get(AWAITS_BOARD) else _player_names, text)


def players_of_play(ctx: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:  # noqa: ARG001
    """Complete the name of a player of `play`; "human" is one of the names."""
    return _items_or_files(lambda: sorted([*_player_names(), "human"]), text)


def _items(known: Callable[[], Iterable[str]], text: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in known() if name.startswith(text)]


def _items_or_files(known: Callable[[], Iterable[str]], text: str) -> list[CompletionItem]:
    """Return the names and the files of the current folder that begin with `text`; the shell completes other paths.

    If a shell gets names, it completes no files itself, so this function lists the files too.
    """
    from click.shell_completion import CompletionItem

    names = _items(known, text)
    if not names:
        return [CompletionItem(text, type="file")]
    with os.scandir() as entries:
        found = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries]
    files = sorted(name for name in found if name.startswith(text) and not name.startswith("."))
    return names + [CompletionItem(name) for name in files]


def _board_names() -> list[str]:
    from csp_sudoku.cli.arguments import shipped_names

    return shipped_names()


def _player_names() -> list[str]:
    from csp_sudoku.players.spec import registered_players

    return sorted(player.name for player in registered_players())


def _solver_names() -> list[str]:
    from csp_sudoku.solvers.registry import PRESETS, SOLVERS

    return [*SOLVERS, *PRESETS]


def _notation_names() -> list[str]:
    from csp_sudoku.notation import format_names

    return format_names()


def _mode_names() -> list[str]:
    from csp_sudoku.game.rules import PlayMode

    return [mode.value for mode in PlayMode]


def _system_names() -> list[str]:
    from csp_sudoku.arena.tournament import FORMATS

    return list(FORMATS)


def _warm_names() -> list[str]:
    from csp_sudoku.warm_up import NEEDS

    return list(NEEDS)


files = file_or(tuple)
boards = file_or(_board_names)
solvers = one_of(_solver_names)
notations = one_of(_notation_names)
modes = one_of(_mode_names)
systems = one_of(_system_names)
warmed = one_of(_warm_names)
