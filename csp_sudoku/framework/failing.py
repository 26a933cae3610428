"""Describes an agent's error in one line, with the file and the line where it was raised.

The place is the innermost frame in the agent's own files: `sudokuai.py:20: ZeroDivisionError: division by zero`. An
agent's own files are those in its folder. If no frame is in one of them, every file counts as its own that belongs
neither to Python, nor to an installed package, nor to this package, such as a module that several agents share.
"""

from __future__ import annotations

import os
from pathlib import Path
from traceback import format_exception_only, walk_tb

_PACKAGE = str(Path(__file__).parents[1])
_LIBRARIES = (str(Path(os.__file__).parent) + os.sep, _PACKAGE + os.sep)
_INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))


def error_line(error: BaseException, folder: str | None) -> str:
    """Return the message of an error with its place, or without it if no frame is in the agent's own files.

    `folder` is the agent's folder; if it is None, the message has no place.

    >>> error_line(ValueError("too hard"), "/agents/mine")
    'ValueError: too hard'
    """
    message = " ".join(format_exception_only(error)[-1].split())
    place = None if folder is None else _place(error, folder)
    return message if place is None else f"{os.path.basename(place[0])}:{place[1]}: {message}"  # noqa: PTH119


def _place(error: BaseException, folder: str) -> tuple[str, int] | None:
    """Return the file and the line of the innermost frame in the agent's own files; None if there is none."""
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename is not None and error.lineno is not None:
        places.append((error.filename, error.lineno))
    inside = [place for place in places if place[0].startswith(folder + os.sep)]
    near = inside or [place for place in places if _is_own(place[0])]
    return near[-1] if near else None


def _is_own(path: str) -> bool:
    """Whether a file belongs neither to Python, nor to an installed package, nor to this package."""
    return os.path.isabs(path) and not path.startswith(_LIBRARIES) and not any(part in path for part in _INSTALLED)  # noqa: PTH117
