"""The stand-in for competitive_sudoku.sudokuai: the class that every agent's SudokuAI is derived from.

What is imported and not used is what agents rely on that import everything from here.
"""

from __future__ import annotations

import math  # noqa: F401 - for those agents
import os
import pickle
from datetime import datetime  # noqa: F401 - as above
from operator import index
from pathlib import Path
from typing import Any, List, Self  # noqa: F401, UP035 - as above

LARGEST = 2**31 - 1
"""The largest number of a proposal; the host's array may hold no larger ones."""


class SudokuAI:
    """An agent. The host sets `player_number` (1 or 2), perhaps a `lock`, and perhaps a shared `best_move`.

    Those attributes exist even where a derived class forgets to call `__init__`.
    """

    player_number: int
    best_move: Any
    lock: Any

    def __new__(cls, *_arguments: Any, **_options: Any) -> Self:
        agent = super().__new__(cls)
        agent.player_number = -1
        agent.best_move = [0, 0, 0]
        agent.lock = None
        return agent

    def __init__(self) -> None:
        pass

    def compute_best_move(self, game_state: Any) -> None:
        """Propose moves, better and better ones. Agents define this; here nothing is proposed."""

    def propose_move(self, move: Any) -> None:
        """Remember a move, of either API, as the best one so far.

        What is no move is an error before the lock is taken, so that nobody waits for it.
        """
        row, column = move.square if hasattr(move, "square") else (move.i, move.j)
        numbers = whole(row), whole(column), whole(move.value)
        if self.lock is None:
            self._remember(numbers)
        else:
            with self.lock:
                self._remember(numbers)

    def _remember(self, numbers: tuple[int, int, int]) -> None:
        for place, number in enumerate(numbers):
            self.best_move[place] = number

    def save(self, object: Any) -> None:
        """Keep an object for the next turns. A turn that ends during this leaves what was kept before."""
        data = pickle.dumps(object)
        path = self._path()
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.write_bytes(data)
        new.replace(path)

    def load(self) -> Any:
        """The object that was saved last, or None."""
        try:
            data = self._path().read_bytes()
        except FileNotFoundError:
            return None
        return pickle.loads(data)  # noqa: S301 - the agent's own file

    def _path(self) -> Path:
        return Path(f"{self.player_number}.pkl")


def whole(number: Any) -> int:
    """A number as an integer: one of numpy's too, and a float without a fraction. TypeError for anything else.

    >>> whole(3.0), whole(True)
    (3, 1)
    >>> whole("3")
    Traceback (most recent call last):
        ...
    TypeError: expected an integer in a move; found '3'
    """
    try:
        result = index(number)
    except TypeError:
        if not (hasattr(number, "is_integer") and number.is_integer()):
            raise TypeError(f"expected an integer in a move; found {number!r}") from None
        result = int(number)
    if abs(result) > LARGEST:
        raise OverflowError(
            f"expected an integer of at most {LARGEST} in a move; found one of {result.bit_length()} bits"
        )
    return result
