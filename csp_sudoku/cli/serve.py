"""csp-sudoku serve: serve a page to explore puzzles, analyse positions, and play and watch games, in a browser."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.inputs import whole
from csp_sudoku.cli.output import say
from csp_sudoku.errors import OptionError, SudokuError

if TYPE_CHECKING:
    from csp_sudoku.players.spec import Spec

PORT = 8080
"""The default port."""
PACKAGES = ("starlette", "uvicorn")
"""The packages of the extra [web]."""


@click.command(
    "serve",
    short_help="Serve a page to play, watch and analyse in a browser.",
    epilog="""\b
Examples:
  csp-sudoku serve --open
  csp-sudoku serve ./my_team/agent7 "greedy?safe=true"
  csp-sudoku serve --store results.db --port 0

\b
Exit codes: 2 bad input or usage, 130 interrupted.""",
)
@click.argument("players", nargs=-1, metavar="[PLAYER]...", shell_complete=completion.players)
@click.option(
    "--port", default=PORT, show_default=True, metavar="N", type=whole(0, 65535), help="Port; 0 selects a free one."
)
@click.option("--open", "is_opened", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--store",
    "stores",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="Show the standings and games in FILE, the store of a tournament; may be repeated.",
)
def command(players: tuple[str, ...], port: int, is_opened: bool, stores: tuple[str, ...]) -> int:
    """Serve a page on this computer, for a browser on this computer, until Ctrl-C.

    On the page you can explore puzzles (solve, count, explain, the next step, generate), analyse positions and recorded
    games (the moves that are safe, values, best moves), play against a player, and watch games and tournaments.

    The players that come with the program may play, and each PLAYER, which is the folder of an agent, or a player with
    options. Code from other folders is never run. The server listens on 127.0.0.1 only. It needs the extra [web].
    """
    _require_packages()
    from csp_sudoku.cli.arguments import FOLDER, shipped_names
    from csp_sudoku.web.application import Settings
    from csp_sudoku.web.server import serve

    for path in stores:
        _require_store(path)
    settings = Settings(
        players=_players(players),
        boards={name: FOLDER / f"{name}.txt" for name in shipped_names()},
        stores=stores,
        threads=max(2, os.cpu_count() or 1),
        compiles_ahead=True,
    )
    serve(settings, port, on_start=lambda address: say(f"serving {address} (Ctrl-C ends)"), is_opened=is_opened)
    return DONE


def _require_packages() -> None:
    """Raise SudokuError if the extra [web] is not installed."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise SudokuError(
            f"expected the extra [web] (pip install 'csp-sudoku[web]'); found no {' and no '.join(missing)}"
        )


def _require_store(path: str) -> None:
    """Raise SudokuError if there is no store of games at a path."""
    from csp_sudoku.arena.store import Store

    with Store(path, create=False):
        pass


def _players(texts: tuple[str, ...]) -> dict[str, Spec]:
    """Return the available players by their names on the page; the players of the command line come first."""
    from csp_sudoku.players.spec import Spec, labels, registered_players

    named = list(dict.fromkeys(Spec.parse(text) for text in texts))
    own = [Spec(player.name) for player in registered_players()]
    specs = list(dict.fromkeys([*named, *own]))
    found = dict(zip(labels(specs), specs, strict=True))
    if "human" in found:
        raise OptionError("expected another name for the folder of a player; found 'human', which is a person's")
    return found
