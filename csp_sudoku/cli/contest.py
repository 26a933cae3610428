"""The options of match and tournament, the session in which the games are played, and the report on Ctrl-C."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn
from zlib import crc32

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import INTERRUPTED
from csp_sudoku.cli.games import on_terms, tell_isolation, with_options
from csp_sudoku.cli.inputs import whole
from csp_sudoku.cli.interrupt import INTERRUPTION, begin_line
from csp_sudoku.cli.output import warn
from csp_sudoku.cli.progress import Bar
from csp_sudoku.errors import OptionError, SudokuError, UndecidedError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from csp_sudoku.arena.pool import GamePool
    from csp_sudoku.arena.schedule import NamedBoard
    from csp_sudoku.arena.store import Store
    from csp_sudoku.board import Board
    from csp_sudoku.cli.arguments import BoardArgument
    from csp_sudoku.sandbox.terms import GameTerms

BOARD_OPTION = "--boards"
MOST_GAMES = 1_000_000
"""Upper bound on the number of games; a larger number is probably a typing error."""


def games_option(default: str, meaning: str) -> Callable[[Callable[..., Any]], Any]:
    """Make the option --games, with its default and its help text.

    `default` is the number of games as text, and `meaning` the help text.
    """
    number = whole(1, MOST_GAMES)
    return click.option("--games", metavar="K", type=number, default=default, show_default=True, help=meaning)


class ContestCommand(click.Command):
    """A command whose option --boards takes all following arguments, up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[completion.AWAITS_BOARD] = awaits_board(args)
        return super().parse_args(ctx, spread(args))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        if ctx.meta[completion.AWAITS_BOARD] and not incomplete.startswith("-"):
            return completion.boards(ctx, self.params[0], incomplete)
        return super().shell_complete(ctx, incomplete)


def awaits_board(arguments: list[str]) -> bool:
    """Return whether the next argument is a board of --boards, unless it is an option.

    >>> awaits_board(["A", "B", "--boards", "x"]), awaits_board(["--boards", "x", "--", "A"])
    (True, False)
    """
    options = [argument for argument in arguments if argument.startswith("-") and argument != "-"]
    return options[-1:] == [BOARD_OPTION] and "--" not in arguments


def spread(arguments: list[str]) -> list[str]:
    """Return the command line with the name of the option before each of the boards.

    >>> spread(["A", "--boards", "x", "y", "--games", "2"])
    ['A', '--boards', 'x', '--boards', 'y', '--games', '2']
    >>> spread(["--boards", "x", "y", "--", "A", "B"])
    ['--boards', 'x', '--boards', 'y', '--', 'A', 'B']
    """
    found: list[str] = []
    taking = 0
    for place, argument in enumerate(arguments):
        if argument == "--":
            return found + arguments[place:]
        if argument == BOARD_OPTION:
            taking = 1
        elif argument.startswith("-") and argument != "-":
            taking = 0
        elif taking:
            if taking > 1:
                found.append(BOARD_OPTION)
            taking += 1
        found.append(argument)
    return found


def named_boards(texts: tuple[str, ...]) -> list[NamedBoard]:
    """Read the boards that the texts name, each board once.

    A text is an argument that `cli.arguments.resolve` understands; a file may hold many boards. Raise OptionError if
    two different boards have the same name, or if there is no board.
    """
    from csp_sudoku.arena.schedule import NamedBoard
    from csp_sudoku.cli.arguments import resolve
    from csp_sudoku.game.referee import Referee

    found: dict[NamedBoard, None] = {}
    for text in texts:
        argument = resolve(text)
        boards = list(argument.boards())
        for number, board in enumerate(boards, 1):
            name = _name_of(argument, board)
            is_alone = len(boards) == 1 or argument.text is not None
            found[NamedBoard(name if is_alone else f"{name}#{number}", board)] = None
    boards_by_name: dict[str, NamedBoard] = {}
    for one in found:
        if boards_by_name.setdefault(one.name, one) is not one:
            raise OptionError(f"expected boards with different names; found two with the name {one.name!r}")
        if not _has_completion(one.board):
            Referee().require_solvable(one.board)
    if not found:
        raise OptionError("expected at least one board; found none")
    return list(found)


def _has_completion(board: Board) -> bool:
    """Return whether a light search finds a completion, so that a resumed match need not import the solvers (60 MB)."""
    from csp_sudoku.framework.light_solver import complete

    with suppress(UndecidedError):
        return board.geometry.is_standard and complete(board.m, board.n, board.cells) is not None
    return False


def _name_of(argument: BoardArgument, board: Board) -> str:
    """Return the name of an argument's board for tables, without its number in a file of several boards.

    A puzzle that is itself the argument is named after its cells, so that the name is the same in the next run.
    """
    if argument.name is not None:
        return argument.name
    if argument.text is not None:
        return f"puzzle-{crc32(board.values):08x}"
    return "stdin" if argument.path == "-" else Path(argument.source).stem


@dataclass(frozen=True, slots=True)
class Contest:
    """The settings of a match or a tournament: its boards, its terms, its workers and its store."""

    texts: tuple[str, ...]
    """The boards, as the command line names them; empty means empty-3x3."""
    jobs: int | None
    seed: int
    file: str | None
    """The file of the store; None keeps the games in memory."""
    scheduler: str | None
    terms: GameTerms
    """The common terms of all games."""

    @property
    def boards(self) -> list[NamedBoard]:
        """The boards of the games."""
        return named_boards(self.texts or ("empty-3x3",))

    def tell_isolation(self) -> dict[str, list[str]]:
        """Report the namespaces that isolate players on standard error, if isolation is requested.

        Return the same for a JSON object; nothing for a cluster, because its workers may have different kernels.
        """
        from csp_sudoku.sandbox.namespaces import Isolation

        if self.scheduler is None or self.terms.isolation is Isolation.NONE:
            return tell_isolation(self.terms)
        warn("each worker isolates players as far as its kernel allows")
        return {}

    @contextmanager
    def session(self, total: int, tell: Callable[[], object]) -> Iterator[tuple[GamePool, Store, Bar]]:
        """Open the store, the progress bar and the pool, and close them at the end.

        `total` is the number of games. `tell` reports the games that are done; it is called on Ctrl-C, and when a
        SudokuError ends the session after at least one game.
        """
        from csp_sudoku.arena.store import IN_MEMORY, Store

        with (
            Store(IN_MEMORY if self.file is None else self.file) as store,
            Bar("playing", total) as bar,
            telling(tell),
            pool_of(self.jobs, self.scheduler) as pool,
        ):
            try:
                yield pool, store, bar
            except SudokuError:
                if bar.done:
                    with bar.aside():
                        tell()
                raise


CONTEST = (
    click.option(
        BOARD_OPTION,
        "texts",
        metavar="FILE...",
        multiple=True,
        shell_complete=completion.boards,
        help="Boards: files, names of those that ship (hard-3x3), empty-MxN, or puzzles.  [default: empty-3x3]",
    ),
    click.option("--jobs", metavar="J", type=whole(1), help="Number of games played at a time.  [default: 1]"),
    click.option(
        "--seed",
        metavar="N",
        type=whole(0),
        default="0",
        show_default=True,
        help="Seed of all random numbers; the same seed repeats all games.",
    ),
    click.option(
        "--store",
        "file",
        metavar="FILE",
        type=click.Path(),
        help="Keep each game in FILE, and play only the games that are not in it yet.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help='Play on a Dask cluster at this address, such as tcp://host:8786 (needs "csp-sudoku[cluster]").',
    ),
)


def plays_many(command: Callable[..., Any]) -> Any:
    """Decorator: give a command the options of a contest, and pass them as one value, `contest`."""

    @wraps(command)
    def with_contest(
        *,
        texts: tuple[str, ...],
        jobs: int | None,
        seed: int,
        file: str | None,
        scheduler: str | None,
        terms: GameTerms,
        **others: Any,
    ) -> Any:
        return command(contest=Contest(texts, jobs, seed, file, scheduler, terms), **others)

    return with_options(on_terms(with_contest), CONTEST)


@contextmanager
def pool_of(jobs: int | None, scheduler: str | None) -> Iterator[GamePool]:
    """Open the pool that plays the games: `jobs` games at a time on this machine (default 1), or on a Dask cluster.

    `scheduler` is the address of the cluster; None means this machine.
    """
    from csp_sudoku.arena.pool import cluster_pool, local_pool

    with local_pool(jobs or 1) if scheduler is None else cluster_pool(scheduler, jobs) as pool:
        yield pool


@contextmanager
def telling(tell: Callable[[], object]) -> Iterator[None]:
    """On Ctrl-C, call `tell` to report the games that are done, then exit at once.

    The player processes end with this process. If SIGINT is ignored, it stays ignored.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield
        return
    owner = os.getpid()

    def end(signal_number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - the signature of a handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if os.getpid() == owner:
            with suppress(Exception):
                begin_line()
            with suppress(Exception):
                tell()
            with suppress(OSError):
                os.write(2, INTERRUPTION)
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
