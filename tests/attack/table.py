"""The table at the end of a run: for each kind of attack how many there were, and what came of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tests.attack.registry import HOSTILES
from tests.attack.verdict import Verdict

HEAD = ("kind", "attacks", "games and inputs", "as expected", "of these again", "skipped", "FAILED")


def kind_of(case: str) -> str:
    """The kind of a case: what its agent does, from the name of its module, or else the name of the attack."""
    name = case.partition(":")[0]
    return f"agents: {HOSTILES[name].__module__.rpartition('.')[2]}" if name in HOSTILES else name


def counts(verdicts: Sequence[Verdict]) -> list[int]:
    """The numbers of a row of the table, in the order of its head."""
    skipped = [verdict for verdict in verdicts if verdict.is_skipped]
    failed = [verdict for verdict in verdicts if not verdict.is_ok]
    good = len(verdicts) - len(skipped) - len(failed)
    again = sum(verdict.is_ok and verdict.tries > 1 for verdict in verdicts)
    return [len(verdicts), sum(verdict.games for verdict in verdicts), good, again, len(skipped), len(failed)]


def table(verdicts: Sequence[Verdict]) -> str:
    """The table as Markdown, with a row for each kind and one for all."""
    kinds = defaultdict(list)
    for verdict in verdicts:
        kinds[kind_of(verdict.attack)].append(verdict)
    rows = [HEAD, *((kind, *counts(kinds[kind])) for kind in sorted(kinds)), ("all", *counts(verdicts))]
    cells = [[f"{cell:,}" if isinstance(cell, int) else cell for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEAD))]
    lines = [
        " | ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    ]
    rule = " | ".join("-" * (width - 1) + ":" if column else "-" * width for column, width in enumerate(widths))
    return "\n".join(f"| {line} |" for line in (lines[0], rule, *lines[1:]))
