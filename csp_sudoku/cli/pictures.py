"""The pictures that commands draw: which file names are allowed, and which picture shows which of many items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from csp_sudoku.cli.inputs import reader
from csp_sudoku.errors import OptionError

PICTURES = (".png", ".svg", ".pdf")
"""The allowed suffixes of a picture's file."""

Item = TypeVar("Item")


@reader
def picture(text: str) -> Path:
    """Return the path of a picture; raise OptionError if it has another suffix, or cannot be written."""
    path = Path(text)
    if path.suffix.lower() not in PICTURES:
        raise OptionError(f"expected a file that ends in {', '.join(PICTURES)}; found {text!r}")
    if path.is_dir():
        raise OptionError(f"expected a file to write; found the directory {text!r}")
    from tempfile import TemporaryFile

    try:
        with TemporaryFile(dir=path.parent):
            return path
    except OSError as error:
        raise OptionError(f"expected to write {text!r}; found {str(error.strerror).lower()}") from error


def with_pictures(items: Iterable[Item], plot: Path | None) -> Iterator[tuple[Item, Path | None]]:
    """Yield each item with the path of its picture.

    The path is `plot` itself for a single item, numbered for several, and None without a `plot`. To know whether an
    item is the only one, the function reads two items before it yields the first; without a `plot` it does not read
    ahead.

    >>> [str(path) for _, path in with_pictures("ab", Path("out.png"))]
    ['out-1.png', 'out-2.png']
    >>> [str(path) for _, path in with_pictures("a", Path("out.png"))]
    ['out.png']
    """
    if plot is None:
        yield from ((item, None) for item in items)
        return
    remaining = iter(items)
    first = list(islice(remaining, 2))
    if len(first) == 1:
        yield first[0], plot
        return
    for number, item in enumerate(chain(first, remaining), 1):
        yield item, plot.with_name(f"{plot.stem}-{number}{plot.suffix}")
