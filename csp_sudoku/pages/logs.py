"""The output of the players of a game, as `csp-sudoku play --log` writes it, on a page."""

from __future__ import annotations

import re
from pathlib import Path

from csp_sudoku.drawing.elements import Markup, element
from csp_sudoku.errors import OptionError
from csp_sudoku.game.rules import PLAYERS

MAX_LOG = 1 << 20
"""Maximum number of characters of a log that a page shows: half of them from its beginning, and half from its end."""
FEW = 12
"""Maximum number of lines of a log that is unfolded at first."""
_CODES = re.compile("\x1b\\[[0-9;?]*[ -/]*[@-~]|[^\n\t\x20-\x7e\xa0-\U0010ffff]")
"""Control characters and the codes with which a terminal is coloured."""


def read_logs(folder: str) -> tuple[str, ...]:
    """Return what player 1 and player 2 have printed in a game, from the folder of their logs.

    A player without a file has printed nothing. OptionError if there is no file of either.
    """
    paths = [Path(folder) / f"player{number}.log" for number in PLAYERS]
    if not any(path.is_file() for path in paths):
        raise OptionError(f"expected a folder with player1.log and player2.log of a game; found neither in {folder!r}")
    try:
        return tuple([readable(path.read_bytes()) if path.is_file() else "" for path in paths])
    except OSError as error:
        raise OptionError(f"expected to read the logs in {folder!r}; found {str(error.strerror).lower()}") from None


def readable(output: bytes) -> str:
    """Return output as text that a page can show: without control characters and colours, and of a limited length.

    >>> readable(b"\\x1b[31mred\\x1b[0m\\x07\\n")
    'red\\n'
    """
    text = _CODES.sub("", output.decode("utf-8", "replace").replace("\r\n", "\n"))
    left_out = len(text) - MAX_LOG
    if left_out <= 0:
        return text
    return f"{text[: MAX_LOG // 2]}\n[{left_out:,} characters are left out here]\n{text[-MAX_LOG // 2 :]}"


def log_section(logs: tuple[str, ...], names: tuple[str, str]) -> Markup:
    """Return the part of a page with the logs of both players; nothing without `logs`."""
    if not logs:
        return Markup("")
    parts = []
    for number, name, text in zip(PLAYERS, names, logs, strict=True):
        lines = len(text.splitlines())
        count = "nothing" if not text.strip() else f"{lines:,} line{'s' * (lines != 1)}"
        heading = f"player {number}, {name}: {count}"
        if not text.strip():
            parts.append(element("p", heading))
            continue
        shown = element("pre", text, tabindex=0, role="region", aria_label=f"Output of player {number}")
        parts.append(element("details", element("summary", heading), shown, open="" if lines <= FEW else None))
    return element("section", element("h2", "Output of the players"), *parts, class_="logs")
