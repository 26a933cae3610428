"""csp-sudoku train: evolve the networks that a player uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.aliases import renamed_option
from csp_sudoku.cli.codes import DONE, INTERRUPTED, NO
from csp_sudoku.cli.games import require_different, require_writable
from csp_sudoku.cli.inputs import json_option, reader, shape, whole
from csp_sudoku.cli.interrupt import begin_line, interruptible
from csp_sudoku.cli.output import bold, number, say
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import expect_name

if TYPE_CHECKING:
    from csp_sudoku.board import Shape
    from csp_sudoku.neuroevolution.network import StoredNetwork
    from csp_sudoku.neuroevolution.settings import EvolutionSettings

PLAYERS = ("neat",)


@reader
def player_name(name: str) -> str:
    """Check the name of a player that can be trained, and return it."""
    expect_name("player to train", name, PLAYERS)
    return name


@reader
def fitness_name(name: str) -> str:
    """Check the name of a fitness function, and return it."""
    from csp_sudoku.neuroevolution.settings import FITNESSES

    expect_name("fitness", name, FITNESSES)
    return name


@reader
def start_name(name: str) -> str:
    """Check the name of an initial topology, and return it."""
    from csp_sudoku.neuroevolution.settings import STARTS

    expect_name("start", name, STARTS)
    return name


@click.command(
    "train",
    short_help="Evolve the networks of the player neat.",
    epilog="""\b
Examples:
  csp-sudoku train neat --shape 2x2 --seed 1 --generations 300
  csp-sudoku train neat --shape 2x3 --seed 1 --jobs 4 --network mine.json
  csp-sudoku play "neat?network=$PWD/mine.json" random --boards empty-2x3

\b
Exit codes: 0 the best network passes phase one, 1 no network does, 2 bad
input or usage, 130 interrupted; the same command continues from there.""",
)
@click.argument("player", metavar="PLAYER", type=player_name, shell_complete=completion.one_of(lambda: PLAYERS))
@click.option(
    "--shape", "sides", metavar="MxN", type=shape, required=True, help="Boards have blocks of M rows and N columns."
)
@click.option(
    "--seed",
    metavar="N",
    type=whole(0),
    default="0",
    show_default=True,
    help="Seed; the same seed repeats the training.",
)
@click.option(
    "--generations", metavar="N", type=whole(1), default="300", show_default=True, help="Number of generations."
)
@click.option(
    "--population",
    metavar="P",
    type=whole(8),
    default="150",
    show_default=True,
    help="Number of networks in a generation.",
)
@click.option(
    "--fitness",
    metavar="NAME",
    type=fitness_name,
    default="ranking",
    show_default=True,
    help="Fitness of phase one: ranking, or threshold (the original one, which has no gradient).",
)
@click.option(
    "--start",
    metavar="NAME",
    type=start_name,
    default="direct",
    show_default=True,
    help="Initial connections: direct (each input to its own output) or full (each input to each output).",
)
@click.option(
    "--jobs",
    metavar="J",
    type=whole(1),
    default="1",
    show_default=True,
    help="Number of processes that evaluate networks.",
)
@renamed_option(
    "--network",
    "out",
    old="--out",
    metavar="FILE",
    type=click.Path(),
    help="Write the network to FILE.  [default: neat-MxN.json]",
)
@click.option(
    "--checkpoint",
    metavar="FILE",
    type=click.Path(),
    help="Keep the state of the training in FILE.  [default: the file of --network, and .checkpoint]",
)
@json_option
def command(
    player: str,  # noqa: ARG001 - there is only one
    sides: Shape,
    seed: int,
    generations: int,
    population: int,
    fitness: str,
    start: str,
    jobs: int,
    out: str | None,
    checkpoint: str | None,
    as_json: bool,
) -> int:
    """Evolve a network that chooses a cell, for boards of one shape: PLAYER is neat.

    Networks have an input and an output for each cell. In phase one they learn to distinguish empty cells from filled
    ones; a network that passes plays in phase two. The best network so far is written at the end. Training needs
    neat-python ("csp-sudoku[neat]"), playing does not. The checkpoint keeps the state after each generation or each
    second, whichever is longer. The same command continues from there, even after the training is done, with more
    generations. The number of jobs and interruptions do not change the result.
    """
    from csp_sudoku.neuroevolution.checkpoint import write_whole
    from csp_sudoku.neuroevolution.pool import pool_of
    from csp_sudoku.neuroevolution.settings import EvolutionSettings
    from csp_sudoku.neuroevolution.training import Training

    settings = EvolutionSettings(*sides, seed=seed, population=population, fitness=fitness, start=start)
    target = out if out is not None else f"neat-{sides[0]}x{sides[1]}.json"
    kept = checkpoint if checkpoint is not None else f"{target}.checkpoint"
    require_different({"--network": target, "--checkpoint": kept})
    for path in (target, kept):
        require_writable(path)
    training = Training.begin(settings, Path(kept))
    if training.generation and not as_json:
        say(f"continuing after {number(training.generation, 'generation')} from {kept}")
    has_passed = training.passed_at is not None
    try:
        with (
            interruptible(),  # On Ctrl-C the worker processes end before this one.
            Bar("evolving", max(0, generations - training.generation)) as bar,
            pool_of(jobs) as pool,
        ):
            for done in training.run(generations, pool):
                bar.step()
                if not has_passed and training.passed_at is not None and not as_json:
                    has_passed = True
                    with bar.aside():
                        say(f"phase one is passed after {number(done, 'generation')}")
    except KeyboardInterrupt:
        begin_line()
        training.keep()
        click.echo("interrupted", err=True)
        return INTERRUPTED
    stored = training.stored(_again(settings, training.generation))
    write_whole(Path(target), stored.as_text().encode())
    _tell(stored, target, as_json=as_json)
    return DONE if training.passed_at is not None else NO


def _again(settings: EvolutionSettings, generations: int) -> str:
    """Return the command that trains the same network again."""
    text = f"csp-sudoku train neat --shape {settings.m}x{settings.n} --seed {settings.seed}"
    text += f" --generations {generations} --population {settings.population}"
    usual = type(settings)(settings.m, settings.n)
    for name in ("fitness", "start"):
        if getattr(settings, name) != getattr(usual, name):
            text += f" --{name} {getattr(settings, name)}"
    return text


def _tell(stored: StoredNetwork, target: str, *, as_json: bool) -> None:
    """Print the result of the training."""
    network, found = stored.network, stored.found
    if as_json:
        size = {"hidden_nodes": network.hidden_count, "connections": len(network.connections)}
        say(json.dumps({"file": target, "shape": list(stored.shape), "command": stored.command, **found, **size}))
        return
    passed = found["passed_phase_one_at"]
    say(
        f"{bold('phase one')}: {'not passed; ' if passed is None else ''}"
        f"the best network passes {found['held_out_boards_passed']} held-out boards, by which it was chosen"
    )
    against = [f"{found[f'simulated_score_against_{name}']:.0%} against {name}" for name in ("random", "greedy")]
    say(f"{bold('phase two')}: {', '.join(against)}, in simulated games without skips")
    parts = f"{number(network.hidden_count, 'hidden node')}, {number(len(network.connections), 'connection')}"
    say(f"{target}: the network of generation {found['generation']}, {parts}")
