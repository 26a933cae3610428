"""The benchmark `agents` plays players against each other, on the boards and at the times of the earlier systems."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from csp_sudoku.arena import pool as arena
from csp_sudoku.arena.schedule import NamedBoard
from csp_sudoku.arena.scheduled_game import GameSummary, ScheduledGame
from csp_sudoku.arena.statistics import Pair, elo_text, score_interval, score_of
from csp_sudoku.arena.tournament import Tournament
from csp_sudoku.game.record import GameRecord
from csp_sudoku.players.spec import Spec, labels, registered_players

from .benchmark import Benchmark, BenchmarkOptions, Plan, Report, Section
from .earlier import SYSTEMS, WINS
from .environment import digest
from .pictures import OURS, figure, tidy
from .runner import STARTING, MeasurementPool, OnRun
from .sets import board_named
from .store import Runs, RunStore
from .tables import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from csp_sudoku.arena.store import Store

PLAYERS = (
    "random", "greedy", "naive", "parity", "heuristic", "skipper", "tree-mcts", "timed-mcts", "neat", "champion",
)  # fmt: skip
FEW = ("random", "greedy", "parity", "skipper", "champion")
SEARCHERS = ("parity", "heuristic", "skipper", "tree-mcts", "timed-mcts", "champion")
"""The players that use more time; in longer turns they meet `PARTNERS`, as the earlier systems did."""
PARTNERS = ("random", "greedy")
BOARDS, LITTLE_BOARDS = ("random-2x3", "random-3x3"), ("random-2x2", "random-2x3")
EMPTY = "empty-3x3"
"""The second board of 001's Table 1."""
LONG = 0.5
"""The time per turn in the gauntlets, in seconds."""
GAMES, GAUNTLET_GAMES = 2, 4
"""The number of games of each pairing on each board: in the tournament, and in the gauntlets."""
SETTINGS = tuple(f"timed-mcts?c={c}&choice={choice}" for c in (0, 2, 5, 10) for choice in ("max", "robust"))
"""The settings that 002 compared in its Figure 1, against random."""


LOST = "lost at once"


@dataclass(frozen=True)
class GamePlan(Plan):
    """The plan of the games: the tournament, the gauntlets in longer turns, and 002's settings."""

    main: Tournament = field(kw_only=True)
    gauntlets: Sequence[Tournament] = ()
    settings: Tournament | None = None

    @property
    def contests(self) -> list[Tournament]:
        """All tournaments of the plan."""
        return [self.main, *self.gauntlets, *([self.settings] if self.settings else [])]

    def met(self, player: str, opponent: str, board: str, seconds: float) -> list[Pair]:
        """Return the pairs of games of two players on a board at a time per turn, from the side of `player`.

        The list is empty if the plan has no such games.
        """
        for contest in (self.main, *self.gauntlets):
            names = list(contest.names)
            if player in names and opponent in names and board in dict(contest.boards) and seconds in contest.times:
                return _seen_by(contest, names.index(player), board, seconds).get(names.index(opponent), [])
        return []


class Agents(Benchmark):
    """Win rates with 95 % intervals, by player, opponent, board and time."""

    name = "agents"
    title = "Players against each other"

    def plan(self, asked: BenchmarkOptions) -> GamePlan:
        known = {player.name for player in registered_players()}
        chosen = asked.only or [name for name in (FEW if asked.quick else PLAYERS) if name in known]
        specs = list(dict.fromkeys(Spec.parse(text) for text in (*chosen, *asked.players)))
        boards = asked.boards or (LITTLE_BOARDS if asked.quick else BOARDS)
        times = asked.times or (0.1,)
        games = asked.repeats or GAMES
        named = [NamedBoard(name, board_named(name)) for name in boards]
        main = Tournament([str(spec) for spec in specs], labels(specs), named, times, games, seed=asked.seed)
        told = f"{_games(games)} of each pairing on each board at each time, in pairs: each moves first once."
        if asked.quick or asked.only or asked.boards or asked.times:
            return GamePlan((), 1, told, main=main)

        games = asked.repeats or GAUNTLET_GAMES
        told += f" {_games(games)} in turns of {LONG:g} s."

        def gauntlet(texts: Sequence[str], place: NamedBoard) -> Tournament:
            some = [Spec.parse(text) for text in texts]
            names = [str(spec) for spec in some]
            return Tournament(names, labels(some), [place], (LONG,), games, "gauntlet", seed=asked.seed)

        searchers = [name for name in SEARCHERS if name in known] + [str(spec) for spec in specs[len(chosen) :]]
        gauntlets = [gauntlet((partner, *searchers), named[-1]) for partner in PARTNERS]
        gauntlets.append(gauntlet(("parity", *PARTNERS), NamedBoard(EMPTY, board_named(EMPTY))))
        settings = gauntlet(("random", *SETTINGS), named[0]) if "timed-mcts" in known else None
        return GamePlan((), 1, told, main=main, gauntlets=gauntlets, settings=settings)

    def total(self, plan: Plan) -> int:
        assert isinstance(plan, GamePlan)
        return sum(contest.total for contest in plan.contests)

    def keys(self, plan: Plan) -> list[str]:
        assert isinstance(plan, GamePlan)
        return [scheduled_game.key for contest in plan.contests for scheduled_game in contest.scheduled_games]

    def outlook(self, plan: Plan, runs: Runs, version: str, jobs: int) -> tuple[int, float]:
        """Return the number of games still to be played, and the seconds that they take if no turn ends early."""
        assert isinstance(plan, GamePlan)
        due = [
            each for contest in plan.contests for each in contest.scheduled_games if key_of(each, version) not in runs
        ]
        lasting = [STARTING + scheduled_game.board.empty_count * scheduled_game.seconds for scheduled_game in due]
        longest = max(lasting, default=0.0)
        return len(due), (sum(lasting) - longest) / jobs + longest

    def execute(
        self, asked: BenchmarkOptions, plan: Plan, pool: MeasurementPool, store: RunStore, version: str, on_run: OnRun
    ) -> Report:
        assert isinstance(plan, GamePlan)
        kept = cast("Store", GameRuns(store, version))  # a pool uses only these methods of a store

        def played(scheduled_game: ScheduledGame, summary: GameSummary) -> None:  # noqa: ARG001 - the signature of a pool's listener
            on_run()

        here = arena.GamePool(pool.executor, pool.jobs, pool.losses)
        with arena.local_pool(pool.jobs) if pool.is_local else nullcontext(here) as players:
            for contest in plan.contests:
                contest.play(players, kept, played)
        return self.report(asked, plan, {LOST: GameRuns(store, version).lost(plan.contests)})

    def report(self, asked: BenchmarkOptions, plan: Plan, found: Mapping[str, list[dict[str, Any]]]) -> Report:  # noqa: ARG002
        assert isinstance(plan, GamePlan)
        main = plan.main
        sections = [_standings(main), _crosstable(main), *_lost(found[LOST])]
        if plan.gauntlets:
            sections.append(_longer(plan))
        if "parity" in main.names:
            sections.append(_table_one(plan))
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
            data={
                "tournaments": contests,
                LOST: found[LOST],
                "by board and time": [each for contest in (main, *plan.gauntlets) for each in _details(contest)],
            },
        )


class GameRuns:
    """The games in a file of raw runs, with the interface of the store that a pool uses."""

    def __init__(self, store: RunStore, version: str) -> None:
        self._store = store
        self._version = version

    def get(self, scheduled_game: ScheduledGame) -> GameSummary | None:
        """Return the summary of a game; None if it is not in the file."""
        run = self._store.get(key_of(scheduled_game, self._version))
        if run is None:
            return None
        score, points, skips = run["summary"]
        return GameSummary(score, (points[0], points[1]), (skips[0], skips[1]))

    def summaries(self, scheduled_games: Collection[ScheduledGame]) -> dict[str, GameSummary]:
        """Return the summaries of those games that are in the file, by their keys."""
        found = {each.key: self.get(each) for each in scheduled_games}
        return {key: summary for key, summary in found.items() if summary is not None}

    def lost(self, contests: Sequence[Tournament]) -> list[dict[str, Any]]:
        """Return the number of games that each player has lost by the rules, and the reason; the most games first."""
        counts: Counter[tuple[str, str]] = Counter()
        for contest in contests:
            names = dict(zip(contest.players, contest.names, strict=True))
            for scheduled_game in contest.scheduled_games:
                run = self._store.get(key_of(scheduled_game, self._version))
                last = json.loads(run["record"])["turns"][-1:] if run is not None else []
                for turn in last:
                    if turn["outcome"] == "lost":
                        who = (scheduled_game.first, scheduled_game.second)[turn["player"] - 1]
                        counts[names[who], turn["reason"][:100]] += 1
        return [{"player": who, "games": games, "reason": reason} for (who, reason), games in counts.most_common()]

    def add(self, scheduled_game: ScheduledGame, record: GameRecord) -> bool:
        """Keep a finished game; return whether it is new to the file."""
        case = {
            "first": scheduled_game.first, "second": scheduled_game.second, "board": scheduled_game.name, "seconds":
            scheduled_game.seconds, "pair": scheduled_game.number,
        }  # fmt: skip
        summary = list(GameSummary.of(record)[:3])
        return self._store.add(
            {"key": key_of(scheduled_game, self._version), "version": self._version, "case": case, "summary": summary,
             "record": record.to_json()}
        )  # fmt: skip


def key_of(scheduled_game: ScheduledGame, version: str) -> str:
    """Return the key of a game among the raw runs; it changes with the code in the folder of a player."""
    return "-".join(
        filter(
            None, [scheduled_game.key[:32], version, source_of(scheduled_game.first), source_of(scheduled_game.second)]
        )
    )


@cache
def source_of(player: str) -> str:
    """Return a digest of the code of a player that does not come with this package; an empty string for the others."""
    spec = Spec.read(player)
    return "" if spec.is_registered else digest([spec.folder])


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _interval(pairs: Sequence[Pair]) -> str:
    low, high = score_interval(pairs)
    return f"{100 * low:.0f}–{100 * high:.0f} %"


def _score(pairs: Sequence[Pair]) -> str:
    """Return a score with its interval."""
    return f"{share(score_of(pairs))} ({_interval(pairs)})" if pairs else ""


def _seen_by(main: Tournament, player: int, board: str | None, seconds: float | None) -> dict[int, list[Pair]]:
    """Return the pairs of games of a player against each other player, from its side."""
    found: dict[int, list[Pair]] = {}
    for (one, other), pairs in main.results(board, seconds).items():
        if one == player:
            found[other] = pairs
        elif other == player:
            found[one] = [tuple(1 - score for score in pair) for pair in pairs]
    return found


def _standings(main: Tournament) -> Section:
    """Return the table of all games of each player, the strongest first."""
    standings, rated = main.standings(), main.ratings()
    lines = []
    for place, player in enumerate(main.order, 1):
        one, rating = standings[player], rated[player]
        pairs = [pair for some in _seen_by(main, player, None, None).values() for pair in some]
        lines.append(
            [
                *(str(place), one.player, elo_text(rating.elo), f"{elo_text(rating.low)} to {elo_text(rating.high)}"),
                *(str(one.games), share(one.score), _interval(pairs), f"{one.wins}/{one.draws}/{one.losses}"),
                f"{one.skips / max(1, one.games):.1f}",
            ]
        )
    columns = ["", "player", "Elo", "95 %", "games", "score", "95 %", "won/drawn/lost", "skips/game"]
    return Section("Standings", columns, lines, frozenset({1}), "Elo after Bradley and Terry; the mean is 0.")


def _lost(found: Sequence[Mapping[str, Any]]) -> list[Section]:
    """Return the table of the games that were lost by the rules, if there are any."""
    lines = [[each["player"], str(each["games"]), each["reason"]] for each in found]
    note = "By an illegal move or none, or by a player that failed: these games are part of all scores."
    return [Section("Lost at once", ["player", "games", "why"], lines, frozenset({0, 2}), note)] if lines else []


def _crosstable(main: Tournament) -> Section:
    """Return the table of the scores of the row's player against the column's."""
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


def _longer(plan: GamePlan) -> Section:
    """Return the table of the searching players in longer turns."""
    board = plan.gauntlets[0].boards[0].name
    players = plan.gauntlets[0].names[1:]
    lines = [[player, *(_score(plan.met(player, each, board, LONG)) for each in PARTNERS)] for player in players]
    columns = ["player", *(f"against {each}" for each in PARTNERS)]
    return Section(f"Searching players on {board}, {LONG:g} s per turn", columns, lines)


def _table_one(plan: GamePlan) -> Section:
    """Return 001's Table 1: parity against random and greedy, beside the figures that 001 reported."""
    boards = [name for contest in (plan.main, *plan.gauntlets) for name, _ in contest.boards]
    times = {seconds for contest in (plan.main, *plan.gauntlets) for seconds in contest.times}
    lines = []
    for opponent in ("random", "greedy"):
        for board in dict.fromkeys([*boards, *(board for _, board, _ in WINS)]):
            for seconds in sorted({*times, *(time for _, _, time in WINS)}):
                told = WINS.get((opponent, board, seconds))
                pairs = plan.met("parity", opponent, board, seconds)
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
    """Return the table of a player against every other player, by time and by board."""
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
    """Return 002's Figure 1 as a table: its settings against random."""
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
    """Return the table of every pairing, by board and time."""
    cells = [(board, seconds) for board, _ in main.boards for seconds in main.times]
    by_cell = [main.results(board, seconds) for board, seconds in cells]
    lines = [
        [main.names[one], main.names[other], _score(pairs), *(_score(part.get((one, other), [])) for part in by_cell)]
        for (one, other), pairs in main.results().items()
    ]
    columns = ["player", "opponent", "all", *(f"{board}, {seconds:g} s" for board, seconds in cells)]
    return Section("By board and time", columns, lines, frozenset({0, 1}), "The score of the player, with 95 %.")


def _details(main: Tournament) -> list[dict[str, Any]]:
    """Return the results of every pairing, by board and time, for JSON."""
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
    """Draw the heat map and the ratings."""
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
    right.set_yticks(range(count), [main.names[player] for player in main.order], fontsize=9, parse_math=False)
    right.set_ylim(count - 0.4, -0.6)
    right.axvline(0, color="0.6", linewidth=0.8)
    right.set_xlabel("Elo, 95 % intervals; the mean is 0", fontsize=9)
    if len(series) > 1:
        right.legend(frameon=False, fontsize=8)
    return picture


def _heat_map(axes: Axes, main: Tournament) -> None:
    """Draw the crosstable as a heat map."""
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
    # names are not formulas, whatever they contain
    turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(order)), names, fontsize=9, parse_math=False, **turned)
    axes.set_yticks(range(len(order)), names, fontsize=9, parse_math=False)
    axes.set_xlabel("against", fontsize=9)
    axes.set_title("Score of the row's player", fontsize=10.5, loc="left")
