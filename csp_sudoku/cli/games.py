"""The common options of the commands that play games: the mode, the time of a turn, and the other terms."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.inputs import number_between, reader, whole
from csp_sudoku.cli.output import warn
from csp_sudoku.errors import NotationError, OptionError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.sandbox.terms import GameTerms


@reader
def mode_name(name: str) -> str:
    """Check the name of a play mode, and return it."""
    from csp_sudoku.game.rules import mode_named

    return mode_named(name).value


@reader
def api_name(name: str) -> str:
    """Check the name of a framework API, and return it."""
    from csp_sudoku.framework.standins import APIS

    expect_name("framework API", name, APIS)
    return name


@reader
def turn_time(text: str) -> float:
    """Read the time of a turn, in seconds: more than 0, and at most LONGEST of the arena."""
    from csp_sudoku.arena.play import LONGEST

    seconds = number_between(0, inf)(text)
    if not 0 < seconds <= LONGEST:
        raise OptionError(f"expected a time per turn of more than 0 and at most {LONGEST} seconds; found {text!r}")
    return seconds


TERMS = (
    click.option(
        "--mode",
        metavar="NAME",
        type=mode_name,
        shell_complete=completion.modes,
        default="classic",
        show_default=True,
        help="Play mode: classic, rows, border or random.",
    ),
    click.option(
        "--api", metavar="NAME", type=api_name, help="API of the framework's agents: v12 or v14.  [default: recognised]"
    ),
    click.option(
        "--full-time", is_flag=True, help="Let every turn last its full time, even if its player finishes early."
    ),
    click.option("--persistent", is_flag=True, help="Keep the process of a player, and its memory, from turn to turn."),
    click.option(
        "--memory",
        metavar="MB",
        type=whole(1),
        help="Memory limit of each process of a player, in MB.  [default: 4096]",
    ),
    click.option(
        "--isolate",
        is_flag=True,
        help="Hide from each player all other processes, saved files and shared memory, as far as the kernel allows.",
    ),
    click.option(
        "--require-isolation", is_flag=True, help="Like --isolate, but play no game if the kernel refuses a part of it."
    ),
)


def on_terms(command: Callable[..., Any]) -> Any:
    """Decorator: give a command the options for the terms of its games, and pass them as one value, `terms`.

    On other systems than Linux, such a command starts nothing and ends with exit code 2.
    """

    @wraps(command)
    def with_terms(
        *,
        mode: str,
        api: str | None,
        full_time: bool,
        persistent: bool,
        memory: int | None,
        isolate: bool,
        require_isolation: bool,
        **others: Any,
    ) -> Any:
        from csp_sudoku.sandbox.linux import require_linux

        require_linux()
        from csp_sudoku.game.rules import mode_named
        from csp_sudoku.sandbox.limits import DEFAULT_LIMITS, PlayerLimits
        from csp_sudoku.sandbox.namespaces import Isolation
        from csp_sudoku.sandbox.terms import GameTerms

        chosen = Isolation.AVAILABLE if isolate else Isolation.NONE
        isolation = Isolation.REQUIRED if require_isolation else chosen
        limits = DEFAULT_LIMITS if memory is None else PlayerLimits(memory=memory)
        terms = GameTerms(mode_named(mode), api, full_time, limits, persistent=persistent, isolation=isolation)
        return command(terms=terms, **others)

    return with_options(with_terms, TERMS)


def tell_isolation(terms: GameTerms) -> dict[str, list[str]]:
    """Report the namespaces that isolate players on standard error, if isolation is requested.

    Return the same for a JSON object; it is empty without the request. Raise OptionError if the kernel refuses a
    required namespace.
    """
    from csp_sudoku.sandbox.namespaces import Isolation, described

    if terms.isolation is Isolation.NONE:
        return {}
    names = terms.isolation.namespaces()
    warn(described(names))
    return {"isolation": list(names)}


def with_options(command: Callable[..., Any], options: Iterable[Callable[..., Any]]) -> Any:
    """Return the command with these options, which its help lists in this order."""
    for option in reversed(list(options)):
        command = option(command)
    return command


def require_writable(path: str) -> None:
    """Raise NotationError before the games, instead of after them, if no file can be written at `path`."""
    place = Path(path)
    if place.is_dir():
        found = "a folder"
    elif not place.exists() and not place.parent.is_dir():
        found = "no folder"
    else:
        found = "" if os.access(place if place.exists() else place.parent, os.W_OK) else "no permission"
    if path != "-" and found:
        raise NotationError("a file to write", found, source=path)


def require_different(paths: Mapping[str, str | None]) -> None:
    """Raise OptionError if two of these options name the same file.

    `paths` maps each option to its path, or to None if the option is not given. Without this check, the later output
    would overwrite the earlier one.
    """
    options: dict[str, str] = {}
    for option, path in paths.items():
        if path is None:
            continue
        other = options.setdefault(path if path == "-" else os.path.realpath(path), option)
        if other != option:
            raise OptionError(f"expected {other} and {option} to be different files; found {path!r} twice")


def require_folder(path: str, what: str) -> None:
    """Create the folder `path`; raise NotationError before the games, instead of after them, if that is impossible.

    `what` names the contents of the folder in the error message.
    """
    place = Path(path)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotationError(f"a folder for {what}", (error.strerror or str(error)).lower(), source=path) from error
    if not os.access(place, os.W_OK | os.X_OK):
        raise NotationError(f"a folder for {what}", "no permission", source=path)
