"""Comparison of two results of a benchmark: the rows that became faster or slower beyond the noise of the repeats.

Two folders of results are compared benchmark by benchmark (`pairs_of`), for example before and after a change.

The noise is estimated from the results themselves: it is the distance, as a factor, of each repeat from the median of
its row, pooled over all rows. The comparison draws thousands of pairs of medians from this noise, as they would be if
nothing had changed; a row that is noisier than most gets proportionally more noise. About one in twenty of the reported
changes may be due to chance (Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, 1995); a difference of
less than 2 % is not reported. Rows with other puzzles or other limits have only their names in common, and are omitted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import exp, isfinite, log
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_sudoku.errors import SudokuError

from .tables import aligned, median, number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAWS = 10_000
RATE = 0.05
"""Share of the reported changes that may be due to chance."""
LEAST = 0.02
"""Smallest difference to report, as a share."""


class Change(NamedTuple):
    """The change of a row."""

    name: str
    unit: str
    old: float
    new: float
    factor: float
    """The new result as a multiple of the old one; more than 1 is better."""
    chance: float
    """The probability of such a difference if nothing has changed."""
    verdict: str
    """The verdict: faster, slower, or same."""


def read(path: str) -> dict[str, Any]:
    """Read the results in a file; raise SudokuError if it holds none, or none that can be compared."""
    try:
        record: dict[str, Any] = json.loads(Path(path).read_text("utf-8"))
        is_right = (
            isinstance(record["benchmark"], str)
            and isinstance(record["environment"]["machine"], str)
            and isinstance(record["environment"]["versions"], dict)
            and all(map(_is_entry, record["entries"]))
        )
    except OSError as error:
        raise SudokuError(f"{path}: expected the .json of a benchmark; found {str(error.strerror).lower()}") from None
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        is_right = False
    if not is_right:
        raise SudokuError(f"{path}: expected the .json of a benchmark; found something else")
    if not record["entries"]:
        raise SudokuError(f"{path}: expected results that can be compared; found none")
    return record


class ResultPair(NamedTuple):
    """The results of one benchmark in two places."""

    benchmark: str
    old: dict[str, Any]
    new: dict[str, Any]


def pairs_of(old: str, new: str) -> tuple[list[ResultPair], list[str]]:
    """Return the results to compare, and remarks on those that only one side has, or that cannot be compared.

    `old` and `new` are two files, or two folders that `csp-sudoku bench --out` wrote. Raise SudokuError if they have no
    results in common.
    """
    if not (Path(old).is_dir() or Path(new).is_dir()):
        before, after = read(old), read(new)
        return [ResultPair(after["benchmark"], before, after)], []
    files = [_files_in(path) for path in (old, new)]
    pairs, remarks = [], []
    for name in sorted({*files[0], *files[1]}):
        found = [each.get(name) for each in files]
        if None in found:
            remarks.append(f"only in {new if found[0] is None else old}: {name}")
            continue
        try:
            before, after = (read(str(path)) for path in found)
        except SudokuError as error:
            remarks.append(f"left out: {error}")
            continue
        pairs.append(ResultPair(name, before, after))
    if not pairs:
        raise SudokuError("; ".join([f"expected results of one benchmark in {old} and {new}; found none", *remarks]))
    return pairs, remarks


def _files_in(folder: str) -> dict[str, Path]:
    """Return the results in a folder by the names of their benchmarks; SudokuError if it has none."""
    place = Path(folder)
    if not place.is_dir():
        raise SudokuError(f"{folder}: expected a folder of results beside the other one; found no folder")
    inner = place / "results"
    found = {file.stem: file for file in sorted((inner if inner.is_dir() else place).glob("*.json"))}
    if not found:
        raise SudokuError(f"{folder}: expected a folder that csp-sudoku bench wrote; found no results in it")
    return found


def _is_entry(entry: Mapping[str, Any]) -> bool:
    """Return whether this is an `Entry`, as JSON stores it."""
    return (
        all(isinstance(entry[name], str) for name in ("name", "unit", "of"))
        and isinstance(entry["higher"], bool)
        and all(isinstance(value, int | float) and isfinite(value) for value in entry["values"])
    )


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """Return the change of each row that both results have, the largest changes first.

    Raise SudokuError if the results have no rows in common, or no repeats that show the noise.
    """
    import numpy as np

    if old.get("benchmark") != new.get("benchmark"):
        raise SudokuError(
            f"expected results of one benchmark; found {old.get('benchmark')!r} and {new.get('benchmark')!r}"
        )
    before, after = ({entry["name"]: entry for entry in record["entries"]} for record in (old, new))
    shared = [name for name in before if name in after]
    names = [name for name in shared if before[name]["of"] == after[name]["of"]]
    if not names:
        others = f" but {len(shared)} of other puzzles or limits" if shared else ""
        raise SudokuError(f"expected rows that both results have; found none{others}")
    names = [name for name in names if _is_whole(before[name]) and _is_whole(after[name])]
    noise = {name: found for name in names if len(found := _noise(before[name], after[name]))}
    if not noise:
        raise SudokuError("expected results with two repeats or more; found single runs, which tell nothing of noise")
    scales = {name: float(np.sqrt(np.mean(each**2))) for name, each in noise.items()}
    typical = median(list(scales.values()))
    # Rows that are much noisier than most are scaled down, because their noise is not that of the others.
    usual = [each * min(1.0, 2 * typical / scales[name]) if scales[name] else each for name, each in noise.items()]
    pooled = np.concatenate(usual)
    common = float(np.sqrt(np.mean(pooled**2)))
    rng = np.random.default_rng(1)
    changes = []
    for name in names:
        sides = [before[name]["values"], after[name]["values"]]
        difference = log(median(sides[1])) - log(median(sides[0]))
        spread = pooled * (max(1.0, scales.get(name, 0.0) / common) if common else 1.0)
        chance = _chance(difference, [len(each) for each in sides], spread, rng)
        sign = 1 if before[name]["higher"] else -1
        row = (name, before[name]["unit"], median(sides[0]), median(sides[1]), exp(sign * difference), chance)
        changes.append(Change(*row, "same"))
    return sorted(_judged(changes), key=lambda change: (change.verdict == "same", -abs(log(change.factor))))


def _is_whole(entry: Mapping[str, Any]) -> bool:
    """Return whether the values of an entry can be compared as factors."""
    return bool(entry["values"]) and all(value > 0 for value in entry["values"])


def _noise(*entries: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return the distances of the repeats of a row from their median, as logarithms of factors.

    The distances from a median of few values are too small, so each is scaled by sqrt(n / (n - 1)) for n values.
    """
    import numpy as np

    found = [np.zeros(0)]
    for entry in entries:
        values = np.log(entry["values"])
        if len(values) > 1:
            found.append((values - np.median(values)) * (len(values) / (len(values) - 1)) ** 0.5)
    return np.concatenate(found)


def _chance(difference: float, counts: Sequence[int], noise: NDArray[np.float64], rng: np.random.Generator) -> float:
    """Return the probability that medians of these numbers of repeats differ at least as much by chance."""
    import numpy as np

    first, second = (np.median(rng.choice(noise, (DRAWS, count)), axis=1) for count in counts)
    beyond = np.count_nonzero(np.abs(second - first) >= abs(difference) - 1e-12)
    return float((beyond + 1) / (DRAWS + 1))


def _judged(changes: Sequence[Change]) -> list[Change]:
    """Return the changes with their verdicts."""
    ordered = sorted(changes, key=lambda change: change.chance)
    bound = 0.0
    for place, change in enumerate(ordered, 1):
        if change.chance <= RATE * place / len(ordered):
            bound = change.chance
    return [
        change._replace(verdict="faster" if change.factor > 1 else "slower")
        if change.chance <= bound and abs(change.factor - 1) >= LEAST
        else change
        for change in changes
    ]


def notes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return remarks on two results: other machines, other packages, omitted rows."""
    found = []
    machines = [record["environment"]["machine"] for record in (old, new)]
    if machines[0] != machines[1]:
        found.append(f"other machines: {'; '.join(machines)}")
    packages = [record["environment"]["versions"] for record in (old, new)]
    for name in sorted(set().union(*packages)):
        versions = [each.get(name) for each in packages]
        if versions[0] != versions[1]:
            found.append(f"other versions of {name}: {versions[0]}; {versions[1]}")
    of = [{entry["name"]: entry["of"] for entry in record["entries"]} for record in (old, new)]
    others = sum(name in of[1] and of[1][name] != what for name, what in of[0].items())
    single = sum((name in of[0]) != (name in of[1]) for name in set().union(*of))
    if others:
        found.append(f"rows left out for other puzzles or limits: {others}")
    if single:
        found.append(f"rows left out that one of the results lacks: {single}")
    return found


def told(changes: Sequence[Change], remarks: Sequence[str] = ()) -> str:
    """Return the comparison in words and a table."""
    named = [change for change in changes if change.verdict != "same"]
    counts = {verdict: sum(change.verdict == verdict for change in named) for verdict in ("faster", "slower")}
    said = [f"{count} {verdict}" for verdict, count in counts.items() if count]
    lines = [
        f"{len(changes)} rows compared: {' and '.join(said) or 'no difference'} beyond noise.",
        *(f"- {remark}" for remark in remarks),
    ]
    if named:
        rows = [["", "row", "unit", "old", "new", "× as good", "chance"]]
        rows += [
            [change.verdict, change.name, change.unit, *map(number, (change.old, change.new, change.factor)),
             "< 0.0001" if change.chance < 1e-4 else f"{change.chance:.4f}"]
            for change in named
        ]  # fmt: skip
        lines += ["", *aligned(rows, {0, 1, 2})]
    return "\n".join(lines)


def as_object(changes: Iterable[Change], remarks: Sequence[str] = ()) -> dict[str, Any]:
    """Return the comparison for JSON."""
    return {"changes": [change._asdict() for change in changes], "notes": list(remarks)}
