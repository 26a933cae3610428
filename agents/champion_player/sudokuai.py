"""Knows every bomb, searches skips as moves, and plays endgames perfectly.

Each turn begins with a safe move that is there at once, and ends with it where no search is worth its time: with more
empty cells than the `horizon`, or when nobody can catch up any more. Else comes the exact map of all moves, safe or
bomb, and from it the *filling game*: which cells are empty, which regions they complete, which bombs are left and what
takes them away. Skips that nearly the same cells take away answer one another, so their pairs are left out. Monte Carlo
tree search plays that game, and keeps its tree for the next turn. Once all its endings can be valued within the turn,
with some 24 empty cells in half a second, they are: if the board has one solution left, that is the whole truth. Where
there is no time for that, there may be for the endings with some of the skips, which come near it. If the board has
several solutions, the values for the chosen cell are compared by the bombs that they make or break, and where few cells
are left, the game in which every value counts is searched to its end. What takes too long of that on 2×2 is in a book.
"""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku.framework.adapter import framework_player
from csp_sudoku.game.state import GameState
from csp_sudoku.moves.move import Move
from csp_sudoku.players import Agent
from csp_sudoku.solvers.base import Deadline, Option

if TYPE_CHECKING:
    from csp_sudoku.search.kept_tree import KeptTree
    from csp_sudoku.search.thinking import Thinking

BOOK = Path(__file__).with_name("book.txt")

REMEMBERED = 400
"""Completions kept for the next turn."""


class Champion(Agent):
    """The exact map, deep search, perfect endgames."""

    OPTIONS: ClassVar = {
        "time": Option(0.0, float, "seconds after which a turn ends by itself; 0 for never"),
        "horizon": Option(0, int, "empty cells up to which the mode classic is searched; 0 for max(64, 4 N)"),
        "keep": Option(True, bool, "whether the tree is kept between turns"),
    }

    def __init__(self, rng: Any, **options: Any) -> None:
        from csp_sudoku.search.book import Book
        from csp_sudoku.search.thinking import warm_up

        super().__init__(rng, **options)
        self._completions: list[bytes] = []
        self._tree: KeptTree | None = None
        self._thinking: Thinking | None = None
        self._longest = 0.0
        self._book = Book.read(BOOK)
        warm_up()

    def proposals(self, state: GameState) -> Iterator[Move]:
        """Better and better moves."""
        from csp_sudoku.search.thinking import USUAL_SECONDS, Thinking

        begun = perf_counter()
        seconds = self.options["time"] or self._longest or USUAL_SECONDS
        horizon = self.options["horizon"]
        thinking = Thinking(state, self._completions, self._book, self.rng, seconds, horizon, self._tree)
        self._thinking = thinking
        known = self._longest
        for move in thinking.proposals(Deadline(self.options["time"] or None)):
            self._longest = max(known, perf_counter() - begun)
            yield move
        self._longest = known  # a turn that ends by itself does not tell how long it might have been

    def save(self) -> object:
        """Completions of the board, most of which fit the next, how long a turn was that it knows of, and the tree."""
        if self._thinking:
            self._completions = self._thinking.completions[:REMEMBERED]
            self._tree = self._thinking.kept() if self.options["keep"] else None
        return self._completions, self._longest, self._tree

    def load(self, saved: Any) -> None:
        """Take them back."""
        self._completions, self._longest, self._tree = saved


SudokuAI = framework_player(Champion)
