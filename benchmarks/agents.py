"""`agents`: players against each other, on the boards and at the times of the earlier systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from csp_sudoku.arena import crew as arena
from csp_sudoku.arena.fixture import Fixture, Summary, Terms
from csp_sudoku.arena.match import NamedBoard
from csp_sudoku.arena.statistics import Pair, score_interval, score_of
from csp_sudoku.arena.tournament import Tournament
from csp_sudoku.game.record import GameRecord
from csp_sudoku.players.spec import Spec, labels, registered_players

from .benchmark import Asked, Benchmark, Plan, Report, Section
from .earlier import SYSTEMS, WINS
from .pictures import OURS, figure, tidy
from .runner import Crew, OnRun
from .sets import board_named
from .store import RunStore
from .tables import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from csp_sudoku.arena.store import Store

PLAYERS = (
    "random", "greedy", "naive", "parity", "heuristic", "skipper", "tree-mcts", "timed-mcts", "neat", "champion",
)  # fmt: skip
FEW = ("random", "greedy", "parity", "skipper", "champion")
SETTINGS = tuple(f"timed-mcts?c={c}&choice={choice}" for c in (0, 2, 5, 10) for choice in ("max", "robust"))
"""Those that 002 compared in its Figure 1, against random."""


@dataclass(frozen=True)
class Games(Plan):
    """The tournament, and that of 002's settings."""

    main: Tournament = field(kw_only=True)
    settings: Tournament | None = None

    @property
    def contests(self) -> list[Tournament]:
        """What is played."""
        return [self.main] if self.settings is None else [self.main, self.settings]


class Agents(Benchmark):
    """Win rates with 95 % intervals by player, opponent, board and time."""

    name = "agents"
    title = "Players against each other"

    def plan(self, asked: Asked) -> Games:
        known = {player.name for player in registered_players()}
        chosen = asked.only or [name for name in (FEW if asked.quick else PLAYERS) if name in known]
        specs = list(dict.fromkeys(Spec.parse(text) for text in (*chosen, *asked.players)))
        boards = asked.boards or (
            ("random-2x2", "random-2x3") if asked.quick else ("random-2x3", "random-3x3", "empty-3x3")
        )
        times = asked.times or ((0.1,) if asked.quick else (0.1, 0.5))
        games = asked.repeats or (2 if asked.quick else 6)
        terms = Terms(seed=asked.seed)
        named = [NamedBoard(name, board_named(name)) for name in boards]
        main = Tournament([str(spec) for spec in specs], labels(specs), named, times, games, terms=terms)
        settings = None
        if not asked.quick and not asked.only and "timed-mcts" in known:
            some = [Spec.parse(text) for text in ("random", *SETTINGS)]
            settings = Tournament(
                [str(spec) for spec in some], labels(some), named[:1], (0.5,), games, "gauntlet", terms=terms
            )
        count = "game" if games == 1 else "games"
        told = f"{games} {count} of each pairing on each board at each time, in pairs: each moves first once."
        return Games((), 1, told, main=main, settings=settings)

    def total(self, plan: Plan) -> int:
        assert isinstance(plan, Games)
        return sum(contest.total for contest in plan.contests)

    def execute(self, asked: Asked, plan: Plan, crew: Crew, store: RunStore, version: str, on_run: OnRun) -> Report:
        assert isinstance(plan, Games)
        kept = cast("Store", GameRuns(store, version))  # all that a crew asks of a store

        def played(fixture: Fixture, summary: Summary) -> None:  # noqa: ARG001 - the signature of a crew's listener
            on_run()

        here = arena.Crew(crew.executor, crew.jobs, crew.losses)
        with arena.local_crew(crew.jobs) if crew.is_local else nullcontext(here) as players:
            for contest in plan.contests:
                contest.play(players, kept, played)
        return self.report(asked, plan, {})

    def report(self, asked: Asked, plan: Plan, found: Mapping[str, list[dict[str, Any]]]) -> Report:  # noqa: ARG002
        assert isinstance(plan, Games)
        main = plan.main
        sections = [_standings(main), _crosstable(main)]
        if "parity" in main.names:
            sections.append(_table_one(main))
        sections += [
            _against(main, name, f"As {system} had it: {title}")
            for name, system, title in (
                ("skipper", "000", "Figures 2 and 3, its skipping minimax"),
                ("tree-mcts", "000", "Figures 4 and 5, its MCTS"),
            )
            if name in main.names
        ]
        if plan.settings is not None:
            sections.append(_settings(plan.settings))
        sections.append(_pairings(main))
        contests = [contest.as_object() for contest in plan.contests]
        return Report(
            sections=sections,
            draw=lambda: draw(main),
            caption="Left: the score of the row's player against the column's. Right: strengths after Bradley and Terry"
            " with 95 % intervals, of all games and by the time per turn.",
            data={"tournaments": contests, "by board and time": _details(main)},
        )


class GameRuns:
    """The games of a file of raw runs, as a crew wants a store to be."""

    def __init__(self, store: RunStore, version: str) -> None:
        self._store = store
        self._version = version

    def get(self, fixture: Fixture) -> Summary | None:
        """How a game went; None if it is not here."""
        run = self._store.get(self._key(fixture))
        if run is None:
            return None
        score, points, skips = run["summary"]
        return Summary(score, (points[0], points[1]), (skips[0], skips[1]))

    def add(self, fixture: Fixture, record: GameRecord) -> bool:
        """Keep a finished game."""
        case = {
            "first": fixture.first, "second": fixture.second, "board": fixture.name, "seconds": fixture.seconds,
            "pair": fixture.number,
        }  # fmt: skip
        summary = list(Summary.of(record))
        return self._store.add(
            {"key": self._key(fixture), "version": self._version, "case": case, "summary": summary,
             "record": record.to_json()}
        )  # fmt: skip

    def _key(self, fixture: Fixture) -> str:
        return f"{fixture.key[:32]}-{self._version}"


def _interval(pairs: Sequence[Pair]) -> str:
    low, high = score_interval(pairs)
    return f"{100 * low:.0f}–{100 * high:.0f} %"


def _score(pairs: Sequence[Pair]) -> str:
    """A score with its interval."""
    return f"{share(score_of(pairs))} ({_interval(pairs)})" if pairs else ""


def _seen_by(main: Tournament, player: int, board: str | None, seconds: float | None) -> dict[int, list[Pair]]:
    """The pairs of a player against each other one, from its side."""
    found: dict[int, list[Pair]] = {}
    for (one, other), pairs in main.results(board, seconds).items():
        if one == player:
            found[other] = pairs
        elif other == player:
            found[one] = [tuple(1 - score for score in pair) for pair in pairs]
    return found


def _standings(main: Tournament) -> Section:
    """All games of each, the strongest first."""
    standings, rated = main.standings(), main.ratings()
    lines = []
    for place, player in enumerate(main.order, 1):
        one, rating = standings[player], rated[player]
        pairs = [pair for some in _seen_by(main, player, None, None).values() for pair in some]
        lines.append(
            [
                *(str(place), one.player, f"{rating.elo:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}"),
                *(str(one.games), share(one.score), _interval(pairs), f"{one.wins}/{one.draws}/{one.losses}"),
                f"{one.skips / max(1, one.games):.1f}",
            ]
        )
    columns = ["", "player", "Elo", "95 %", "games", "score", "95 %", "won/drawn/lost", "skips/game"]
    return Section("Standings", columns, lines, frozenset({1}), "Elo after Bradley and Terry; the mean is 0.")


def _crosstable(main: Tournament) -> Section:
    """The score of the row's player against the column's."""
    table, order = main.crosstable(), main.order
    lines = [
        [
            str(place),
            main.names[row],
            *("–" if (each := table[row][column]) is None else share(each) for column in order),
        ]
        for place, row in enumerate(order, 1)
    ]
    columns = ["", "player", *map(str, range(1, len(order) + 1))]
    return Section("Crosstable", columns, lines, frozenset({1}), "The score of the row's player.")


def _table_one(main: Tournament) -> Section:
    """001's Table 1: parity against random and greedy, with what was reported."""
    player = list(main.names).index("parity")
    lines = []
    for opponent in ("random", "greedy"):
        for board in dict.fromkeys([*(name for name, _ in main.boards), *(board for _, board, _ in WINS)]):
            for seconds in sorted({*main.times, *(time for _, _, time in WINS)}):
                told = WINS.get((opponent, board, seconds))
                pairs = []
                if opponent in main.names and board in dict(main.boards) and seconds in main.times:
                    pairs = _seen_by(main, player, board, seconds).get(list(main.names).index(opponent), [])
                if pairs or told is not None:
                    reported = "" if told is None else f"{told:.0%} of 10"
                    lines.append([opponent, board, f"{seconds:g} s", _score(pairs), reported])
    return Section(
        "As 001 had it: Table 1",
        ["opponent", "board", "time", "parity, without 001's fault", "001 reported, with it"],
        lines,
        frozenset({0, 1}),
        f"{SYSTEMS['001']}; `parity` is the same search, its counts of blocks repaired.",
    )


def _against(main: Tournament, name: str, title: str) -> Section:
    """A player against each other one, by time and by board."""
    player = list(main.names).index(name)
    columns = ["opponent", *(f"{seconds:g} s" for seconds in main.times), *(board for board, _ in main.boards)]
    parts = [_seen_by(main, player, None, seconds) for seconds in main.times]
    parts += [_seen_by(main, player, board, None) for board, _ in main.boards]
    lines = [
        [main.names[other], *(_score(part.get(other, [])) for part in parts)] for other in main.order if other != player
    ]
    note = f"The score of `{name}`, by time per turn and by board. The report shows such a figure without numbers."
    return Section(title, columns, lines, note=note)


def _settings(contest: Tournament) -> Section:
    """002's Figure 1: its settings against random."""
    lines = [
        [contest.names[other], _score([tuple(1 - score for score in pair) for pair in pairs])]
        for (_, other), pairs in contest.results().items()
    ]
    board, seconds = contest.boards[0].name, contest.times[0]
    note = (
        f"Against random on {board}, {seconds:g} s per turn; `timed-mcts` is 002's search, its three faults repaired."
        " 002 found no difference between its settings, nor between any of them and random."
    )
    return Section("As 002 had it: Figure 1, its settings", ["player", "score"], lines, note=note)


def _pairings(main: Tournament) -> Section:
    """Every pairing by board and time."""
    cells = [(board, seconds) for board, _ in main.boards for seconds in main.times]
    by_cell = [main.results(board, seconds) for board, seconds in cells]
    lines = [
        [main.names[one], main.names[other], _score(pairs), *(_score(part.get((one, other), [])) for part in by_cell)]
        for (one, other), pairs in main.results().items()
    ]
    columns = ["player", "opponent", "all", *(f"{board}, {seconds:g} s" for board, seconds in cells)]
    return Section("By board and time", columns, lines, frozenset({0, 1}), "The score of the player, with 95 %.")


def _details(main: Tournament) -> list[dict[str, Any]]:
    """The same for programs."""
    found = []
    for board, _ in main.boards:
        for seconds in main.times:
            for (one, other), pairs in main.results(board, seconds).items():
                low, high = score_interval(pairs)
                found.append(
                    {"player": main.names[one], "opponent": main.names[other], "board": board, "seconds": seconds,
                     "games": sum(map(len, pairs)), "score": score_of(pairs), "interval": [low, high]}
                )  # fmt: skip
    return found


def draw(main: Tournament) -> Figure:
    """The heat map and the ratings."""
    count = len(main.order)
    picture = figure(5.5 + 0.9 * count, 2.2 + 0.55 * count)
    left, right = picture.subplots(1, 2, width_ratios=[1.05, 1])
    _heat_map(left, main)
    tidy(right, "Strength")
    series = [("all games", main.ratings())]
    if len(main.times) > 1:
        series += [(f"{seconds:g} s per turn", main.ratings(seconds=seconds)) for seconds in main.times]
    for number_, (label, rated) in enumerate(series):
        shift = 0.18 * (number_ - (len(series) - 1) / 2)
        chosen = [rated[player] for player in main.order]
        reach = [[each.elo - each.low for each in chosen], [each.high - each.elo for each in chosen]]
        right.errorbar(
            [each.elo for each in chosen], [row + shift for row in range(count)], xerr=reach,
            fmt="o", markersize=5, capsize=3, color=OURS[number_ % len(OURS)], label=label,
        )  # fmt: skip
    right.set_yticks(range(count), [main.names[player] for player in main.order], fontsize=9)
    right.set_ylim(count - 0.4, -0.6)
    right.axvline(0, color="0.6", linewidth=0.8)
    right.set_xlabel("Elo, 95 % intervals; the mean is 0", fontsize=9)
    if len(series) > 1:
        right.legend(frameon=False, fontsize=8)
    return picture


def _heat_map(axes: Axes, main: Tournament) -> None:
    """The crosstable in colours."""
    import numpy as np

    order, table = main.order, main.crosstable()
    names = [main.names[player] for player in order]
    values = np.array([[np.nan if (each := table[a][b]) is None else each for b in order] for a in order], float)
    axes.imshow(values, vmin=0, vmax=1, cmap="RdYlGn")
    axes.set_facecolor("0.93")
    for row, column in np.argwhere(~np.isnan(values)):
        value = values[row, column]
        colour = "white" if abs(value - 0.5) > 0.4 else "black"
        axes.text(column, row, f"{value:.0%}", ha="center", va="center", color=colour, fontsize=8)
    axes.set_xticks(range(len(order)), names, rotation=40, ha="right", rotation_mode="anchor", fontsize=9)
    axes.set_yticks(range(len(order)), names, fontsize=9)
    axes.set_xlabel("against", fontsize=9)
    axes.set_title("Score of the row's player", fontsize=10.5, loc="left")
