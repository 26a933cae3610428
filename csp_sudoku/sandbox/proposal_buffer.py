"""The proposal buffer: shared memory in which a player's processes write proposals, and which the supervisor reads.

It is no pipe, because any code that finds the descriptor of a pipe can close it, flood it or write to it, and because a
pipe needs a reader. A proposal buffer contains only numbers of fixed size and two short texts: the message of an error
and its traceback. Whatever a player writes there, the supervisor reads integers, times and characters.

A kill may come between two words of 8 bytes, but not within one. (`struct.pack_into` would first fill a place with
zeros.) The number of a note is written last and commits the note; the supervisor skips a note whose number is wrong.
"""

from __future__ import annotations

import enum
import mmap
from operator import index
from time import monotonic
from typing import Any, NamedTuple

from csp_sudoku.game.state import ENDLESS
from csp_sudoku.moves.move import Move

KEPT = 1000
"""Maximum number of proposals kept for a turn; these are the last ones."""

TEXT = 400
"""Upper bound for the size of the text, in bytes."""

TRACE = 4000
"""Upper bound for the size of a traceback, in bytes. A longer one loses its beginning, the outermost calls."""

WORD = 8
_COUNT, _BEGAN, _DEADLINE, _ENDED, _END, _LENGTH, _TRACE_LENGTH, _TEXT = range(8)  # the first words; the texts follow
_TRACE = _TEXT + TEXT // WORD
_NOTES = _TRACE + TRACE // WORD
_AT, _KIND, _HELD, _NUMBER = 0, 1, 2, 5  # the words of a note; three hold a move, or the name of a type
_NOTE = 6
_SLOTS = KEPT + 1  # one more than KEPT, since the oldest may be half overwritten
_IS_MOVE, _IS_NONE = 1, 2


class End(enum.IntEnum):
    """The end of a turn or of the loading, as the player's process reports it."""

    NOTHING = 0
    """The process has reported nothing: it still runs, or was killed."""
    DONE = 1
    CRASH = 2
    REFUSED = 3
    """The request was wrong: the player does not exist, or does not have this option."""
    UNIMPORTABLE = 4
    """The player has a syntax error, or imports something that is missing."""


class Note(NamedTuple):
    """A proposal, as the player's process has written it."""

    move: Move | None
    """The proposed move; None if the proposal was not three integers."""
    at: float
    """The time of the proposal on the monotonic clock, as the player's process reports it."""
    found: str = ""
    """The name of the type of a proposal that is no move; empty for a move, and for None."""


class ProposalBuffer:
    """The proposals of a turn, in memory shared by the process that makes the buffer and all of its descendants.

    >>> buffer = ProposalBuffer()
    >>> buffer.begin(seconds=9)
    >>> buffer.propose((0, 1, 4))
    >>> buffer.propose("nonsense")
    >>> buffer.finish(End.DONE, "text")
    >>> [note.move for note in buffer.notes()], buffer.count, buffer.end.name, buffer.text
    ([Move(row=0, col=1, value=4), None], 2, 'DONE', 'text')
    """

    def __init__(self) -> None:
        self._bytes = memoryview(mmap.mmap(-1, (_NOTES + _SLOTS * _NOTE) * WORD))
        self._words = self._bytes.cast("q")
        self._times = self._bytes.cast("d")

    def clear(self) -> None:
        """Clear the proposal buffer before a turn."""
        for word in range(_TEXT):
            self._words[word] = 0

    def begin(self, seconds: float) -> None:
        """Begin a turn: note the current time and the deadline."""
        now = monotonic()
        self._times[_BEGAN], self._times[_DEADLINE] = now, now + seconds

    def propose(self, proposal: object) -> None:
        """Write a proposal of any type; a proposal that is not three integers is no move.

        Proposals after the deadline are not written. Until its process is killed, a player could otherwise overwrite
        all of its earlier proposals.
        """
        at = monotonic()
        if at > self._times[_DEADLINE]:
            return
        move = None if proposal is None else plain_move(proposal)
        number = self._words[_COUNT] + 1
        place = _place(number)
        self._words[place + _NUMBER] = 0
        self._times[place + _AT] = at
        if move is not None:
            self._words[place + _KIND] = _IS_MOVE
            for word, part in enumerate(move, place + _HELD):
                self._words[word] = part
        else:
            self._words[place + _KIND] = _IS_NONE
            name = b"" if proposal is None else _type_name(proposal)
            self._bytes[(place + _HELD) * WORD : (place + _NUMBER) * WORD] = name.ljust((_NUMBER - _HELD) * WORD, b"\0")
        self._words[place + _NUMBER] = number
        self._words[_COUNT] = number

    def finish(self, end: End, text: str = "", trace: str = "") -> None:
        """Note how the turn of the player's process ended, and when.

        `text` is the message of its error, and `trace` the traceback (default: none).
        """
        data = trace.encode("utf-8", "backslashreplace")[-TRACE:]
        self._bytes[_TRACE * WORD : _TRACE * WORD + len(data)] = data
        self._words[_TRACE_LENGTH] = len(data)
        data = text.encode("utf-8", "backslashreplace")[:TEXT]
        self._bytes[_TEXT * WORD : _TEXT * WORD + len(data)] = data
        self._words[_LENGTH] = len(data)
        self._times[_ENDED] = monotonic()
        self._words[_END] = end

    @property
    def count(self) -> int:
        """The number of proposals in this turn."""
        return self._words[_COUNT]

    @property
    def began(self) -> float:
        """The start of the turn, as written by the process that called `begin`.

        That is the copy of the player's process, which the supervisor does not trust, or for a persistent player the
        supervisor itself.
        """
        return self._times[_BEGAN]

    @property
    def ended(self) -> float:
        """The end of the turn, as the player's process reports it."""
        return self._times[_ENDED]

    @property
    def end(self) -> End:
        """The way in which the turn ended, as the player's process reports it."""
        found = self._words[_END]
        return End(found) if found in set(End) else End.NOTHING

    @property
    def text(self) -> str:
        """The text that the player's process reported at the end of the turn: printable, on one line."""
        return _printable(self._bytes[_TEXT * WORD :][: max(0, min(self._words[_LENGTH], TEXT))])

    @property
    def trace(self) -> str:
        """The traceback that the player's process reported at the end of the turn: printable lines."""
        data = bytes(self._bytes[_TRACE * WORD :][: max(0, min(self._words[_TRACE_LENGTH], TRACE))])
        lines = data.decode("utf-8", "replace").splitlines()
        return "\n".join(_blanked(line).rstrip() for line in lines)

    def notes(self, after: int = 0) -> list[Note]:
        """Return the kept proposals in the order in which they were made, without the first `after`."""
        count = self.count
        found = []
        for number in range(max(1, count - KEPT + 1, after + 1), count + 1):
            place = _place(number)
            if self._words[place + _NUMBER] != number:
                continue
            at, kind, held = self._times[place + _AT], self._words[place + _KIND], slice(place + _HELD, place + _NUMBER)
            if kind == _IS_MOVE:
                found.append(Note(plain_move(self._words[held]), at))
            elif kind == _IS_NONE:
                name = self._bytes[held.start * WORD : held.stop * WORD]
                found.append(Note(None, at, _printable(bytes(name).rstrip(b"\0"))))
        return found


class TurnBuffer:
    """The shared memory from which a process that plays all turns reads each state. The supervisor only writes to it.

    >>> buffer = TurnBuffer()
    >>> buffer.put(b"a state")
    >>> buffer.put(b"another")
    >>> buffer.number, buffer.data
    (2, b'another')
    """

    SIZE = 1 << 26
    """The size of the mapping, in bytes; the system allocates only the pages that are written."""

    def __init__(self) -> None:
        self._bytes = memoryview(mmap.mmap(-1, self.SIZE))
        self._words = self._bytes.cast("q")

    def put(self, data: bytes) -> None:
        """Write the data of the next turn."""
        start = 2 * WORD
        self._bytes[start : start + len(data)] = data
        self._words[1] = len(data)
        self._words[0] += 1

    @property
    def number(self) -> int:
        """The number of turns that were put on the turn buffer."""
        return self._words[0]

    @property
    def data(self) -> bytes:
        """The data of the last turn."""
        return bytes(self._bytes[2 * WORD :][: self._words[1]])


def _place(number: int) -> int:
    """Return the index of the first word of a note; notes are numbered from 1."""
    return _NOTES + number % _SLOTS * _NOTE


def plain_move(proposal: Any) -> Move | None:
    """Return a proposal as a move of plain integers; None if it is not three integers of a sensible size.

    Reading the parts of an object may run the object's own code. That happens in the player's own process.

    >>> plain_move([0, True, 7]), plain_move((0, 1, 2.0)), plain_move((0, 0, 10**18)), plain_move(None)
    (Move(row=0, col=1, value=7), None, None, None)
    """
    try:
        row, col, value = map(_plain, proposal)
    except Exception:  # noqa: BLE001 - the object's own methods may raise anything
        return None
    return Move(row, col, value) if max(row, col, value) < ENDLESS and min(row, col, value) > -ENDLESS else None


def _plain(number: Any) -> int:
    """Return a plain integer, also for an instance of a subclass of int."""
    return int.__pos__(index(number))


def _type_name(proposal: object) -> bytes:
    name = type.__dict__["__name__"].__get__(type(proposal))  # no metaclass can override this
    return str(name).encode("utf-8", "replace")[:24]


def _printable(data: bytes | memoryview) -> str:
    return _blanked(bytes(data).decode("utf-8", "replace")).strip()


def _blanked(text: str) -> str:
    """Return a text with a blank for each letter that cannot be printed."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
