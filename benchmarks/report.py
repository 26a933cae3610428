"""Measurements as Markdown and as JSON."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any

from measure import Measurement
from models import Puzzle

SMALL = 9
"""The largest size for which a table tells puzzles per second, not milliseconds per puzzle."""


def machine() -> str:
    """The processor and the system."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        model = f"{names[0]} ({len(names)} logical processors)" if names else model
    return f"{model}, {platform.system()}, {platform.python_implementation()} {platform.python_version()}"


def head(command: str, versions: Mapping[str, str]) -> list[str]:
    """The lines that tell where the numbers come from."""
    packages = ", ".join(f"{name} {number}" for name, number in versions.items())
    return [f"    {command}", "", f"Machine: {machine()}.  ", f"Packages: {packages}.", ""]


def best_peer(rows: Sequence[Measurement]) -> Measurement | None:
    """The peer that solved most, and of several the one that took least."""
    able = [row for row in rows if row.subject.is_peer and row.count("solved")]
    return min(able, key=lambda row: (-row.count("solved"), sum(row.seconds)), default=None)


def ratio(row: Measurement, peer: Measurement) -> tuple[float, bool] | None:
    """How many times as fast as the peer, on the puzzles that both were measured on; and whether it is at most that.

    A puzzle that the row could not finish counts with the time it was given, hence "at most".
    """
    both = min(len(row.seconds), len(peer.seconds))
    theirs, own = sum(peer.seconds[:both]), sum(row.seconds[:both])
    is_bound = row.cut_seconds > 0 and both == len(row.seconds) < len(peer.seconds)
    if is_bound:
        theirs, own = theirs + peer.seconds[both], own + row.cut_seconds
    return (theirs / own, is_bound) if own else None


def table(puzzles: Sequence[Puzzle], rows: Sequence[Measurement]) -> list[str]:
    """A Markdown table: ours in their order, then the peers, the fastest first."""
    is_small = max(puzzle.size for puzzle in puzzles) <= SMALL
    peer = best_peer(rows)
    ours = [row for row in rows if not row.subject.is_peer]
    peers = sorted((row for row in rows if row.subject.is_peer), key=lambda row: -(_rate(row) or 0))
    columns = ["solver", "solved"]
    columns += ["puzzles/s"] if is_small else ["mean, ms", "median, ms", "worst, ms"]
    columns += ["× best peer", "ready after, s"]
    lines = [columns]
    for row in [*ours, *peers]:
        figures = _rate_figures(row) if is_small else _time_figures(row)
        ready = "" if row.ready_seconds is None else f"{row.ready_seconds:.2f}"
        lines.append([row.subject.label, _solved(row), *figures, _ratio(row, peer), ready])
    text = aligned(lines, left={0, 1})
    if peer:
        text += ["", f"Best peer: {peer.subject.label}."]
    return text


def aligned(lines: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """A Markdown table, readable as plain text, too; all columns but these hold numbers."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def joined(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "| " + " | ".join(padded) + " |"

    rules = ["-" * (width + 2) if place in left else "-" * (width + 1) + ":" for place, width in enumerate(widths)]
    return [joined(lines[0]), "|" + "|".join(rules) + "|", *map(joined, lines[1:])]


def _solved(row: Measurement) -> str:
    if row.trouble and not row.seconds and not row.cut_seconds:
        return row.trouble
    text = f"{row.count('solved')}/{row.total}"
    if row.count("wrong"):
        text += f", {row.count('wrong')} WRONG"
    if row.trouble:
        text += f" ({row.trouble})"
    return text


def _rate(row: Measurement) -> float | None:
    spent = sum(row.seconds) + row.cut_seconds
    return len(row.seconds) / spent if spent else None


def _rate_figures(row: Measurement) -> list[str]:
    rate = _rate(row)
    if rate is None:
        return [""]
    return [f"< {_number(1 / row.cut_seconds)}" if not rate else _number(rate)]


def _time_figures(row: Measurement) -> list[str]:
    times = [1000 * seconds for seconds in row.seconds]
    if not times:
        return ["", "", f"> {_number(1000 * row.cut_seconds)}" if row.cut_seconds else ""]
    worst = f"> {_number(1000 * row.cut_seconds)}" if row.cut_seconds * 1000 > max(times) else _number(max(times))
    mean = statistics.fmean(times) if not row.cut_seconds else (sum(times) + 1000 * row.cut_seconds) / (len(times) + 1)
    return [("> " if row.cut_seconds else "") + _number(mean), _number(statistics.median(times)), worst]


def _ratio(row: Measurement, peer: Measurement | None) -> str:
    found = ratio(row, peer) if peer else None
    if found is None:
        return ""
    return ("< " if found[1] else "") + _number(found[0])


def _number(value: float) -> str:
    """Three digits that count."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.2f}" if value >= 1 else f"{value:.3g}"


def as_json(row: Measurement) -> dict[str, Any]:
    """A measurement with all its times."""
    return {
        "solver": row.subject.name,
        "label": row.subject.label,
        "is_peer": row.subject.is_peer,
        "is_batch": row.subject.is_batch,
        "trouble": row.trouble,
        "total": row.total,
        "measured": len(row.seconds),
        "solved": row.count("solved"),
        "wrong": row.count("wrong"),
        "ready_seconds": row.ready_seconds,
        "cut_seconds": row.cut_seconds,
        "cpu_seconds": sum(row.seconds),
        "puzzles_per_second": _rate(row),
        "pass_seconds": [sum(seconds for seconds, _ in each) for each in row.passes],
        "seconds": row.seconds,
    }
