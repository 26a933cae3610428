"""Make every board of this folder again, and the table in its README: python boards/make.py [--check]

Each puzzle is the one that `csp-sudoku generate` makes for the seed and the difficulty in the table. The `random-…`
boards are start positions for games: a random solution with three of five cells emptied, which usually has many
completions.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from csp_sudoku import Board, generate, grade
from csp_sudoku.puzzles.generate import random_solution

SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5), (3, 4), (4, 3), (4, 4), (4, 5), (5, 4), (5, 5)]
KINDS = {"easy": 0.25, "medium": 0.55, "hard": 0.9}
SEED = 1
EMPTIED = 0.6

TITLE = """# Boards

Every file here is in the TU/e text form ("m n", then the cells row by row, "." for an empty cell).
`python boards/make.py` writes the files, and `python boards/make.py --check` checks that they are unchanged.
`csp-sudoku generate --shape MxN --difficulty D --seed S --to tue` generates the same puzzles.

A puzzle is named after the requested difficulty: easy 0.25, medium 0.55, hard 0.9. The grade is the measured
difficulty, which depends on the shape, too: 2×2 has no hard puzzles. `csp_sudoku/puzzles/grade.py` explains scores.

`variants/` has three 9×9 puzzles of each kind of rules, in the notation `variant`, with their solutions. They are made
by `python -m csp_sudoku.boards.make_variants`, in some minutes; with `--check` it looks whether they have one solution.

| file | made by | clues | grade | needs |
| --- | --- | --- | --- | --- |
"""


def boards() -> dict[str, tuple[Board, str]]:
    """Return each board by its file name, with its row of the table."""
    made = {}
    for m, n in SHAPES:
        board = Board.empty(m, n)
        made[f"empty-{m}x{n}.txt"] = board, "the empty board | 0 | – | –"
        random = Random(SEED)
        full = random_solution(m, n, random)
        cells = range(full.geometry.cell_count)
        board = full.without(random.sample(cells, round(len(cells) * EMPTIED)))
        clues = len(cells) - board.empty_count
        made[f"random-{m}x{n}.txt"] = board, f"seed {SEED}, {EMPTIED:.0%} emptied | {clues} | – | –"
        for kind, difficulty in KINDS.items():
            board = generate(m, n, difficulty=difficulty, rng=SEED)
            found = grade(board)
            clues = len(cells) - board.empty_count
            row = f"difficulty {difficulty}, seed {SEED} | {clues} | {found.score} | {found.needs}"
            made[f"{kind}-{m}x{n}.txt"] = board, row
    return made


def main() -> int:
    """Write the files, or with --check compare them; return the exit code."""
    folder = Path(__file__).parent
    made = boards()
    files = {name: board.format("tue") + "\n" for name, (board, _) in made.items()}
    files["README.md"] = TITLE + "".join(f"| {name} | {row} |\n" for name, (_, row) in made.items())
    if "--check" in sys.argv[1:]:
        different = [name for name, text in files.items() if (folder / name).read_text(encoding="utf-8") != text]
        print("different: " + ", ".join(different) if different else f"all {len(files)} files are as made")
        return 1 if different else 0
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(files)} files written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
