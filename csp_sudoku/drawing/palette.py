"""The colours of drawings, each for a light and a dark scheme, and the style sheet of the boards.

A **tone** is a colour with a meaning. Every text has a contrast of at least 4.5 to its ground in both schemes
(`TEXTS`; a test computes it). No meaning depends on colour alone: bombs are bold and underlined, undecided moves are
slanted, taboo moves are crossed, givens are bold on a grey ground, and a last move is framed.

The style sheet contains literal colours instead of variables, because programs other than browsers do not support
those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from csp_sudoku.constraints.shapes import MARK_TONES


class Tone(NamedTuple):
    """A colour in the light and in the dark scheme."""

    light: str
    dark: str


HEAT_LEVELS = 8
"""Number of shades for cells with bombs; level 0 is the shade of cells without bombs."""

TONES: Mapping[str, Tone] = {
    "paper": Tone("#ffffff", "#15171a"),
    "ink": Tone("#1a1a1a", "#f2f2f2"),
    "grid": Tone("#a8adb3", "#5a6068"),
    "given": Tone("#e9ecef", "#2c3138"),
    "filled": Tone("#0b4f8a", "#8ccaff"),
    "safe": Tone("#17692c", "#74d68e"),
    "bomb": Tone("#b3201b", "#ff9189"),
    "unknown": Tone("#5f6368", "#a9adb3"),
    "margin": Tone("#5f6368", "#a9adb3"),
    "last": Tone("#fff0b3", "#4a3f12"),
    "edge": Tone("#8a6100", "#e8c14d"),
    "completed": Tone("#0b7a75", "#4fd1c9"),
    "closed": Tone("#f1f1f1", "#202328"),
    "extra": Tone("#7d6aa8", "#9d8cc9"),
    "one": Tone("#a34700", "#ffab66"),
    "two": Tone("#5b3fb0", "#c1a8ff"),
    "part": Tone("#fbdcda", "#5a2320"),
    "grey": Tone("#ced3d9", "#454b54"),
    "green": Tone("#b9dfc1", "#2f5a3a"),
    "blue": Tone("#bcd8f2", "#2c4f72"),
    "violet": Tone("#d9c8f0", "#4f3f73"),
    "red": Tone("#f3c3bf", "#6a302c"),
    "orange": Tone("#f6d2a6", "#6a4519"),
    "pink": Tone("#f5b3ef", "#6e2a68"),
    "teal": Tone("#9fdcd6", "#1d5652"),
    "yellow": Tone("#efe08a", "#5a5118"),
    "white": Tone("#ffffff", "#ffffff"),
    "black": Tone("#1a1a1a", "#0b0c0e"),
    "diagonal": Tone("#6aa5dc", "#4c86bd"),
    "heat0": Tone("#f4fbf4", "#18241b"),
    "heat1": Tone("#fff3d6", "#33291a"),
    "heat2": Tone("#ffe6b8", "#45301a"),
    "heat3": Tone("#ffd699", "#57361a"),
    "heat4": Tone("#ffc37f", "#6a3a1b"),
    "heat5": Tone("#ffae6b", "#7c3a1c"),
    "heat6": Tone("#ff9a63", "#8c341e"),
    "heat7": Tone("#ff8a66", "#992b22"),
    "heat8": Tone("#ff7d70", "#a32027"),
}
"""Every tone by its name."""

TEXTS: tuple[tuple[str, str], ...] = (
    *((text, ground) for ground in ("paper", "given", "last", "closed", "part") for text in ("ink", "filled")),
    *((text, ground) for ground in ("paper", "last", "closed") for text in ("safe", "bomb", "unknown")),
    *((text, "paper") for text in ("margin", "one", "two", "completed")),
    *(("ink", f"heat{level}") for level in range(HEAT_LEVELS + 1)),
    *(("ink", ground) for ground in MARK_TONES),
    ("black", "white"),
    ("white", "black"),
)
"""The pairs of texts and the grounds below them."""

FONT = 'ui-sans-serif,system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
"""The fonts of the reader's system; none is loaded."""

ROOT = "csp-sudoku"
"""The class of every drawing. All rules are restricted to it, since a page may hold several drawings."""

FRAME = f"svg.{ROOT}{{max-width:100%;height:auto}}"
"""The rule of the drawing as a whole: it shrinks to the available width."""

RULES: tuple[tuple[str, Mapping[str, str], str], ...] = (
    (".paper", {"fill": "paper"}, ""),
    (".ground", {"fill": "paper"}, ""),
    (".ground.given", {"fill": "given"}, ""),
    (".ground.closed", {"fill": "closed"}, ""),
    (".ground.part", {"fill": "part"}, ""),
    *((f".ground.heat{level}", {"fill": f"heat{level}"}, "") for level in range(HEAT_LEVELS + 1)),
    (".ground.last", {"fill": "last"}, ""),
    (".thin", {"stroke": "grid"}, "fill:none;stroke-width:1"),
    (".thick", {"stroke": "ink"}, "fill:none;stroke-width:2.5;stroke-linecap:square;stroke-linejoin:miter"),
    (".extra", {"stroke": "extra"}, "fill:none;stroke-width:2;stroke-dasharray:5 3"),
    ("text", {"fill": "ink"}, f"font-family:{FONT};text-anchor:middle"),
    (".value.given", {}, "font-weight:700"),
    (".value.filled", {"fill": "filled"}, "font-weight:400"),
    (".count", {}, "font-weight:600"),
    (".safe", {"fill": "safe"}, ""),
    (".bomb", {"fill": "bomb"}, "font-weight:700;text-decoration:underline"),
    (".unknown", {"fill": "unknown"}, "font-style:italic"),
    (".cross", {"stroke": "bomb"}, "fill:none;stroke-width:1.5;stroke-linecap:round"),
    (".margin", {"fill": "margin"}, ""),
    (".caption", {"fill": "ink"}, "text-anchor:start"),
    (".ring", {"stroke": "edge"}, "fill:none;stroke-width:2.5"),
    (".completed", {"stroke": "completed"}, "fill:none;stroke-width:3;stroke-linejoin:round"),
    (".corner.one", {"fill": "one"}, ""),
    (".corner.two", {"fill": "two"}, ""),
    (".bracket.one", {"stroke": "one"}, "fill:none;stroke-width:2"),
    (".bracket.two", {"stroke": "two"}, "fill:none;stroke-width:2"),
    *((f".shade.{tone}", {"fill": tone}, "") for tone in MARK_TONES),
    *((f".line.{tone}", {"stroke": tone}, "") for tone in MARK_TONES),
    (".line", {}, "fill:none;stroke-linecap:round;stroke-linejoin:round"),
    (".variant", {}, "pointer-events:none"),
    (".cage", {"stroke": "ink"}, "fill:none;stroke-width:1.2;stroke-dasharray:4 3"),
    (".arrow", {"stroke": "margin"}, "fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round"),
    (".open", {"stroke": "ink", "fill": "paper"}, "stroke-width:1.2"),
    (".hollow", {"stroke": "black", "fill": "white"}, "stroke-width:1.2"),
    (".solid", {"stroke": "ink", "fill": "black"}, "stroke-width:1.2"),
    (".clue", {}, "font-weight:600"),
    (".in-white", {"fill": "black"}, "font-weight:600"),
    (".in-black", {"fill": "white"}, "font-weight:600"),
    (".diagonal", {"stroke": "diagonal"}, "fill:none;stroke-width:1.5"),
    (".angle", {"stroke": "ink"}, "fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round"),
    (".pointer", {"stroke": "ink"}, "fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round"),
    (".label", {"stroke": "paper"}, "paint-order:stroke;stroke-width:3;stroke-linejoin:round;font-weight:600"),
)
"""The style sheet: selectors, the tones of their properties, and the declarations common to both schemes."""


def style(rules: tuple[tuple[str, Mapping[str, str], str], ...] = RULES) -> str:
    """Return the style sheet of a drawing: the light colours, and for readers who prefer them the dark ones.

    `rules` are selectors with the tones of their properties and other declarations (default `RULES`).

    >>> print(style(((".paper", {"fill": "paper"}, ""),)).replace("}", "}\\n"))
    svg.csp-sudoku{max-width:100%;height:auto}
    .csp-sudoku .paper{fill:#ffffff}
    @media(prefers-color-scheme:dark){.csp-sudoku .paper{fill:#15171a}
    }
    """
    light = "".join([_rule(selector, tones, fixed, dark=False) for selector, tones, fixed in rules])
    dark = "".join([_rule(selector, tones, "", dark=True) for selector, tones, _ in rules if tones])
    return f"{FRAME}{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _rule(selector: str, tones: Mapping[str, str], fixed: str, *, dark: bool) -> str:
    colours = [f"{what}:{TONES[name].dark if dark else TONES[name].light}" for what, name in tones.items()]
    return f".{ROOT} {selector}{{{';'.join([*colours, *([fixed] if fixed else [])])}}}"


def heat_level(count: int, most: int) -> int:
    """Return the shade of a cell with `count` bombs on a board where no cell has more than `most`.

    >>> [heat_level(count, 5) for count in range(6)], [heat_level(count, 16) for count in (0, 1, 8, 16)]
    ([0, 1, 2, 3, 4, 5], [0, 1, 4, 8])
    """
    if most <= HEAT_LEVELS:
        return count
    return -(-count * HEAT_LEVELS // most)
