"""The champion: it plays perfectly where its games are solved, against any opponent, and its book is correct."""

import subprocess
import sys
import textwrap
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from csp_sudoku.agents.champion_player.book import LEAST_EMPTY, Book, solve_openings
from csp_sudoku.agents.champion_player.thinking import Thinking

from csp_sudoku import Board, agents, classify_moves, solve
from csp_sudoku.errors import SudokuError
from csp_sudoku.evaluation.plain import plain_value
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Verdict
from csp_sudoku.players.spec import Spec
from csp_sudoku.search.completions.game import CompletionGame, completion_game
from csp_sudoku.search.filling.deepening import Deepening
from csp_sudoku.search.filling.model import model_of
from csp_sudoku.search.playouts.tree import Playouts
from csp_sudoku.solvers.base import Deadline
from csp_sudoku.turn import play_turn
from tests.cli.support import environment
from tests.support import most_slow, planted, random_of

FOR_EVER = Deadline(None)
MODES = ["classic", "rows", "border", "random"]
FILE = Path(agents.__path__[0]) / "champion_player" / "book.txt"
REFEREE = Referee()
BITS = 18


@pytest.fixture(scope="module")
def book():
    return Book.read(FILE)


def value_of(state):
    """The exact value for the side to move."""
    if state.is_over:
        return 0
    if state.must_pass:
        return -value_of(state.play(None)[0])
    moves = classify_moves(state.board)
    if len(moves.safe) == state.board.values.count(0):
        search = Deepening(model_of(state, moves, solve(state.board).solution.values), BITS)
    else:
        search = completion_game(state, moves, BITS)
    return search.exact(FOR_EVER).value


def early(mode, random, filled):
    """A position of a game on the empty board after so many values, all of them at random; None if it has ended."""
    state = GameState.start(Board.empty(2, 2), mode, random)
    while state.board.values.count(0) > 16 - filled:
        if state.is_over:
            return None
        state = state.play(None if state.must_pass else random.choice(state.moves()), REFEREE)[0]
    return state


def keeps_the_value(state, move):
    """Whether a move keeps the value of the position."""
    after, outcome = state.play(move, REFEREE)
    return outcome.reward - value_of(after) == value_of(state)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_every_move_keeps_the_value(mode, book):
    """In games against a random player, the champion's last proposal always keeps the value of the position."""
    random = random_of("perfect", mode)
    judged = 0
    for number in range(60):
        state = early(mode, random, random.randint(4, 9))
        while state is not None and not state.is_over:
            if state.must_pass:
                move = None
            elif len(state.history) % 2 == number % 2:
                *_, move = Thinking(state, (), book, random).proposals(FOR_EVER)
                assert keeps_the_value(state, move)
                judged += 1
            else:
                move = random.choice(state.moves())
            state = state.play(move, REFEREE)[0]
    assert judged > 200


@pytest.mark.parametrize("mode", ["classic", "rows", "border"])
def test_from_the_empty_board_every_opening_is_in_the_book(mode, book):
    """Whoever begins, and whatever the other side plays: the first moves come at once, up to `LEAST_EMPTY` cells."""
    random = random_of("openings", mode)
    for number in range(60):
        state = GameState.start(Board.empty(2, 2), mode)
        while state.board.values.count(0) > LEAST_EMPTY:
            if len(state.history) % 2 == number % 2:
                move = book.move(state)
                assert move in state.moves()
                assert list(Thinking(state, (), book).proposals(FOR_EVER))[-1] == move
            else:
                move = random.choice(state.moves())
            state = state.play(move, REFEREE)[0]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["classic", "rows", "border"])
def test_moves_of_the_book_keep_the_value(mode, book):
    """For positions of games by the book that the exact search can solve by itself, taboo moves included."""
    random = random_of("book", mode)
    judged = 0
    while judged < 12:
        state = GameState.start(Board.empty(2, 2), mode)
        ours = random.randrange(2)
        while state.board.values.count(0) >= LEAST_EMPTY:
            move = book.move(state)
            if len(state.history) % 2 != ours or not move:
                bombs = [bomb for bomb in classify_moves(state.board).bombs if bomb in state.moves()]
                move = random.choice(bombs if bombs and random.random() < 0.5 else state.moves())
            elif state.board.values.count(0) == LEAST_EMPTY:
                assert keeps_the_value(state, move)
                judged += 1
            state = state.play(move, REFEREE)[0]


@pytest.mark.slow
def test_the_book_is_what_its_command_writes(book):
    """Solving the game of the mode rows again leads to the same positions, with moves that are as good."""
    ((_, found),) = solve_openings(["rows"])
    assert found
    assert found.items() <= book.numbers.items()


def test_mirror_images_have_images_of_the_move(book):
    """A position and the same one turned, with other names for its values, have moves turned and named alike."""
    random = random_of("images")
    compared = 0
    while compared < 30:
        state = early("classic", random, random.randint(1, 4))
        if not book.move(state) or state.taboo:
            continue
        names = random.sample(range(1, 5), 4)
        turn = random.choice([lambda row, column: (column, row), lambda row, column: (3 - row, column)])
        values = [0] * 16
        for cell, value in enumerate(state.board.values):
            row, column = turn(*divmod(cell, 4))
            values[row * 4 + column] = names[value - 1] if value else 0
        image = GameState.start(Board((2, 2), values))
        assert book.move(image)
        assert value_at(image, book.move(image)) == value_at(state, book.move(state))
        compared += 1


@pytest.mark.parametrize("mode", ["classic", "rows", "border"])
def test_random_numbers_choose_between_mirror_images(mode, book):
    """With them the book has several first moves, all legal, the one without them included; the same seed, the same."""
    state = GameState.start(Board.empty(2, 2), mode)
    chosen = {book.move(state, random_of("mirrored", seed)) for seed in range(200)}
    assert len(chosen) > 1
    assert book.move(state) in chosen <= set(state.moves())
    assert len({str(value_at(state, move)) for move in chosen}) == 1
    assert book.move(state, random_of("mirrored")) == book.move(state, random_of("mirrored"))


def value_at(state, move):
    """The effect of a move: regions and their empty cells, the same for mirror images."""
    after = state.play(move, REFEREE)[0]
    regions = after.board.geometry.regions
    return sorted(sum(not after.board.values[cell] for cell in region) for region in regions)


def test_other_boards_are_in_no_book(book):
    """Other shapes, fewer empty cells: no move."""
    assert book.move(GameState.start(Board.empty(2, 3))) is None
    assert book.move(GameState.start(Board.parse("1234 34.. .... ...."))) is None


@pytest.mark.parametrize("line", ["open 1 2", "open 1 2 x 3", "open 1 2 3 4 5", "open 1 2 3 move"])
def test_what_is_no_book(tmp_path, line):
    """A line that is no entry is reported with its file."""
    path = tmp_path / "book.txt"
    path.write_text(f"# a book\n{line}\n")
    with pytest.raises(SudokuError, match=f"^expected an entry of the book in book.txt; found '{line}'$"):
        Book.read(path)


def test_a_book_is_read_as_it_was_written(tmp_path, book):
    """Writing and reading changes nothing."""
    book.write(tmp_path / "book.txt")
    assert (tmp_path / "book.txt").read_text() == FILE.read_text()
    assert Book.read(tmp_path / "book.txt").numbers == book.numbers


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), most_slow([(2, 3), (3, 2), (3, 3)], [(2, 3)]))
def test_several_completions_on_larger_boards(m, n):
    """With few empty cells and several completions, the last proposal has the value that plain recursion computes."""
    random = random_of("larger", m, n)
    compared = 0
    while compared < 6:
        board = several(m, n, random)
        state = GameState.start(board)
        *_, move = Thinking(state).proposals(FOR_EVER)
        after, outcome = state.play(move, REFEREE)
        assert outcome.reward - plain_value(after) == plain_value(state)
        compared += 1


def several(m, n, random):
    """A board with four to six empty cells and several completions."""
    while True:
        values = bytearray(solve(Board.empty(m, n).place(0, 0, random.randint(1, m * n))).solution.values)
        some = random.sample(range(1, m * n + 1), 2)
        cells = [cell for cell, value in enumerate(values) if value in some]
        for cell in random.sample(cells, min(6, len(cells))):
            values[cell] = 0
        board = Board((m, n), values)
        moves = classify_moves(board)
        if len(moves.safe) > board.values.count(0) and len(moves.bombs) <= 4:
            return board


def test_all_searches_have_their_turns(monkeypatch):
    """If the game of all completions takes long, guesses come before and between its slices; the truth comes last."""
    asked = []
    for game, name in ((CompletionGame, "search"), (Deepening, "search"), (Playouts, "play")):
        method = getattr(game, name)

        def told(self, *arguments, method=method):
            asked.append(type(self).__name__)
            return method(self, *arguments)

        monkeypatch.setattr(game, name, told)
    monkeypatch.setattr("csp_sudoku.search.slices.SLICE_NODES", 300)
    looks = count()  # each slice takes the same time, however busy the machine is
    monkeypatch.setattr(
        "csp_sudoku.agents.champion_player.stages.time", SimpleNamespace(perf_counter=lambda: next(looks))
    )
    state = GameState.start(Board.parse("12.. 34.. .... ...."))
    proposals = list(Thinking(state).proposals(FOR_EVER))
    last = len(asked) - 1 - asked[::-1].index("CompletionGame")
    assert asked[0] == "Playouts"
    assert "Deepening" in asked[:last]
    assert asked.count("CompletionGame") > 2
    assert keeps_the_value(state, proposals[-1])


class Paper:
    """A memory for one turn after the other."""

    def __init__(self):
        self.saved = None

    def read(self):
        return self.saved

    def write(self, saved):
        self.saved = saved


@pytest.fixture(scope="module")
def made():
    """A function that makes a champion with these options."""
    kind = Spec.parse("champion").agent()
    return lambda **options: kind(random_of("made"), **options)


def test_a_turn_without_search_keeps_completions(made):
    """Completions found in the map of an empty board are kept for the next turn, which begins with a safe move."""
    state, memory = GameState.start(Board.empty(3, 3)), Paper()
    moves = []
    play_turn(made(), state, moves.append, memory)
    completions, longest, _ = memory.saved
    assert len(completions) > 1
    assert longest == 0  # it ended by itself, and may have been as long as it liked
    value = next(known[80] for known in completions[1:] if known[80] != completions[0][80])
    state = state.play(moves[-1])[0].play((8, 8, value))[0]
    moves.clear()
    play_turn(made(), state, moves.append, memory)
    assert len(moves) >= 1
    assert all(classify_moves(state.board).verdict(*move) is Verdict.SAFE for move in moves)


def test_a_turn_that_is_ended_tells_how_long_it_was(made):
    """The next one knows how much time there is, and one that ends by itself does not make it forget."""
    champion, memory = made(horizon=10**6), Paper()
    state = GameState.start(Board.empty(3, 3))
    begun = time.perf_counter()

    class OverError(Exception):
        pass

    def propose(move):
        if time.perf_counter() - begun > 0.3:
            raise OverError

    with pytest.raises(OverError):
        play_turn(champion, state, propose, memory)
    longest = memory.saved[1]
    assert longest > 0
    play_turn(made(), state, lambda move: None, memory)
    assert memory.saved[1] == longest


@pytest.mark.parametrize("keep", [True, False])
def test_the_tree_is_kept_if_asked_for(made, keep, clock):
    """It is all that `keep` is about: the rest is kept anyway."""
    board = planted(3, 3, random_of("keep"), 0.5)[0]

    def attempt(seconds):
        memory = Paper()
        play_turn(made(keep=keep, time=seconds), GameState.start(board), lambda move: None, memory)
        return memory.saved

    (completions, _, tree), _ = clock.gives_enough(attempt, lambda saved: saved[0] and (saved[2] or not keep))
    assert completions
    assert (tree is not None) == keep


def positions_to_think_about():
    """Boards of several shapes, with few and with many empty cells, as lines with their shape."""
    random = random_of("no turn has to compile")
    boards = [planted(m, n, random, share)[0] for m, n in ((2, 2), (2, 3), (3, 3), (3, 4)) for share in (0.2, 0.5, 1)]
    return "\n".join(board.format("tue") for board in boards)


@pytest.mark.slow
def test_no_turn_has_to_compile(tmp_path):
    """Once a champion is made, all its kernels are ready, however long each took: a turn's process would lose them.

    A kernel that takes longer than a turn would else never be ready on a new computer.
    """
    (tmp_path / "board.txt").write_text(positions_to_think_about(), encoding="utf-8")
    code = f"""
        import time
        from random import Random
        from csp_sudoku import Board, get_solver, load_many
        from csp_sudoku.game.state import GameState
        from csp_sudoku.players import Spec
        from csp_sudoku.agents.champion_player.thinking import Thinking
        from csp_sudoku.solvers.base import Deadline
        from csp_sudoku.compiled import compilation as compiled

        made, make = [], compiled._compile_in_thread

        def slow(function, types):
            make(function, types)
            time.sleep(0.1)
            made.append(function.__name__)

        compiled._compile_in_thread = slow
        kind = Spec.parse("champion").agent()
        kind(Random(1), **Spec.parse("champion").settings(kind.OPTIONS))
        assert made
        made.clear()
        get_solver(bound=1).solve(Board.empty(2, 2))  # as a board that withstands the first stage
        for board in load_many({str(tmp_path / "board.txt")!r}):
            for mode in ("classic", "border"):
                state, kept = GameState.start(board, mode), None
                for _ in range(2):
                    thinking = Thinking(state, kept=kept, horizon=10**6)
                    for _ in thinking.proposals(Deadline(0.2)):
                        pass
                    kept = thinking.kept()
        print(made)
        """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True, env=environment()
    )
    assert run.stdout == "[]\n"
