"""csp-sudoku analyse: review recorded games turn by turn, and compare each move with the best ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.codes import INTERRUPTED
from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.inputs import json_option, number_between, whole
from csp_sudoku.cli.interrupt import begin_line, interruptible
from csp_sudoku.cli.output import bold, complain, number, say, writing
from csp_sudoku.cli.pictures import html_option, log_option, logs_of, picture, require_one_game, with_files, write_text
from csp_sudoku.cli.preparing import prepared
from csp_sudoku.cli.progress import Bar
from csp_sudoku.cli.records import RecordedGame, RecordedGames
from csp_sudoku.cli.value import plain, signed

if TYPE_CHECKING:
    from csp_sudoku.evaluation.analyse import Review, ReviewSummary
    from csp_sudoku.game.verification import Replay, ReplayedTurn

HEAD = "turn  player  move              value  played    loss"
REMARKS = len(HEAD) + 2
"""The column in which the remarks begin."""
LEGEND = "value, played: the margin at best play before and with the move; ~ is estimated"


@click.command(
    "analyse",
    short_help="Find the mistakes of recorded games.",
    epilog="""\b
Examples:
  csp-sudoku analyse game.json
  csp-sudoku analyse --last 20 --time-limit 5 game.json
  csp-sudoku analyse --plot game.png game.json
  csp-sudoku analyse --html game.html game.json
  csp-sudoku analyse --json tournament.jsonl | jq .summary.blunders

\b
Exit codes: 0 all games are analysed, 1 a game is not what the rules make of
it, 2 bad input or usage, 130 interrupted.""",
)
@click.argument("files", nargs=-1, metavar="[GAME]...", shell_complete=completion.files)
@click.option(
    "--time-limit",
    default=0.5,
    show_default=True,
    type=number_between(0, inf),
    metavar="SECONDS",
    help="Time to search each position, in seconds.",
)
@click.option("--last", type=whole(1), metavar="N", help="Review only the last N turns.  [default: all]")
@json_option
@click.option(
    "--plot",
    metavar="OUT",
    type=picture,
    shell_complete=completion.files,
    help="Plot the margin over the turns to OUT.png, .svg or .pdf; several games to OUT-1.png, OUT-2.png and so on.",
)
@html_option("the game with its values and best moves, to step through it in a browser,")
@log_option
def command(
    files: tuple[str, ...],
    time_limit: float,
    last: int | None,
    as_json: bool,
    plot: Path | None,
    html: Path | None,
    logs: str | None,
) -> int:
    """Review the games of GAME turn by turn, and compare the value of each move with that of the best moves.

    GAME may hold one record or many, as JSON or JSON Lines; "-", or no GAME, is standard input. A value is exact if the
    board has one completion and the time suffices; otherwise it is an estimate and is marked with "~". Only proven
    losses count against a player. A mistake costs points. A blunder changes the winner, if both sides play their best
    moves from there on. A skip is missed if all best moves were bombs and the player played none of them. With --json,
    rows and columns count from 0.
    """
    printed = logs_of(logs, html)
    games = RecordedGames(files)
    for (game, replay, steps), (picture_path, page_path) in with_files(prepared(_right(games), "analyse"), plot, html):
        analysis = _Analysis(game, as_json=as_json)
        analysis.run(replay, steps, time_limit, last)
        if picture_path is not None and analysis.reviews:
            analysis.draw(picture_path)
        if page_path is not None:
            require_one_game(printed, page_path, html)
            analysis.write_page(page_path, replay, steps, printed, time_limit)
        analysis.end(picture_path, page_path)
        if analysis.is_interrupted:
            click.echo("interrupted", err=True)
            return INTERRUPTED
    return games.code


def _right(games: RecordedGames) -> Iterator[tuple[RecordedGame, Replay, list[ReplayedTurn]]]:
    """Yield each game whose record conforms to the rules, with its replay and its steps.

    The difference in any other record is reported on standard error.
    """
    for game in games:
        replay = game.replay()
        steps = list(replay)
        if replay.problems:
            complain(game.difference(replay.problems))
            games.judge(game, replay.problems)
        else:
            yield game, replay, steps


class _Analysis:
    """The analysis of one game. It is printed as it proceeds, one line per turn, or as one JSON object at the end."""

    def __init__(self, game: RecordedGame, *, as_json: bool) -> None:
        self.game = game
        self.as_json = as_json
        self.reviews: list[Review] = []
        self.is_interrupted = False

    def run(self, replay: Replay, steps: Sequence[ReplayedTurn], time_limit: float, last: int | None) -> None:
        """Review the turns of a game.

        Ctrl-C ends the review and keeps the turns that are done. `time_limit` is in seconds per position; `last`
        restricts the review to the last turns, and None reviews all of them.
        """
        from csp_sudoku.evaluation.analyse import analyse

        if not self.as_json:
            say("\n".join([bold(f"# {self.game.title()}"), folded(LEGEND), HEAD]))
        try:
            with interruptible(), Bar("analysing", min(len(steps), last or len(steps))) as bar:
                for review in analyse(replay.start, steps, time_limit=time_limit, last=last):
                    self.reviews.append(review)
                    bar.step()
                    if not self.as_json:
                        with bar.aside():
                            say(_line(review))
        except KeyboardInterrupt:
            begin_line()
            self.is_interrupted = True

    def draw(self, path: Path) -> None:
        """Draw the margin over the reviewed turns, and save the picture at `path`."""
        from csp_sudoku.evaluation.margins import final_scores
        from csp_sudoku.evaluation.plot import value_plot
        from csp_sudoku.moves.heat_map import save

        record = self.game.record
        first, second = record.names
        title = f"{record.board.m}×{record.board.n} {record.mode}: {first} against {second}, {record.ending()}"
        scores = final_scores(self.reviews, record.scores, is_whole=not self.is_interrupted)
        with writing(path):
            save(value_plot(self.reviews, (first, second), title, scores), path)

    def write_page(
        self, path: Path, replay: Replay, steps: Sequence[ReplayedTurn], logs: tuple[str, ...], time_limit: float
    ) -> None:
        """Write the page of the game, with the reviews; the moves of a position take at most `time_limit` seconds."""
        from csp_sudoku.pages import replay_page

        with Bar("mapping", len(steps) + 1) as bar:
            text = replay_page(
                replay, steps, reviews=self.reviews, logs=logs, time_limit=time_limit, on_position=bar.step
            )
        write_text(path, text)

    def end(self, path: Path | None, page: Path | None) -> None:
        """Print the summary of the review; `path` is the picture of the game, and `page` its page, or None."""
        from csp_sudoku.evaluation.analyse import ReviewSummary

        summary = ReviewSummary.of(self.reviews)
        if self.as_json:
            say(json.dumps(self._as_object(summary, path) | ({} if page is None else {"html": str(page)})))
            return
        say(folded("\n".join(self._summed_up(summary)), indent=4))
        if path is not None and self.reviews:
            say(f"{self.game}: the margin over the turns in {path}")
        if page is not None:
            say(f"{self.game}: page in {page}")
        say("")

    def _as_object(self, summary: ReviewSummary, path: Path | None) -> dict[str, Any]:
        """Return the analysis as the object that --json prints."""
        record = self.game.record
        return {
            "source": self.game.source,
            "game": self.game.number,
            "rows": record.board.m,
            "columns": record.board.n,
            "mode": record.mode.value,
            "players": list(record.players),
            "turns": [_as_object(review) for review in self.reviews],
            "scores": list(record.scores),
            "result": None if record.result is None else list(record.result),
            "complete": not self.is_interrupted,
            "summary": {
                "proven": list(summary.turns),
                "mistakes": list(summary.mistakes),
                "blunders": list(summary.blunders),
                "missed_skips": list(summary.missed_skips),
                "lost": [plain(points) for points in summary.lost],
                "first_exact": summary.first_exact,
            },
            **({} if path is None or not self.reviews else {"plot": str(path)}),
        }

    def _summed_up(self, summary: ReviewSummary) -> Iterator[str]:
        """Yield the lines of the summary."""
        record = self.game.record
        for i, name in enumerate(record.names):
            counts = [
                number(summary.mistakes[i], "mistake"),
                number(summary.blunders[i], "blunder"),
                number(summary.missed_skips[i], "missed skip"),
                f"{number(int(summary.lost[i]), 'point')} lost",
            ]
            turns = number(summary.turns[i], "proven turn")
            yield f"player {i + 1} ({name}): {', '.join(counts)} in {turns}"
        total = len(record.turns)
        first = summary.first_exact
        proven = "no turn is proven" if first is None else f"proven from turn {first} of {total} on"
        done = f"interrupted after turn {self.reviews[-1].number if self.reviews else 0}, "
        yield f"{self.game}: {done if self.is_interrupted else ''}{proven}; {record.ending()}"


def _as_object(review: Review) -> dict[str, Any]:
    """Return one reviewed turn as the object that --json prints."""
    return {
        "turn": review.number,
        "player": review.player,
        "move": None if review.move is None else list(review.move),
        "outcome": review.kind.value,
        "scores": list(review.scores),
        "value": plain(review.value),
        "exact": review.exact,
        "depth": review.depth,
        "played": None if review.played is None else plain(review.played),
        "loss": None if review.loss is None else plain(review.loss),
        "best": [list(move) for move in review.best],
        "missed_skip": review.missed_skip,
        "verdict": None if review.judgement is None else review.judgement.value,
    }


def _line(review: Review) -> str:
    """Return one reviewed turn as one line of the table."""
    mark = "" if review.exact else "~"
    value, played, loss = (
        "" if points is None else f"{mark}{text}"
        for points, text in (
            (review.value, signed(review.value)),
            (review.played, signed(review.played or 0)),
            (review.loss or None, f"{review.loss or 0:g}"),
        )
    )
    numbers = f"{review.number:>4}  {review.player:<6}  {_move(review):<15} {value:>7} {played:>7} {loss:>7}"
    return folded(f"{numbers}  {_remark(review)}".rstrip(), indent=REMARKS - len(numbers) + len(numbers.lstrip()))


def _move(review: Review) -> str:
    """Describe in words the move that the player made."""
    if review.move is None:
        return "pass" if review.kind.value == "passed" else "nothing"
    return f"{'skip ' if review.kind.value == 'skipped' else ''}{review.move}"


def _remark(review: Review) -> str:
    """Return the remarks on a turn that was not a best one; an empty string for a best one."""
    from csp_sudoku.evaluation.remarks import remarks

    return "; ".join([bold(remark.text) if remark.is_grave else remark.text for remark in remarks(review)])
