"""The mistakes of players in played games: points that they did not take, and regions that they gave away.

    python benchmarks/giving.py STORE...

STORE holds the games of a match or a tournament; only those of the mode classic count. The script prints a Markdown
table with a line for each player, opponent and time. One column counts the turns in which the player took fewer points
than possible. Another counts the turns in which the player left a region with one empty square, although there were no
points to take and some move gave nothing away. A third one counts skips, which are in neither of the other two.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.tables import aligned, share
from csp_sudoku.arena.store import Store
from csp_sudoku.errors import SudokuError
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import GameRecord
from csp_sudoku.game.rules import PlayMode

Key = tuple[str, str, str]
"""The player, its opponent, and the seconds per turn."""


def count(record: GameRecord, counts: dict[Key, Counter[str]]) -> None:
    """Add the turns of a game to `counts`."""
    geometry, values = record.board.geometry, bytearray(record.board.values)
    for turn in record.turns:
        if turn.move is None:
            continue
        found = counts[str(record.players[turn.player - 1]), str(record.players[2 - turn.player]), f"{record.time:g}"]
        cell = geometry.cell(turn.move.row, turn.move.col)
        left = [sum(not values[other] for other in region) for region in geometry.regions]
        regions = {
            other: [left[r] for r in geometry.regions_of[other]] for other, value in enumerate(values) if not value
        }
        gains = {other: its.count(1) for other, its in regions.items()}
        gives = {other: its.count(2) for other, its in regions.items()}
        found["turns"] += 1
        found["skips"] += turn.outcome is OutcomeKind.SKIPPED
        if turn.outcome is not OutcomeKind.PLACED:
            continue
        values[cell] = turn.move.value
        if any(gains.values()):
            found["points"] += 1
            found["less"] += gains[cell] < max(gains.values())
        elif not all(gives.values()):
            found["quiet"] += 1
            found["given"] += bool(gives[cell])


def lines(counts: dict[Key, Counter[str]]) -> Iterable[list[str]]:
    """Yield the lines of the table."""
    for (player, opponent, seconds), found in sorted(counts.items()):
        less = f"{found['less']} of {found['points']}, {share(found['less'] / max(1, found['points']))}"
        given = f"{found['given']} of {found['quiet']}, {share(found['given'] / max(1, found['quiet']))}"
        yield [f"`{player}`", f"`{opponent}`", seconds, f"{found['turns']:,}", less, given, str(found["skips"])]


def main() -> int:
    """Count, and print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="+", metavar="STORE", help="of a match or a tournament")
    counts: dict[Key, Counter[str]] = defaultdict(Counter)
    try:
        for path in parser.parse_args().stores:
            with Store(path, create=False) as store:
                for text in store.records():
                    record = parse_record(text)
                    if record.mode is PlayMode.CLASSIC:
                        count(record, counts)
    except SudokuError as error:
        print(f"giving.py: {error}", file=sys.stderr)
        return 2
    columns = ["player", "opponent", "s", "turns", "fewer points than there were", "gave a region away", "skips"]
    for line in aligned([columns, *lines(counts)], left={0, 1}):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
