"""Slate: the memory that a player's processes share with their host, where proposals are written down.

It is no pipe, because a pipe can be closed, flooded and written to by whoever finds its number, and needs a reader.
What is on a slate are numbers of fixed size and one short text, and nothing else is ever made of them: whatever a
player scribbles there, the host reads integers, times and characters.

A kill may come between any two words of 8 bytes, but not within one. (`struct.pack_into` would fill a place with zeros
first.) Each note is committed by its number, written last; where that is wrong, the note is left out.
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
"""How many proposals of a turn are kept: the last ones."""

TEXT = 400
"""Bytes of the longest text."""

WORD = 8
_COUNT, _BEGAN, _DEADLINE, _ENDED, _END, _LENGTH, _TEXT = range(7)  # the words at the beginning; the text goes on
_NOTES = _TEXT + TEXT // WORD
_AT, _KIND, _HELD, _NUMBER = 0, 1, 2, 5  # the words of a note; what it holds are three: a move, or the name of a type
_NOTE = 6
_SLOTS = KEPT + 1  # one more than is kept, since the oldest may be half written over
_IS_MOVE, _IS_NONE = 1, 2


class End(enum.IntEnum):
    """What a player's process says about how it ended."""

    NOTHING = 0
    """It said nothing: it goes on, or was killed."""
    DONE = 1
    CRASH = 2
    REFUSED = 3
    """It cannot be what was asked for: the player is not there, or was given a wrong option."""


class Note(NamedTuple):
    """A proposal as it was written down."""

    move: Move | None
    """None if it was no three integers."""
    at: float
    """When, on the monotonic clock, as the player's process says."""
    found: str = ""
    """The type of what was proposed in place of a move; nothing for a move, and for None."""


class Slate:
    """Shared by the process that makes it and all that descend from it.

    >>> slate = Slate()
    >>> slate.begin(seconds=9)
    >>> slate.propose((0, 1, 4))
    >>> slate.propose("nonsense")
    >>> slate.finish(End.DONE, "text")
    >>> [note.move for note in slate.notes()], slate.count, slate.end.name, slate.text
    ([Move(row=0, col=1, value=4), None], 2, 'DONE', 'text')
    """

    def __init__(self) -> None:
        self._bytes = memoryview(mmap.mmap(-1, (_NOTES + _SLOTS * _NOTE) * WORD))
        self._words = self._bytes.cast("q")
        self._times = self._bytes.cast("d")

    def clear(self) -> None:
        """Wipe it before a turn."""
        for word in range(_TEXT):
            self._words[word] = 0

    def begin(self, seconds: float) -> None:
        """A turn begins now: its clock runs from here on."""
        now = monotonic()
        self._times[_BEGAN], self._times[_DEADLINE] = now, now + seconds

    def propose(self, proposal: object) -> None:
        """Write a proposal down, whatever it is; what is not three integers is no move.

        After the deadline nothing is: until its process is ended, a player might write over all that it proposed.
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

    def finish(self, end: End, text: str = "") -> None:
        """The player's process ends like this."""
        data = text.encode("utf-8", "backslashreplace")[:TEXT]
        self._bytes[_TEXT * WORD : _TEXT * WORD + len(data)] = data
        self._words[_LENGTH] = len(data)
        self._times[_ENDED] = monotonic()
        self._words[_END] = end

    @property
    def count(self) -> int:
        """How many proposals were made."""
        return self._words[_COUNT]

    @property
    def began(self) -> float:
        """When the turn began, as the player's process says."""
        return self._times[_BEGAN]

    @property
    def ended(self) -> float:
        """When the turn ended, as the player's process says."""
        return self._times[_ENDED]

    @property
    def end(self) -> End:
        """How the player's process ended, as it says."""
        found = self._words[_END]
        return End(found) if found in set(End) else End.NOTHING

    @property
    def text(self) -> str:
        """What the player's process said at its end: printable, on one line."""
        return _printable(self._bytes[_TEXT * WORD :][: max(0, min(self._words[_LENGTH], TEXT))])

    def notes(self) -> list[Note]:
        """The proposals that are kept, in the order in which they were made."""
        count = self.count
        found = []
        for number in range(max(1, count - KEPT + 1), count + 1):
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


class Desk:
    """Where a process that plays turn after turn finds what it is to play. Its host writes, and never reads.

    >>> desk = Desk()
    >>> desk.put(b"a state")
    >>> desk.put(b"another")
    >>> desk.number, desk.data
    (2, b'another')
    """

    SIZE = 1 << 26
    """Bytes that there may be; memory is taken only as far as it is written to."""

    def __init__(self) -> None:
        self._bytes = memoryview(mmap.mmap(-1, self.SIZE))
        self._words = self._bytes.cast("q")

    def put(self, data: bytes) -> None:
        """The next thing to play."""
        start = 2 * WORD
        self._bytes[start : start + len(data)] = data
        self._words[1] = len(data)
        self._words[0] += 1

    @property
    def number(self) -> int:
        """How many things there were."""
        return self._words[0]

    @property
    def data(self) -> bytes:
        """The last one."""
        return bytes(self._bytes[2 * WORD :][: self._words[1]])


def _place(number: int) -> int:
    """The first word of a note, counted from 1."""
    return _NOTES + number % _SLOTS * _NOTE


def plain_move(proposal: Any) -> Move | None:
    """The move that a proposal is, made of nothing but plain integers; None if it is not three of a sensible size.

    An object may do what it likes when it is asked for its parts. That happens in the player's own process.

    >>> plain_move([0, True, 7]), plain_move((0, 1, 2.0)), plain_move((0, 0, 10**18)), plain_move(None)
    (Move(row=0, col=1, value=7), None, None, None)
    """
    try:
        row, col, value = map(_plain, proposal)
    except Exception:  # noqa: BLE001 - whatever the object's own methods raise
        return None
    return Move(row, col, value) if max(row, col, value) < ENDLESS and min(row, col, value) > -ENDLESS else None


def _plain(number: Any) -> int:
    """An integer, without the class that may have been derived from it."""
    return int.__pos__(index(number))


def _type_name(proposal: object) -> bytes:
    name = type.__dict__["__name__"].__get__(type(proposal))  # which no metaclass can change
    return str(name).encode("utf-8", "replace")[:24]


def _printable(data: bytes | memoryview) -> str:
    text = bytes(data).decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()
