"""Networks without neat-python: their outputs, and their files."""

import json
import subprocess
import sys
from random import Random

import pytest

from csp_sudoku.errors import NotationError
from csp_sudoku.geometry import Geometry
from csp_sudoku.neuroevolution.network import ACTIVATIONS, FORMAT, Network, StoredNetwork
from tests.cli.support import environment
from tests.support import random_of

pytestmark = pytest.mark.quick

TINY = {
    "format": FORMAT,
    "version": 1,
    "shape": [2, 2],
    "command": "by hand",
    "nodes": [[cell, 0, "identity"] for cell in range(16)],
    "connections": [[-1 - cell, cell, -1] for cell in range(16)],
}
"""A network that answers -1 for filled cells and 0 for empty ones."""


def any_network(rng: Random, cells: int, hidden: int = 5) -> Network:
    """A network with any weights, in which hidden nodes listen to inputs and to hidden nodes before them."""
    nodes = {key: (rng.gauss(0, 1), rng.choice([*ACTIVATIONS])) for key in range(cells + hidden)}
    pairs = [(-1 - rng.randrange(cells), rng.randrange(cells + hidden)) for _ in range(3 * cells)]
    pairs += [(cells + rng.randrange(hidden), rng.randrange(cells)) for _ in range(cells)]
    pairs += [(cells + place, cells + place + 1) for place in range(hidden - 1)]
    return Network.of(cells, nodes, [(source, target, rng.gauss(0, 1)) for source, target in set(pairs)])


def half(rng: Random, cells: int) -> list[float]:
    """Inputs: some cells filled."""
    return [float(rng.random() < 0.5) for _ in range(cells)]


def test_a_network_answers_as_neat_python_s_does():
    """The outputs agree with neat-python's own evaluation of the same nodes and connections."""
    neat = pytest.importorskip("neat")
    from csp_sudoku.neuroevolution.evolution import Evolution
    from csp_sudoku.neuroevolution.settings import EvolutionSettings

    evolution = Evolution(EvolutionSettings(2, 2, seed=1, population=20))
    rng = random_of("neat-python")
    evolution.config.genome_config.node_add_prob = 1.0
    for _ in range(5):
        evolution.advance(lambda networks: [rng.random() for _ in networks])
    genomes = list(evolution.population.population.values())
    assert any(len(genome.nodes) > 16 for genome in genomes)
    for genome in genomes:
        network, theirs = evolution.network_of(genome), neat.nn.FeedForwardNetwork.create(genome, evolution.config)
        inputs = half(rng, 16)
        assert network.outputs(inputs) == pytest.approx(theirs.activate(inputs))


def test_the_kernels_answer_the_same():
    """Compiled code ranks the cells by the outputs that plain Python finds, whatever the network."""
    import numpy as np

    from csp_sudoku.neuroevolution.kernels.games import ranked, wrong_answers
    from csp_sudoku.neuroevolution.phases import arrays, half_filled

    for number in range(20):
        rng = random_of("kernels", number)
        network = any_network(rng, 16)
        boards = half_filled(rng, 16, 10)
        firsts = wrong = 0
        for board in boards.tolist():
            outputs = network.outputs(board)
            firsts += not board[outputs.index(max(outputs))]
            wrong += sum(
                not (out <= -0.1 if filled else out >= 0.1) for out, filled in zip(outputs, board, strict=True)
            )
        assert ranked(arrays(network), boards)[1] == firsts
        assert wrong_answers(arrays(network), boards, 0.1) == wrong
        assert 0 <= ranked(arrays(network), np.array(boards))[0] <= 1


def test_a_network_s_file_is_read_as_it_was_written(tmp_path):
    """A stored network comes back to the last digit, with the results of its training."""
    network = any_network(random_of("file"), 16)
    stored = StoredNetwork((2, 2), network, "csp-sudoku train neat --shape 2x2", {"generation": 3})
    path = tmp_path / "network.json"
    path.write_text(stored.as_text(), "utf-8")
    assert json.loads(stored.as_text())["command"] == stored.command
    found = StoredNetwork.load(path)
    assert found == stored
    assert found.as_text() == stored.as_text()


def test_what_no_output_needs_is_left_out():
    """Hidden nodes that lead nowhere are not part of a network, nor are connections to them."""
    nodes = {0: (0.0, "identity"), 1: (0.0, "identity"), 2: (0.0, "relu"), 3: (0.0, "relu")}
    network = Network.of(2, nodes, [(-1, 2, 1.0), (2, 0, 1.0), (-1, 3, 1.0)])
    assert [node.key for node in network.nodes] == [2, 0, 1]
    assert network.connections == [(-1, 2, 1.0), (2, 0, 1.0)]
    assert network.hidden_count == 1


def test_a_transposed_network_answers_for_the_transposed_board():
    """On a board with rows and columns exchanged it gives each cell the same output as before."""
    rng = random_of("transposed")
    network = any_network(rng, 36)
    inputs = half(rng, 36)
    cells = [column * 6 + row for row in range(6) for column in range(6)]
    outputs = network.outputs(inputs)
    turned = network.transposed(2, 3).outputs([inputs[cell] for cell in cells])
    assert turned == pytest.approx([outputs[cell] for cell in cells])
    before, after = Geometry.standard(2, 3), Geometry.standard(3, 2)
    blocks = {frozenset(cells.index(cell) for cell in region) for region in before.regions}
    assert blocks == set(map(frozenset, after.regions))


def test_neither_numpy_nor_neat_python_is_needed_to_play():
    """To read a network and ask it, nothing heavy is imported."""
    script = (
        "import sys; from pathlib import Path; import csp_sudoku.agents as agents; "
        "from csp_sudoku.neuroevolution.network import StoredNetwork; "
        "path, = [path for place in agents.__path__ for path in Path(place).glob('neat_player/networks/2x2.json')]; "
        "StoredNetwork.load(path).network.outputs([0] * 16); "
        "print([name for name in ('numpy', 'numba', 'neat', 'ortools') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment()
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, 'expected "format": "csp-sudoku network", found "x"'),
        ({"version": 2}, 'expected "version": 1, found 2'),
        ({"shape": [7]}, 'expected a "shape" such as [2, 3], found [7]'),
        ({"shape": [1, 7]}, 'expected a "shape" such as [2, 3], found [1, 7]'),
        ({"nodes": None}, 'expected a list of "nodes", found null'),
        ({"nodes": TINY["nodes"][1:], "connections": []}, "expected a node 0, found none"),
        ({"nodes": [[0, "x", "relu"]]}, 'expected a node [key, bias, activation], found [0, "x", "relu"]'),
        ({"nodes": [[0, 1, "sine"]]}, 'expected an activation among identity, relu, tanh, gauss, found "sine"'),
        ({"nodes": TINY["nodes"] + TINY["nodes"][:1]}, 'expected each node once, found [0, 0, "identity"]'),
        ({"connections": [[-1, 0]]}, "expected a connection [from, to, weight], found [-1, 0]"),
        ({"connections": [[-1, 0, True]]}, "expected a connection [from, to, weight], found [-1, 0, true]"),
        ({"connections": [[-17, 0, 1]]}, "expected a connection from an input or a node, found [-17, 0, 1]"),
        ({"connections": [[-1, 16, 1]]}, "expected a connection to a node, found [-1, 16, 1]"),
        ({"connections": [[0, 1, 1], [1, 0, 1]]}, "expected no cycle, found one through node 0"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path, change, message):
    """For each fault in a file, the error names the file, the expected value and the value found."""
    path = tmp_path / "broken.json"
    path.write_text(json.dumps({**TINY, **change}), "utf-8")
    with pytest.raises(NotationError) as raised:
        StoredNetwork.load(path)
    assert str(raised.value) == f"{path}: {message}"


@pytest.mark.parametrize("text", ["", "{", "[]", "nan", "\xff", "[" * 100_000])
def test_what_is_no_network_is_one_line(tmp_path, text):
    """Files of other kinds are reported, whatever they contain."""
    path = tmp_path / "other.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(NotationError, match="expected a network, which is a JSON object") as raised:
        StoredNetwork.load(path)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < len(str(path)) + 200


def test_no_file_is_one_line(tmp_path):
    """A missing file, and a folder, are reported."""
    for path in (tmp_path / "missing.json", tmp_path):
        with pytest.raises(NotationError, match=r"expected a file with a network, found (no such|is a) "):
            StoredNetwork.load(path)
