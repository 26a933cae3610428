"""The pictures and pages that commands write: their allowed names, and the numbers in the names for several items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.inputs import reader
from csp_sudoku.cli.output import writing
from csp_sudoku.errors import OptionError

PICTURES = (".png", ".svg", ".pdf")
"""The allowed suffixes of a picture's file."""

Item = TypeVar("Item")


def file_to_write(*suffixes: str) -> Callable[[str], Path]:
    """Make a reader of the path of a file; it raises OptionError if the file cannot be written, or has another suffix.

    >>> file_to_write(".svg")("board.png")
    Traceback (most recent call last):
        ...
    click.exceptions.BadParameter: expected a file that ends in .svg; found 'board.png'
    """

    @reader
    def read(text: str) -> Path:
        path = Path(text)
        if path.suffix.lower() not in suffixes:
            raise OptionError(f"expected a file that ends in {', '.join(suffixes)}; found {text!r}")
        if path.is_dir():
            raise OptionError(f"expected a file to write; found the directory {text!r}")
        from tempfile import TemporaryFile

        try:
            with TemporaryFile(dir=path.parent):
                return path
        except OSError as error:
            raise OptionError(f"expected to write {text!r}; found {str(error.strerror).lower()}") from error

    return read


picture = file_to_write(*PICTURES)


def svg_option(what: str, items: str = "boards") -> Callable[[Any], Any]:
    """Make the option --svg, which draws `what` of each of several `items` (default "boards")."""
    return click.option(
        "--svg",
        metavar="OUT",
        type=file_to_write(".svg"),
        shell_complete=completion.files,
        help=f"Draw {what} to OUT.svg; several {items} to OUT-1.svg, OUT-2.svg and so on.",
    )


def html_option(what: str) -> Callable[[Any], Any]:
    """Make the option --html, which writes a page with `what` of each game."""
    return click.option(
        "--html",
        metavar="OUT",
        type=file_to_write(".html", ".htm"),
        shell_complete=completion.files,
        help=f"Write {what} as one page to OUT.html; several games to OUT-1.html, OUT-2.html and so on.",
    )


def log_option(command: Any) -> Any:
    """Add the option --log, which names the folder with the output of the players of a game."""
    return click.option(
        "--log",
        "logs",
        metavar="FOLDER",
        type=click.Path(),
        help="With --html: show what the players have printed, from the FOLDER of `play --log`.",
    )(command)


def logs_of(folder: str | None, html: Path | None) -> tuple[str, ...]:
    """Return the output of both players from the folder of --log, if there is one; it needs a page that shows it."""
    if folder is None:
        return ()
    if html is None:
        raise OptionError("expected --log with --html; found it alone")
    from csp_sudoku.pages import read_logs

    return read_logs(folder)


def require_one_game(logs: tuple[str, ...], page: Path, html: Path | None) -> None:
    """Raise OptionError if there are logs, which are those of one game, and `page` is one of several pages."""
    if logs and page != html:
        raise OptionError("expected one game with --log; found several")


def write_svg(path: Path, value: object, **options: Any) -> None:
    """Draw a value, as `csp_sudoku.drawing.svg` does with `options`, to a file."""
    from csp_sudoku.drawing import svg

    write_text(path, svg(value, **options))


def write_text(path: Path, text: str) -> None:
    """Write a text to a file, completely or not at all; raise NotationError if that is impossible."""
    from csp_sudoku.atomic_file import write_atomically

    with writing(path):
        write_atomically(path, text)


def with_pictures(items: Iterable[Item], plot: Path | None) -> Iterator[tuple[Item, Path | None]]:
    """Yield each item with the path of its picture.

    The path is `plot` itself for a single item, numbered for several, and None without a `plot`. To determine whether
    an item is the only one, the function reads two items before it yields the first; without a `plot` it does not read
    ahead.

    >>> [str(path) for _, path in with_pictures("ab", Path("out.png"))]
    ['out-1.png', 'out-2.png']
    >>> [str(path) for _, path in with_pictures("a", Path("out.png"))]
    ['out.png']
    """
    yield from ((item, path) for item, (path,) in with_files(items, plot))


def with_files(items: Iterable[Item], *files: Path | None) -> Iterator[tuple[Item, tuple[Path | None, ...]]]:
    """Yield each item with the paths of its files, as `with_pictures` does with one.

    >>> [[str(path) for path in paths] for _, paths in with_files("ab", Path("out.svg"), None)]
    [['out-1.svg', 'None'], ['out-2.svg', 'None']]
    """
    if not any(files):
        yield from ((item, files) for item in items)
        return
    remaining = iter(items)
    first = list(islice(remaining, 2))
    if len(first) == 1:
        yield first[0], files
        return
    for number, item in enumerate(chain(first, remaining), 1):
        yield item, tuple(path and path.with_name(f"{path.stem}-{number}{path.suffix}") for path in files)
