"""The common parts of the pictures: size, colours, grid, and output files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OURS = ("#08519c", "#d94801", "#238b45", "#6a51a3", "#a50f15", "#017a79", "#7a5c00", "#c51b8a")
"""The colours of our solvers, in their order; others have other colours or dashed lines."""
OTHERS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf")
GREY = "#8c8c8c"


def figure(width: float, height: float) -> Figure:
    """Return an empty picture; its sides are in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=110, facecolor="white", layout="constrained")


def grid_of(picture: Figure, rows: int, columns: int, **options: Any) -> list[Axes]:
    """Return the plots of a new grid in a picture, row by row."""
    plots = [axes for row in picture.subplots(rows, columns, squeeze=False, **options) for axes in row]
    for axes in plots:
        tidy(axes)
    return plots


def tidy(axes: Axes, title: str = "") -> None:
    """Remove the lines of a plot that do not help to read it."""
    axes.grid(color="#e6e6e6", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)
    if title:
        axes.set_title(title, fontsize=10.5, loc="left")


def seconds_axis(axis: Any) -> None:
    """Make an axis logarithmic, with labels in s, ms and µs."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    axis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))
    axis.set_minor_formatter(NullFormatter())


def whole_numbers(axis: Any) -> None:
    """Make an axis show whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def duration(seconds: float) -> str:
    """Return a power of ten, in seconds, as text in the unit that suits it.

    >>> duration(0.001), duration(10), duration(1e-5)
    ('1 ms', '10 s', '10 µs')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.999:
            return f"{seconds / size:,.4g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def plain_text(label: str) -> str:
    r"""Return a label in which matplotlib does not interpret formulas.

    >>> plain_text("tdoku '$HOME'")
    "tdoku '\\$HOME'"
    """
    return label.replace("$", r"\$")


def styles(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return a line style for each subject: full for our solvers, dash-dotted for presets, dashed for others."""
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
    """Write a picture; a PNG gets 128 colours to keep the repository small, and an SVG is the same each time."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "csp_sudoku", "svg.fonttype": "path"}):
        picture.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    if path.suffix == ".png":
        from PIL import Image

        with Image.open(path) as image:
            few = image.convert("RGB").quantize(128)
        few.save(path, optimize=True)
