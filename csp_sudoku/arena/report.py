"""The report of a tournament, or of the games of a store, as Markdown and as pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from csp_sudoku.arena.failures import KINDS
from csp_sudoku.arena.standings import PlayedGames
from csp_sudoku.arena.statistics import elo_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOTHING = "–"
NOTE = (
    "Elo: strengths after Bradley and Terry, with 95 % intervals from the pairs of games; the mean is 0. In the"
    " crosstable, the score of the row's player."
)


def markdown(played: PlayedGames) -> str:
    """Return the title and the tables as Markdown that is readable as plain text."""
    return f"# {_title(played)}\n\n{tables(played)}"


def tables(played: PlayedGames) -> str:
    """Return the tables, without a title, as Markdown that is readable as plain text."""
    parts = [_standings(played), NOTE, "## Crosstable", _crosstable(played)]
    parts += _failures(played)
    if len(played.board_names) > 1:
        names = played.board_names
        rated = [played.ratings(board=name) for name in names]
        scores = [[one.score for one in played.standings(board=name)] for name in names]
        parts += ["## By board: Elo, and score", _split(played, names, rated, scores)]
    if len(played.times) > 1:
        rated = [played.ratings(seconds=seconds) for seconds in played.times]
        scores = [[one.score for one in played.standings(seconds=seconds)] for seconds in played.times]
        titles = [f"{seconds:g} s" for seconds in played.times]
        parts += ["## By time: Elo, and score", _split(played, titles, rated, scores)]
    return "\n\n".join(parts) + "\n"


def _title(played: PlayedGames) -> str:
    boards = ", ".join(played.board_names[:5]) + (", …" if len(played.board_names) > 5 else "")
    times = ", ".join(f"{seconds:g}" for seconds in played.times)
    games = sum(standing.games for standing in played.standings()) // 2
    return f"{played.form}: {len(played.players)} players, {games:,} games on {boards}, {times} s per turn"


def _standings(played: PlayedGames) -> str:
    standings, rated = played.standings(), played.ratings()
    rows = []
    for place, player in enumerate(played.order, 1):
        one, rating = standings[player], rated[player]
        games = max(1, one.games)
        rows.append(
            [
                *(str(place), one.player, elo_text(rating.elo), f"{elo_text(rating.low)} to {elo_text(rating.high)}"),
                *(str(one.games), f"{one.score:.1%}", str(one.wins), str(one.draws), str(one.losses)),
                *(f"{one.points / games:.1f}:{one.points_against / games:.1f}", f"{one.skips / games:.1f}"),
            ]
        )
    head = ["", "player", "Elo", "95 %", "games", "score", "wins", "draws", "losses", "points/game", "skips/game"]
    return _table(head, rows, left=(1,))


def _crosstable(played: PlayedGames) -> str:
    table, order = played.crosstable(), played.order
    rows = [
        [str(place), played.names[row], *(_share(table[row][column]) for column in order)]
        for place, row in enumerate(order, 1)
    ]
    return _table(["", "player", *map(str, range(1, len(order) + 1))], rows, left=(1,))


def _failures(played: PlayedGames) -> list[str]:
    """Return the section on the failures of the players; nothing if no player has failed."""
    standings = played.standings()
    failed = [standings[player] for player in played.order if standings[player].failures.games]
    if not failed:
        return []
    rows, firsts = [], []
    for one in failed:
        failures = one.failures
        assert failures.first is not None
        game, turn, reason = failures.first
        firsts.append(f"- first of {one.player}: game {game}, turn {turn}: {reason}")
        rows.append([one.player, f"{failures.games} of {failures.played}", *map(str, failures.counts)])
    return ["## Failures", _table(["player", "games", *KINDS.values()], rows, left=(0,)), "\n".join(firsts)]


def _split(
    played: PlayedGames, titles: Sequence[str], rated: Sequence[Sequence[tuple[float, ...]]],
    scores: Sequence[Sequence[float]],
) -> str:  # fmt: skip
    rows = [
        [
            played.names[player],
            *(f"{elo_text(one[player][0])}, {two[player]:.1%}" for one, two in zip(rated, scores, strict=True)),
        ]
        for player in played.order
    ]
    return _table(["player", *titles], rows, left=(0,))


def _share(score: float | None) -> str:
    return NOTHING if score is None else f"{score:.1%}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> str:
    """Return a Markdown table whose columns are as wide as their widest cell; `left` are the left-aligned columns."""
    shown = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    widths = [max(3, *(len(row[column]) for row in shown)) for column in range(len(head))]

    def lines() -> Iterator[str]:
        for number, row in enumerate(shown):
            cells = [
                cell.ljust(width) if column in left else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            yield f"| {' | '.join(cells)} |"
            if not number:
                marks = [
                    "-" * width if column in left else "-" * (width - 1) + ":" for column, width in enumerate(widths)
                ]
                yield f"| {' | '.join(marks)} |"

    return "\n".join(lines())


def draw(played: PlayedGames, folder: str | PathLike[str]) -> list[Path]:
    """Write the pictures scores.png and ratings.png into a folder, and return their paths."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    found = []
    for name, figure in (("scores", _heat_map(played)), ("ratings", _rating_bars(played))):
        path = place / f"{name}.png"
        figure.savefig(path, dpi=150, bbox_inches="tight")
        found.append(path)
    return found


def _heat_map(played: PlayedGames) -> Figure:
    """Draw the crosstable as a heat map."""
    import numpy as np
    from matplotlib.figure import Figure

    order = played.order
    table = played.crosstable()
    names = [played.names[player] for player in order]
    values = np.array([[np.nan if (v := table[a][b]) is None else v for b in order] for a in order], float)
    size = 2.2 + 0.62 * len(order)
    figure = Figure(figsize=(size + 1.4, size))
    axes = figure.add_subplot()
    image = axes.imshow(values, vmin=0, vmax=1, cmap="RdYlGn")
    axes.set_facecolor("0.92")
    axes.set_xticks(range(len(order)), names, rotation=40, ha="right", rotation_mode="anchor", parse_math=False)
    axes.set_yticks(range(len(order)), names, parse_math=False)  # names are not formulas, whatever is in them
    for row, column in np.argwhere(~np.isnan(values)):
        value = values[row, column]
        colour = "white" if abs(value - 0.5) > 0.4 else "black"
        axes.text(column, row, f"{value:.0%}", ha="center", va="center", color=colour, fontsize=9)
    axes.set_xlabel("against")
    axes.set_title("Score of the row's player")
    bar = figure.colorbar(image, ax=axes, fraction=0.046, pad=0.04)
    bar.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["0%", "25%", "50%", "75%", "100%"])
    return figure


def _rating_bars(played: PlayedGames) -> Figure:
    """Draw the ratings with their intervals: for all games, and beside them for each time per turn."""
    from matplotlib.figure import Figure

    order = played.order
    figure = Figure(figsize=(8, 1.6 + 0.5 * len(order)))
    axes = figure.add_subplot()
    series = [("all games", played.ratings())]
    if len(played.times) > 1:
        series += [(f"{seconds:g} s", played.ratings(seconds=seconds)) for seconds in played.times]
    for number, (label, rated) in enumerate(series):
        shift = 0.6 * (number / len(series) - (len(series) - 1) / len(series) / 2)
        elos = [rated[player].elo for player in order]
        reach = [
            [rated[player].elo - rated[player].low for player in order],
            [rated[player].high - rated[player].elo for player in order],
        ]
        axes.errorbar(
            elos, [row + shift for row in range(len(order))], xerr=reach,
            fmt="o" if not number else "s", markersize=6 if not number else 4, capsize=3, label=label,
        )  # fmt: skip
    axes.set_yticks(range(len(order)), [played.names[player] for player in order], parse_math=False)
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.axvline(0, color="0.7", linewidth=0.8, zorder=0)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    axes.set_xlabel("Elo, 95 % intervals; the mean is 0")
    axes.set_title("Ratings")
    if len(series) > 1:
        axes.legend(loc="best")
    return figure
