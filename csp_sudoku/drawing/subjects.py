"""The picture of each kind of object: boards, move maps, results, positions, records and explanations.

The table `PICTURES` names classes as text, so that drawing a board loads neither numpy nor a compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from csp_sudoku.candidates import candidate_masks
from csp_sudoku.constraints.legend import legend_of
from csp_sudoku.constraints.shapes import Mark
from csp_sudoku.coordinates import move_name
from csp_sudoku.drawing.candidate_layer import Heat, ShownCandidates
from csp_sudoku.drawing.game_layer import GameMarks
from csp_sudoku.drawing.marks import marks_of
from csp_sudoku.drawing.picture import Picture, render
from csp_sudoku.errors import OptionError, SudokuError
from csp_sudoku.game.rules import PLAYERS, completed_regions

if TYPE_CHECKING:
    from csp_sudoku.board import Board
    from csp_sudoku.game.record import GameRecord
    from csp_sudoku.game.state import GameState
    from csp_sudoku.moves.explaining import MoveExplanation
    from csp_sudoku.moves.move_map import MoveMap
    from csp_sudoku.puzzles.explain import Explanation
    from csp_sudoku.solvers.base import Result


def svg(
    value: object,
    *,
    puzzle: Board | None = None,
    moves: MoveMap | None = None,
    candidates: bool = False,
    heat: bool = False,
    coordinates: bool = True,
    marks: Sequence[Mark] = (),
    title: str | None = None,
    caption: str | None = None,
) -> str:
    """Return a drawing of an object as an SVG document; notebooks show such drawings automatically.

    `value` is a Board, MoveMap, Result with a solution, GameState, GameRecord (its last position), Explanation or
    MoveExplanation. `puzzle` is the board that a Result or an Explanation is about, so that its givens differ from
    filled cells (default None: unknown). `moves` is the move map of a Board or a GameState, whose candidates are drawn
    safe or bomb (default None: no candidates). With `candidates`, every value that no peer holds is drawn as a
    candidate, without a verdict (default False). With `heat`, the number of bombs of each cell is drawn instead of the
    candidates (default False). `coordinates` says whether rows and columns are numbered, from 1 (default True). `marks`
    are shapes of a variant beside those of its geometry (see `csp_sudoku.constraints.shapes`; default none). `title` is
    the text that screen readers read first (default None: a description of the drawing), and `caption` a further
    paragraph below it (default None). The rules of a board are drawn, and explained below it.

    SudokuError if there is nothing to draw: a result without a solution, or a map of another board.

    >>> from csp_sudoku.board import Board
    >>> drawing = svg(Board.parse("1... ..2. .3.. ...4"))
    >>> drawing[:59], drawing.count("<text")
    ('<svg xmlns="http://www.w3.org/2000/svg" class="csp-sudoku" ', 12)
    """
    picture = picture_of(value, puzzle)
    if moves is not None:
        picture = with_moves(picture, moves)
    elif candidates and picture.candidates is None:
        picture = replace(picture, candidates=_legal(picture.board))
    if heat:
        if picture.candidates is None:
            raise OptionError("expected a move map to draw the heat of; found none")
        picture = replace(picture, heat=Heat.of(picture.candidates), caption=(*picture.caption, HEAT_KEY))
    rules = tuple(legend_of(picture.board.geometry))
    return render(
        replace(
            picture,
            coordinates=coordinates,
            marks=(*marks_of(picture.board.geometry), *marks),
            caption=(*picture.caption, *rules, *([] if caption is None else [caption])),
            title=picture.title if title is None else title,
        )
    )


def picture_of(value: object, puzzle: Board | None = None) -> Picture:
    """Return the picture of an object; SudokuError if objects of its kind cannot be drawn.

    `puzzle` is the board that a Result or an Explanation is about, if that is known (default None).
    """
    for kind in type(value).__mro__:
        make = PICTURES.get(f"{kind.__module__}.{kind.__qualname__}")
        if make is not None:
            return make(value, puzzle)
    names = ", ".join(name.rpartition(".")[2] for name in PICTURES)
    raise SudokuError(f"expected an object to draw among {names}; found {type(value).__name__}")


def with_moves(picture: Picture, moves: MoveMap) -> Picture:
    """Return a picture with the candidates of a move map; SudokuError if the map is of another board."""
    if moves.board != picture.board:
        raise SudokuError(f"expected the move map of the board that is drawn; found that of {moves.board!r}")
    taboo = picture.candidates.taboo if picture.candidates is not None else frozenset()
    shown = replace(candidates_of(moves), taboo=taboo)
    return replace(picture, candidates=shown, caption=(*picture.caption, *_key(shown, moves.solvable)))


def candidates_of(moves: MoveMap) -> ShownCandidates:
    """Return the candidates of a move map."""
    masks = (moves.safe_masks, moves.bomb_masks, moves.unknown_masks)
    safe, bombs, unknown = ([int(mask) for mask in of_all] for of_all in masks)
    return ShownCandidates(safe, bombs, unknown)


def game_marks(state: GameState) -> GameMarks:
    """Return the marks of a position."""
    size = state.board.size

    def cells(squares: Any) -> frozenset[int]:
        return frozenset(row * size + column for row, column in squares)

    last: int | None = None
    completed: tuple[int, ...] = ()
    if state.history:
        (row, column, _), skipped = state.history[-1]
        last = row * size + column
        completed = () if skipped else completed_regions(state.board, row, column)
    filled_by = (cells(state.occupied[0]), cells(state.occupied[1]))
    open_to = None
    if state.allowed is not None:
        first, second = (cells(state.squares(player) or ()) for player in PLAYERS)
        open_to = (first, second)
    return GameMarks(last, completed, filled_by, open_to)


def _of_board(board: Board, _: Board | None) -> Picture:
    return Picture(board=board, title=_named(board, "sudoku"), given=_filled(board))


def _of_map(moves: MoveMap, _: Board | None) -> Picture:
    board = moves.board
    return with_moves(Picture(board=board, title=_named(board, "move map"), given=_filled(board)), moves)


def _of_result(result: Result, puzzle: Board | None) -> Picture:
    caption = (repr(result)[1:-1].removeprefix("Result "),)
    if result.solution is not None:
        given = _filled(result.solution) if puzzle is None else _filled(puzzle)
        return Picture(board=result.solution, title=_named(result.solution, "solution"), given=given, caption=caption)
    if puzzle is None:
        raise SudokuError(f"expected a result with a solution to draw; found {result!r}")
    return Picture(board=puzzle, title=_named(puzzle, "sudoku"), given=_filled(puzzle), caption=caption)


def _of_state(state: GameState, _: Board | None) -> Picture:
    board, size = state.board, state.board.size
    taboo = frozenset((row * size + column, value) for row, column, value in state.taboo)
    nothing = [0] * board.geometry.cell_count
    return Picture(
        board=board,
        title=_named(board, f"game, mode {state.mode}"),
        given=_filled(state.initial),
        candidates=ShownCandidates(nothing, nothing, nothing, taboo) if taboo else None,
        game=game_marks(state),
        caption=tuple(_told(state)),
    )


def _of_record(record: GameRecord, _: Board | None) -> Picture:
    from csp_sudoku.game.verification import Replay

    replay = Replay(record)
    state = replay.start
    for step in replay:
        state = step.state
    picture = _of_state(state, None)
    return replace(picture, caption=(record.heading(), record.ending(), *picture.caption[1:]))


def _of_explanation(explanation: Explanation, puzzle: Board | None) -> Picture:
    board = explanation.board if puzzle is None else explanation.drawn_on(puzzle)
    part = frozenset(explanation.givens)
    given = _filled(board) - frozenset(explanation.kept)
    return Picture(
        board=board,
        title=_named(board, "sudoku without solution"),
        given=given,
        faded=given - part,
        part=part,
        game=GameMarks(last=explanation.kept[0] if len(explanation.kept) == 1 else None),
        caption=(explanation.sentence(),),
    )


def _of_move_explanation(explanation: MoveExplanation, _: Board | None) -> Picture:
    board, (row, column, _value) = explanation.board, explanation.move
    cell = row * board.size + column
    sentence, title = f"{explanation.sentence().rstrip('.')}.", _named(board, f"move {explanation.move}")
    game, given = GameMarks(last=cell), _filled(board)
    if explanation.completion is not None:
        return Picture(board=explanation.completion, title=title, given=given, game=game, caption=(sentence,))
    if explanation.clash is not None:
        picture = _of_explanation(explanation.clash, explanation.after)
        return replace(picture, title=title, game=game, caption=(sentence,))
    part = frozenset() if explanation.peer is None else frozenset({board.geometry.cell(*explanation.peer)})
    return Picture(board=board, title=title, given=given, part=part, game=game, caption=(sentence,))


PICTURES: dict[str, Callable[[Any, Board | None], Picture]] = {
    "csp_sudoku.board.Board": _of_board,
    "csp_sudoku.moves.move_map.MoveMap": _of_map,
    "csp_sudoku.solvers.base.Result": _of_result,
    "csp_sudoku.game.state.GameState": _of_state,
    "csp_sudoku.game.record.GameRecord": _of_record,
    "csp_sudoku.puzzles.explain.Explanation": _of_explanation,
    "csp_sudoku.moves.explaining.MoveExplanation": _of_move_explanation,
}
"""The classes of the objects that can be drawn, and the functions that make their pictures."""

HEAT_KEY = "Numbers on colour: bombs per empty cell; on grey: values."


def _legal(board: Board) -> ShownCandidates:
    """Return the values that no peer of an empty cell holds, as candidates without a verdict."""
    masks = candidate_masks(board.geometry, board.values)
    nothing = [0] * len(masks)
    legal = [0 if value else mask for value, mask in zip(board.values, masks, strict=True)]
    return ShownCandidates(nothing, nothing, legal)


def _filled(board: Board) -> frozenset[int]:
    return frozenset(cell for cell, value in enumerate(board.values) if value)


def _named(board: Board, what: str) -> str:
    """Return the title of a picture: the shape of the board, and the contents of the picture."""
    name = f"{board.m}×{board.n}" if board.geometry.is_standard else board.geometry.name
    return f"{name} {what}, {board.geometry.cell_count - board.empty_count} of {board.geometry.cell_count} cells filled"


def _key(shown: ShownCandidates, solvable: bool | None) -> list[str]:
    """Return the counts of the moves, with the look of each kind."""
    parts = [
        f"{counted(shown.count('safe'), 'safe move')} (green)",
        f"{counted(shown.count('bomb'), 'bomb')} (red, underlined)",
    ]
    if left := shown.count("unknown"):
        parts.append(f"{left:,} undecided (grey, slanted)")
    if solvable is False:
        parts.append("no completion")
    return [", ".join(parts)]


def _told(state: GameState) -> list[str]:
    """Return the score, the player to move or the reason for the end of the game, and the last move."""
    first, second = state.scores
    said = [f"{first}:{second}, {state.reason or f'player {state.player} to move'}"]
    if state.history:
        move, skipped = state.history[-1]
        regions = [] if skipped else completed_regions(state.board, move.row, move.col)
        names = ", ".join(state.board.geometry.region_name(region) for region in regions)
        done = "skipped: it is a bomb, and taboo" if skipped else f"completed {names}" if names else "placed"
        said.append(f"last move {move_name(*move)}: {done}")
    if state.allowed is not None:
        said.append("Upper left corners: player 1, lower right corners: player 2. Triangle: filled, bracket: open.")
    return said


def counted(count: int, noun: str) -> str:
    """Return a number with a noun in the singular or the plural."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
