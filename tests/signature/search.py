"""The layer of the searches of the game: values, best moves and node counts of fixed positions, within fixed budgets.

Every search works in slices of a fixed number of nodes, so a budget is a number of slices.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from csp_sudoku.agents.champion_player.book import Book
from csp_sudoku.agents.champion_player.quick import is_decided, is_far, quick_move

from csp_sudoku import agents
from csp_sudoku.evaluation.analyse import analyse
from csp_sudoku.evaluation.value import evaluate
from csp_sudoku.game.record import Recorder, Turn
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import Replay
from csp_sudoku.moves.classification import classify_moves
from csp_sudoku.search.completions.game import completion_game
from csp_sudoku.search.endings.endgame import Endgame
from csp_sudoku.search.endings.table import Endings
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.model import model_of
from csp_sudoku.search.filling.pairing import without_pairs
from csp_sudoku.search.playouts.tree import Playouts
from tests.signature import positions
from tests.signature.digest import line, short
from tests.signature.positions import MODES, SHAPES, name_of

BITS = 14
"""Entries of the tables, as a power of two."""

SLICES = 4
"""Slices of a search of many nodes."""

FIRST_NODES = 3000
"""Nodes of the first slice."""

GAMES = 150
"""Playouts of each half of a search by playouts."""

ENDINGS_BYTES = 1 << 22
"""Room for the endings of one game."""


def lines():
    """The lines of this layer."""
    for shape in SHAPES:
        for mode in MODES:
            yield from _filling(f"{name_of(shape)} {mode.value}", positions.position(shape, mode))
            yield from _small(f"{name_of(shape)} {mode.value}", positions.position(shape, mode, empty=9))
    yield from _evaluations()
    yield from _book()
    yield from _analysed()


def _filling(item, state):
    """The filling game of a position with many empty cells: its model, and searches of it that do not end."""
    moves = classify_moves(state.board)
    if state.is_over or not len(moves.witnesses):
        return
    completion = moves.witnesses[0].tobytes()
    model = model_of(state, moves, completion)
    lean, spare = without_pairs(model, 2)
    yield line(
        f"model {item}",
        cells=model.cells,
        skips=[list(bombs) for bombs in model.skips],
        position=model.position,
        exact=model.is_exact,
        lean=lean.position,
        spare=spare,
    )
    quick = quick_move(state, completion)
    yield line(f"quick {item}", move=quick.move, given=quick.given, far=is_far(state, quick), over=is_decided(state))
    deepening = Deepening(model, BITS)
    deepening.first_nodes = FIRST_NODES
    for verdict in islice(deepening.steps(), SLICES):
        yield _verdict(f"deepening {item}", verdict, model)
    yield from _played_out(item, state, moves, model)


def _played_out(item, state, moves, model):
    """Playouts of the game of a position, and those that go on with their tree after the best move."""
    playouts = Playouts(model, positions.random_of("signature", "playouts", item), 1 << 12)
    playouts.play(GAMES)
    verdict = playouts.verdict()
    yield _verdict(f"playouts {item}", verdict, playouts.model)
    kept = playouts.kept()
    yield line(f"kept tree {item}", nodes=len(kept.nodes), edges=len(kept.edges))
    move = playouts.model.move(verdict.move)
    after, _ = state.place(move) if move in moves.safe else state.skip(move)
    if after.is_over or after.must_pass:
        return
    later = classify_moves(after.board)
    fitting = [w for w in later.witnesses if all(w[cell] == model.completion[cell] for cell in model.cells)]
    completion = fitting[0].tobytes() if fitting else later.witnesses[0].tobytes()
    again = Playouts(
        model_of(after, later, completion), positions.random_of("signature", "again", item), 1 << 12, kept=kept
    )
    again.play(GAMES)
    yield _verdict(f"playouts again {item}", again.verdict(), again.model)


def _verdict(item, verdict, model=None):
    """The line of a verdict."""
    if verdict is None:
        return line(item, verdict=None)
    return line(
        item,
        value=verdict.value,
        move=verdict.move,
        moves=None if model is None or verdict.move < 0 else model.moves(verdict.move),
        depth=verdict.depth,
        exact=verdict.is_exact,
        nodes=verdict.nodes,
    )


def _small(item, state):
    """A position with few empty cells: its endings, its exact value by each search, and its evaluation."""
    moves = classify_moves(state.board)
    if state.is_over or not len(moves.witnesses):
        return
    model = model_of(state, moves, moves.witnesses[0].tobytes())
    endings = Endings(model, ENDINGS_BYTES, all_skips=True)
    deepening = Deepening(model, BITS, endings)
    yield line(f"endings {item}", count=endings.count, room=endings.has_room)
    for verdict in islice(deepening.proof(), SLICES):
        yield _verdict(f"proof {item}", verdict, model)
    yield line(f"valued {item}", valued=endings.valued)
    for verdict in islice(Endgame(model, 0.02, 10.0**9, 0.5).steps(), SLICES):
        yield _verdict(f"endgame {item}", verdict, model)
    game = completion_game(state, moves, BITS)
    yield line(f"completions {item}", has_room=game is not None)
    if game is not None:
        game.first_nodes = 10 * FIRST_NODES
        for verdict in islice(game.steps(), SLICES):
            yield _verdict(f"completions {item}", verdict, game)


def _evaluations():
    """The evaluations of small positions, without any limit."""
    for text in ("1234 3412 21.. ....", "1243 3421 43.. 21..", "1... ..2. .3.. ...4"):
        yield _evaluated(text.replace(" ", "/"), positions.start(text))
    for shape, mode in (((2, 3), PlayMode.CLASSIC), ((3, 2), PlayMode.BORDER), ((3, 3), PlayMode.CLASSIC)):
        yield _evaluated(f"{name_of(shape)} {mode.value}", positions.position(shape, mode, empty=8))


def _evaluated(item, state):
    found = evaluate(state)
    return line(
        f"evaluate {item}",
        margin=found.margin,
        exact=found.exact,
        best=found.best,
        line=found.line,
        depth=found.depth,
        nodes=found.nodes,
    )


def _book():
    """The book of the champion, and its moves at the start of a game in each mode that it knows."""
    path = Path(agents.__path__[0], "champion_player", "book.txt")
    book = Book.read(path)
    entries = sorted((entry.kind, entry.board, entry.bombs, entry.sides, n) for entry, n in book.numbers.items())
    yield line("book", entries=len(entries), content=short(repr(entries).encode()))
    for mode in MODES[:3]:
        state = positions.start(".... .... .... ....", mode)
        for number in range(4):
            move = book.move(state)
            drawn = book.move(state, positions.random_of("signature", "book", mode.value, number))
            yield line(f"book {mode.value} {number}", move=move, drawn=drawn)
            if move is None:
                break
            state, _ = state.play(move)


def _analysed():
    """The reviews of a game that is played without much thought."""
    board, _ = positions.ending((2, 3), 7)
    state = begun = GameState.start(board)
    recorder, rng = Recorder(begun, ("a", "b")), positions.random_of("signature", "analysed")
    while not state.is_over:
        state, outcome = state.play(None if state.must_pass else rng.choice(state.moves()))
        recorder.add(Turn.of(outcome))
    for review in analyse(begun, list(Replay(recorder.finish(state))), time_limit=None):
        yield line(
            f"analyse 2x3 turn {review.number}",
            player=review.player,
            move=review.move,
            kind=review.kind,
            value=review.value,
            played=review.played,
            exact=review.exact,
            best=review.best,
            judgement=review.judgement,
        )
