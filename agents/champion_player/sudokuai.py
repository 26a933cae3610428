"""The champion knows every bomb, searches skips as moves, and plays endgames perfectly.

Each turn begins with a safe move that needs no search. The turn ends with this move if a search is not worth its time:
if more cells are empty than the `horizon`, or if neither player can catch up any more. Otherwise the champion makes the
exact map of all moves, safe or bomb, and from it the *filling game*: the empty cells, the regions that they complete,
the bombs that are left, and the moves that remove them. If nearly the same cells remove two bombs, a skip with one of
them is answered by a skip with the other, so such pairs are left out. Monte Carlo tree search plays that game, and
keeps its tree for the next turn.

As soon as all endings of the filling game can be valued within the turn (with some 24 empty cells in half a second),
the champion values them; if the board has one solution left, the result is exact. If the time does not suffice, it may
value the endings with only some of the skips, which is nearly exact. If the board has several solutions, the champion
compares the values for the chosen cell by the bombs that they create or remove. With few empty cells, it searches the
game in which every value counts to the end. A book holds those results on 2×2 that take too long to search.
"""

import gc
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
    from csp_sudoku.search.playouts.kept_tree import KeptTree

    from .thinking import Thinking

BOOK = Path(__file__).with_name("book.txt")

REMEMBERED = 400
"""Maximum number of completions kept for the next turn."""


class Champion(Agent):
    """A player with the exact map, deep search, and perfect endgames."""

    OPTIONS: ClassVar = {
        "time": Option(0.0, float, "seconds after which the player ends its turn; 0 for never"),
        "horizon": Option(0, int, "maximum number of empty cells for a search in the mode classic; 0 for max(64, 4 N)"),
        "keep": Option(True, bool, "whether the tree is kept between turns"),
    }

    def __init__(self, rng: Any, **options: Any) -> None:
        from csp_sudoku.warm_up import prepare

        from .book import Book
        from .thinking import warm_up

        prepare(["champion"])  # in other processes, because compiling makes the first turn slow
        super().__init__(rng, **options)
        self._completions: list[bytes] = []
        self._tree: KeptTree | None = None
        self._thinking: Thinking | None = None
        self._longest = 0.0
        self._book = Book.read(BOOK)
        warm_up()
        gc.collect()
        gc.freeze()  # a collection in a turn would copy the memory that its process shares with this one

    def proposals(self, state: GameState) -> Iterator[Move]:
        """Yield better and better moves."""
        from .thinking import USUAL_SECONDS, Thinking

        begun = perf_counter()
        seconds = self.options["time"] or self._longest or USUAL_SECONDS
        horizon = self.options["horizon"]
        thinking = Thinking(state, self._completions, self._book, self.rng, seconds, horizon, self._tree)
        self._thinking = thinking
        known = self._longest
        for move in thinking.proposals(Deadline(self.options["time"] or None)):
            self._longest = max(known, perf_counter() - begun)
            yield move
        self._longest = known  # A turn that ends by itself does not show how long it could have been.

    def save(self) -> object:
        """Return completions of the board, the length of the longest known turn in seconds, and the tree.

        Most of the completions fit the next board too.
        """
        if self._thinking:
            self._completions = self._thinking.completions[:REMEMBERED]
            self._tree = self._thinking.kept() if self.options["keep"] else None
        return self._completions, self._longest, self._tree

    def load(self, saved: Any) -> None:
        """Restore the completions, the length of the longest turn, and the tree."""
        self._completions, self._longest, self._tree = saved


SudokuAI = framework_player(Champion)
