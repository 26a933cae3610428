"""The overhead of the arena: the time of games minus the time in which their players think.

    python benchmarks/arena.py [--games N]

The script prints two Markdown tables. For each way to play, the first has the median time of a game in milliseconds,
and the time per turn without the players' own time. The second has the time of many games, and the time that the
framework's own script would sleep in their turns.
"""

from __future__ import annotations

import argparse
import statistics
import time

from csp_sudoku.arena.match import Match
from csp_sudoku.arena.play import play_game
from csp_sudoku.arena.pool import local_pool
from csp_sudoku.arena.schedule import NamedBoard
from csp_sudoku.arena.store import Store
from csp_sudoku.board import Board
from csp_sudoku.game.referee import Referee
from csp_sudoku.sandbox.fork_server import ForkServer
from csp_sudoku.sandbox.terms import GameTerms

PLAYER = "random"
SECONDS = 0.5
"""The time per turn, in seconds; these players need almost none of it, and the framework uses all of it."""


def one_by_one(board: Board, games: int, *, persistent: bool) -> str:
    """Return the row of `games` single games, played persistent or forked."""
    took, over = [], []
    with ForkServer() as fork_server:
        for seed in range(games):
            started = time.perf_counter()
            record = play_game(
                PLAYER,
                PLAYER,
                board,
                seconds=SECONDS,
                seed=seed,
                terms=GameTerms(persistent=persistent),
                fork_server=fork_server,
            )
            took.append(time.perf_counter() - started)
            thought = sum(turn.seconds or 0 for turn in record.turns)
            over.append((took[-1] - thought) / len(record.turns))
    way = "persistent" if persistent else "forked"
    middle, worst = statistics.median(over) * 1000, max(over[1:]) * 1000
    return f"| {board.geometry.name} | {way} | {statistics.median(took) * 1000:.1f} | {middle:.2f} | {worst:.2f} |"


def together(board: Board, games: int, jobs: int, *, persistent: bool) -> str:
    """Return the row of a match of `games` games, kept in a store, with the time that the framework would sleep."""
    terms = GameTerms(persistent=persistent)
    match = Match(PLAYER, PLAYER, [NamedBoard("", board)], games=games, seconds=SECONDS, terms=terms)
    started = time.perf_counter()
    with Store() as store, local_pool(jobs) as pool:
        pool.play(match.scheduled_games, store)
        took = time.perf_counter() - started
        turns = sum(record.count('"outcome"') for record in store.records())
    slept = turns * SECONDS
    way = "persistent" if persistent else "forked"
    return f"| {board.geometry.name} | {way} | {games} | {jobs} | {took:.1f} | {slept:.0f} | {slept / took:.0f}× |"


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="of the last table; the others take a quarter")
    games = parser.parse_args().games
    Referee.warm_up()
    print("| board | player | ms per game | ms per turn, without its player's | worst game's |")
    print("| --- | --- | ---: | ---: | ---: |")
    for board in (Board.empty(2, 2), Board.empty(3, 3)):
        for persistent in (False, True):
            print(one_by_one(board, max(4, games // 4), persistent=persistent))
    print("\n| board | player | games | jobs | seconds | the framework sleeps | times faster |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for jobs in (1, 2):
        for persistent in (False, True):
            print(together(Board.empty(2, 2), games, jobs, persistent=persistent))


if __name__ == "__main__":
    main()
