"""The benchmarks by name, and the files that each run writes: a table, JSON, pictures, and the raw runs.

DIR/RESULTS.md               all results of this folder, one after the other, with their pictures
DIR/results/NAME.md, .json   the results of one benchmark
DIR/results/NAME.png, .svg   its picture
DIR/results/NAME.jsonl       its raw runs, appended as they are measured

`Suite.outlook` reports in advance the number of measurements and their time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_sudoku.errors import SudokuError, expect_name

from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section
from .environment import environment, fingerprint, head
from .isolated import USED_UP
from .pictures import save
from .store import Runs, RunStore, runs_in
from .tables import aligned

if TYPE_CHECKING:
    from .runner import MeasurementPool


class BenchmarkEntry(NamedTuple):
    """A benchmark in the table: a module of this package, which is imported when it is used, and the class in it."""

    module: str
    kind: str

    def load(self) -> type[Benchmark]:
        """Import and return the class."""
        found: type[Benchmark] = getattr(import_module(f".{self.module}", __package__), self.kind)
        return found


BENCHMARKS: Mapping[str, BenchmarkEntry] = {
    "solvers": BenchmarkEntry("solvers", "Solvers"),
    "pruning": BenchmarkEntry("pruning", "Pruning"),
    "giants": BenchmarkEntry("giants", "Giants"),
    "thousand": BenchmarkEntry("thousand", "Thousand"),
    "cover": BenchmarkEntry("cover", "Cover"),
    "variants": BenchmarkEntry("variants", "Variants"),
    "workers": BenchmarkEntry("workers", "Workers"),
    "bombs": BenchmarkEntry("bombs", "Bombs"),
    "throughput": BenchmarkEntry("throughput", "Throughput"),
    "search": BenchmarkEntry("search", "SearchWork"),
    "agents": BenchmarkEntry("agents", "Agents"),
}
"""All benchmarks by name, in the order of the results.

A benchmark is imported when it is used, because `agents` imports modules that run on Linux only.
"""

TITLE = "# Benchmarks: results\n\nMade by `csp-sudoku bench`, and never edited by hand."


def benchmark(name: str) -> Benchmark:
    """Return the benchmark of a name."""
    expect_name("benchmark", name, BENCHMARKS)
    return BENCHMARKS[name].load()()


class Outlook(NamedTuple):
    """The work that remains for a benchmark."""

    benchmark: str
    measurements: int
    """The number of all measurements, including those that will turn out not to be worth repeating."""
    due: int
    """The number of remaining measurements."""
    seconds: float
    """The approximate maximum wall-clock time, in seconds, if every limit is used up."""
    took: int | None
    """The wall-clock time of the last complete measurement in this folder, in seconds; None if there is none."""


class Suite:
    """Some benchmarks with their settings and their folder.

    `asked` holds the settings of all benchmarks, `folder` is the place of the results, and `command` the command line
    that the results show.
    """

    def __init__(self, names: Sequence[str], asked: BenchmarkOptions, folder: Path, command: str) -> None:
        self.asked = asked
        self.folder = folder
        self.command = command
        self.plans: list[tuple[Benchmark, Plan]] = []
        for name in names:
            one = benchmark(name)
            self.plans.append((one, one.plan(asked)))

    @property
    def total(self) -> int:
        """The number of measurements, done or not."""
        return sum(one.total(plan) for one, plan in self.plans)

    def outlook(self, jobs: int) -> Iterator[Outlook]:
        """Yield the remaining work of each benchmark, with `jobs` measurements at a time; nothing is written."""
        for one, plan in self.plans:
            runs = runs_in(self.folder / "results" / f"{one.name}.jsonl")
            due, seconds = one.outlook(plan, runs, fingerprint(one.packages), jobs)
            versions = [run["version"] for run in runs.values() if "version" in run]
            known = [_seconds(runs, _what(one, plan, version)) for version in dict.fromkeys(reversed(versions))]
            took = next((each for each in known if each), None)
            yield Outlook(one.name, one.total(plan), due, round(seconds, 1), took)

    def run(self, pool: MeasurementPool, on_run: Callable[[], object]) -> Iterator[dict[str, Any]]:
        """Perform the missing measurements; yield each benchmark's record once its files are written.

        `on_run` is called after each measurement.

        `pool` is the pool that performs the measurements.
        """
        results = self.folder / "results"
        for one, plan in self.plans:
            with RunStore(results / f"{one.name}.jsonl") as store:
                version = fingerprint(one.packages)
                known = environment(one.packages)
                store.add({"key": f"environment {version} {known['commit']}", "environment": known})
                with _session(store, _what(one, plan, version)) as session:
                    report = one.execute(self.asked, plan, pool, store, version, on_run)
                seconds = _seconds(store, session)
            record = _record(one, self.asked, plan, report, self.command, seconds)
            (results / f"{one.name}.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
            (results / f"{one.name}.md").write_text(_markdown(one, plan, report, record), "utf-8")
            if report.draw is not None:
                picture = report.draw()
                for kind in ("svg", "png"):
                    save(picture, results / f"{one.name}.{kind}")
            self._gather()
            yield record

    def _gather(self) -> None:
        """Gather the results of all benchmarks of the folder in one file."""
        parts = []
        for name in BENCHMARKS:
            path = self.folder / "results" / f"{name}.md"
            if path.exists():
                parts.append(path.read_text("utf-8").replace(f"]({name}.", f"](results/{name}.").rstrip("\n"))
        text = "\n\n".join([TITLE, *parts]) + "\n"
        (self.folder / "RESULTS.md").write_text(text.replace("\n\n\n", "\n\n"), "utf-8")


def _what(one: Benchmark, plan: Plan, version: str) -> str:
    """Return the common part of the notes on runs of a plan."""
    return f"{version} {sha256(repr(one.keys(plan)).encode()).hexdigest()[:8]}"


@contextmanager
def _session(store: RunStore, what: str) -> Iterator[str]:
    """Record in the store when a run of a plan begins and ends; yield the common part of these notes."""
    number = len(_notes(store, f"begin {what}"))
    started = time.perf_counter()
    store.add({"key": f"begin {what} {number}"})
    yield what
    store.add({"key": f"end {what} {number}", "seconds": round(time.perf_counter() - started, 1)})


def _notes(runs: Runs, what: str) -> list[dict[str, Any]]:
    """Return the notes of this kind on runs of a plan."""
    found: list[dict[str, Any]] = []
    while (note := runs.get(f"{what} {len(found)}")) is not None:
        found.append(note)
    return found


def _seconds(runs: Runs, what: str) -> int | None:
    """Return the total seconds of all runs of a plan; None if a run was killed, so that its time is unknown."""
    ends = _notes(runs, f"end {what}")
    return round(sum(end["seconds"] for end in ends)) if len(ends) == len(_notes(runs, f"begin {what}")) else None


def told(outlooks: Sequence[Outlook], jobs: int) -> str:
    """Return the remaining work as a table."""
    rows = [
        [each.benchmark, f"{each.due:,}", f"{each.measurements:,}", _minutes(each.seconds), _minutes(each.took)]
        for each in outlooks
    ]
    if len(outlooks) > 1:
        _, measurements, due, seconds, _ = zip(*outlooks, strict=True)
        rows.append(["all", f"{sum(due):,}", f"{sum(measurements):,}", _minutes(sum(seconds)), ""])
    columns = ["benchmark", "to measure", "of", "minutes at most", "took last"]
    return "\n".join(
        [
            *aligned([columns, *rows], {0}),
            "",
            f"With {jobs} at a time on as many free processors, if every limit is used up and each turn of a game;",
            "compiling, which is done once, comes on top. Most solvers are well below their limits.",
        ]
    )


def _minutes(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds / 60:.1f}"


def prepare(folder: Path) -> None:
    """Create the folder of the results; raise SudokuError before the measurements if it cannot be written."""
    try:
        (folder / "results").mkdir(parents=True, exist_ok=True)
        with (folder / "RESULTS.md").open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise SudokuError(f"expected a folder to write results to; found {folder} ({error.strerror})") from None


def _record(
    one: Benchmark, asked: BenchmarkOptions, plan: Plan, report: Report, command: str, seconds: int | None
) -> dict[str, Any]:
    """Return the whole result for JSON."""
    return {
        "benchmark": one.name,
        "title": one.title,
        "command": command,
        "quick": asked.quick,
        "seed": asked.seed,
        "repeats": plan.repeats,
        "environment": environment(one.packages),
        "told": plan.told,
        "seconds": seconds,
        "entries": [
            {
                "name": each.name,
                "unit": each.unit,
                "values": list(each.values),
                "of": each.of,
                "higher": each.is_higher_better,
            }
            for each in report.entries
        ],
        "sections": [_section_object(each) for each in report.sections],
        "wrong": list(report.wrong),
        "troubles": list(report.troubles),
        "data": dict(report.data),
    }


def _section_object(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "note": section.note,
        "columns": list(section.columns),
        "rows": [list(row) for row in section.rows],
    }


def _markdown(one: Benchmark, plan: Plan, report: Report, record: dict[str, Any]) -> str:
    """Return the result as Markdown."""
    words = [plan.told]
    if plan.tasks:
        fewer = ", of fewer where the limit of all repeats was reached" if plan.is_sparing else ""
        words.append(f"Medians of {plan.repeats} repeats{fewer}." if plan.repeats > 1 else "One run of each.")
    if record["seconds"] is not None:
        words.append(f"All this took {record['seconds']} s.")
    lines = [f"## {one.title}", "", *head(record["command"], record["environment"]["versions"])]
    lines.append(" ".join(filter(None, words)))
    if report.draw is not None:
        lines += ["", f"![{report.caption}]({one.name}.png)", "", f"*{report.caption}*"]
    lines += [f"\nWRONG: {each}" for each in report.wrong]
    failed = [each for each in report.troubles if not each.endswith(USED_UP)]
    lines += [f"\nNot measured to the end: {each}" for each in failed]
    for section in report.sections:
        lines += ["", f"### {section.title}", ""]
        if section.note:
            lines += [section.note, ""]
        lines += aligned([list(section.columns), *map(list, section.rows)], section.left)
    return "\n".join(lines) + "\n"


def markdown_of(record: dict[str, Any], folder: Path) -> str:
    """Return the Markdown of a record that `run` has yielded."""
    return (folder / "results" / f"{record['benchmark']}.md").read_text("utf-8")
