"""The options that the commands which play games share: the board, the time of a turn, and the conditions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
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
    from csp_sudoku.arena.scheduled_game import Terms
    from csp_sudoku.sandbox.namespaces import Isolation


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


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of the games, as the command's options say."""

    mode: str
    api: str | None
    full_time: bool
    persistent: bool
    memory: int | None
    isolation: Isolation

    def terms(self, seed: int) -> Terms:
        """Return the terms of the games: these conditions, and the `seed` of all random numbers."""
        from csp_sudoku.arena.scheduled_game import Terms
        from csp_sudoku.game.rules import mode_named

        terms = Terms(mode_named(self.mode), seed, self.api, self.full_time, self.memory)
        return replace(terms, persistent=self.persistent, isolation=self.isolation)

    def tell_isolation(self) -> dict[str, list[str]]:
        """Say on standard error by which namespaces players are isolated, if that was asked for.

        Return the same for a JSON object, empty if it was not asked for. Raise OptionError if the kernel refuses what
        is required.
        """
        from csp_sudoku.sandbox.namespaces import Isolation, described

        if self.isolation is Isolation.NONE:
            return {}
        names = self.isolation.namespaces()
        warn(described(names))
        return {"isolation": list(names)}


CONDITIONS = (
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
    click.option("--full-time", is_flag=True, help="Let every turn last its full time, even if its player is done."),
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
        "--require-isolation", is_flag=True, help="The same, but play no game if the kernel refuses a part of it."
    ),
)


def under_conditions(command: Callable[..., Any]) -> Any:
    """Decorator: give a command the options that say how games are played, and pass them as one value, `conditions`.

    Such a command starts nothing and ends with exit code 2 unless the system is Linux.
    """

    @wraps(command)
    def with_conditions(
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
        from csp_sudoku.sandbox.namespaces import Isolation

        require_linux()
        chosen = Isolation.AVAILABLE if isolate else Isolation.NONE
        isolation = Isolation.REQUIRED if require_isolation else chosen
        return command(conditions=Conditions(mode, api, full_time, persistent, memory, isolation), **others)

    return with_options(with_conditions, CONDITIONS)


def with_options(command: Callable[..., Any], options: Iterable[Callable[..., Any]]) -> Any:
    """Return the command with these options, which its help lists in this order."""
    for option in reversed(list(options)):
        command = option(command)
    return command


def require_writable(path: str) -> None:
    """Raise NotationError now, and not after the games, if no file can be written at `path`."""
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

    `paths` maps each option to its path, or to None if the option is not given. Without this check the output that is
    written last would overwrite the other one.
    """
    options: dict[str, str] = {}
    for option, path in paths.items():
        if path is None:
            continue
        other = options.setdefault(path if path == "-" else os.path.realpath(path), option)
        if other != option:
            raise OptionError(f"expected {other} and {option} to be different files; found {path!r} twice")


def require_folder(path: str, what: str) -> None:
    """Create the folder `path`, or raise NotationError now, and not after the games, if that is impossible.

    `what` names the contents of the folder in the error message.
    """
    place = Path(path)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotationError(f"a folder for {what}", (error.strerror or str(error)).lower(), source=path) from error
    if not os.access(place, os.W_OK | os.X_OK):
        raise NotationError(f"a folder for {what}", "no permission", source=path)
