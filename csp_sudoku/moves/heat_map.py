"""A picture of a move map: the board as a heat map of bombs per cell.

This module loads matplotlib, so import it only where it is used. It draws without a window and does not use pyplot.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import BoundaryNorm, ListedColormap, to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from csp_sudoku.atomic_file import write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

    from csp_sudoku.moves.move_map import MoveMap

Line = tuple[tuple[float, float], tuple[float, float]]
"""A line as its two ends (x, y)."""

COLOURS = "YlOrRd"
"""The colour map from no bombs to many, which is readable for red-green colour-blind people and in greyscale."""
LEAST_SHADES = 5
"""Minimum number of shades, so that a board with few bombs per cell stays pale."""
NONE, FILLED, VALUE, INK, FAINT = "#fffef2", "#e6e6e6", "#8a8a8a", "#1a1a1a", "#bdbdbd"
"""The colours of cells without bombs, filled cells, values, text with borders of blocks, and thin lines."""
BRIGHTNESS = np.array([0.299, 0.587, 0.114])
"""The weights of red, green and blue in the brightness of a colour as people perceive it."""
DARK = 0.5
"""The brightness below which numbers are white."""
DOTS_PER_INCH = 150
"""The resolution of pictures."""


def heat_map(found: MoveMap) -> Figure:
    """Draw the board of a move map.

    Each empty cell shows the number of its bombs on a colour for that number. Filled cells are grey and show their
    value. The ticks number rows and columns from 1.
    """
    board = found.board
    size = board.size
    cell = min(0.6, 0.42 + 1.6 / size)  # inches
    side = max(cell * size, 3.4)
    width, height = side + 1.75, side + 1.5
    figure = Figure(figsize=(width, height), dpi=DOTS_PER_INCH, facecolor="white")
    left, bottom = 0.5, 0.45
    axes = figure.add_axes((left / width, bottom / height, side / width, side / height))
    bar = figure.add_axes(((left + side + 0.2) / width, bottom / height, 0.18 / width, side / height))
    image = _cells(axes, found, 72 * side / size)
    _borders(axes, found)
    ticks = MaxNLocator(nbins=12, integer=True)
    figure.colorbar(image, cax=bar, ticks=ticks, drawedges=False).set_label("bombs per cell", fontsize=11, color=INK)
    bar.tick_params(labelsize=9, colors=INK, length=2, which="both")
    bar.minorticks_off()
    title, facts = _title(found)
    figure.text(left / width, 1 - 0.22 / height, title, fontsize=14, weight="bold", color=INK, va="top")
    figure.text(left / width, 1 - 0.51 / height, facts, fontsize=10.5, color=INK, va="top")
    key = "on colour: how many bombs an empty cell has; on grey: filled cells"
    figure.text(left / width, 0.3 / height, key, fontsize=8.5, color=VALUE, va="top")
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the path's suffix. The file is written atomically: completely or not at all."""
    drawn = BytesIO()
    figure.savefig(drawn, format=path.suffix[1:].lower())
    write_atomically(path, drawn.getvalue())


def _cells(axes: Axes, found: MoveMap, points: float) -> AxesImage:
    """Draw the cells, each `points` points wide, and return the image; the colour bar needs it."""
    board = found.board
    size = board.size
    values = np.array(board.rows)
    bombs, unknown = (found.counts(verdict).astype(int) for verdict in ("bomb", "unknown"))
    most = max(1, int(bombs.max()))
    shades = mpl.colormaps[COLOURS](np.linspace(0, 1, max(most, LEAST_SHADES) + 1))[: most + 1]
    shades[0] = to_rgba(NONE)
    image = axes.imshow(
        np.ma.array(bombs, mask=values > 0),
        cmap=ListedColormap(shades).with_extremes(bad=FILLED),
        norm=BoundaryNorm(np.arange(most + 2) - 0.5, most + 1),
    )
    big = min(16.0, points * 0.42)
    for (row, column), value in np.ndenumerate(values):
        if value:
            axes.text(column, row, str(value), fontsize=big, color=VALUE, ha="center", va="center_baseline")
            continue
        count, doubt = bombs[row, column], unknown[row, column]
        shown = f"{count}" + (f"+{doubt}?" if doubt else "")
        fits = min(1.0, 3.2 / len(shown))
        ink = "white" if shades[count, :3] @ BRIGHTNESS < DARK else INK
        axes.text(column, row, shown, fontsize=big * fits, color=ink, weight="bold", ha="center", va="center_baseline")
    names = [str(number) for number in range(1, size + 1)]  # People count rows and columns from 1.
    axes.set_xticks(range(size), names)
    axes.set_yticks(range(size), names)
    axes.tick_params(
        length=0, labelsize=min(9.0, points * 0.3), colors=VALUE, top=True, labeltop=True, labelbottom=False
    )
    return image


def _borders(axes: Axes, found: MoveMap) -> None:
    """Draw thin lines between cells and thick lines between blocks; blocks may be irregular."""
    size, block_of = found.board.size, found.board.geometry.block_of
    thin: list[Line] = []
    thick: list[Line] = []
    for line in range(size + 1):
        for at in range(size):
            inside = 0 < line < size
            same = inside and block_of[(line - 1) * size + at] == block_of[line * size + at]
            (thin if same else thick).append(((at - 0.5, line - 0.5), (at + 0.5, line - 0.5)))
            same = inside and block_of[at * size + line - 1] == block_of[at * size + line]
            (thin if same else thick).append(((line - 0.5, at - 0.5), (line - 0.5, at + 0.5)))
    for lines, color, width, order in ((thin, FAINT, 0.6, 2), (thick, INK, 2.0, 3)):
        drawn = LineCollection(
            lines, colors=color, linewidths=width, zorder=order, clip_on=False, capstyle="projecting"
        )
        axes.add_collection(drawn)
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _title(found: MoveMap) -> tuple[str, str]:
    """The title of the picture, and the line below it with the numbers of moves."""
    board = found.board
    filled = 1 - board.empty_count / board.geometry.cell_count
    name = f"{board.m}×{board.n}" if board.geometry.is_standard else board.geometry.name
    title = f"{name} sudoku, {filled:.0%} filled"
    counts = [f"{len(found.safe):,} safe moves", f"{len(found.bombs):,} bombs"]
    if not found.is_complete:
        counts.append(f"{len(found.unknown):,} undecided (?)")
    if found.solvable is False:
        counts.append("no completion")
    return title, ", ".join(counts)
