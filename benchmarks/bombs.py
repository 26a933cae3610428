"""The exact move map: from scratch, turn by turn, and how many bombs there are. Prints Markdown, and draws a picture.

    python benchmarks/bombs.py [--quick] [--shapes MxN,…] [--counted MxN,…] [--repeat R] [--limit S] [--plot OUT]
                               [--only scratch|turns|bombs…]

One process, one thread, CPU seconds. Everything is compiled and asked once before. The boards of a shape are the same
for all, and the same in every run. Of a map that takes less than half a second, the fastest of R counts; in each of the
R rounds all take turns. Every map is compared with all others of its board while the clock stands still, every safe
move of `search` is looked up in a completion; a contradiction is printed as WRONG and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import random
import shlex
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bomb_games import LARGE, Counts, Tracking, games
from bomb_maps import Judge, Shape, warm_board
from bomb_tables import TARGETS, counted, from_scratch, picture, save, tracked
from report import head
from subjects import Subject, versions

import csp_sudoku as cs
from csp_sudoku.generation import random_solution

FILLS = (0, 10, 20, 30, 35, 40, 45, 50, 60, 80)
"""The shares of a board, in percent, at which maps are made from scratch."""


class Work(NamedTuple):
    """How much is measured on a shape."""

    boards: int
    """Boards of each family and fill."""
    others: int
    """How many of them all engines and peers are asked about; the naive loop is asked about one."""
    tracked: int
    """Games in which the tracker is measured."""
    games: int
    """Games in which bombs are counted."""


WORK: Mapping[Shape, Work] = {
    (2, 2): Work(5, 2, 10, 500),
    (2, 3): Work(5, 2, 10, 200),
    (3, 3): Work(20, 5, 20, 200),
    (3, 4): Work(8, 3, 10, 50),
    (4, 4): Work(8, 3, 10, 20),
    (5, 5): Work(4, 2, 1, 4),
}
OTHERWISE, LITTLE = Work(3, 1, 1, 3), Work(2, 1, 1, 2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for; the exit code."""
    asked = _parser().parse_args(arguments)
    started = time.process_time()
    command = shlex.join(["python", "benchmarks/bombs.py", *(sys.argv[1:] if arguments is None else arguments)])
    print("\n".join(head(command, versions([Subject("minisat22", is_peer=True)]))), flush=True)
    work = {
        shape: LITTLE if asked.quick else WORK.get(shape, OTHERWISE)
        for shape in dict.fromkeys([*asked.shapes, *asked.counted])
    }
    judge = Judge()
    positions: dict[Shape, list[list[cs.Board]]] = defaultdict(list)
    trackings = {shape: Tracking() for shape in asked.shapes if "turns" in asked.only}
    counts = {shape: Counts() for shape in asked.counted if "bombs" in asked.only}
    for shape, much in work.items():
        _tell(f"games on {shape[0]}×{shape[1]}")
        if "scratch" not in asked.only:
            much = much._replace(boards=0)  # noqa: PLW2901 - it needs no positions
        _play(shape, much, positions[shape], trackings.get(shape), counts.get(shape), asked.limit, judge)
    if "scratch" in asked.only:
        print("## From scratch\n")
        firsts = ", ".join(f"{work[m, n].others} on {m}×{n}" for m, n in asked.shapes)
        print("Milliseconds, median / max of the boards of a row. >: not decided within the limit. `search` is asked")
        print(f"about all of them, the others about some ({firsts}), the naive loop about one.")
        repeat, fills = (1, FILLS[::4]) if asked.quick else (asked.repeat, FILLS)
        for shape in asked.shapes:
            _tell(f"from scratch on {shape[0]}×{shape[1]}")
            families = _families(shape, work[shape].boards, positions[shape], fills)
            for line in from_scratch(shape, families, work[shape].others, repeat, asked.limit, judge):
                print(line, flush=True)
        print(
            f"\nOf the {judge.maps} maps that others were asked about, {judge.confirmed} were confirmed in full by one;"
        )
        print("nothing that any of them decided contradicts another." if not judge.wrong else "WRONG, see below.")
    if trackings:
        print("\n## Turn by turn\n\nMilliseconds per turn of games of random safe moves, from the empty board on.\n")
        print("\n".join(tracked(trackings)))
    if counts:
        print("\n## Bombs\n")
        print("\n".join(counted(counts, {shape: work[shape].games for shape in counts})))
    if asked.plot and counts:
        save(picture(counts), asked.plot)
    print(f"\nAll this took {time.process_time() - started:.0f} s of CPU.")
    for line in judge.wrong:
        print(f"\nWRONG: {line}")
    return 1 if judge.wrong else 0


def _play(
    shape: Shape,
    work: Work,
    kept: list[list[cs.Board]],
    tracking: Tracking | None,
    counts: Counts | None,
    limit: float,
    judge: Judge,
) -> None:
    """Play the games of a shape, and measure and count in them."""
    warm = cs.MoveTracker(warm_board(shape))
    warm.place(*warm.map.safe[0])
    for engine in ("search", "rule", "rule-columns"):
        cs.classify_moves(warm.board, engine)
    count = max(work.boards, work.tracked if tracking else 0, work.games if counts else 0)
    for number, played in enumerate(games(shape, count)):
        rng = random.Random(f"turns {shape} {number}")
        if number < work.boards:
            kept.append(played)
        if tracking and number < work.tracked:
            tracking.follow(played, rng, limit, judge)
        if counts and number < work.games:
            if shape[0] * shape[1] >= LARGE:
                counts.sample(played, rng, judge)
                continue
            tracker = cs.MoveTracker(played[0])
            for board in played[:-1]:
                counts.add(tracker.move_to(board), judge)


def _families(
    shape: Shape, count: int, played: list[list[cs.Board]], fills: Sequence[int]
) -> dict[str, dict[int, list[cs.Board]]]:
    """The boards for the tables from scratch, by family and fill."""
    cells = len(played[0]) - 1
    random_cells: dict[int, list[cs.Board]] = {fill: [] for fill in fills}
    for number in range(count):
        rng = random.Random(f"cells {shape} {number}")
        solution = random_solution(*shape, rng)
        order = rng.sample(range(cells), cells)
        for fill in fills:
            random_cells[fill].append(solution.without(order[round(cells * fill / 100) :]))
    from_games = {fill: [boards[round(cells * fill / 100)] for boards in played[:count]] for fill in fills if fill}
    return {"random cells of a random solution": random_cells, "in games of random safe moves": from_games}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few boards, few games, one round: to see it run")
    parser.add_argument(
        "--shapes", type=_shapes, metavar="MxN,…", default=list(TARGETS), help="to measure (default: 3x3,4x4,5x5)"
    )
    parser.add_argument(
        "--counted", type=_shapes, metavar="MxN,…", default=list(WORK),
        help="to count bombs on (default: 2x2,2x3,3x3,3x4,4x4,5x5)",
    )  # fmt: skip
    parser.add_argument("--repeat", type=int, metavar="R", default=3, help="rounds; the fastest counts (default: 3)")
    parser.add_argument(
        "--limit",
        type=float,
        metavar="S",
        default=4.0,
        help="seconds for a map or a turn, for the naive loop a quarter (default: 4)",
    )
    parts = ("scratch", "turns", "bombs")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, help="only these tables")
    parser.add_argument("--plot", type=Path, metavar="OUT", help="draw the count of bombs, as OUT.png, .svg or .pdf")
    return parser


def _shapes(text: str) -> list[Shape]:
    found = []
    for part in text.split(","):
        m, _, n = part.partition("x")
        board = cs.Board.empty(int(m), int(n))  # an unknown shape is an error here
        found.append((board.m, board.n))
    return found


def _tell(text: str) -> None:
    """How far it is, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text} …", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
