"""Kind `framework`: `solve_sudoku`, the light solver, the stand-ins of both APIs, and states there and back."""

from __future__ import annotations

import shlex
from copy import deepcopy
from random import Random

from csp_sudoku import UndecidedError
from csp_sudoku.framework.conversion import from_game_state, position_of, to_game_state
from csp_sudoku.framework.execute import solve_sudoku
from csp_sudoku.framework.light_solver import BUDGET, complete
from csp_sudoku.framework.v12 import sudoku as v12
from csp_sudoku.framework.v14 import sudoku as v14
from csp_sudoku.game.referee import Referee
from csp_sudoku.game.state import GameState
from tests.fuzz.boards import Sample, random_sample
from tests.fuzz.case import Budget, expect, expect_equal
from tests.fuzz.games import MODES, solvable_sample
from tests.fuzz.reference import candidates, first_solution, is_solution, with_values


def check(random: Random, budget: Budget) -> None:
    """One of the checks of this module."""
    random.choices([light, answered, converted], [3, 6, 3])[0](random, budget)


def random_cells(random: Random, most: int) -> tuple[Sample, list[int]]:
    """A plain board, and its values, now and then with a value that clashes."""
    sample = random_sample(random, most, is_plain=True)
    cells = sample.cells
    if random.random() < 0.15:
        cells[random.randrange(len(cells))] = random.randint(1, sample.size)
    return sample, cells


def light(random: Random, budget: Budget) -> None:
    """The light solver: a completion, a proof that there is none, or a spent budget."""
    sample, cells = random_cells(random, 25)
    try:
        found = complete(sample.board.m, sample.board.n, cells, random.choice([1, 5, 50, BUDGET]))
    except UndecidedError:
        return
    if found is not None:
        expect(
            is_solution(sample.regions, found, cells), f"{sample.name}: the light solver gives no completion: {found}"
        )
        return
    solution = first_solution(sample.regions, cells, budget)
    expect(solution is None, f"{sample.name}: the light solver says unsolvable, reference solved")


def answered(random: Random, budget: Budget) -> None:
    """`solve_sudoku` in both text forms: the sentence that the description of the binary asks for."""
    sample, cells = random_cells(random, random.choice([4, 6, 9, 9, 16]))
    size, board = sample.size, v14.SudokuBoard(sample.board.m, sample.board.n)
    board.squares = list(cells)
    text = random.choice([v14.print_sudoku_board(board), v14.print_game_state(v14.GameState(board, deepcopy(board)))])
    allowed = random.sample(range(size * size), random.randint(1, size)) if random.random() < 0.3 else []
    taboo = [
        (*divmod(random.randrange(size * size), size), random.randint(1, size)) for _ in range(random.randint(0, 5))
    ]
    options = [f"--allowed {shlex.quote(' '.join(map(str, allowed)))}"] if allowed or random.random() < 0.2 else []
    options += ["--taboo " + shlex.quote(" ".join(str(number) for move in taboo for number in move))] if taboo else []
    legal = {
        (cell, value)
        for cell, held in enumerate(cells)
        if not held and (not allowed or cell in allowed)
        for value in candidates(sample.regions, cells, cell)
    }
    question = random.choice(["", "--move", "--move", "--move", "--random", "--greedy"])
    if question == "--move":
        cell, value = random.randrange(-1, size * size + 1), random.randrange(size + 2)
        if legal and random.random() < 0.7:
            cell, value = random.choice(sorted(legal))
        options.append(f"--move '{cell} {value}'")
        expected = {_judged(sample, cells, cell, value, legal, budget)}
    elif question:
        options.append(question)
        pool = legal - {(row * size + col, value) for row, col, value in taboo}
        rewards = {move: _reward(sample, cells, move[0]) for move in pool}
        if question == "--greedy":
            pool = {move for move in pool if rewards[move] == max(rewards.values())}
        expected = {f"Generated move ({cell},{value})." for cell, value in pool}
        expected = expected or {"Error: could not find a legal move."}
    else:
        solvable = first_solution(sample.regions, cells, budget) is not None
        expected = {f"The sudoku has {'a' if solvable else 'no'} solution."}
    found = solve_sudoku("bin/solve_sudoku", text, " ".join(random.sample(options, len(options))))
    expect(found in expected, f"{sample.name}: solve_sudoku {options} says {found!r}, reference {sorted(expected)[:3]}")


def _judged(sample: Sample, cells: list[int], cell: int, value: int, legal: set, budget: Budget) -> str:
    """The sentence for a move."""
    move = f"'{cell} {value}'"
    if not (0 <= cell < len(cells) and 1 <= value <= sample.size):
        return f"Invalid move {move}."
    if (cell, value) not in legal:
        return f"Illegal move {move}."
    if first_solution(sample.regions, with_values(cells, [(cell, value)]), budget) is None:
        return f"The sudoku has no solution after move {move})."
    return f"The score is {_reward(sample, cells, cell)} (valid move {move})."


def _reward(sample: Sample, cells: list[int], cell: int) -> int:
    """The points for filling a square."""
    full = [all(cells[other] or other == cell for other in region) for region in sample.regions if cell in region]
    return [0, 1, 3, 7][sum(full)]


def converted(random: Random, budget: Budget) -> None:
    """A state of a game as both APIs have it, as text, as a copy, and back: nothing changes."""
    sample = solvable_sample(random, random.choice([4, 6, 9]), is_plain=True)
    state, referee = GameState.start(sample.board, random.choice(MODES), random), Referee()
    for _ in range(random.choice([0, 1, 5, 30])):
        if not state.is_over:
            state, _ = state.play(random.choice(state.moves()) if not state.must_pass else None, referee)
    name = f"{sample.name} {state.mode} after {len(state.history)} moves"
    given = deepcopy(to_game_state(position_of(state), "v14"))
    _expect_back(f"{name}, v14", given, state, occupied=state.mode != "classic")
    squares = given.player_squares()
    expected = None if state.squares() is None else list(state.squares() or ())
    expect_equal(f"{name}: player_squares", squares, expected)
    text = v14.print_game_state(given)
    again = v14.parse_game_state(text, str(state.mode))
    expect_equal(f"{name}: the text of the state that was read from its text", v14.print_game_state(again), text)
    _expect_back(f"{name}, read from its text", again, state, occupied=state.mode != "classic")
    board = v12.load_sudoku_from_text(v12.print_board(to_game_state(position_of(state), "v12").board))
    expect_equal(f"{name}: the board of v12 read from its text", tuple(board.squares), state.board.cells)
    if state.mode == "classic":
        old = deepcopy(to_game_state(position_of(state), "v12"))
        _expect_back(f"{name}, v12", old, state, occupied=False)
        expect_equal(f"{name}: the player of v12", old.current_player(), state.player)


def _expect_back(name: str, given: object, state: GameState, *, occupied: bool) -> None:
    """Raise unless the state that comes back is the state that went; skips end up among the taboo moves."""
    back = from_game_state(given)
    parts = ("board", "initial", "scores", "player", "taboo", "history", "allowed")
    for part in (*parts, "occupied") if occupied else parts:
        expect_equal(f"{name}: {part} come back", getattr(back, part), getattr(state, part))
