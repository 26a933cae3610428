"""The neat player asks a small evolved network for the cell; there is one network for each board size.

The idea is that of the earlier system 002 (NEAT, TU/e, 2023). A network has an input for each cell, 1 if it is filled
and 0 if it is empty, and an output for each cell. neat-python evolves the networks in two phases: in the first,
networks learn which cells can be filled; in the second, the networks that know this play against each other. The player
plays the empty cell with the highest output; the value comes from a completion of the board. The player searches
nothing, so a turn takes almost no time.

After a day of training, its authors had no network that passed the first phase. Their fitness counted wrong answers on
six boards; an answer was wrong if it was not above 0.1 or below -0.1, so an answer that became a little less wrong
gained nothing. Whether that prevents success depends on the initial networks. With every input connected to every
output, no network passed with that fitness in 90 generations, and one passed in each run with a fitness that has a
gradient. With one connection per cell, networks pass the first phase with either fitness (agents/README.md has the
runs). This player's fitness is how surely a network ranks empty cells above filled ones
(`csp_sudoku.neuroevolution.phases`), and its networks begin with one connection per cell. `csp-sudoku train neat
--fitness threshold --start full` trains as the authors may have done.

The folder `networks` has the networks for 2x2, 2x3 and 3x3, each with the command that made it. A board of 3x2 uses the
transposed network of 2x3. Other boards need a network of their own (`neat?network=FILE`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from csp_sudoku.errors import OptionError
from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.geometry import Geometry
from csp_sudoku.moves.move import Move
from csp_sudoku.neuroevolution.network import Network, StoredNetwork
from csp_sudoku.players.classic.cells import CellAgent
from csp_sudoku.players.classic.filling import Filling
from csp_sudoku.solvers.base import Option

NETWORKS = Path(__file__).parent / "networks"


class NeatPlayer(CellAgent):
    """A player that plays the cell with the highest output of a network."""

    OPTIONS: ClassVar = {
        "network": Option(
            "", str, "network file made by csp-sudoku train neat; empty: the stored one for the board's size"
        ),
    }

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        file = os.path.expanduser(self.options["network"])  # noqa: PTH111 - pathlib's raises if there is no such user
        if file and not Path(file).is_absolute():  # The player has a working folder of its own.
            raise OptionError(f"expected the absolute path of a network; found {file!r}")
        self.stored = StoredNetwork.load(file) if file else None

    def proposals(self, state: GameState) -> Iterator[Move]:
        """Yield a legal move, then the network's; raise OptionError at once if no network fits the board."""
        self.network(state.board.geometry)
        yield from super().proposals(state)

    def choices(self, state: GameState) -> Iterator[Move]:
        """Yield the network's move."""
        network = self.network(state.board.geometry)
        outputs = network.outputs([float(value > 0) for value in state.board.values])
        yield self.move(state, max(Filling(state).moves(), key=outputs.__getitem__))

    def network(self, geometry: Geometry) -> Network:
        """Return the network for a board; raise OptionError if there is none."""
        m, n = geometry.m, geometry.n
        stored = self.stored or of_size(m, n)
        if stored.shape == (m, n):
            return stored.network
        if stored.shape == (n, m):
            return stored.network.transposed(n, m)
        rows, columns = stored.shape
        raise OptionError(f"expected a board of {rows}x{columns}, the size of the network; found {m}x{n}")


@cache
def of_size(m: int, n: int) -> StoredNetwork:
    """Return the network in this folder for boards of m×n, or of n×m; raise OptionError if there is neither."""
    known = sorted(_shape(path) for path in NETWORKS.glob("*.json"))
    for rows, columns in ((m, n), (n, m)):
        if (rows, columns) in known:
            return StoredNetwork.load(NETWORKS / f"{rows}x{columns}.json")
    sizes = ", ".join(f"{rows}x{columns}" for rows, columns in known)
    raise OptionError(f"expected a board of a size for which neat has a network ({sizes}); found {m}x{n}")


def _shape(path: Path) -> tuple[int, int]:
    rows, _, columns = path.stem.partition("x")
    return int(rows), int(columns)


SudokuAI = framework_player(NeatPlayer)
