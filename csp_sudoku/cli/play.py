"""csp-sudoku play: play one game between two players, and show it during play."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.aliases import renamed_option
from csp_sudoku.cli.arguments import board_of
from csp_sudoku.cli.codes import DONE
from csp_sudoku.cli.contest import telling
from csp_sudoku.cli.drawing import draw_position
from csp_sudoku.cli.games import on_terms, require_folder, require_writable, tell_isolation, turn_time
from csp_sudoku.cli.inputs import reader, whole
from csp_sudoku.cli.legend import legend
from csp_sudoku.cli.output import bold, colours, duration, number, say, warn, writing
from csp_sudoku.errors import OptionError

if TYPE_CHECKING:
    from rich.live import Live

    from csp_sudoku.arena.play import TurnPlayer
    from csp_sudoku.game.outcome import Outcome
    from csp_sudoku.game.record import GameRecord, Recorder, Turn
    from csp_sudoku.game.state import GameState
    from csp_sudoku.sandbox.terms import GameTerms

RECENT = 5
"""Maximum number of turns to list below the drawing of a watched game."""


@reader
def turn_times(text: str) -> tuple[float, float]:
    """Return the seconds per turn of player 1 and of player 2; a single number sets both.

    >>> turn_times("0.5"), turn_times("0.5,2")
    ((0.5, 0.5), (0.5, 2.0))
    """
    parts = text.split(",")
    if len(parts) > 2:
        raise OptionError(f"expected the seconds per turn, or those of each player, such as 0.5,2; found {text!r}")
    times = [turn_time(part) for part in parts]
    return times[0], times[-1]


@click.command(
    "play",
    short_help="Play one game between two players.",
    epilog="""\b
Examples:
  csp-sudoku play random greedy
  csp-sudoku play ./my_team/agent7 greedy?safe=true --boards random-3x3 --time 0.5 --watch
  csp-sudoku play human champion --boards random-3x3
  csp-sudoku play greedy ./my_team/agent7 --mode rows --time 0.1,1 --log logs --record game.json
  csp-sudoku play random random --boards empty-2x2 --seed 1 --json | csp-sudoku replay --verify

\b
Exit codes: 0 the game was played, whoever won it, 2 bad input or usage,
130 interrupted; the turns so far are in the file of --record.""",
)
@click.argument("first", metavar="A", shell_complete=completion.players_of_play)
@click.argument("second", metavar="B", shell_complete=completion.players_of_play)
@renamed_option(
    "--boards",
    "board",
    old="--board",
    metavar="FILE",
    shell_complete=completion.boards,
    default="empty-3x3",
    show_default=True,
    help="Board at the start: a file, the name of one that ships (hard-3x3), empty-MxN, or the puzzle itself.",
)
@click.option(
    "--time",
    "seconds",
    metavar="S[,S]",
    type=turn_times,
    default="0.5",
    show_default=True,
    help="Seconds per turn, of both players or of A and of B.",
)
@click.option(
    "--seed",
    metavar="N",
    type=whole(0),
    help="Seed of all random numbers; the same seed repeats a game.  [default: random]",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print only the record of the game, for programs. Its rows and columns count from 0.",
)
@click.option("--watch", is_flag=True, help="Show the board during the game.")
@click.option(
    "--record",
    metavar="FILE",
    type=click.Path(),
    help="Write the record of the game to FILE; on Ctrl-C, the record of the turns so far.",
)
@click.option("--log", metavar="FOLDER", type=click.Path(), help="Write the output of the players to files in FOLDER.")
@on_terms
def command(
    first: str,
    second: str,
    board: str,
    seconds: tuple[float, float],
    seed: int | None,
    as_json: bool,
    watch: bool,
    record: str | None,
    log: str | None,
    terms: GameTerms,
) -> int:
    """Play one game between the players A and B.

    A player is a name, a folder with a sudokuai.py, or a dotted path, with options after "?". Each player runs in a
    process of its own, with a new working folder. Each turn runs in a new copy of that process, or with --persistent in
    the process itself. A turn ends when its player is done, or at the deadline, and the arena then ends every process
    that the player has started. The last move proposed in time counts.

    The player human is the person at the terminal, who has no clock: --time is for the other player. On a terminal the
    arrow keys move about the board, digits and letters type a value, and Enter plays it; elsewhere, and on a terminal
    that is too small, moves are typed on lines, such as r4c2=7. Both take ? for a hint, m for the map of safe moves and
    bombs, and q to resign. A move that would lose at once is explained, and not played. The end of the input resigns.
    """
    from csp_sudoku.arena.failures import game_failures
    from csp_sudoku.arena.play import play_game
    from csp_sudoku.game.record import write_records

    if as_json and watch:
        raise OptionError("expected at most one of --json and --watch; found both")
    if record is not None:
        require_writable(record)
    if log is not None:
        require_folder(log, "logs")
    players = _Players(first, second)
    local = players.local(board, quiet=as_json)
    start = board_of(board)
    isolation = tell_isolation(terms)
    recorders: list[Recorder] = []

    def keep() -> None:
        """Write the record of the turns so far, on Ctrl-C."""
        if record is not None and recorders and recorders[0].turns:
            write_records([recorders[0].interrupted()], record)

    with ExitStack() as stack:
        stack.enter_context(telling(keep))
        clocks = [None if number in local else time for number, time in enumerate(seconds, 1)]
        show = None if as_json else stack.enter_context(_Show(players.names, clocks, watch=watch and not local))
        game = play_game(
            *players.specs,
            start,
            seconds=seconds,
            seed=seed,
            terms=terms,
            logs=log,
            on_start=None if show is None else show.begin,
            on_turn=None if show is None else show.turn,
            on_recorder=recorders.append,
            local=local,
        )
    if record is not None:
        with writing(record):
            write_records([game], record)
    if show is None:
        failures = [one.as_object() for one in game_failures(game)]
        say(json.dumps(game.as_object() | {"failures": failures} | isolation, allow_nan=False))
    else:
        show.end(game)
    warn(_warning(players.names, game))
    return DONE


class _Players:
    """The two players of the command line: programs, and people at the terminal."""

    def __init__(self, first: str, second: str) -> None:
        from csp_sudoku.players.spec import HUMAN, Spec, labels

        def read(text: str) -> Spec | str:
            return text if text == HUMAN else Spec.parse(text)

        self.specs = read(first), read(second)
        shown = iter(labels([spec for spec in self.specs if isinstance(spec, Spec)]))
        self.names = [spec if isinstance(spec, str) else next(shown) for spec in self.specs]

    def local(self, board: str, *, quiet: bool) -> dict[int, TurnPlayer]:
        """Return the people by their numbers; raise OptionError if `board` is read from the input on which they type.

        With `quiet`, standard output is for a program.
        """
        from csp_sudoku.cli.board_screen import person

        people = {
            number: person(self.names, quiet=quiet)
            for number, spec in enumerate(self.specs, 1)
            if isinstance(spec, str)
        }
        if people and board == "-":
            raise OptionError("expected a file, a name or a puzzle as the board of a human, who types moves; found '-'")
        return people


def _warning(names: list[str], game: GameRecord) -> str | None:
    """Return a line on the first failure of a player in the game; None if there was none."""
    from csp_sudoku.arena.failures import game_failures

    both = zip(names, game_failures(game), strict=True)
    failed = [(one.first.turn, name, one.first.reason) for name, one in both if one.first is not None]
    if not failed:
        return None
    turn, name, reason = min(failed)
    return f"warning: {name} failed; first in turn {turn}: {reason}"


class _Show:
    """The display of a game: each turn as it ends, or with --watch on a terminal the board; at the end, the result."""

    def __init__(self, names: list[str], clocks: list[float | None], *, watch: bool) -> None:
        self.names = names
        self.clocks = clocks
        """The seconds per turn of each player; None for a person, since people have no clock."""
        self.live: Live | None = _live() if watch and sys.stdout.isatty() else None
        self.state: GameState | None = None
        self.last: Outcome | None = None
        self.told: list[str] = []
        """The results of the turns, one line each, and the errors after a proposal."""
        self.turns = 0
        """The number of turns so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live is not None:
            self.live.stop()

    def begin(self, state: GameState) -> None:
        """Begin the display, when both players are ready."""
        self.state = state
        if self.live is None:
            say(self._title(state))
            return
        self.live.start()
        self.live.console.show_cursor(True)  # an interrupt must not leave the terminal without a cursor
        self._refresh(state)

    def turn(self, state: GameState, outcome: Outcome, turn: Turn) -> None:
        """Show a finished turn."""
        self.state = state
        if outcome.move is not None:
            self.last = outcome
        taken = "" if turn.seconds is None else f", after {duration(turn.seconds)}"
        score = f"{state.scores[0]}:{state.scores[1]}"
        self.turns += 1
        lines = [f"turn {self.turns}{taken}: {outcome}{_completed(state, outcome)}; {score}"]
        if turn.error is not None:
            lines.append(f"turn {self.turns}: player {turn.player} raised after proposing: {turn.error}")
        self.told += lines
        if self.live is None:
            say("\n".join(lines))
        else:
            self._refresh(state)

    def end(self, record: GameRecord) -> None:
        """Print the final board, unless the game was watched, and below it the failures and the result."""
        from csp_sudoku.arena.failures import counted, game_failures

        if self.live is None and self.state is not None:
            say(self._drawn(self.state))
        for name, failures in zip(self.names, game_failures(record), strict=True):
            if failures.first is not None:
                say(f"failures of {name}: {counted(failures.counts)}")
        assert record.result is not None  # the game is over
        (first, second), (ours, theirs) = record.scores, record.result
        who = 1 if ours > theirs else 2
        result = "a draw" if ours == theirs else f"player {who} ({self.names[who - 1]}) wins"
        seed = f"seed {record.seed}"
        say(bold(f"{first}:{second}, {result} ({record.reason}); {number(len(record.turns), 'turn')}, {seed}"))

    def _title(self, state: GameState) -> str:
        times = [f"{clock:g}" for clock in self.clocks if clock is not None]
        limit = f"{' and '.join(dict.fromkeys(times))} s per turn" if times else "no clock"
        if len(times) == 1:
            limit += (
                f" of {next(name for name, clock in zip(self.names, self.clocks, strict=True) if clock is not None)}"
            )
        first, second = self.names
        title = bold(f"# {state.board.geometry.name} {state.mode}, {first} against {second}, {limit}")
        return "\n".join([title, *legend(state.board, colour=colours())])

    def _drawn(self, state: GameState) -> str:
        move = self.last.move if self.last is not None else None
        last = None if move is None else (move.row, move.col)
        return draw_position(state.board, state.initial, last, colour=colours())

    def _refresh(self, state: GameState) -> None:
        """Draw the watched game again."""
        from rich.text import Text

        assert self.live is not None
        first, second = state.scores
        score = f"{self.names[0]} {first} : {second} {self.names[1]}"
        next_one = "" if state.is_over else f"; player {state.player} is to move"
        lines = [self._title(state), self._drawn(state), score + next_one, *self.told[-RECENT:]]
        self.live.update(Text.from_ansi("\n".join(lines), no_wrap=True), refresh=True)


def _live() -> Live:
    """Return a live display, in which each drawing replaces the previous one."""
    from rich.console import Console
    from rich.live import Live

    console = Console(no_color=not colours(), highlight=False)
    return Live(console=console, auto_refresh=False, vertical_overflow="visible")


def _completed(state: GameState, outcome: Outcome) -> str:
    """Return the regions that the last move has completed, as a text."""
    if outcome.move is None or not outcome.reward:
        return ""
    from csp_sudoku.game.rules import completed_regions

    board, move = state.board, outcome.move
    names = [board.geometry.region_name(region) for region in completed_regions(board, move.row, move.col)]
    return f" for {', '.join(names)}"
