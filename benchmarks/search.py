"""The benchmark `search` measures pruning, tables and order in game trees, and searches per turn (000's Figure 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section, TrackedFigure
from .earlier import NAIVE_FACTOR, PRUNING_FACTOR, SYSTEMS
from .isolated import Budget
from .pictures import OURS, figure, tidy, whole_numbers
from .runner import Task
from .searching import ENDGAMES, NO_SKIPS, PACES, PARITY, TREES
from .sets import board_named
from .tables import median, ms, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BOARDS = ("empty-2x2", "random-2x3", "hard-3x3", "empty-3x3")
"""The boards of 000's Figure 6."""
TIMES = (0.1, 0.5, 1.0, 2.0)
SHARES = (0.0, 0.5)
"""The shares of a game after which turns are measured."""
ENDGAME = "random-3x3"
LOOKS = ("-", "-", "-", "--", "--")


@dataclass(frozen=True)
class SearchSize:
    """The amount of work."""

    trees: tuple[tuple[str, int], ...]
    """The boards, with the depth of their trees."""
    endgames: tuple[int, ...]
    """The numbers of empty cells."""
    games: int
    times: tuple[float, ...]
    shares: tuple[float, ...]
    budget: Budget
    repeats: int


FULL = SearchSize(
    (("random-2x2", 6), ("random-2x3", 4), ("random-2x3", 5), ("random-3x3", 3), ("hard-3x3", 3), ("empty-3x3", 3)),
    (6, 8, 10, 12, 14, 16, 18, 20, 22, 24), 5, TIMES, SHARES, Budget(20, 60), 3,
)  # fmt: skip
QUICK = SearchSize(
    (("random-2x2", 5), ("random-2x3", 3), ("random-2x3", 4)), (6, 8, 10), 2, (0.1, 0.5), (0.0, 0.5), Budget(5, 20), 1
)


class SearchWork(Benchmark):
    """The nodes with and without each improvement; the calls and playouts per turn."""

    name = "search"
    title = "Game-tree search"

    def plan(self, asked: BenchmarkOptions) -> Plan:
        size = QUICK if asked.quick else FULL
        for board in asked.boards:
            board_named(board)  # fail now, because a measuring process would report an unknown board later
        budget = size.budget
        if asked.limit is not None:
            budget = Budget(asked.limit, max(asked.limit, budget.total * asked.limit / budget.item))
        trees = [Task("searching:tree", {"way": way}, {"way": way}, size.trees, budget) for way in TREES]
        items = [[game, left] for left in size.endgames for game in range(size.games)]
        endgames = [
            Task("searching:endgame", {"way": way}, {"way": way, "board": ENDGAME}, items, budget) for way in ENDGAMES
        ]
        endgames.append(Task("searching:endgame_of_parity", {"way": PARITY}, {"board": ENDGAME}, items, budget))
        turns = [[seconds, share] for seconds in asked.times or size.times for share in size.shares]
        repeats = asked.repeats or size.repeats
        whole = sum(seconds + 0.25 for seconds, _ in turns)  # a search in Python is cut off with a short delay
        pacing = Budget(whole, whole * (repeats if asked.repeats is None else 1))
        paces = [
            Task("searching:pace", case := {"pace": pace, "board": board}, case, turns, pacing, is_alone=True)
            for pace in PACES
            for board in asked.boards or BOARDS
        ]
        told = f"Exact endgames are positions of games of random safe moves from {ENDGAME}."
        return Plan([*trees, *endgames, *paces], repeats, told, is_sparing=asked.repeats is None)

    def report(self, asked: BenchmarkOptions, plan: Plan, found: Mapping[str, list[dict[str, Any]]]) -> Report:  # noqa: ARG002
        kinds: dict[str, list[Task]] = {}
        for task in plan.tasks:
            kinds.setdefault(task.work.partition(":")[2].partition("_")[0], []).append(task)
        trees = {task.case["way"]: _parts(task, found[task.key]) for task in kinds["tree"]}
        endgames = {task.case["way"]: _parts(task, found[task.key]) for task in kinds["endgame"]}
        paces = {(task.case["pace"], task.case["board"]): _counts(task, found[task.key]) for task in kinds["pace"]}
        size, left = kinds["tree"][0].items, kinds["endgame"][0].items
        return Report(
            sections=[_trees(trees, size), _factors(trees, size), _endgames(endgames, left), _paces(paces)],
            entries=[
                *_entries("tree", kinds["tree"], found, "way"),
                *_entries("endgame", kinds["endgame"], found, "way"),
                *_pace_entries(kinds["pace"], found),
            ],
            draw=lambda: draw(trees, size, endgames, left, paces),
            caption="Above: the nodes of a search to a fixed depth, and the seconds until endgames are proven. Below:"
            " how much is searched in a turn of so many seconds, on the four boards of 000's Figure 6.",
            wrong=[*_disagreements(trees, size), *_disagreements(
                {way: parts for way, parts in endgames.items() if way not in (NO_SKIPS, PARITY)}, left
            ), *_disagreements({way: endgames[way] for way in (NO_SKIPS, PARITY) if way in endgames}, left)],
        )  # fmt: skip


Parts = Sequence[Mapping[str, Any] | None]
"""The result of each item; None if it was not finished."""


def _parts(task: Task, results: Sequence[dict[str, Any]]) -> Parts:
    """Return the result of each item: the seconds are medians of the repeats, and the rest is equal in all of them."""
    found: list[Mapping[str, Any] | None] = []
    for place in range(len(task.items)):
        known = [result["parts"][place] for result in results if place < len(result["parts"])]
        known = [part for part in known if "over" not in part]
        found.append({**known[0], "seconds": median([part["seconds"] for part in known])} if known else None)
    return found


def _counts(task: Task, results: Sequence[dict[str, Any]]) -> dict[float, float]:
    """Return the mean count of a turn, by its seconds; it is the median of the repeats."""
    found = {}
    for seconds in dict.fromkeys(seconds for seconds, _ in task.items):
        means = [
            fmean(counts)
            for result in results
            if (counts := [part["count"] for (each, _), part in zip(task.items, result["parts"], strict=False)
                           if each == seconds and "count" in part])
        ]  # fmt: skip
        if means:
            found[seconds] = median(means)
    return found


def _disagreements(ways: Mapping[str, Parts], items: Sequence[Any]) -> list[str]:
    """Return a line for each item for which the ways find different values."""
    found = []
    for place, item in enumerate(items):
        values = {way: part["value"] for way, parts in ways.items() if (part := parts[place]) is not None}
        if len(set(values.values())) > 1:
            found.append(f"different values of {item}: {values}")
    return found


def _trees(trees: Mapping[str, Parts], items: Sequence[Any]) -> Section:
    """Return the table of the nodes and seconds of each way to search a tree."""
    columns = ["plain Python"]
    for board, depth in items:
        columns += [f"{board}, {depth} deep: nodes", "ms"]
    lines = []
    for way, parts in trees.items():
        line = [way]
        for part in parts:
            line += ["", ""] if part is None else [f"{part['nodes']:,}", ms(part["seconds"])]
        lines.append(line)
    return Section("Trees to a fixed depth", columns, lines, note="All find the same values.")


def _factors(trees: Mapping[str, Parts], items: Sequence[Any]) -> Section:
    """Return the table of speed-ups, with the figures that 001 reported."""
    naive, kept, parity, *others = trees
    lines = [
        _factor("alpha-beta against the same without", trees[kept], trees[parity], f"{PRUNING_FACTOR} on random-2x3"),
        _factor("all improvements against the naive way", trees[naive], trees[parity], str(NAIVE_FACTOR)),
        *(_factor(f"{way} against the naive way", trees[naive], trees[way], "") for way in others),
    ]
    columns = ["seconds", *(f"{board}, {depth} deep" for board, depth in items), "001 reported"]
    return Section("How many times as fast", columns, lines, note=f"{SYSTEMS['001']}; it does not say how deep.")


def _factor(title: str, slow: Parts, fast: Parts, told: str) -> list[str]:
    cells = [
        "" if one is None or other is None or not other["seconds"] else number(one["seconds"] / other["seconds"])
        for one, other in zip(slow, fast, strict=True)
    ]
    return [title, *cells, told]


def _by_left(parts: Parts, items: Sequence[Any], name: str) -> dict[int, float | None]:
    """Return the mean over the games, by the number of empty cells; None if a game was not finished."""
    found: dict[int, float | None] = {}
    for left in dict.fromkeys(left for _, left in items):
        known = [part for part, (_, each) in zip(parts, items, strict=True) if each == left]
        whole = [part[name] for part in known if part is not None]
        found[left] = fmean(whole) if len(whole) == len(known) else None
    return found


def _endgames(endgames: Mapping[str, Parts], items: Sequence[Any]) -> Section:
    """Return the table of nodes and seconds until the value of an endgame is exact."""
    lefts = list(dict.fromkeys(left for _, left in items))
    columns = ["the way"]
    for left in lefts:
        columns += [f"{left} empty: nodes", "ms"]
    lines = []
    for way, parts in endgames.items():
        nodes, seconds = _by_left(parts, items, "nodes"), _by_left(parts, items, "seconds")
        line = [way]
        for left in lefts:
            known, taken = nodes[left], seconds[left]
            line += ["", ""] if known is None or taken is None else [number(known), ms(taken)]
        lines.append(line)
    games = len({game for game, _ in items})
    note = f"Means of {games} games, skips included; nothing where one was not decided within the limit."
    return Section("Exact endgames", columns, lines, note=note + _ratio_to_parity(endgames, items))


def _ratio_to_parity(endgames: Mapping[str, Parts], items: Sequence[Any]) -> str:
    """Return a sentence that compares the champion's kernel with parity, at the deepest endgame that parity decides.

    The sentence is empty if parity decides none.
    """
    kernel, parity = endgames.get(NO_SKIPS), endgames.get(PARITY)
    if kernel is None or parity is None:
        return ""
    factors = {name: {} for name in ("nodes", "seconds")}  # type: dict[str, dict[int, float]]
    for name, its in factors.items():
        ours, theirs = _by_left(kernel, items, name), _by_left(parity, items, name)
        its |= {left: mean / our for left, our in ours.items() if our and (mean := theirs[left])}
    deepest = max(factors["nodes"], default=0)
    if not deepest:
        return ""
    nodes, seconds = (number(its[deepest]) for its in factors.values())
    ours_deepest = max(left for left, mean in _by_left(kernel, items, "nodes").items() if mean is not None)
    return (
        f" For {deepest} empty cells, without skips, parity takes {nodes} times the nodes"
        f" and {seconds} times the seconds of the champion's search. Within the limit parity decides"
        f" {deepest} empty cells at most, the champion's search {ours_deepest}"
        f" of at most {max(left for _, left in items)}."
    )


def _paces(paces: Mapping[tuple[str, str], Mapping[float, float]]) -> Section:
    """Return the table of the work in a turn."""
    times = list(dict.fromkeys(seconds for counts in paces.values() for seconds in counts))
    lines = [
        [pace, board, *(number(counts[seconds]) if seconds in counts else "" for seconds in times)]
        for (pace, board), counts in paces.items()
    ]
    note = (
        "Means over turns of games of random safe moves; a search that has seen everything stops, and counts with that."
        " 000 shows such a figure without numbers: calls that grow with time, and playouts that hardly do."
    )
    columns = ["a turn's", "board", *(f"{seconds:g} s" for seconds in times)]
    return Section("Searched in a turn", columns, lines, frozenset({0, 1}), note)


def _entries(
    kind: str, tasks: Sequence[Task], found: Mapping[str, list[dict[str, Any]]], name: str
) -> list[TrackedFigure]:
    """Return the seconds of all items; an unfinished item counts with the limit."""
    entries = []
    for task in tasks:
        values = [
            sum(part.get("seconds", task.budget.item) for part in result["parts"])
            + task.budget.item * (len(task.items) - len(result["parts"]))
            for result in found[task.key]
        ]
        if values:
            entries.append(TrackedFigure(f"search | {kind} | {task.case[name]}", "s", values, task.key))
    return entries


def _pace_entries(tasks: Sequence[Task], found: Mapping[str, list[dict[str, Any]]]) -> list[TrackedFigure]:
    entries = []
    for task in tasks:
        singles = [_counts(task, [result]) for result in found[task.key]]
        for seconds in singles[0] if singles else ():
            values = [each[seconds] for each in singles if seconds in each]
            name = f"search | {task.case['pace']} | {task.case['board']} | {seconds:g} s"
            entries.append(TrackedFigure(name, "per turn", values, task.key, is_higher_better=True))
    return entries


def draw(
    trees: Mapping[str, Parts],
    items: Sequence[Any],
    endgames: Mapping[str, Parts],
    left: Sequence[Any],
    paces: Mapping[tuple[str, str], Mapping[float, float]],
) -> Figure:
    """Draw the nodes in the upper half, and the turns in the lower half."""
    boards = list(dict.fromkeys(board for _, board in paces))
    picture = figure(11, 8)
    parts: Any = picture.subfigures(2, 1, height_ratios=[1, 0.95])
    upper, lower = parts
    first, second = upper.subplots(1, 2, width_ratios=[3, 2])
    _draw_trees(first, trees, items)
    tidy(second, "Exact endgames")
    for place, (way, known) in enumerate(endgames.items()):
        points = [(x, y) for x, y in _by_left(known, left, "seconds").items() if y is not None]
        if points:
            second.plot(*zip(*points, strict=True), "o-", color=OURS[place], label=way, markersize=4)
    second.set(yscale="log", xlabel="empty cells", ylabel="seconds, mean")
    whole_numbers(second.xaxis)
    if second.get_legend_handles_labels()[0]:
        second.legend(frameon=False, fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    most = max((count for counts in paces.values() for count in counts.values()), default=1000)
    plots = lower.subplots(1, len(boards), sharey=True, squeeze=False)[0]
    for axes, board in zip(plots, boards, strict=True):
        tidy(axes, board)
        for place, pace in enumerate(PACES):
            counts = paces[pace, board]
            axes.plot(
                list(counts), list(counts.values()), "o", linestyle=LOOKS[place], color=OURS[place], label=pace,
                markersize=4,
            )  # fmt: skip
        axes.set(yscale="log", xlabel="seconds per turn", ylim=(10, 3 * most))
    plots[0].set_ylabel("searched in a turn")
    handles, labels = plots[0].get_legend_handles_labels()
    lower.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    return picture


def _draw_trees(axes: Axes, trees: Mapping[str, Parts], items: Sequence[Any]) -> None:
    """Draw bars of nodes for each board and way."""
    tidy(axes, "Trees to a fixed depth, plain Python")
    height = 0.85 / len(trees)
    for place, (way, parts) in enumerate(trees.items()):
        at = [number_ + height * (place - (len(trees) - 1) / 2) for number_ in range(len(items))]
        nodes = [0 if part is None else part["nodes"] for part in parts]
        axes.barh(at, nodes, height=height * 0.9, color=OURS[place % len(OURS)], label=way)
    axes.set_yticks(range(len(items)), [f"{board}\n{depth} deep" for board, depth in items], fontsize=8)
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="nodes")
    axes.legend(frameon=False, fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
