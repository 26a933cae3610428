"""Spec: the text that names a player and sets its options; its form is the same everywhere.

    PLAYER[?option=value&option=value]

PLAYER is a name (`greedy`: the folder `agents/greedy_player`, or `agents/greedy`, of those that come with this
package), or a folder with a sudokuai.py (`./my_team/agent7`, `~/agent7`), or a dotted path as in Python and the
framework (`agents.greedy_player`, `team.sub.player`), which is searched under the current folder first. An option
without a value is `true`. In a value, %26 is & and %25 is %.
"""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import csp_sudoku
from csp_sudoku import agents
from csp_sudoku.agent import Agent, agent_options
from csp_sudoku.errors import OptionError, SudokuError, expect_name
from csp_sudoku.framework.loading import (
    AgentError,
    NoAgentClassError,
    NoAgentError,
    agent_folder,
    importing,
    require_syntax,
)
from csp_sudoku.framework.sources import ENTRY, absolute, parsed
from csp_sudoku.solvers.base import Option

ADAPTER = "framework_player"
"""The function that makes the class SudokuAI of an agent of ours for the framework."""

SUFFIX = "_player"

HUMAN = "human"
"""The name of a person at the terminal; only `csp-sudoku play` accepts it."""

HOME = str(Path(csp_sudoku.__file__).parents[1])
"""The folder that contains this package, for subprocesses that start in another folder."""

PATIENCE = 60.0
"""Upper bound for the time in which a subprocess must load a player, in seconds."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A player and its options. Two texts for the same player with the same options give equal specs.

    `str` returns a text that has the same meaning in any current folder, and so in another process: a name or an
    absolute path, with the options sorted by name.

    >>> spec = Spec.parse("agents.greedy_player?safe")
    >>> str(spec), spec.options
    ('greedy?safe=true', (('safe', 'true'),))
    >>> Spec.parse("greedy?save=true")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.OptionError: expected a greedy option among safe; found 'save' (did you mean 'safe'?)
    """

    player: str
    """A registered name, or the path of a folder."""
    options: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def parse(text: str) -> Spec:
        """Return the spec of a text; raise OptionError or AgentError if there is no such player or option.

        This process runs no code of players that do not come with this package. To check the options of such a
        player, if it is built on our Agent, a subprocess loads it.
        """
        spec = Spec.read(text)
        if spec.options:
            if spec.is_registered:
                spec.settings(spec.agent().OPTIONS)
            elif is_native(spec.folder):
                _probe(spec)
            else:
                require_syntax(spec.folder)
                spec.settings({})
        return spec

    @staticmethod
    def read(text: str) -> Spec:
        """Return the spec of a text; check that the player exists, but do not check its options."""
        whole = absolute(_at_home(text)) if "?" in text else None
        if whole is not None and (whole / ENTRY).is_file():  # a question mark in the name of a folder
            return Spec(_found(text))
        player, mark, query = text.partition("?")
        options: dict[str, str] = {}
        for part in query.split("&") if mark else ():
            name, equals, value = part.partition("=")
            if not name:
                raise OptionError(f"expected option=value in the player {text!r}; found {part!r}")
            if name in options:
                raise OptionError(f"expected each option of the player {text!r} once; found {name!r} again")
            options[name] = unquote(value) if equals else "true"
        return Spec(_found(player), tuple(sorted(options.items())))

    @property
    def is_registered(self) -> bool:
        """Whether the player comes with this package."""
        return not Path(self.player).is_absolute()

    @property
    def folder(self) -> Path:
        """The player's folder."""
        return _registered()[self.player].folder if self.is_registered else Path(self.player)

    @property
    def is_native(self) -> bool:
        """Whether the player is an agent of ours, to be played without the framework."""
        return is_native(self.folder)

    @property
    def label(self) -> str:
        """A short name for tables: the registered name or the name of the folder, with the options."""
        return _shown(self.player if self.is_registered else self.folder.name, self.options)

    def agent(self) -> type[Agent]:
        """Return the class of a registered player that is an agent of ours."""
        return _registered()[self.player].agent()

    def settings(self, table: Mapping[str, Option]) -> dict[str, Any]:
        """Return the value of each option in the table; raise OptionError if the spec does not match the table."""
        return agent_options(self.player if self.is_registered else self.folder.name, table, dict(self.options))

    def __str__(self) -> str:
        return _shown(self.player, self.options)


@dataclass(frozen=True, slots=True)
class Registered:
    """A player that comes with this package."""

    name: str
    folder: Path

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        source = parsed(self.folder / ENTRY)
        told = ast.get_docstring(source.tree) if source is not None else None
        return (told or "").partition("\n")[0]

    @property
    def options(self) -> Mapping[str, Option]:
        """The player's options, by name. Reading them loads the player."""
        return self.agent().OPTIONS if is_native(self.folder) else {}

    def agent(self) -> type[Agent]:
        """Return the player's class; raise AgentError if it is no agent of ours."""
        with importing(self.folder):
            module = import_module(f"{agents.__name__}.{self.folder.name}.{ENTRY.removesuffix('.py')}")
        return agent_of(module, self.folder)


def registered_players() -> list[Registered]:
    """Return the players that come with this package, sorted by name.

    >>> [player.name for player in registered_players() if "reward" in player.summary]
    ['greedy']
    """
    return list(_registered().values())


def labels(specs: Sequence[Spec]) -> list[str]:
    """Return the labels of some specs, with as many parent folders as are needed to distinguish the players."""
    shown = {spec: spec.label for spec in specs}
    for depth in range(2, 1 + max([len(spec.folder.parts) for spec in shown], default=0)):
        counts = Counter(shown.values())
        for spec, label in shown.items():
            if counts[label] > 1 and not spec.is_registered:
                shown[spec] = _shown(str(Path(*spec.folder.parts[-depth:])), spec.options)
    return [shown[spec] for spec in specs]


def player_names(players: Sequence[str]) -> dict[str, str]:
    """Return the name of each player of a store for tables; the full name if its folder no longer exists.

    >>> player_names(["greedy", "/no/longer/there"])
    {'greedy': 'greedy', '/no/longer/there': '/no/longer/there'}
    """
    specs: dict[str, Spec] = {}
    for player in players:
        with suppress(SudokuError):
            specs[player] = Spec.read(player)
    found = dict(zip(specs, labels(list(specs.values())), strict=True))
    return {player: found.get(player, player) for player in players}


def is_native(folder: Path) -> bool:
    """Whether the agent of a folder is one of ours: its sudokuai.py contains `SudokuAI = framework_player(…)`."""
    source = parsed(folder / ENTRY)
    for node in source.tree.body if source is not None else ():
        match node:
            case ast.Assign(targets=[ast.Name(id="SudokuAI")], value=ast.Call(func=called)):
                if ast.unparse(called).rpartition(".")[2] == ADAPTER:
                    return True
    return False


def agent_of(module: object, folder: Path) -> type[Agent]:
    """Return the class of our agent in its module sudokuai; raise AgentError if there is none."""
    found = getattr(getattr(module, "SudokuAI", None), "AGENT", None)
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise NoAgentClassError(f"expected SudokuAI = {ADAPTER}(…) in {folder / ENTRY}; found {found or 'none'}")
    return found


def _registered() -> dict[str, Registered]:
    """Return the players in the folders of this package, by name."""
    found: dict[str, Registered] = {}
    for place in agents.__path__:
        for entry in sorted(Path(place).glob(f"*/{ENTRY}")):
            folder = absolute(entry.parent)
            name = _plain(folder.name)
            if name not in found or not folder.name.endswith(SUFFIX):
                found[name] = Registered(name, folder)
    return dict(sorted(found.items()))


def _at_home(place: str) -> str:
    """Return a path with ~ expanded to a user's home; unchanged if there is no such user."""
    return os.path.expanduser(place)  # noqa: PTH111 - the function of pathlib raises without such a user


def _plain(name: str) -> str:
    """Return the canonical name of a player: tree_mcts_player becomes tree-mcts."""
    return name.removesuffix(SUFFIX).replace("_", "-")


def _found(player: str) -> str:
    """Return the registered name of a player, or the path of its folder."""
    if not player.strip():
        raise OptionError(f"expected the name or the folder of a player; found {player!r}")
    if player.startswith((".", "~")) or os.sep in player or (os.altsep and os.altsep in player):
        place = absolute(_at_home(player))
        return _named(agent_folder(place.parent if place.name == ENTRY and place.is_file() else place))
    if player == HUMAN:
        raise OptionError(
            f"expected a player that is a program; found {HUMAN!r}, whom only `csp-sudoku play` asks for moves "
            f"(a folder of that name is ./{HUMAN})"
        )
    known = _registered()
    if _plain(player) in known:
        return _plain(player)
    for folder in _candidates(player):
        if (folder / ENTRY).is_file():
            return _named(folder)
    if "." in player:
        raise NoAgentError(f"expected a package with a module sudokuai; found none of the name {player!r}")
    expect_name("player (or the folder of one)", player, known)
    raise AssertionError  # `expect_name` raises, because the name is not known


def _candidates(dotted: str) -> Iterator[Path]:
    """Yield the folders that this name or dotted name may mean. This imports nothing."""
    top, *rest = parts = dotted.split(".")
    yield absolute(dotted)
    if not all(parts):
        return
    yield absolute(Path(*parts))
    if top == agents.__name__.rpartition(".")[2]:  # the name by which the framework imports our agents
        yield from (Path(place, *rest) for place in agents.__path__)
    if parts[:2] == agents.__name__.split("."):
        yield from (Path(place, *rest[1:]) for place in agents.__path__)
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        spec = None
    for place in (spec and spec.submodule_search_locations) or ():
        yield absolute(Path(place, *rest))


def _named(folder: Path) -> str:
    """Return the registered name of a folder of this package, or the path of another folder."""
    for player in _registered().values():
        if player.folder == folder or player.folder.resolve() == folder.resolve():
            return player.name
    return str(folder)


def _shown(player: str, options: tuple[tuple[str, str], ...]) -> str:
    query = "&".join(f"{name}={value.replace('%', '%25').replace('&', '%26')}" for name, value in options)
    return f"{player}?{query}" if query else player


def _probe(spec: Spec) -> None:
    """Load a player in a subprocess, and raise OptionError or AgentError if that fails."""
    import subprocess
    import tempfile

    paths = os.pathsep.join(filter(None, [HOME, os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(  # noqa: S603 - the command is our own
                [sys.executable, "-m", "csp_sudoku.players.probe", str(spec)],
                stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, timeout=PATIENCE, check=False,
                env={**os.environ, "PYTHONPATH": paths},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise AgentError(f"expected the player {spec} to be loaded in {PATIENCE:.0f} s; found no end") from None
    if done.returncode == 0:
        return
    *_, said = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
    kind, _, message = said.partition(": ")
    if kind == OptionError.__name__:
        raise OptionError(message)
    raise AgentError(message if kind == AgentError.__name__ else f"expected to load the player {spec}; found {said}")
