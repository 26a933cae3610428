"""Kind `moves`: every engine of the move map, the tracker through a game, and `explain_move`, move by move."""

from __future__ import annotations

from itertools import combinations
from random import Random

from csp_sudoku import Board, MoveError, MoveMap, MoveTracker, ShapeError, classify_moves, explain_move
from csp_sudoku.moves.classification import ENGINES
from tests.fuzz.boards import Sample, random_sample
from tests.fuzz.case import Budget, MismatchError, expect, expect_equal, shown
from tests.fuzz.puzzles import expect_minimal
from tests.fuzz.reference import first_solution, is_solution, legal_moves, safe_moves, with_values

STYLES = ("holes", "few holes", "perturbed", "perturbed", "without values", "scattered", "full", "empty")


def check(random: Random, budget: Budget) -> None:
    """One of the checks of this module."""
    random.choices([engines, tracked, explained], [4, 2, 3])[0](random, budget)


class Truth:
    """The verdicts of the reference on the moves of a board."""

    def __init__(self, sample: Sample, cells: list[int], budget: Budget) -> None:
        self.sample = sample
        self.cells = cells
        self.legal = legal_moves(sample.regions, cells)
        self.safe = safe_moves(sample.regions, cells, budget)
        self.solvable = bool(self.safe) or all(cells)

    def expect_map(self, who: str, found: MoveMap, *, complete: bool) -> None:
        """Raise unless every verdict is right, none is missing if it is complete, and every witness is one."""
        size, name = self.sample.size, self.sample.name
        expect_equal(f"{name}: the board of {who}", list(found.board.cells), self.cells)
        expect_equal(f"{name}: {who} is complete", found.is_complete, not found.unknown)
        expect(not (complete and found.unknown), f"{name}: {who} leaves {len(found.unknown)} moves unknown")
        for cell in range(size * size):
            for value in range(1, size + 1):
                said = str(found.verdict(*divmod(cell, size), value))
                right = self.verdict(cell, value)
                if said != right and (complete or said != "unknown" or right not in ("safe", "bomb")):
                    raise MismatchError(
                        f"{name}: {who} says {said} for {shown(cell, value, size)}, reference says {right}"
                    )
        solvable = (self.solvable,) if complete else (self.solvable, None)
        expect(found.solvable in solvable, f"{name}: {who} says solvable={found.solvable}, reference {self.solvable}")
        seen = set()
        for witness in found.witnesses.tolist():
            expect(
                is_solution(self.sample.regions, witness, self.cells), f"{name}: a witness of {who} is no completion"
            )
            seen |= set(enumerate(witness))
        if len(found.witnesses):
            safe = {(move.row * size + move.col, move.value) for move in found.safe}
            expect_equal(f"{name}: what the witnesses of {who} show", seen & self.legal, safe)

    def verdict(self, cell: int, value: int) -> str:
        """The verdict on a move."""
        if self.cells[cell]:
            return "filled"
        if (cell, value) not in self.legal:
            return "illegal"
        return "safe" if (cell, value) in self.safe else "bomb"


def engines(random: Random, budget: Budget) -> None:
    """Each engine on one board, with all the time and with none."""
    sample = random_sample(random, random.choice([4, 6, 9, 16, 25]), styles=STYLES)
    truth = Truth(sample, sample.cells, budget)
    for name, engine in ENGINES.items():
        if name == "naive" and len(truth.legal) > 200:
            continue
        deadline = random.choice([None, None, 0])
        try:
            found = classify_moves(sample.board, name, deadline)
        except ShapeError:
            expect(not engine.is_complete and not sample.board.geometry.is_standard, f"{sample.name}: {name} refuses")
            continue
        truth.expect_map(name, found, complete=engine.is_complete and deadline is None)


def tracked(random: Random, budget: Budget) -> None:
    """A tracker through a game of safe moves, bombs, illegal moves and jumps: the map is right after each."""
    sample = random_sample(random, random.choice([4, 6, 9, 12]), styles=STYLES)
    tracker, board = MoveTracker(sample.board), sample.board
    for turn in range(random.randint(1, 12)):
        truth = Truth(sample, list(board.cells), budget)
        truth.expect_map(f"the tracker at turn {turn}", tracker.map, complete=True)
        step, deadline = random.random(), random.choice([None, None, 0])
        moves = sorted(truth.legal)
        if step < 0.1 or not moves:
            _expect_refused(sample, tracker, random)
            continue
        if step < 0.2:
            board = _jump(sample, board, truth, random)
            found = tracker.move_to(board, deadline)
        else:
            pool = sorted(truth.safe) if truth.safe and random.random() < 0.85 else moves
            cell, value = random.choice(pool)
            board = board.place(*divmod(cell, sample.size), value)
            found = tracker.place(*divmod(cell, sample.size), value, deadline)
        if deadline is not None:
            Truth(sample, list(board.cells), budget).expect_map("the tracker in no time", found, complete=False)
            tracker.go_on()


def _jump(sample: Sample, board: Board, truth: Truth, random: Random) -> Board:
    """Another board: with some values more, or with some of them gone."""
    if random.random() < 0.5:
        filled = [cell for cell, value in enumerate(board.cells) if value]
        return board.without(random.sample(filled, random.randint(0, min(3, len(filled)))))
    for cell, value in random.sample(sorted(truth.legal), min(3, len(truth.legal))):
        if value in board.candidates(*divmod(cell, sample.size)):
            board = board.place(*divmod(cell, sample.size), value)
    return board


def _expect_refused(sample: Sample, tracker: MoveTracker, random: Random) -> None:
    """Raise unless a move that is not legal is a MoveError and changes nothing."""
    before, size = tracker.map, sample.size
    cell, value = random.randrange(size * size), random.choice([0, -1, size + 1, 10**6])
    try:
        tracker.place(*divmod(cell, size), value)
    except MoveError:
        expect(tracker.map is before, f"{sample.name}: the tracker has changed after a refused move")
        return
    raise MismatchError(f"{sample.name}: the tracker takes {shown(cell, value, size)}, reference says invalid")


def explained(random: Random, budget: Budget) -> None:
    """`explain_move`: the verdict, the completion that proves it safe, the givens that make it a bomb."""
    sample = random_sample(random, random.choice([4, 6, 9]), styles=("holes", "few holes", "perturbed", "scattered"))
    size, truth = sample.size, None
    legal = sorted(legal_moves(sample.regions, sample.cells))
    move = (random.randrange(size * size), random.randint(1, size))
    if legal and random.random() < 0.9:
        move = random.choice(legal)
    cell, value = move
    found = explain_move(sample.board, *divmod(cell, size), value)
    who = f"{sample.name}: explain_move of {shown(cell, value, size)}"
    if sample.cells[cell] or move not in legal:
        expect_equal(f"{who}: the verdict", str(found.verdict), "filled" if sample.cells[cell] else "illegal")
        return
    after = with_values(sample.cells, [move])
    truth = first_solution(sample.regions, after, budget)
    expect_equal(f"{who}: the verdict", str(found.verdict), "bomb" if truth is None else "safe")
    expect(bool(found.sentence()), f"{who} has no sentence")
    if found.completion is not None:
        expect(is_solution(sample.regions, found.completion.cells, after), f"{who} gives no completion")
        return
    solvable = first_solution(sample.regions, sample.cells, budget) is not None
    expect_equal(f"{who}: the board is solvable", found.solvable, solvable)
    expect_equal(f"{who} names a clash", found.clash is not None, solvable)
    if found.clash is None:
        return
    with_move = sample._replace(board=found.after)
    if found.clash.minimal:
        expect_minimal(with_move, {cell}, found.clash.givens, budget)
    if found.clash.minimum and sample.board.size == 4:
        _expect_minimum(with_move, cell, found.clash.givens, budget, who)


def _expect_minimum(sample: Sample, cell: int, givens: tuple[int, ...], budget: Budget, who: str) -> None:
    """Raise if fewer givens admit no completion with the move, either."""
    every = [other for other, value in enumerate(sample.cells) if value and other != cell]
    for some in combinations(every, len(givens) - 1) if givens else ():
        cells = [value if other == cell or other in some else 0 for other, value in enumerate(sample.cells)]
        fewer = first_solution(sample.regions, cells, budget)
        expect(fewer is not None, f"{who} calls {givens} the fewest, reference finds {some}")
