"""csp-sudoku moves: report which moves of a board are safe and which are bombs, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import completion
from csp_sudoku.cli.aliases import renamed_option
from csp_sudoku.cli.codes import BAD, DONE, NO, UNDECIDED, worst
from csp_sudoku.cli.drawing import draw_counts, draw_part, draw_solution
from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.games import require_different
from csp_sudoku.cli.inputs import BoardSource, Puzzle, json_option, number_between, reader, reads_boards
from csp_sudoku.cli.output import colours, complain, duration, number, say, writing
from csp_sudoku.cli.pictures import picture, svg_option, with_files, with_pictures, write_svg
from csp_sudoku.cli.progress import Bar
from csp_sudoku.coordinates import cell_name, parse_move
from csp_sudoku.errors import MoveError, OptionError, expect_name

if TYPE_CHECKING:
    from csp_sudoku.moves.explaining import MoveExplanation
    from csp_sudoku.moves.move_map import MoveMap

Paths = tuple[Path | None, ...]
"""The paths of the pictures of --plot and of --svg, each None without its option."""

ENGINE_NAMES = ("auto", "search", "cpsat", "naive", "rule", "rule-columns")
"""The names of `moves.classification.ENGINES`, whose module loads numpy: the help is printed without it."""

KINDS = ("safe", "bombs")
LEGEND = "3*2 is 3 safe moves and 2 bombs, 3 is 3 safe moves, [3] is a filled cell"
OPEN_LEGEND = f"{LEGEND}, ?4 is 4 undecided moves"


@reader
def engine_name(name: str) -> str:
    """Check the name of an engine, and return it."""
    from csp_sudoku.moves.classification import ENGINES

    expect_name("engine", name, ["auto", *ENGINES])
    return name


@reader
def kind_of_moves(name: str) -> str:
    """Check the kind of moves, "safe" or "bombs", and return it."""
    expect_name("kind of moves", name, KINDS)
    return name


@reader
def move_text(text: str) -> tuple[int, int, int]:
    """Read a move such as r1c5=7, and return its row and its column, counted from 0, and its value.

    The form ROW,COL,VALUE of version 0.1, in which rows and columns count from 0, is still read; no help shows it.

    >>> move_text("r1c5=7"), move_text("0,4,7")
    ((0, 4, 7), (0, 4, 7))
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 3 and all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        row, column, value = map(int, parts)
        return row, column, value
    return parse_move(text)


@click.command(
    "moves",
    short_help="Report which moves are safe and which are bombs.",
    epilog="""\b
Examples:
  csp-sudoku moves board.txt
  csp-sudoku moves --only bombs board.txt
  csp-sudoku moves --json board.txt | jq '.bombs | length'
  csp-sudoku moves --explain r1c5=7 board.txt
  csp-sudoku moves --plot bombs.png board.txt
  csp-sudoku moves --svg moves.svg board.txt

\b
Exit codes: 0 every move is decided, or the move is explained, 1 a board has
no completion, 2 bad input or usage, 3 a move is undecided, or its explanation
not proven minimal, within the time limit, 130 interrupted.""",
)
@reads_boards
@click.option(
    "--engine",
    metavar="NAME",
    type=engine_name,
    shell_complete=completion.one_of(lambda: ENGINE_NAMES),
    help=f"Engine: {', '.join(ENGINE_NAMES[:-1])} or {ENGINE_NAMES[-1]}.  [default: auto]",
)
@click.option(
    "--only",
    metavar="KIND",
    type=kind_of_moves,
    shell_complete=completion.one_of(lambda: KINDS),
    help="Kind of moves to list: safe or bombs. --json lists both.  [default: both]",
)
@renamed_option(
    "--time-limit",
    old="--deadline",
    type=number_between(0, inf),
    metavar="SECONDS",
    help="Leave moves undecided after this many seconds per board.  [default: no limit]",
)
@json_option
@click.option(
    "--explain",
    "move",
    metavar="CELL=VALUE",
    type=move_text,
    help="Explain one move, such as r1c5=7, instead of listing all.",
)
@click.option(
    "--plot",
    metavar="OUT",
    type=picture,
    shell_complete=completion.files,
    help="Draw the bombs per cell to OUT.png, .svg or .pdf; several boards to OUT-1.png, OUT-2.png and so on.",
)
@svg_option("the board with every move, safe or bomb,")
def command(
    source: BoardSource,
    engine: str | None,
    only: str | None,
    time_limit: float | None,
    as_json: bool,
    move: tuple[int, int, int] | None,
    plot: Path | None,
    svg: Path | None,
) -> int:
    """Report for every legal move of the boards of FILE whether it is safe or a bomb.

    A move is safe if the board has a completion after it, and a bomb if it has none. The drawing counts the moves in
    each empty cell, and the list names them. A move is explained by a completion, or by the fewest givens that admit
    none with it. If these take too long to find, it is explained by a set of givens that are all necessary. Cells are
    named as r4c2, which is row 4 and column 2. With --json, rows and columns count from 0.
    """
    if move is not None:
        _require_alone({"--engine": engine, "--only": only, "--plot": plot})
        return _explain(source, move, time_limit, svg, as_json=as_json)
    require_different({name: str(path) for name, path in (("--plot", plot), ("--svg", svg)) if path is not None})
    codes = set()
    shown = False
    with Bar("classifying") as bar:
        maps = _maps(source.puzzles(), engine or "auto", time_limit, (plot, svg))
        for puzzle, (found, paths) in source.in_turn(maps):
            codes.add(_code(found))
            _draw(found, paths)
            bar.step()
            with bar.aside():
                if as_json:
                    say(json.dumps(_as_object(found, paths)))
                    continue
                if shown:
                    say("")
                say(_as_text(puzzle, found, only, paths))
                shown = True
    return worst([*codes, source.code])


def _require_alone(others: dict[str, Any]) -> None:
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise OptionError(f"expected --explain without {', '.join(others)}; found {' and '.join(given)}")


def _maps(
    puzzles: Iterable[Puzzle], engine: str, time_limit: float | None, files: Paths
) -> Iterator[tuple[Puzzle, tuple[MoveMap, Paths]]]:
    """Yield each puzzle with the map of its board and the paths of its pictures."""
    from csp_sudoku.moves.classification import classify_moves
    from csp_sudoku.moves.engines import listing

    for puzzle, paths in with_files(puzzles, *files):
        board = puzzle.board
        is_small = board.size <= listing.MAX_SIZE and not board.geometry.constraints
        if engine == "auto" and time_limit is None and is_small:
            yield puzzle, (listing.classify(board), paths)
        else:
            yield puzzle, (classify_moves(board, engine, time_limit), paths)


def _draw(found: MoveMap, paths: Paths) -> None:
    """Draw the requested pictures of a map."""
    plot, svg = paths
    if plot is not None:
        from csp_sudoku.moves.heat_map import heat_map, save

        with writing(plot):
            save(heat_map(found), plot)
    if svg is not None:
        write_svg(svg, found)


def _code(found: MoveMap) -> int:
    """Return the exit code of a map."""
    if found.solvable is None or not found.is_complete:
        return UNDECIDED
    return DONE if found.solvable else NO


def _as_object(found: MoveMap, paths: Paths) -> dict[str, Any]:
    """Return a map as the object that --json prints."""
    effort = found.effort
    return {
        "rows": found.board.m,
        "columns": found.board.n,
        "solvable": found.solvable,
        "safe": [list(move) for move in found.safe],
        "bombs": [list(move) for move in found.bombs],
        "unknown": [list(move) for move in found.unknown],
        "engine": effort.engine,
        "seconds": effort.seconds,
        "loading_seconds": effort.loading_seconds,
        "solves": effort.solves,
        **{name: str(path) for name, path in zip(("plot", "svg"), paths, strict=True) if path is not None},
    }


def _as_text(puzzle: Puzzle, found: MoveMap, only: str | None, paths: Paths) -> str:
    """Return a map as text for people."""
    lines = [draw_counts(found, colour=colours()), LEGEND if found.is_complete else OPEN_LEGEND]
    lines += _listed(found, only)
    lines.append(f"{puzzle}: {_verdict(found)}")
    for what, path in zip(("bombs per cell", "drawing"), paths, strict=True):
        if path is not None:
            lines.append(f"{puzzle}: {what} in {path}")
    return "\n".join(lines)


def _listed(found: MoveMap, only: str | None) -> Iterator[str]:
    """Yield a line for each empty cell that has moves of the requested kind; `only` None means all kinds."""
    kinds = {"bombs": found.bomb_masks, "safe": found.safe_masks, "undecided": found.unknown_masks}
    for cell in found.board.empty_cells():
        parts = []
        for name, masks in kinds.items():
            mask = int(masks[cell])
            if mask and only in (None, name):
                values = [str(value) for value in range(1, found.board.size + 1) if mask >> value - 1 & 1]
                parts.append(f"{name} {' '.join(values)}")
        if parts:
            name = cell_name(*found.board.geometry.row_column(cell))
            yield folded(f"{name}: {'; '.join(parts)}", indent=len(name) + 2)


def _verdict(found: MoveMap) -> str:
    """Return the counts of a map and the work for it as text."""
    effort = found.effort
    how = f"by {effort.engine}; {number(effort.solves, 'solve')} in {duration(effort.seconds)}"
    if found.board.is_full:
        return f"full, no move is left; {how}"
    if found.solvable is False:
        legal = len(found.legal)
        moves = "and no move is legal" if not legal else f"so {number(legal, 'legal move')} can only be bombs"
        return f"unsolvable, {moves}; {how}"
    parts = [number(len(found.safe), "safe move"), number(len(found.bombs), "bomb")]
    if not found.is_complete:
        parts.append(f"{len(found.unknown):,} undecided")
    if found.solvable is None:
        parts.append("whether solvable is undecided")
    return f"{', '.join(parts)}; {how}"


def _explain(
    source: BoardSource, move: tuple[int, int, int], time_limit: float | None, svg: Path | None, *, as_json: bool
) -> int:
    """Explain one move of each board, and return the exit code."""
    from csp_sudoku.moves.explaining import explain_move

    codes = set()
    with Bar("explaining") as bar:
        for puzzle, path in with_pictures(source, svg):
            try:
                found = explain_move(puzzle.board, *move, time_limit=time_limit)
            except MoveError as error:
                complain(f"{puzzle}: {error}")
                codes.add(BAD)
                continue
            codes.add(_explained_code(found))
            if path is not None:
                write_svg(path, found)
            bar.step()
            with bar.aside():
                if as_json:
                    say(json.dumps(_explained_object(found) | ({} if path is None else {"svg": str(path)})))
                else:
                    said = "" if path is None else f"\n{puzzle}: drawing in {path}"
                    say(_explained_text(puzzle, found) + said)
    return worst([*codes, source.code])


def _explained_code(found: MoveExplanation) -> int:
    """Return the exit code of an explanation."""
    if found.solvable is False:
        return NO
    is_open = found.verdict.value == "unknown" or (found.clash is not None and not found.clash.minimal)
    return UNDECIDED if is_open else DONE


def _explained_object(found: MoveExplanation) -> dict[str, Any]:
    """Return an explanation as the object that --json prints.

    A value is None if it was not requested, is not known, or does not apply.
    """
    clash = found.clash
    place = found.board.geometry.row_column
    givens = None if clash is None else [[*place(cell), clash.board.values[cell]] for cell in clash.givens]
    return {
        "move": list(found.move),
        "verdict": found.verdict.value,
        "solvable": found.solvable,
        "givens": givens,
        "minimal": None if clash is None else clash.minimal,
        "minimum": None if clash is None else clash.minimum,
        "peer": None if found.peer is None else list(found.peer),
        "completion": None if found.completion is None else found.completion.rows,
    }


def _explained_text(puzzle: Puzzle, found: MoveExplanation) -> str:
    """Return an explanation as text for people."""
    sentence = f"{puzzle}: {found.sentence()}"
    if found.completion is not None:
        return f"{draw_solution(found.after, found.completion, colour=colours())}\n{sentence}"
    if found.clash is None:
        return sentence
    part = {found.board.geometry.row_column(cell) for cell in found.clash.givens}
    drawing = draw_part(
        found.clash.drawn_on(found.after), part, move=(found.move.row, found.move.col), colour=colours()
    )
    return f"{drawing}\n{sentence}"
