"""Asks a small evolved network for the cell; there is one for each board size.

The idea is that of the earlier system 002 (NEAT, TU/e, 2023): networks with an input for each cell, 1 where it is
filled and 0 where it is empty, and an output for each cell, are evolved by neat-python in two phases. First they learn
which cells can be filled, then those that know it play against each other. The empty cell with the highest output is
played; the value comes from a completion of the board. So a turn costs next to no time, and nothing is searched.

Its authors had no network that passed the first phase after a day of training. Their fitness counted wrong answers on
six boards, an answer being wrong if it was not above 0.1 or below -0.1: what makes an answer a little less wrong does
not count. Whether that is a fault depends on the start: where every input is connected to every output, no network
passed with that fitness in 90 generations, and one did in each run with one that has a gradient; where each cell has
one connection, the first phase is passed with either (agents/README.md has the runs). Here the fitness is how surely
empty cells are ranked above filled ones (`csp_sudoku.neuroevolution.phases`), and networks begin with one connection
for each cell; `csp-sudoku train neat --fitness threshold --start full` has both as they may have been.

The networks are in the folder `networks`, each with the command that made it: 2x2, 2x3 and 3x3; a board of 3x2 is one
of 2x3 that lies on its side. Other boards need a network of their own (`neat?network=FILE`).
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
from csp_sudoku.players.cells import CellAgent
from csp_sudoku.players.filling import Filling
from csp_sudoku.solvers.base import Option

NETWORKS = Path(__file__).parent / "networks"


class NeatPlayer(CellAgent):
    """The cell with the highest output."""

    OPTIONS: ClassVar = {
        "network": Option(
            "", str, "the file of a network, made by csp-sudoku train neat; else one for the board's size"
        ),
    }

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        file = os.path.expanduser(self.options["network"])  # noqa: PTH111 - pathlib's raises if there is no such user
        if file and not Path(file).is_absolute():  # it plays in a folder of its own
            raise OptionError(f"expected the whole path of a network; found {file!r}")
        self.stored = StoredNetwork.load(file) if file else None

    def proposals(self, state: GameState) -> Iterator[Move]:
        """A legal move, then the network's; OptionError at once if there is no network for such a board."""
        self.network(state.board.geometry)
        yield from super().proposals(state)

    def choices(self, state: GameState) -> Iterator[Move]:
        """One move."""
        network = self.network(state.board.geometry)
        outputs = network.outputs([float(value > 0) for value in state.board.values])
        yield self.move(state, max(Filling(state).moves(), key=outputs.__getitem__))

    def network(self, geometry: Geometry) -> Network:
        """The network for a board."""
        m, n = geometry.m, geometry.n
        stored = self.stored or of_size(m, n)
        if stored.shape == (m, n):
            return stored.network
        if stored.shape == (n, m):
            return stored.network.transposed(n, m)
        rows, columns = stored.shape
        raise OptionError(f"expected a board of {rows}x{columns}, which the network is for; found {m}x{n}")


@cache
def of_size(m: int, n: int) -> StoredNetwork:
    """The network in this folder for boards of m×n, or of n×m; OptionError if there is neither."""
    known = sorted(_shape(path) for path in NETWORKS.glob("*.json"))
    for rows, columns in ((m, n), (n, m)):
        if (rows, columns) in known:
            return StoredNetwork.load(NETWORKS / f"{rows}x{columns}.json")
    sizes = ", ".join(f"{rows}x{columns}" for rows, columns in known)
    raise OptionError(f"expected a board of a size that neat has a network for ({sizes}); found {m}x{n}")


def _shape(path: Path) -> tuple[int, int]:
    rows, _, columns = path.stem.partition("x")
    return int(rows), int(columns)


SudokuAI = framework_player(NeatPlayer)
