"""The evolution of networks: phase one can be passed, runs repeat, and an interruption loses little."""

import random
from dataclasses import replace

import pytest

from csp_sudoku.errors import NotationError, OptionError
from csp_sudoku.game.rules import reward
from csp_sudoku.geometry import Geometry
from csp_sudoku.neuroevolution.checkpoint import read_checkpoint, write_checkpoint
from csp_sudoku.neuroevolution.kernels.games import GREEDY, NETWORK, RANDOM, games
from csp_sudoku.neuroevolution.network import Network
from csp_sudoku.neuroevolution.phases import (
    FILLED,
    Generation,
    around,
    arrays,
    half_filled,
    orders,
    regions_of,
    standing,
)
from csp_sudoku.neuroevolution.pool import pool_of
from csp_sudoku.neuroevolution.settings import EvolutionSettings
from csp_sudoku.neuroevolution.training import Training
from csp_sudoku.players.classic.counters import RegionCounters
from tests.neuroevolution.test_network import any_network
from tests.support import random_of

pytest.importorskip("neat")

SMALL = EvolutionSettings(2, 2, seed=3, population=40)


def trained(settings, generations, jobs=1, path=None):
    """A training after so many generations."""
    with pool_of(jobs) as pool:
        training = Training.begin(settings, path)
        for _ in training.run(generations, pool):
            pass
    return training


def essence(training):
    """The state of a training and everything that determines its future; equal for equal trainings."""
    evolution = training.evolution
    population = evolution.population
    genomes = {
        key: (evolution.network_of(genome), [(gene.innovation, gene.enabled) for gene in genome.connections.values()])
        for key, genome in population.population.items()
    }
    species = {
        key: (list(one.members), one.representative.key, one.created, one.last_improved, one.fitness_history)
        for key, one in population.species.species.items()
    }
    indexer = evolution.config.genome_config.node_indexer
    counters = (indexer, population.reproduction.genome_indexer, population.species.indexer)
    numbers = [counter.following for counter in counters]
    innovations = vars(population.reproduction.innovation_tracker)
    return genomes, species, numbers, innovations, evolution.random_state, training.best, training.passed_at


def knows_empty_cells(m, n):
    """A network that gives filled cells less than empty ones, and no more."""
    cells = (m * n) ** 2
    return Network.of(cells, dict.fromkeys(range(cells), (0.0, "identity")), [(-1 - c, c, -9.0) for c in range(cells)])


# Phase one


@pytest.mark.slow
def test_phase_one_is_passed_with_a_gradient_and_not_without():
    """002's fault: from fully connected networks, one generation of ours passes before any of theirs does."""
    settings = EvolutionSettings(2, 2, 1, 100, "ranking", "full")
    assert trained(settings, 68).passed_at is not None
    theirs = replace(settings, fitness="threshold")
    passed = []
    with pool_of(1) as pool:
        judge = pool.scores

        def scores(settings, number, networks):
            found = judge(settings, number, networks)
            passed.extend(score.has_passed for score in found)
            return found

        pool.scores = scores
        training = Training(theirs)
        for _ in training.run(17, pool):
            pass
    assert len(passed) == 1700
    assert not any(passed)
    assert training.passed_at is None


@pytest.mark.slow
def test_direct_connections_pass_with_either_fitness():
    """From one connection for each cell, phase one is soon passed, without a gradient too."""
    for fitness in ("ranking", "threshold"):
        assert trained(EvolutionSettings(2, 2, 1, 100, fitness), 40).passed_at is not None


def test_the_fitness_of_phase_one_has_a_gradient():
    """An output that becomes a little better makes the fitness of ranking better, and not that of threshold."""
    for number in range(10):
        rng = random_of("gradient", number)
        cell = rng.randrange(16)
        networks = [Network.of(16, dict.fromkeys(range(16), (0.0, "identity")), [(-1 - cell, cell, weight)])
                    for weight in (0.01, 0.0, -0.01, -0.05)]  # fmt: skip
        for fitness in ("ranking", "threshold"):
            generation = Generation(EvolutionSettings(2, 2, number, fitness=fitness), 0)
            found = [generation.score(network).first for network in networks]
            assert found == sorted(found)
            assert len(set(found)) == (4 if fitness == "ranking" else 1)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)])
def test_what_passes_phase_one_ranks_empty_cells_first(shape):
    """The simplest network that recognises empty cells passes, even on boards not used for the fitness."""
    network = knows_empty_cells(*shape)
    score = Generation(EvolutionSettings(*shape), 0).score(network)
    assert score.has_passed
    assert score.first > 0.85
    assert standing(EvolutionSettings(*shape), network).has_passed
    blind = Network.of(network.cells, {node.key: (0.0, "identity") for node in network.nodes}, [])
    assert Generation(EvolutionSettings(*shape), 0).score(blind) == (0.5, False, 0.0)


def test_threshold_passes_who_gives_no_wrong_answer():
    """As its authors had it: 0.1 or more for an empty cell, -0.1 or less for a filled one, on all six boards."""
    settings = EvolutionSettings(2, 2, fitness="threshold")
    links = [(-1 - cell, cell, -0.21) for cell in range(16)]
    for bias, has_passed in ((0.105, True), (0.05, False), (0.2, False)):
        network = Network.of(16, dict.fromkeys(range(16), (bias, "identity")), links)
        assert Generation(settings, 0).score(network).has_passed is has_passed


def test_boards_are_as_full_as_they_should_be():
    """Boards of phase one have filled and empty cells; those of games are empty, or a third or two thirds full."""
    rng = random_of("boards")
    counts = half_filled(rng, 16, 500).sum(axis=1)
    assert set(counts) == set(range(1, 16))
    boards = around(rng, 36, 600)
    assert boards.sum(axis=1).max() < 36
    for place, share in enumerate(FILLED):
        assert boards[place::3].mean() == pytest.approx(share, abs=0.1)


# Phase two


def simulated(network, opponent, board, order, is_first):
    """The lead of a network at the end of a game, as a share of all points, computed by the library's counters."""
    geometry = Geometry.standard(2, 3)
    counters = RegionCounters(geometry, board)
    board = list(board)
    ahead = total = 0
    is_own = is_first
    while 0 in board:
        empty = [cell for cell in order if not board[cell]]
        if is_own or isinstance(opponent, Network):
            outputs = (network if is_own else opponent).outputs(board)
            cell = max(empty, key=outputs.__getitem__)
        else:
            cell = empty[0] if opponent == RANDOM else max(empty, key=counters.gain)
        points = counters.fill(cell)
        board[cell] = 1
        total += points
        ahead += points if is_own else -points
        is_own = not is_own
    return ahead / total


@pytest.mark.parametrize("who", ["random", "greedy", "network"])
def test_simulated_games_are_those_of_the_rules(who):
    """Games in compiled code go and score as the same games played with the library's own counters."""
    assert [reward(count) for count in range(4)] == [0, 1, 3, 7]
    for number in range(5):
        rng = random_of("games", number)
        network, other = any_network(rng, 36), any_network(rng, 36)
        boards, order = around(rng, 36, 6), orders(rng, 36, 6)
        kind = {"random": RANDOM, "greedy": GREEDY, "network": NETWORK}[who]
        found = games(arrays(network), arrays(other), kind, boards, order, regions_of(2, 3))
        opponent = other if who == "network" else kind
        for board, cells, margins in zip(boards.tolist(), order.tolist(), found, strict=True):
            expected = [simulated(network, opponent, board, cells, is_first) for is_first in (True, False)]
            assert list(margins) == pytest.approx(expected)


def test_the_knock_out_goes_to_the_strongest():
    """In a group, a network without skill survives no more rounds than one that wins all its games."""
    settings = EvolutionSettings(2, 2)
    rng = random_of("knock-out")
    networks = [any_network(rng, 16) for _ in range(4)]
    margins = Generation(settings, 0).duels(networks)
    assert sum(margins) == pytest.approx(0)
    with pool_of(1) as pool:
        survived = pool.knock_out(settings, 0, networks)
        assert survived == [float(margin == max(margins)) for margin in margins]
        many = pool.knock_out(settings, 0, [any_network(rng, 16) for _ in range(17)])
    assert max(many) == 1.0
    assert len(set(many)) == 4  # rounds of 17, 5 and 2: out in the first, the second, the third, or in none


def test_who_passes_is_fitter_than_who_does_not():
    """Phase two begins where phase one ends, and playing better counts."""
    networks = [any_network(random_of("fitter"), 16), knows_empty_cells(2, 2)]
    with pool_of(1) as pool:
        failed, passed = pool.fitness(SMALL, 0, networks)
    assert failed < 100 < 200 < passed < 300


# Runs


def test_a_run_repeats_and_leaves_other_random_numbers_alone():
    """The same seed makes the same network; another one does not; the global random numbers are not touched."""
    random.seed(5)
    before = random.getstate()
    first, second = trained(SMALL, 12), trained(SMALL, 12)
    other = trained(replace(SMALL, seed=4), 12)
    assert random.getstate() == before
    assert essence(first) == essence(second)
    assert first.best.network == second.best.network != other.best.network


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing():
    """Two processes judge as one does."""
    assert essence(trained(SMALL, 20, jobs=2)) == essence(trained(SMALL, 20))


@pytest.mark.slow
def test_a_run_goes_on_as_if_nothing_had_been(tmp_path):
    """Ended after any generation and taken up from its checkpoint, it makes the same networks to the last bit."""
    path = tmp_path / "checkpoint"
    whole = trained(SMALL, 24)
    for generations in (5, 6, 17, 24):
        ended = trained(SMALL, generations, path=path)
        assert ended.generation == generations
    assert essence(ended) == essence(whole)
    assert ended.stored("x") == whole.stored("x")
    assert essence(trained(SMALL, 24, path=path)) == essence(whole)  # nothing is left to do


def test_what_is_kept_is_the_last_whole_generation(tmp_path):
    """Interrupted within a generation, a run keeps the state before it, and continues from there."""
    path = tmp_path / "checkpoint"

    with pool_of(1) as pool:
        training = Training.begin(SMALL, path)
        for _ in training.run(7, pool):
            pass

        def fitness(settings, number, networks):
            if number == 9:
                raise InterruptedError
            return type(pool).fitness(pool, settings, number, networks)

        pool.fitness = fitness
        with pytest.raises(InterruptedError):
            for _ in training.run(20, pool):
                pass
    training.keep()
    assert Training.begin(SMALL, path).generation == 9
    assert essence(trained(SMALL, 12, path=path)) == essence(trained(SMALL, 12))


def test_a_checkpoint_of_another_training_is_told(tmp_path):
    """It is not gone on from, and not overwritten."""
    path = tmp_path / "checkpoint"
    trained(SMALL, 1, path=path)
    before = path.read_bytes()
    with pytest.raises(OptionError) as raised:
        Training.begin(replace(SMALL, seed=9), path)
    assert str(raised.value) == (
        "expected a checkpoint of shape 2x2, seed 9, population 40, fitness ranking, start direct; "
        "found shape 2x2, seed 3, population 40, fitness ranking, start direct"
    )
    assert path.read_bytes() == before


class Vanished:
    """A setting of another version."""


def test_a_damaged_checkpoint_is_told(tmp_path, monkeypatch):
    """A file that is cut off, changed or something else is one line; nothing of it is followed."""
    path = tmp_path / "checkpoint"
    write_checkpoint(path, {"some": "state"})
    whole = path.read_bytes()
    assert read_checkpoint(path) == {"some": "state"}
    assert [file.name for file in tmp_path.iterdir()] == ["checkpoint"]
    for data, found in ((whole[:-1], "a damaged one"), (whole[:-1] + b"x", "a damaged one"), (b"", "another file")):
        path.write_bytes(data)
        with pytest.raises(NotationError, match=f"expected a checkpoint of csp-sudoku train neat, found {found}"):
            read_checkpoint(path)
    write_checkpoint(path, Vanished())
    monkeypatch.delitem(globals(), "Vanished")
    with pytest.raises(NotationError, match="found one of another version"):
        read_checkpoint(path)
    with pytest.raises(NotationError, match="found is a directory"):
        read_checkpoint(tmp_path)
    assert read_checkpoint(tmp_path / "none") is None
