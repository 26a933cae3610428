"""The questions about a position of the game: its move map, its value, and the effect of a move; and recorded games.

Each function takes the fields of a request, the boards that have names, and the job, and returns a JSON object.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

from csp_sudoku.coordinates import move_names
from csp_sudoku.drawing.subjects import candidates_of, counted
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.evaluation.advice import objection
from csp_sudoku.evaluation.analyse import analyse
from csp_sudoku.evaluation.value import Evaluation, evaluate
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import Replay
from csp_sudoku.moves.tracker import MoveTracker
from csp_sudoku.pages.positions import turns
from csp_sudoku.pages.replay import SLIPS, graph_of, replay_page
from csp_sudoku.web.exploring import MAX_SEED
from csp_sudoku.web.positions import move_in, state_in, state_object
from csp_sudoku.web.puzzles import board_in, board_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    from csp_sudoku.evaluation.analyse import Review
    from csp_sudoku.moves.move_map import MoveMap
    from csp_sudoku.web.fields import Fields
    from csp_sudoku.web.puzzles import Boards
    from csp_sudoku.web.workers import Job

SLICE_S = 0.4
"""Time between two reports of an incomplete map, in seconds."""
FIRST_LOOK_S = 0.5
"""Time of the first estimate of a value, in seconds; each further one has four times as much."""
MAX_RECORD = 1 << 23
"""Upper bound for the length of a record, in characters."""
LISTED = 12
"""Maximum number of moves to name in a sentence."""
MAX_REVIEW_S = 2.0
"""Upper bound for the time of the search of one position in a review, in seconds."""
REVIEW_SHARES = 3
"""Number of such searches that the review of a turn may take."""
PAGE_S = 10.0
"""Upper bound for the time of the move maps of a page, in seconds."""
GUESS_DEPTH = 1000
"""Depth from which an estimate reaches the end of the game, for one completion of the board."""


def start(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - all questions have a job
    """Return the first position of a game on a board, with the board itself."""
    board = board_in(fields, boards)
    mode = fields.choice("mode", [mode.value for mode in PlayMode], PlayMode.CLASSIC.value)
    state = GameState.start(board, mode, Random(fields.whole("seed", 0, MAX_SEED, 0)))
    return {"board": board_object(board), "state": state_object(state)}


def draw(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - it needs no named board
    """Return a position as the rules see it, with its board; so a link to a position is checked."""
    state = state_in(fields)
    return {"board": board_object(state.board), "state": state_object(state)}


def map_moves(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - it needs no named board
    """Return the safe moves and the bombs; the moves known so far are reported as progress."""
    board = state_in(fields).board
    tracker = MoveTracker(board, min(SLICE_S, job.left()))
    while not tracker.map.is_complete and (left := job.left()):
        job.report(_map_object(tracker.map))
        tracker.go_on(min(SLICE_S, left))
    return _map_object(tracker.map)


def _map_object(found: MoveMap) -> dict[str, Any]:
    shown = candidates_of(found)
    safe, bombs, unknown = (shown.count(kind) for kind in ("safe", "bomb", "unknown"))
    undecided = f", {unknown:,} undecided" if unknown else ""
    end = " The board has no completion." if found.solvable is False else ""
    return {
        "safe": shown.safe,
        "bombs": shown.bombs,
        "unknown": shown.unknown,
        "complete": found.is_complete,
        "told": f"{counted(safe, 'safe move')}, {counted(bombs, 'bomb')}{undecided}.{end}",
    }


def value(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - it needs no named board
    """Return the value of a position for the side to move: estimates as progress, and at the end the best answer."""
    state = state_in(fields)
    seconds, found = min(FIRST_LOOK_S, job.seconds), None
    while True:
        look = evaluate(state, time_limit=min(seconds, job.left()))
        if found is None or look.exact or look.depth >= found.depth:  # the last search may have little time
            found = look
        seconds *= 4
        if found.exact or job.left() <= seconds / 4:
            return _value_object(found, state)
        job.report(_value_object(found, state))


def _value_object(found: Evaluation, state: GameState) -> dict[str, Any]:
    size = state.board.size
    ahead = "from one completion" if found.depth >= GUESS_DEPTH else f"{found.depth} moves ahead"
    how = "exact" if found.exact else f"an estimate, {ahead}"
    worth = f"{found.margin:+g}" if found.margin else "0"
    return {
        "margin": found.margin,
        "exact": found.exact,
        "best": [[row * size + column, number] for row, column, number in found.best],
        "line": [[row * size + column, number] for row, column, number in found.line],
        "told": f"Best play is worth {worth} to player {state.player}: {how}.",
        "line_told": move_names(found.line, LISTED),
    }


def move(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - it needs no named board
    """Return the position after a move, and its effect; or the reason why the move would lose the game at once."""
    state = state_in(fields.part("position"))
    if state.is_over:
        return {"objection": f"The game is over: {state.reason}."}
    if state.must_pass:
        after, outcome = state.play(None)
    else:
        wanted = move_in(fields, state.board.size)
        if reason := objection(state, wanted):
            return {"objection": f"{reason[:1].upper()}{reason[1:]}."}
        after, outcome = state.play(wanted, Referee(time_limit=job.left()))
    told = str(outcome)
    return {
        "objection": None,
        "state": state_object(after),
        "kind": outcome.kind.value,
        "name": "pass" if outcome.move is None else str(outcome.move),
        "reward": outcome.reward,
        "told": f"{told[:1].upper()}{told[1:]}.",
    }


def review(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - it needs no named board
    """Return the review of a recorded game: the value of each turn, the graph, and the game as a page to send on.

    The positions share the time of the job; each reviewed turn is reported as progress.
    """
    replay = Replay(parse_record(fields.text("text", most=MAX_RECORD)), Referee(time_limit=job.seconds))
    steps = list(replay)
    if replay.problems:
        raise SudokuError(f"expected a game as the rules make it; found a difference: {replay.problems[0]}")
    each = min(MAX_REVIEW_S, job.seconds / max(1, len(steps)) / REVIEW_SHARES)
    reviews: list[Review] = []
    for one in analyse(replay.start, steps, time_limit=each):
        reviews.append(one)
        job.report({"told": f"Turn {one.number} of {len(steps)} is reviewed …"})
        if not job.left():
            break
    shown = turns(replay.start, steps, {one.number: one for one in reviews})
    return {
        "turns": [{key: turn.get(key) for key in ("judgement", "remark", "before")} for turn in shown],
        "graph": graph_of(replay, steps, reviews, shown),
        "page": replay_page(replay, steps, reviews=reviews, total_limit=PAGE_S),
        "told": _review_told(reviews, len(steps)),
    }


def _review_told(reviews: Sequence[Review], count: int) -> str:
    """Return the results of the review in one sentence."""
    judged = Counter(one.judgement.value for one in reviews if one.judgement is not None)
    names = [f"{judged[name]} {name}{'s' * (judged[name] > 1)}" for name in SLIPS if judged[name]]
    missing = "" if len(reviews) == count else f" The time sufficed for {len(reviews)} of {count} turns."
    return f"Proven: {', '.join(names) or 'no mistake and no blunder'}.{missing}"


def record(fields: Fields, boards: Boards, job: Job) -> dict[str, Any]:  # noqa: ARG001 - it needs no named board
    """Return the positions of a recorded game, as far as the rules allow its turns."""
    found = parse_record(fields.text("text", most=MAX_RECORD))
    replay = Replay(found, Referee(time_limit=job.seconds))
    steps = []
    for step in replay:
        if step.outcome is None:
            break
        steps.append(step)
        if not job.left():
            raise UndecidedError(f"expected to replay the game within {job.seconds:g} s; found it longer")
    return {
        "heading": found.heading(),
        "ending": found.ending(),
        "names": list(found.names),
        "board": board_object(found.board),
        "states": [state_object(state) for state in (replay.start, *(step.state for step in steps))],
        "turns": turns(replay.start, steps),
        "problems": [str(problem) for problem in replay.problems],
    }
