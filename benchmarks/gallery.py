"""The strength of the earlier systems' players, without and with their faults, as Markdown tables.

    python benchmarks/gallery.py [--seconds S] [--games G] [--only TEXT]

All games are played in this process, one after the other, on boards/random-3x3.txt and boards/random-2x3.txt. A turn is
cut off after S seconds. This is less strict than a process for each turn, but excludes the time to start one. Games
come in pairs: each player moves first in one, with the same seed.
"""

from __future__ import annotations

import argparse
import gc
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from csp_sudoku.benchmarks.environment import head, versions

from csp_sudoku.arena.statistics import score_interval, score_of
from csp_sudoku.board import Board, load
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.players import Agent, Spec
from csp_sudoku.turn import play_turn

BOARDS = Path(__file__).resolve().parents[1] / "boards"

AGAIN = 0.2
"""Interval after which the signal that cuts off a turn is repeated, in seconds, in case it was lost."""

PLAYERS = ("parity", "heuristic", "skipper", "tree-mcts", "timed-mcts", "neat")

ALL_OF_002 = "timed-mcts?fault=playouts+side+root"


class Pairing(NamedTuple):
    """Two players, and the share of the games that they play; against random, few games suffice."""

    player: str
    opponent: str
    share: float = 1.0


REPAIRED = [
    Pairing(player, opponent, share) for opponent, share in (("random", 0.5), ("greedy", 1)) for player in PLAYERS
]
FAULTY = [
    Pairing("parity?fault=blocks", "random", 0.5),
    Pairing("parity?fault=blocks", "greedy"),
    Pairing("parity", "parity?fault=blocks", 0.5),
    Pairing("parity", "greedy?safe", 0.5),
    Pairing("parity?fault=blocks", "greedy?safe", 0.5),
    Pairing("heuristic?fault=pairs+stale", "greedy", 0.5),
    Pairing("heuristic", "heuristic?fault=pairs+stale", 0.5),
    Pairing("skipper?bombs=rule&skip=behind", "greedy", 0.5),
    Pairing("skipper", "skipper?bombs=rule&skip=behind", 0.5),
    Pairing("tree-mcts?fault=pairs", "greedy", 0.5),
    Pairing(ALL_OF_002, "random"),
    Pairing("timed-mcts", ALL_OF_002, 0.5),
]


class TurnTimeout(BaseException):
    """The exception that cuts off a turn at any point."""


class PickledMemory:
    """The memory of a player between turns, pickled as between processes."""

    def __init__(self) -> None:
        self.data: bytes | None = None

    def read(self) -> object:
        """Return the object that was written last, or None."""
        return None if self.data is None else pickle.loads(self.data)

    def write(self, saved: object) -> None:
        """Replace the stored object."""
        self.data = pickle.dumps(saved, pickle.HIGHEST_PROTOCOL)


Maker = Callable[[Random], Agent]


def maker(text: str) -> Maker:
    """Return a function that makes the player of a text; it is called once for each turn."""
    spec = Spec.parse(text)
    kind = spec.agent()
    settings = spec.settings(kind.OPTIONS)
    return lambda rng: kind(rng, **settings)


def last_proposal(agent: Agent, state: GameState, memory: PickledMemory, seconds: float) -> object:
    """Return the last proposal of a player when its time is over, or when it is done.

    `seconds` is the time of the turn, and `memory` holds the player's data between turns.
    """
    proposals: list[object] = [None]
    armed = True

    def ring(*_: object) -> None:
        if armed:
            raise TurnTimeout

    signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        play_turn(agent, state, proposals.append, memory)
    except TurnTimeout:
        pass
    armed = False
    signal.setitimer(signal.ITIMER_REAL, 0)
    return proposals[-1]


def game(makers: tuple[Maker, Maker], board: Board, seconds: float, seed: str, mode: str = "classic") -> GameState:
    """Play a game, and return its last state.

    `seconds` is the time per turn, `seed` determines all random numbers, and `mode` is the play mode (default classic).
    """
    state, referee = GameState.start(board, mode, Random(seed)), Referee()
    memories = PickledMemory(), PickledMemory()
    while not state.is_over:
        move: object = None
        if not state.must_pass:
            who = state.player - 1
            agent = makers[who](Random(f"{seed} {who} {len(state.history)}"))
            move = last_proposal(agent, state, memories[who], seconds)
        state, _ = state.play(move, referee)
    return state


def played(pairing: Pairing, board: Board, seconds: float, games: int) -> Iterator[tuple[GameState, GameState]]:
    """Yield the last states of each pair of games: the player moves first in one, and second in the other."""
    player, opponent = maker(pairing.player), maker(pairing.opponent)
    for number in range(max(1, round(games * pairing.share / 2))):
        seed = f"{pairing.player} {pairing.opponent} {number}"
        yield game((player, opponent), board, seconds, seed), game((opponent, player), board, seconds, seed)


def row(pairing: Pairing, name: str, seconds: float, games: int) -> str:
    """Return a line of the table."""
    started = time.perf_counter()
    ends = list(played(pairing, load(BOARDS / f"{name}.txt"), seconds, games))
    pairs = [(first.result[0], second.result[1]) for first, second in ends if first.result and second.result]
    lost = sum((pair[side].loss is not None) and pair[side].player == side + 1 for pair in ends for side in (0, 1))
    flat = [result for pair in pairs for result in pair]
    counts = "/".join(str(flat.count(result)) for result in (1, 0.5, 0))
    low, high = score_interval(pairs)
    cells = [f"`{pairing.player}`", f"`{pairing.opponent}`", name, str(len(flat)), counts, f"{score_of(pairs):.1%}"]
    cells += [f"{low:.1%} – {high:.1%}", str(lost), f"{time.perf_counter() - started:.0f}"]
    return f"| {' | '.join(cells)} |"


def main() -> int:
    """Play the games, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.1, help="per turn (default 0.1)")
    parser.add_argument("--games", type=int, default=40, help="of a pairing on a board (default 40; vs random half)")
    parser.add_argument("--boards", nargs="+", default=["random-3x3", "random-2x3"])
    parser.add_argument("--only", default="", help="pairings whose players have this in their text")
    options = parser.parse_args()
    command = "python benchmarks/gallery.py" + "".join(f" {argument}" for argument in sys.argv[1:])
    gc.collect()
    gc.freeze()  # As in the arena, garbage collection skips the loaded objects during a turn.
    print("# Earlier systems' players\n")
    print(*head(command, versions()), sep="\n")
    print(f"Turns of {options.seconds} s, in one process, both sides equally often. 95%: over pairs of games.\n")
    for title, pairings in (("Repaired", REPAIRED), ("With their faults", FAULTY)):
        print(f"## {title}\n")
        print("| player | opponent | board | games | won/drawn/lost | score | 95% | lost at once | seconds |")
        print("| --- | --- | --- | ---: | --- | ---: | --- | ---: | ---: |")
        for name in options.boards:
            for pairing in pairings:
                if options.only in pairing.player:
                    print(row(pairing, name, options.seconds, options.games), flush=True)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
