"""The quality of moves in positions whose exact value is known: it compares the champion's searches.

    python benchmarks/choices.py [--mode MODE] [--empty N] [--games N] [--seconds S]
                                 [--exploration C]... [--width W]... [--skips N]...

The positions come from games of random safe moves, and have N empty squares and one completion. Their exact values come
from all endings, or in the restricted modes from alpha-beta to the end of the game, which may take minutes with 18 or
more empty squares. The script prints a Markdown table. For each way to choose a move, it has the mean time, the mean
and the maximum number of points lost against the best move, and the number of positions in which the move turns a win
into a draw or a loss, or a draw into a loss, if the score is even. Each way gets S seconds, except the ways that value
all endings.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from csp_sudoku.agents.champion_player.thinking import Thinking, warm_up

import csp_sudoku as cs
from benchmarks.sets import board_named, safe_states
from benchmarks.tables import aligned, ms, number
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.search.endings.endgame import LEAN
from csp_sudoku.search.endings.table import Endings
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.kernels.filling import EXACT
from csp_sudoku.search.filling.model import FillingModel, model_of
from csp_sudoku.search.filling.pairing import without_pairs
from csp_sudoku.search.free_memory import free_bytes
from csp_sudoku.search.playouts.tree import EXPLORATION, WIDTH, Playouts
from csp_sudoku.solvers.base import Deadline

BOARDS = "random-3x3", "hard-3x3", "medium-3x3"

FOR_EVER = Deadline(None)


class ChoicePosition(NamedTuple):
    """A position of a game, and its filling game."""

    state: GameState
    model: FillingModel


Way = Callable[[ChoicePosition, float], int]
"""A function that chooses a move, by its number in the filling game, within a number of seconds."""


def position(name: str, game: int, empty: int, mode: PlayMode = PlayMode.CLASSIC) -> ChoicePosition | None:
    """Return the position of a game with `empty` empty squares.

    Return None if the position has several completions, or no move to choose.

    `name` and `game` are the board and the number of the game, and `mode` is the play mode (default classic).
    """
    start = GameState.start(board_named(name), mode, Random(f"squares {game}"))
    states = list(safe_states(start, f"choice {game}"))
    state = next((state for state in states if state.board.empty_count == empty), states[-1])
    full = cs.solve(states[-1].board).solution
    assert full is not None
    if state.is_over or state.must_pass:
        return None
    model = model_of(state, cs.classify_moves(state.board), full.values)
    return ChoicePosition(state, model) if model.is_exact else None


def truth_of(model: FillingModel) -> Deepening:
    """Return the search that finds the exact value."""
    return Deepening(model, endings=Endings(model, free_bytes()))


def by_turn(position: ChoicePosition, seconds: float) -> int:
    """Return the last move that the champion proposes."""
    moves = Thinking(position.state, [position.model.completion], rng=Random(1), seconds=seconds)
    *_, move = moves.proposals(Deadline(seconds))
    found = position.model.number_of(move)
    assert found is not None
    return found


def by_alpha_beta(position: ChoicePosition, seconds: float) -> int:
    """Return the move of iterative deepening."""
    move = -1
    for verdict in Deepening(position.model).verdicts(Deadline(seconds)):
        move = verdict.move
    return move


def by_playouts(position: ChoicePosition, seconds: float, *, exploration: float, width: float) -> int:
    """Return the move of Monte Carlo tree search.

    `exploration` and `width` are the parameters of the search.
    """
    search = Playouts(position.model, Random(1), exploration=exploration, width=width)
    deadline = Deadline(seconds)
    for verdict in search.steps():
        if deadline.passed():
            return verdict.move
    raise AssertionError  # the search never ends by itself


def by_endings(position: ChoicePosition, _seconds: float, *, skips: int) -> int:
    """Return the best move by all endings of the game with at most `skips` skips, however long that takes."""
    lean, _ = without_pairs(position.model, skips)
    verdict = Deepening(lean, endings=Endings(lean, free_bytes())).exact(FOR_EVER)
    assert verdict is not None
    return verdict.move


def measure(ways: dict[str, Way], positions: list[ChoicePosition], seconds: float, proof: str) -> list[list[str]]:
    """Return the lines of the table; the last one is for the proof.

    `ways` are the ways to choose a move, by their labels. Each gets `seconds` for a position. `proof` is the label of
    the search for the exact value.
    """
    lost: dict[str, list[float]] = {way: [] for way in ways}
    taken: dict[str, list[float]] = {way: [] for way in ways}
    thrown = dict.fromkeys(ways, 0)
    proving = []
    warm_up()  # no measured time may include compiling
    for position in positions:
        model = position.model
        started = time.perf_counter()
        truth = truth_of(model)
        verdict = truth.exact(FOR_EVER)
        proving.append(time.perf_counter() - started)
        assert verdict is not None
        for way, choose in ways.items():
            started = time.perf_counter()
            number_ = choose(position, seconds)
            taken[way].append(time.perf_counter() - started)
            points, after = truth.after(model.position, number_)
            value = truth.value(after, EXACT, FOR_EVER)
            assert value is not None
            worth = points - value
            lost[way].append(verdict.value - worth)
            thrown[way] += worth < verdict.value and (worth < 0 <= verdict.value or worth <= 0 < verdict.value)
    lines = [
        [
            way,
            ms(statistics.fmean(taken[way])),
            number(statistics.fmean(losses)),
            number(max(losses)),
            f"{thrown[way]} of {len(positions)}",
        ]
        for way, losses in lost.items()
    ]
    return [*lines, [proof, ms(statistics.fmean(proving)), "0", "0", f"0 of {len(positions)}"]]


def _number(least: int, most: int) -> Callable[[str], int]:
    """Return a reader of numbers from `least` to `most`, whose error names the range."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"expected a number from {least} to {most}; found {text!r}")
        return int(text)

    return read


def _seconds(text: str) -> float:
    """Read a time that is long enough to measure, in seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.001 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"expected seconds from 0.001 to 3600; found {text!r}")
    return seconds


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=[mode.value for mode in PlayMode], default="classic")
    parser.add_argument("--empty", type=_number(2, 26), default=22, help="empty squares, at most 26")
    parser.add_argument("--games", type=_number(1, 10_000), default=14, help="from each of three boards")
    parser.add_argument("--seconds", type=_seconds, default=0.1, help="for each way and position")
    parser.add_argument("--exploration", type=float, action="append", help="of the playouts, in points")
    parser.add_argument("--width", type=float, action="append", help="of the playouts, as a power")
    parser.add_argument(
        "--skips", type=_number(0, 64), action="append", help="at most, of endings without pairs of them"
    )
    asked = parser.parse_args()
    ways: dict[str, Way] = {"a turn of the champion": by_turn, "alpha-beta, depth by depth": by_alpha_beta}
    for exploration in asked.exploration or [EXPLORATION]:
        for width in asked.width or [WIDTH]:
            way = f"playouts, exploration {exploration:g}, width {width:g}"
            ways[way] = partial(by_playouts, exploration=exploration, width=width)
    mode = PlayMode(asked.mode)
    if mode is PlayMode.CLASSIC:
        for skips in asked.skips or LEAN:
            ways[f"all endings, at most {skips} skips"] = partial(by_endings, skips=skips)
    found = [position(name, game, asked.empty, mode) for name in BOARDS for game in range(asked.games)]
    positions = [each for each in found if each is not None]
    if not positions:
        parser.error(
            f"expected games that have a position with {asked.empty} empty squares and one completion; found none"
        )
    proof = "all endings" if mode is PlayMode.CLASSIC else "alpha-beta to the end"
    columns = ["the way", "ms", "points lost, mean", "at most", "results thrown away"]
    for line in aligned([columns, *measure(ways, positions, asked.seconds, proof)], left={0}):
        print(line)


if __name__ == "__main__":
    main()
