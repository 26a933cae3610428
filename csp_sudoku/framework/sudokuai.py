"""The stand-in for competitive_sudoku.sudokuai: the base class of every agent's SudokuAI.

The unused imports are names that agents get by `from competitive_sudoku.sudokuai import *`.
"""

from __future__ import annotations

import math  # noqa: F401 - agents import it from here
import os
import pickle
from datetime import datetime  # noqa: F401 - as above
from operator import index
from pathlib import Path
from typing import Any, List, Self  # noqa: F401, UP035 - as above

LARGEST = 2**31 - 1
"""Maximum of the integers in a proposal; the proposal buffer cannot hold larger ones."""


class SudokuAI:
    """An agent. The host sets `player_number` (1 or 2), and optionally a `lock` and a shared `best_move`.

    These attributes exist even if a derived class does not call `__init__`.
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
        """Propose better and better moves. Agents override this method; here it proposes nothing."""

    def propose_move(self, move: Any) -> None:
        """Remember a move, of either API, as the best one so far.

        An object that is no move raises its error before the lock is acquired, so the lock is always released.
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
        """Keep an object for the next turns; if the turn ends during this call, the previously saved object is kept."""
        data = pickle.dumps(object)
        path = self._path()
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.write_bytes(data)
        new.replace(path)

    def load(self) -> Any:
        """Return the object that was saved last, or None."""
        try:
            data = self._path().read_bytes()
        except FileNotFoundError:
            return None
        return pickle.loads(data)  # noqa: S301 - the agent's own file

    def _path(self) -> Path:
        return Path(f"{self.player_number}.pkl")


def whole(number: Any) -> int:
    """Return a number as an integer; integers of numpy, and floats without a fraction, are accepted too.

    Raise TypeError for anything else, and OverflowError beyond LARGEST.

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
