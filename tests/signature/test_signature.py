"""The signature: that it is the expected one, that it is the same whenever it is computed, and that it can change."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from tests.signature import LAYERS
from tests.signature.__main__ import main
from tests.signature.digest import digest, written
from tests.signature.expected import Expected
from tests.support import most_slow, random_of

HOME = Path(__file__).parents[2]

ADVICE = """
expected the digest {expected} of the layer {layer}; found {found}
Something that the layer does has changed: an answer, a count of nodes, a value or a move.
What it is, is in the lines that are hashed; print them before and after the change, and compare them:
    python -m tests.signature --layer {layer} --verbose
If it was meant to change, write the new digests, and say why:
    python -m tests.signature --update --why "subject of the commit: reason"
"""

TWICE = """
import json
from importlib import import_module
from tests.signature import LAYERS, clock

clock.install()
clock.prepare()
layers = {name: import_module(f"tests.signature.{name}") for name in LAYERS}
from csp_sudoku.moves.engines import search as searching
from csp_sudoku.search.filling import model
from csp_sudoku.agents.champion_player import thinking
from csp_sudoku.agents.champion_player.quick import Quick
from csp_sudoku.solvers.backtracking import solver as backtracking
from tests.signature import positions

del positions.SHAPES[2:]
players = layers["players"]
players.SHAPES_OF_ALL, players.OPTIONS = [(2, 3)], {}
players.registered_players = lambda known=players.registered_players(): [p for p in known if p.name == "champion"]
first, second = ({name: list(layer.lines()) for name, layer in layers.items()} for _ in range(2))

true_masks, true_move = searching.legal_masks, thinking.quick_move

def fewer_masks(board):
    masks = true_masks(board)
    masks[masks > 0] &= masks[masks > 0] - 1  # the lowest value of every cell is forgotten
    return masks

def other_move(state, completion):
    quick = true_move(state, completion)
    cells = [(m.row, m.col, m.value) for m in state.moves() if completion[m.row * state.board.size + m.col] == m.value]
    return Quick(type(quick.move)(*cells[-1]), quick.given)

faults = {
    "solving": (backtracking.PRUNINGS, "__setitem__", ("pairs", 0)),
    "moves": (searching, "__setattr__", ("legal_masks", fewer_masks)),
    "search": (model, "__setattr__", ("CELL_WIDTH", 3)),
    "players": (thinking, "__setattr__", ("quick_move", other_move)),
}
changed = {}
for name, (place, change, fault) in faults.items():
    before = getattr(place, fault[0], None) if change == "__setattr__" else place[fault[0]]
    getattr(place, change)(*fault)
    try:
        changed[name] = list(layers[name].lines())
    finally:
        getattr(place, change)(fault[0], before)
print(json.dumps([first, second, changed]))
"""
"""Computes a part of the lines twice, and once more with a fault in each layer."""


def run(*command, **variables):
    """The output of a process of the command, and its exit status."""
    return subprocess.run(
        [sys.executable, *command], cwd=HOME, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(HOME), **variables},
    )  # fmt: skip


@pytest.mark.parametrize("layer", most_slow(LAYERS, ["solving"], is_one_argument=True))
def test_digest_is_the_expected_one(layer):
    """Every layer has its expected digest, whatever the seed of Python's hashes is."""
    seed = str(LAYERS.index(layer) + 1)
    done = run("-m", "tests.signature", "--layer", layer, "--json", PYTHONHASHSEED=seed)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)["digests"][layer]
    expected = Expected.read().digests[layer]
    assert found == expected, ADVICE.format(layer=layer, found=found, expected=expected)


def test_digest_of_all_is_that_of_the_layers():
    """The file of the expected digests is consistent, and its log explains them."""
    expected = Expected.read()
    assert list(expected.digests) == [*LAYERS, "all"]
    assert expected.digests["all"] == digest(expected.digests[layer] for layer in LAYERS)
    assert all(": " in text and date.fromisoformat(text.split()[0]) for text in expected.log)
    assert expected.log


@pytest.mark.slow
def test_signature_is_repeatable_and_sees_faults():
    """The lines are the same the second time in one process, and differ if an inference, a move or a value does."""
    done = run("-c", TWICE)
    assert done.returncode == 0, done.stderr
    first, second, changed = json.loads(done.stdout)
    assert first == second
    assert {layer: len(lines) > 30 for layer, lines in first.items()} == dict.fromkeys(LAYERS, True)
    assert {layer: digest(changed[layer]) != digest(first[layer]) for layer in LAYERS} == dict.fromkeys(LAYERS, True)


def test_update_writes_digests_and_log(tmp_path):
    """A written file is read back, with the reason for the change first in the log."""
    path = tmp_path / "expected.txt"
    old = Expected({"solving": "1a", "moves": "2b", "all": "3c"}, ("2026-01-02 solving+moves: First: made",))
    new = old.changed({"solving": "1a", "moves": "2d", "all": "3e"}, date(2026, 2, 3), "Second: mended")
    new.write(path)
    assert Expected.read(path) == new
    assert new.log == ("2026-02-03 moves: Second: mended", *old.log)


@pytest.mark.parametrize("arguments", [["--update"], ["--why", "x"], ["--layer", "web"]])
def test_wrong_command_line_is_refused(arguments, capsys):
    """An update without a reason, a reason without an update, and an unknown layer are refused before any work."""
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == 2
    assert "expected" in (said := capsys.readouterr().err) or "invalid choice" in said


@pytest.mark.parametrize("fact", [{1, 2}, frozenset(), {"a": 1}, object(), random_of(1)])
def test_fact_without_an_order_is_refused(fact):
    """Nothing whose text depends on the process can get into a line."""
    with pytest.raises(TypeError, match="same everywhere"):
        written([fact])
