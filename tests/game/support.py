"""The common parts of the tests of the game: games of random moves, played to their end and recorded."""

from random import Random

from csp_sudoku import Board, classify_moves, generate, solve
from csp_sudoku.game.record import Proposal, Recorder, Turn
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.search.filling.model import model_of

MODES = list(PlayMode)


def turns_of(state, rng, referee=None):
    """Play random moves that do not lose, to the end: (state before, outcome, state after) for each turn."""
    referee = referee or Referee()
    while not state.is_over:
        move = None if state.must_pass else rng.choice(state.moves())
        after, outcome = state.play(move, referee)
        yield state, outcome, after
        state = after


def random_record(m=2, n=2, mode="classic", seed=0, board=None):
    """The record of a game of random moves."""
    rng = Random(seed)
    state = GameState.start(board or Board.empty(m, n), mode, rng)
    recorder = Recorder(state, ("random", "random?lucky=1"), seed=seed, time=0.5)
    for _, outcome, after in turns_of(state, rng):
        proposals = [Proposal(outcome.move, 0.001)] if outcome.move else []
        recorder.add(Turn.of(outcome, 0.0015, proposals))
        state = after
    return recorder.finish(state)


def ending(m, n, empty, random):
    """A board with one solution and so many empty cells, and the solution."""
    difficulty = random.choice((0.2, 0.4, 0.6)) if m * n > 4 else 0.2  # those that are found at once
    puzzle = generate(m, n, difficulty=difficulty, rng=random.randrange(10**9))
    solution = solve(puzzle).solution
    cells = list(puzzle.empty_cells())
    random.shuffle(cells)
    values = bytearray(puzzle.values)
    for cell in cells[empty:]:
        values[cell] = solution.values[cell]
    return Board(puzzle.geometry, values), solution


def model(state):
    """The filling game of a position whose board has one solution."""
    return model_of(state, classify_moves(state.board), solve(state.board).solution.values)
