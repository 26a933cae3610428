"""The page on which a reader steps through a game: the board, the turns, the moves of each position, and the value.

The page is one file. It works without a network and from a folder, by mouse and by keyboard, light and dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from csp_sudoku.constraints.legend import legend_of
from csp_sudoku.drawing.elements import Markup, element, escaped
from csp_sudoku.drawing.live import live_board
from csp_sudoku.evaluation.margins import final_scores, margins
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.verification import Replay, ReplayedTurn
from csp_sudoku.pages.document import asset, page, script_of
from csp_sudoku.pages.graph import Slip, value_graph
from csp_sudoku.pages.logs import log_section
from csp_sudoku.pages.positions import failures, positions, turns

if TYPE_CHECKING:
    from csp_sudoku.evaluation.analyse import Review
    from csp_sudoku.game.record import GameRecord

FRAME_S = 2.0
"""Time limit for the moves of all positions of a game in a notebook, in seconds."""
FRAME_HEIGHT = 860
"""The height of the frame in a notebook, in pixels."""
SLIPS = ("mistake", "blunder", "forfeit")
"""The judgements that the graph marks."""


def replay_page(
    replay: Replay,
    steps: Sequence[ReplayedTurn],
    *,
    reviews: Sequence[Review] = (),
    logs: tuple[str, ...] = (),
    time_limit: float | None = None,
    total_limit: float | None = None,
    on_position: Callable[[], object] | None = None,
) -> str:
    """Return the page of a game as HTML.

    `replay` is the replay of the record, which has been run, and `steps` are its steps. The page ends before a turn
    that the rules do not allow, and names the difference. `reviews` are successive turns, as
    `csp_sudoku.evaluation.analyse` reviews them (default: none); with them, the page has values and best moves.
    `logs` are the outputs of both players (`read_logs`; default: unknown).
    `time_limit` and `total_limit` bound the time for the moves of one position and of all, in seconds (default None: no
    limit). `on_position` is called after each position (default: nothing is).
    """
    record, start = replay.record, replay.start
    allowed = [step for step in steps if step.outcome is not None]
    shown = turns(start, allowed, {review.number: review for review in reviews})
    found = positions(start, allowed, time_limit=time_limit, total_limit=total_limit, on_position=on_position)
    first, second = record.names
    return page(
        title=f"{first} against {second}",
        body=_body(replay, allowed, reviews, shown, logs),
        style=asset("page.css"),
        script=script_of("board.js", "zoom.js", "replay.js"),
        data={"size": record.board.size, "given": list(record.board.values), "positions": found, "turns": shown},
    )


def replay_frame(record: GameRecord) -> str:
    """Return a frame for a notebook with the page of a game; two seconds are spent on deciding its moves."""
    replay = Replay(record)
    steps = list(replay)
    content = escaped(replay_page(replay, steps, total_limit=FRAME_S))
    return (
        f'<iframe srcdoc="{content}" sandbox="allow-scripts" width="100%" height="{FRAME_HEIGHT}" '
        f'style="border:0" title="{escaped(record.heading())}"></iframe>'
    )


def _body(
    replay: Replay,
    steps: Sequence[ReplayedTurn],
    reviews: Sequence[Review],
    shown: Sequence[dict[str, Any]],
    logs: tuple[str, ...],
) -> str:
    """Return the content of the page: its fixed parts, and the elements that the script fills in."""
    record = replay.record
    first, second = record.names
    parts = {
        "title": element("h1", f"{first} against {second}"),
        "heading": escaped(record.heading(names=False)),
        "ending": escaped(record.ending()),
        "first": escaped(first),
        "second": escaped(second),
        "problems": _list("Differences from the rules", map(str, replay.problems)),
        "rules": _list("Rules", legend_of(record.board.geometry)),
        "board": Markup(live_board(record.board.geometry, f"the board of {first} against {second}")),
        "last": Markup(len(steps)),
        "graph": Markup(graph_of(replay, steps, reviews, shown)),
        "value": escaped("Value over the game" if reviews else "Lead over the game"),
        "legend": _legend(has_values=bool(reviews)),
        "failures": _failures(record, len(steps)),
        "logs": log_section(logs, record.names),
    }
    text = asset("replay.html")
    for name, part in parts.items():  # no part contains the placeholder of a later one, because texts are escaped
        text = text.replace(f"<!-- {name} -->", part)
    return text


def graph_of(
    replay: Replay, steps: Sequence[ReplayedTurn], reviews: Sequence[Review], shown: Sequence[dict[str, Any]]
) -> str:
    """Return the graph of a game as SVG. The arguments are as for `replay_page`; `shown` are the turns as objects."""
    states = [replay.start, *(step.state for step in steps)]
    is_whole = bool(reviews) and reviews[-1].number == len(replay.record.turns)
    known = margins(reviews, final_scores(reviews, replay.record.scores, is_whole=is_whole))
    slips = [
        Slip(number, turn["player"], turn["judgement"])
        for number, turn in enumerate(shown, 1)
        if turn.get("judgement") in SLIPS
    ]
    skips = [number for number, turn in enumerate(shown, 1) if turn["outcome"] == OutcomeKind.SKIPPED.value]
    return value_graph([state.scores[0] - state.scores[1] for state in states], known, slips, skips)


def _legend(*, has_values: bool) -> Markup:
    """Return the key to the lines and marks of the graph."""
    marks = [("score", "▁▂", "lead of player 1"), ("skip", "◇", "skip")]
    if has_values:
        marks += [
            ("proven", "●", "final lead at best play, proven"),
            ("estimate", "┄", "the same, estimated"),
            ("mistake", "▼▲", "mistake of player 1, 2"),
            ("blunder", "▼▲", "blunder or forfeit of player 1, 2"),
        ]
    items = [
        element("li", element("span", sign, class_=f"sign {kind}", aria_hidden="true"), f" {text}")
        for kind, sign, text in marks
    ]
    return element("ul", *items, class_="legend")


def _failures(record: GameRecord, known: int) -> Markup:
    """Return the failures of the players, each as a button that leads to its turn."""
    items = [
        element("li", element("button", failure["text"], type="button", data_turn=min(known, failure["turn"])))
        for failure in failures(record)
    ]
    if not items:
        return Markup("")
    return element("section", element("h2", "Failures"), element("ul", *items, class_="failures"))


def _list(heading: str, lines: Iterable[str]) -> Markup:
    items = [element("li", line) for line in lines]
    return element("section", element("h2", heading), element("ul", *items)) if items else Markup("")
