"""A network that NEAT has evolved: its nodes, the connections between them, and the file that stores it.

A network has an input and an output for every cell of a board. An input is 1 if the cell is filled and 0 if it is
empty. The empty cell with the highest output is the move. Nodes are evaluated in plain Python, each one after the nodes
that feed it. So a player needs neither neat-python nor numpy.

Keys and activations are the same as in neat-python: the input of cell c has the key -1 - c, the output of cell c has
the key c, and all other keys are hidden nodes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from csp_sudoku.errors import NotationError
from csp_sudoku.geometry import is_shape

FORMAT = "csp-sudoku network"
"""The name of the file format."""
VERSION = 1
"""The version of the file format."""

LARGEST = 1 << 24
"""Upper bound on the size of a file, in bytes; larger files are rejected."""

ACTIVATIONS: Mapping[str, Callable[[float], float]] = {
    "identity": lambda total: total,
    "relu": lambda total: max(total, 0.0),
    "tanh": lambda total: math.tanh(2.5 * total),
    "gauss": lambda total: math.exp(-5.0 * total * total),
}
"""The activation functions by name. The kernels identify them by their order in this table."""

_OURS = {"format", "version", "shape", "command", "nodes", "connections"}
"""The fields of a file that the format defines; all others come from the training."""


class Neuron(NamedTuple):
    """A node: its bias, its activation, and the connections that lead to it."""

    key: int
    """The key of the node."""
    bias: float
    """The constant that is added to the weighted sum of the inputs."""
    activation: str
    """The name of the activation function, one of `ACTIVATIONS`."""
    links: tuple[tuple[int, float], ...]
    """The connections that lead to the node, as pairs: the index of the source among all values, and the weight.

    The values are the inputs, followed by the values of the nodes in the order of their evaluation.
    """


@dataclass(frozen=True, slots=True)
class Network:
    """A feed-forward network for boards with a fixed number of cells.

    >>> network = Network.of(2, {0: (0.5, "identity"), 1: (0, "relu")}, [(-1, 0, -1.0), (-2, 1, 3.0)])
    >>> network.outputs([1, 0]), network.outputs([0, 1])
    ([-0.5, 0.0], [0.5, 3.0])
    """

    cells: int
    """The number of cells of a board, which is the number of inputs and of outputs."""
    nodes: tuple[Neuron, ...]
    """The nodes that an output depends on, each one after all nodes that feed it."""

    @staticmethod
    def of(
        cells: int, nodes: Mapping[int, tuple[float, str]], connections: Iterable[tuple[int, int, float]]
    ) -> Network:
        """The network with these nodes and connections, without nodes that no output depends on.

        `cells` is the number of cells of a board. `nodes` maps each key to a bias and an activation. `connections` are
        triples of the key of the source, the key of the target, and the weight. ValueError if an output or a source is
        missing, or if there is a cycle.
        """
        links: dict[int, list[tuple[int, float]]] = {}
        for source, target, weight in connections:
            links.setdefault(target, []).append((source, weight))
        places = {-1 - cell: cell for cell in range(cells)}
        ordered: list[Neuron] = []
        for output in range(cells):
            for key in _needed(output, links, places):
                if key not in nodes:
                    raise ValueError(f"expected a node {key}; found none")
                bias, activation = nodes[key]
                listened = tuple((places[source], weight) for source, weight in links.get(key, ()))
                places[key] = cells + len(ordered)
                ordered.append(Neuron(key, bias, activation, listened))
        return Network(cells, tuple(ordered))

    def outputs(self, filled: Sequence[float]) -> list[float]:
        """The output of every cell; `filled` is 1 for each filled cell and 0 for each empty cell."""
        values = list(filled)
        found = [0.0] * self.cells
        for key, bias, activation, links in self.nodes:
            total = bias + sum([values[place] * weight for place, weight in links])
            value = ACTIVATIONS[activation](total)
            values.append(value)
            if key < self.cells:
                found[key] = value
        return found

    @property
    def connections(self) -> list[tuple[int, int, float]]:
        """The connections, as triples of the key of the source, the key of the target, and the weight."""
        keys = [-1 - cell for cell in range(self.cells)] + [node.key for node in self.nodes]
        return [(keys[place], node.key, weight) for node in self.nodes for place, weight in node.links]

    @property
    def hidden_count(self) -> int:
        """The number of hidden nodes."""
        return len(self.nodes) - self.cells

    def transposed(self, m: int, n: int) -> Network:
        """The network of an m×n board, converted to an n×m board by exchanging rows and columns."""
        size = m * n

        def turned(key: int) -> int:
            cell = -1 - key if key < 0 else key
            if cell >= self.cells:
                return key
            row, column = divmod(cell, size)
            other = column * size + row
            return -1 - other if key < 0 else other

        nodes = {turned(node.key): (node.bias, node.activation) for node in self.nodes}
        return Network.of(
            self.cells, nodes, [(turned(source), turned(target), weight) for source, target, weight in self.connections]
        )


def _needed(output: int, links: Mapping[int, list[tuple[int, float]]], done: Mapping[int, int]) -> list[int]:
    """The nodes that an output depends on, itself included, in an order in which they can be evaluated.

    Nodes in `done` are omitted. ValueError if there is a cycle.
    """
    found: dict[int, None] = {}
    path: set[int] = set()
    waiting = [(output, False)]
    while waiting:
        key, is_complete = waiting.pop()
        if is_complete:
            path.discard(key)
            found[key] = None
        elif key in path:
            raise ValueError(f"expected no cycle; found one through node {key}")
        elif key not in found and key not in done:
            path.add(key)
            waiting.append((key, True))
            waiting += [(source, False) for source, _ in links.get(key, ())]
    return list(found)


class StoredNetwork(NamedTuple):
    """A network in a file, with the shape of its boards and the results of its training."""

    shape: tuple[int, int]
    """The shape (m, n) of the boards."""
    network: Network
    """The network."""
    command: str
    """The command that trains this network again."""
    found: Mapping[str, Any]
    """The results of the training, by name."""

    def as_text(self) -> str:
        """The text of the file: JSON, with one line for each node and each connection."""
        head = {"format": FORMAT, "version": VERSION, "shape": list(self.shape), "command": self.command}
        lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in {**head, **self.found}.items()]
        nodes = [[node.key, node.bias, node.activation] for node in self.network.nodes]
        for name, rows in (("nodes", nodes), ("connections", self.network.connections)):
            listed = ",\n".join(f"  {json.dumps(row)}" for row in rows)
            lines.append(f' "{name}": [\n{listed}\n ]')
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @staticmethod
    def load(path: str | PathLike[str]) -> StoredNetwork:
        """Read a network from a file; NotationError if the file cannot be read or is not a network."""
        name = str(path)
        try:
            with Path(path).open("rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            raise NotationError("a file with a network", (error.strerror or str(error)).lower(), source=name) from error
        if len(data) > LARGEST:
            raise NotationError(f"a network of at most {LARGEST} bytes", "more", source=name)
        try:
            found = json.loads(data)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            raise NotationError("a network, which is a JSON object", "no JSON", line=line, source=name) from error
        return _stored(found, name)


def _stored(found: Any, source: str) -> StoredNetwork:
    """The network in a JSON value; NotationError, which names the file `source`, if it is not a network."""

    def require(holds: bool, expected: str, value: object) -> None:
        if not holds:
            text = json.dumps(value, default=str)
            raise NotationError(expected, text if len(text) <= 60 else f"{text[:57]}…", source=source)

    require(isinstance(found, dict), "a network, which is a JSON object", found)
    require(found.get("format") == FORMAT, f'"format": "{FORMAT}"', found.get("format"))
    require(found.get("version") == VERSION, f'"version": {VERSION}', found.get("version"))
    shape = found.get("shape")
    is_pair = isinstance(shape, list) and len(shape) == 2 and all(type(side) is int for side in shape)
    require(is_pair and is_shape(*shape), 'a "shape" such as [2, 3]', shape)
    cells = (shape[0] * shape[1]) ** 2
    nodes: dict[int, tuple[float, str]] = {}
    require(isinstance(found.get("nodes"), list), 'a list of "nodes"', found.get("nodes"))
    require(isinstance(found.get("connections"), list), 'a list of "connections"', found.get("connections"))
    for row in found["nodes"]:
        require(_is_row(row, int, float, str) and row[0] >= 0, "a node [key, bias, activation]", row)
        require(row[2] in ACTIVATIONS, f"an activation among {', '.join(ACTIVATIONS)}", row[2])
        require(row[0] not in nodes, "each node once", row)
        nodes[row[0]] = float(row[1]), row[2]
    for row in found["connections"]:
        require(_is_row(row, int, int, float), "a connection [from, to, weight]", row)
        require(-cells <= row[0] and (row[0] < 0 or row[0] in nodes), "a connection from an input or a node", row)
        require(row[1] in nodes, "a connection to a node", row)
    connections = [(source, target, float(weight)) for source, target, weight in found["connections"]]
    try:
        network = Network.of(cells, nodes, connections)
    except ValueError as error:
        expected, _, what = str(error).removeprefix("expected ").partition("; found ")
        raise NotationError(expected, what, source=source) from error
    rest = {name: value for name, value in found.items() if name not in _OURS}
    return StoredNetwork((shape[0], shape[1]), network, str(found.get("command", "")), rest)


def _is_row(row: object, *kinds: type) -> bool:
    """Whether `row` is a list with values of these kinds, where a float is finite and may be written as an integer."""
    if not (isinstance(row, list) and len(row) == len(kinds)):
        return False
    for value, kind in zip(row, kinds, strict=True):
        if kind is float and not (type(value) in (int, float) and math.isfinite(value)):
            return False
        if kind is not float and type(value) is not kind:
            return False
    return True
