"""What the pictures have in common: size, colours, grid, and how they are written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OURS = ("#08519c", "#d94801", "#238b45", "#6a51a3", "#a50f15", "#017a79", "#7a5c00", "#c51b8a")
"""Colours of ours, in their order; others are grey or dashed."""
OTHERS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf")
GREY = "#8c8c8c"


def figure(width: float, height: float) -> Figure:
    """An empty picture."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=110, facecolor="white", layout="constrained")


def grid_of(picture: Figure, rows: int, columns: int, **options: Any) -> list[Axes]:
    """Its plots, one after the other."""
    plots = [axes for row in picture.subplots(rows, columns, squeeze=False, **options) for axes in row]
    for axes in plots:
        tidy(axes)
    return plots


def tidy(axes: Axes, title: str = "") -> None:
    """No more lines than it takes to read."""
    axes.grid(color="#e6e6e6", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)
    if title:
        axes.set_title(title, fontsize=10.5, loc="left")


def seconds_axis(axis: Any) -> None:
    """A logarithmic axis of seconds that says ms and µs where that is what one says."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    axis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))
    axis.set_minor_formatter(NullFormatter())


def whole_numbers(axis: Any) -> None:
    """An axis of things that are counted."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def duration(seconds: float) -> str:
    """A power of ten in the unit that suits it.

    >>> duration(0.001), duration(10), duration(1e-5)
    ('1 ms', '10 s', '10 µs')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.999:
            return f"{seconds / size:,.4g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def styles(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """A line style for each subject: ours full, presets of ours dash-dotted, others dashed; no two alike."""
    from csp_sudoku.solvers.registry import PRESETS

    found: dict[str, dict[str, Any]] = {}
    ours = presets = others = 0
    for name in dict.fromkeys(names):
        if ":" in name:
            dashes = (0, (5, 2) if others < len(OTHERS) else (2, 1.5))
            look = {"color": OTHERS[others % len(OTHERS)], "linewidth": 1.2, "linestyle": dashes}
            others += 1
        elif name.partition("?")[0] in PRESETS:
            look = {"color": OURS[presets % len(OURS)], "linewidth": 1.4, "linestyle": (0, (4, 1, 1, 1))}
            presets += 1
        else:
            look = {"color": OURS[ours % len(OURS)], "linewidth": 2.2, "linestyle": "-"}
            ours += 1
        found[name] = look
    return found


def save(picture: Figure, path: Path) -> None:
    """Write a picture; a PNG in few colours, for it lives in the repository; an SVG that is the same each time."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "csp_sudoku", "svg.fonttype": "path"}):
        picture.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    if path.suffix == ".png":
        from PIL import Image

        with Image.open(path) as image:
            few = image.convert("RGB").quantize(128)
        few.save(path, optimize=True)
