"""The player neat: it plays by its networks, in the arena and in the framework, and reports unsuitable boards."""

import json
from pathlib import Path
from random import Random

import pytest

from csp_sudoku import agents
from csp_sudoku.errors import NotationError, OptionError
from csp_sudoku.framework.conversion import position_of, to_game_state
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.classification import classify_moves
from csp_sudoku.neuroevolution.network import Network, StoredNetwork
from csp_sudoku.neuroevolution.phases import standing
from csp_sudoku.neuroevolution.settings import EvolutionSettings
from tests.agents.test_gallery import agent, module_of, play, turn
from tests.game.support import MODES
from tests.support import planted, random_of

pytestmark = pytest.mark.quick

FILES = sorted(file for place in agents.__path__ for file in Path(place).glob("neat_player/networks/*.json"))
SHAPES = [tuple(map(int, file.stem.split("x"))) for file in FILES]


def test_there_are_networks():
    """Small and medium boards have one."""
    assert {(2, 2), (2, 3)} <= set(SHAPES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_networks_pass_phase_one_and_beat_random_play(file):
    """Each passes phase one on boards of another seed, and wins most simulated games against any moves."""
    stored = StoredNetwork.load(file)
    assert "x".join(map(str, stored.shape)) == file.stem
    assert stored.command.startswith(f"csp-sudoku train neat --shape {file.stem} --seed ")
    found = standing(EvolutionSettings(*stored.shape, seed=987), stored.network)
    assert found.firsts >= 490  # it was chosen for all of 500 others
    assert found.against_random > 0.5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", [*SHAPES, (3, 2)], ids=str)
def test_games_end_by_the_rules(shape, mode):
    """In every mode, on every size that it has a network for, or for its transpose, it proposes no move that loses."""
    rng = random_of("neat", mode, shape)
    board, _ = planted(*shape, rng, 0.8)
    assert play("neat", GameState.start(board, mode, rng), rng, Referee()).loss is None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_highest_output_of_an_empty_cell_is_played(shape):
    """The last proposal is on the cell that the network ranks first among those that are empty, and it is safe."""
    network = StoredNetwork.load(FILES[SHAPES.index(shape)]).network
    for number in range(5):
        board, _ = planted(*shape, random_of("highest", shape, number), 0.5)
        outputs = network.outputs([float(value > 0) for value in board.values])
        (*_, move), _ = turn("neat", GameState.start(board))
        best = max(board.empty_cells(), key=outputs.__getitem__)
        assert board.geometry.cell(move.row, move.col) == best
        assert move in classify_moves(board).safe


def test_a_board_on_its_side_is_played_alike():
    """On 3×2 it plays its move for 2×3 with rows and columns exchanged."""
    board, _ = planted(2, 3, random_of("side"), 0.5)
    state = GameState.start(board)
    values = [board[row, col] for col in range(6) for row in range(6)]
    turned = GameState.start(type(board)((3, 2), values))
    (*_, move), _ = turn("neat", state)
    (*_, other), _ = turn("neat", turned)
    assert (other.row, other.col) == (move.col, move.row)


@pytest.mark.parametrize("api", ["v12", "v14"])
def test_the_framework_s_class_proposes_the_same(api, tmp_path, monkeypatch):
    """As an agent of the framework, of either API, it comes to the same cell."""
    monkeypatch.chdir(tmp_path)
    state = GameState.start(planted(2, 3, random_of("framework"), 0.4)[0])
    player = module_of("neat").SudokuAI()
    proposed = []
    player.propose_move = proposed.append
    player.save, player.load = lambda _: None, lambda: None
    player.compute_best_move(to_game_state(position_of(state), api))
    square = (proposed[-1].i, proposed[-1].j) if hasattr(proposed[-1], "i") else proposed[-1].square
    *_, expected = agent("neat").proposals(state)
    assert tuple(square) == expected[:2]


# Networks of one's own, and none


def stored_at(path, shape):
    """The file of a network that ranks cells backwards, for boards of a shape."""
    cells = (shape[0] * shape[1]) ** 2
    network = Network.of(cells, {cell: (float(cell), "identity") for cell in range(cells)}, [])
    path.write_text(StoredNetwork(shape, network, "by hand", {}).as_text(), "utf-8")
    return path


def test_a_network_of_one_s_own_is_played(tmp_path):
    """The option network names a file, for whatever size it is."""
    path = stored_at(tmp_path / "mine.json", (2, 4))
    board, _ = planted(2, 4, random_of("own"), 0.5)
    (*_, move), _ = turn(f"neat?network={path}", GameState.start(board))
    assert board.geometry.cell(move.row, move.col) == max(board.empty_cells())


def test_a_size_without_a_network_is_told():
    """Before any proposal there is one line that names the sizes."""
    state = GameState.start(planted(4, 4, random_of("size"), 0.5)[0])
    sizes = ", ".join(file.stem for file in FILES)
    with pytest.raises(OptionError) as raised:
        next(agent("neat").proposals(state))
    assert str(raised.value) == f"expected a board of a size for which neat has a network ({sizes}); found 4x4"


def test_a_network_for_other_boards_is_told(tmp_path):
    """One's own network is not used for a board of another size."""
    path = stored_at(tmp_path / "mine.json", (2, 4))
    state = GameState.start(planted(2, 2, random_of("other"), 0.5)[0])
    with pytest.raises(OptionError, match="expected a board of 2x4, the size of the network; found 2x2"):
        next(agent(f"neat?network={path}").proposals(state))


def test_a_file_that_is_no_network_is_told(tmp_path):
    """As soon as the player is made."""
    path = tmp_path / "broken.json"
    path.write_text(json.dumps({"format": "something else"}), "utf-8")
    kind = module_of("neat").NeatPlayer
    with pytest.raises(NotationError, match='expected "format": "csp-sudoku network", found "something else"'):
        kind(Random(1), network=str(path))
    with pytest.raises(OptionError, match=r"expected the absolute path of a network; found 'broken\.json'"):
        kind(Random(1), network="broken.json")
