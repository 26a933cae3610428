"""The solve_sudoku command: it replaces the framework's referee binary, so that the framework runs on Linux.

    solve_sudoku FILE [--move "k v"] [--random] [--greedy] [--taboo "i j v …"] [--allowed "k …"]

It starts once per turn, so it imports only what the question needs. The exit code is 0 with one line on standard
output, or 2 with one line on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from csp_sudoku.errors import NotationError, OptionError, SudokuError
from csp_sudoku.framework.board_text import BoardText, integer, read_board
from csp_sudoku.framework.oracle import Oracle, Pair

USAGE = 'solve_sudoku FILE [--move "k v"] [--random] [--greedy] [--taboo "i j v …"] [--allowed "k …"]'

HELP = f"""Usage: {USAGE}

Whether the sudoku in FILE has a solution. FILE is in one of the framework's text forms:
"m n" and the squares row by row, or rows = …, columns = …, board = …

  --move "k v"         the result of value v in square k (row · N + column, from 0)
  --random             a random legal move
  --greedy             a random one among the legal moves with the highest reward
  --taboo "i j v …"    moves (row and column, from 0, and value) that --random and --greedy avoid
  --allowed "k …"      the squares to play on; all squares if none is listed
  --help               this text
"""

FILE_LIMIT = 1 << 20
"""Maximum number of bytes read from a file; the text of a 25×25 game has a few thousand."""


class Request(NamedTuple):
    """A command line: the positional arguments, and the values of the options."""

    files: list[str]
    options: dict[str, str]


WITH_VALUE = ("--move", "--taboo", "--allowed")
FLAGS = ("--random", "--greedy", "--help", "-h")


def parse(arguments: Sequence[str]) -> Request:
    """Parse a command line; raise OptionError if it is wrong.

    >>> parse(["a.txt", "--move=3 4", "--greedy"])
    Request(files=['a.txt'], options={'--move': '3 4', '--greedy': ''})
    """
    files, options = [], {}
    rest = list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name in WITH_VALUE:
            if not equals and not rest:
                raise OptionError(f"expected a value after {name}; found none")
            options[name] = value if equals else rest.pop(0)
        elif name in FLAGS and not equals:
            options[name] = ""
        elif name.startswith("-") and name != "-":
            raise OptionError(f"expected {USAGE}; found {name!r}")
        else:
            files.append(name + equals + value)
    return Request(files, options)


def answer(text: str, options: dict[str, str], pick: Callable[[int], int]) -> str:
    """Return the line that answers a question about the board in a text; raise SudokuError if the question is wrong.

    `options` maps the given options to their values, and `pick` returns a random integer from 0 below its argument.
    """
    board = read_board(text)
    allowed = set(_integers("--allowed", options.get("--allowed", ""), 1))
    oracle = Oracle(board.m, board.n, board.values, allowed)
    taboo = _taboo(board, options.get("--taboo", ""))
    if "--move" in options:
        return oracle.move(options["--move"])
    if "--random" in options or "--greedy" in options:
        return oracle.any_move(taboo, pick, greedy="--greedy" in options)
    return oracle.solution()


def _taboo(board: BoardText, text: str) -> set[Pair]:
    numbers = _integers("--taboo", text, 3)
    size = board.m * board.n
    return {
        (row * size + column, value)
        for row, column, value in zip(*[iter(numbers)] * 3, strict=True)
        if 0 <= row < size and 0 <= column < size
    }


def _integers(name: str, text: str, step: int) -> list[int]:
    """Return the integers of an option's value; raise OptionError unless their number is a multiple of `step`."""
    numbers = [integer(word) for word in text.split()]
    if None in numbers or len(numbers) % step:
        raise OptionError(
            f"expected integers{f', {step} for each move,' * (step > 1)} after {name}; found {text[:40]!r}"
        )
    return [number for number in numbers if number is not None]


def shown(path: str) -> str:
    """Return a path as error messages show it, on one line."""
    return path if path.isprintable() else repr(path)


def read_text(path: str) -> str:
    """Return the text of a file; raise NotationError if the file cannot be read or is not text."""
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - importing pathlib takes too long
            data = stream.read(FILE_LIMIT + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotationError("a file to read", reason.lower(), source=shown(path)) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text or len(data) > FILE_LIMIT:
        what = "a longer one" if len(data) > FILE_LIMIT else "binary data"
        raise NotationError(f"a text of at most {FILE_LIMIT} bytes", what, source=shown(path))
    return text


def pick_any(count: int) -> int:
    """Return a random integer from 0 below `count`, from the system, because importing `random` takes too long."""
    return int.from_bytes(os.urandom(16), "big") % count


def run(arguments: Sequence[str]) -> tuple[int, str]:
    """Run a command line; return its exit code, and the line (or the help) to print."""
    try:
        request = parse(arguments)
        if "--help" in request.options or "-h" in request.options:
            return 0, HELP.rstrip()
        if len(request.files) != 1:
            raise OptionError(f"expected {USAGE}; found {len(request.files)} files")
        text = read_text(request.files[0])
        try:
            return 0, answer(text, request.options, pick_any)
        except NotationError as error:
            raise NotationError(error.expected, error.found, line=error.line, source=shown(request.files[0])) from None
    except SudokuError as error:
        return 2, f"solve_sudoku: {error}"


def main() -> NoReturn:
    """Run the program; `solve_sudoku` and `python -m csp_sudoku.framework.solve_sudoku` call this function."""
    stream, code = sys.stdout, 130
    try:
        code, line = run(sys.argv[1:])
        stream = sys.stderr if code else sys.stdout
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        print(line, file=stream, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
