"""Reading: game records from text, as one or more JSON objects, each of which begins at the start of a line.

Any error is a NotationError, with the expected value, the field (`turns[3].reward`: the fourth turn), the value found
and the line; for a field, this is the line where its record begins. Unknown keys are ignored.

The limits are checked while the text is read. So a record that is too large is refused before it is completely in
memory, and before Python makes objects of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from sys import float_info
from typing import Any, NamedTuple, NoReturn, TypeVar

from csp_sudoku import notation
from csp_sudoku.board import Board
from csp_sudoku.errors import NotationError, ShapeError
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.record import FORMAT, VARIANT_FORMAT, GameRecord, Player, Proposal, Turn
from csp_sudoku.game.rules import PLAYERS, PlayMode, Square, Squares, allowed_squares
from csp_sudoku.game.variant_part import PARTS, geometry_with
from csp_sudoku.geometry import MAX_SIZE, Geometry, is_shape
from csp_sudoku.moves.move import Move
from csp_sudoku.notation import strict_json
from csp_sudoku.notation.elements import DEPTH, TOKEN
from csp_sudoku.notation.text import SHOWN, Text, shown

LIMIT = 1 << 26
"""Upper bound for the size of a record, in characters."""

MEMORY = 1 << 28
"""Upper bound for the memory of a record's Python objects, in bytes, estimated from its text; 900,000 proposals fit."""

RESULTS: tuple[tuple[float, float], ...] = ((1, 0), (0.5, 0.5), (0, 1))

_WHAT = "a game record, which is a JSON object"
_STEP = {"{": 1, "[": 1, "]": -1, "}": -1}
_BYTES = {"{": 64, "[": 64, '"': 300}
"""Estimated bytes of an object, a list and a string; a string may be a key and take space in the dictionary as well."""
_BYTES_PER_COMMA = 32
"""Estimated bytes of a number and of its place in a list."""

Item = TypeVar("Item")


def read_records(path: str | PathLike[str]) -> Iterator[GameRecord]:
    """Yield the records of a file lazily; "-" is standard input.

    Raise NotationError if the file cannot be read, contains no record, or has an error. The records before it are
    valid.
    """
    with notation.opened(path) as stream:
        name = getattr(stream, "name", None)
        yield from records_of(Text(stream, name if isinstance(name, str) else None))


def records_of(text: Text) -> Iterator[GameRecord]:
    """Yield the records of a text; raise NotationError if it contains none."""
    found = False
    for line, source in _objects(text):
        yield _record(source, line, text.name)
        found = True
    if not found:
        raise text.error("a game record", "only blank lines" if text.line else "an empty text")


def parse_record(text: str, source: str | None = None) -> GameRecord:
    """Return the only record of a text."""
    records = records_of(Text([text.encode("utf-8", "surrogatepass")], source))
    record = next(records)
    if next(records, None) is not None:
        raise NotationError("one game record", "another", source=source)
    return record


class Scan:
    """The open brackets of a text that arrives in pieces, and an estimate of the memory for its objects."""

    def __init__(self) -> None:
        self.depth = 0
        """The number of open brackets."""
        self.memory = 0
        """The estimated memory, in bytes."""
        self._string = ""  # the beginning of a string that continues in the next piece

    def take(self, piece: str) -> None:
        """Read the next piece of text. A string that is not closed at the end of its line ends there."""
        self.memory += _BYTES_PER_COMMA * piece.count(",")
        text = self._string + piece
        if self._string:
            self.memory -= _BYTES['"']  # the string has been counted before
            self._string = ""
        for token in TOKEN.finditer(text):
            mark = token[0][0]
            self.depth += _STEP.get(mark, 0)
            self.memory += _BYTES.get(mark, 0)
            if mark == '"' and not token[1] and piece[-1] != "\n":
                self._string = '"' + text[token.end() :]  # at most a backslash follows


def _objects(text: Text) -> Iterator[tuple[int, str]]:
    """Yield the number of the first line and the text of each object."""
    kept: list[str] = []
    start, size, first, scan = 0, 0, "", Scan()
    for piece in text.pieces():
        if not kept:
            start = text.line
        if not first:
            first = piece.lstrip()[: SHOWN + 1]
        elif first[0] != "{":
            raise text.error(_WHAT, shown(first.split()[0]), start)
        kept.append(piece)
        size += len(piece)
        scan.take(piece)
        if scan.depth > DEPTH:
            raise text.error(f"at most {DEPTH} brackets within each other", "more", text.line)
        if size > LIMIT:
            raise text.error(f"a game record of at most {LIMIT} characters", "a longer one", start)
        if scan.memory > MEMORY:
            raise text.error(f"a game record that takes at most {MEMORY >> 20} MB of memory", "a larger one", start)
        if piece[-1] == "\n" and scan.depth <= 0:
            source = "".join(kept)
            kept, size, first, scan = [], 0, "", Scan()
            if not source.isspace():
                yield start, source
    source = "".join(kept)
    if source and not source.isspace():
        kept.clear()
        yield start, source


def _record(source: str, line: int, name: str | None) -> GameRecord:
    """Return the record of a JSON text whose first line has this number."""
    try:
        data = strict_json.loads(source)
    except strict_json.RepeatedKeyError as error:
        raise NotationError("each key once", f"{shown(error.args[0])} again", line=line, source=name) from None
    except json.JSONDecodeError as error:
        raise _no_json(error, source, line, name) from None
    except RecursionError:
        expected = f"at most {DEPTH} brackets within each other"
        raise NotationError(expected, "more", line=line, source=name) from None
    except ValueError:  # Python refuses to convert integers of thousands of digits
        raise NotationError(_WHAT, "an integer of thousands of digits", line=line, source=name) from None
    if not isinstance(data, dict):
        raise NotationError(_WHAT, _json(data), line=line, source=name)
    return _Fields(data, line, name).record()


def _no_json(error: json.JSONDecodeError, source: str, line: int, name: str | None) -> NotationError:
    at = error.pos
    expected = f"JSON ({error.msg.lower()})" if source.lstrip().startswith("{") else _WHAT
    rest = source[at:].split()
    found = shown(rest[0]) if rest else "the end of the text"
    return NotationError(expected, found, line=line + error.lineno - 1, column=error.colno, source=name)


def _json(value: object) -> str:
    """Return a value as JSON, shortened for an error message."""
    text = json.dumps(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


class _Field(NamedTuple):
    """A value and its path in the record."""

    value: Any
    path: str


class _Fields:
    """The fields of one record, each checked as it is taken."""

    def __init__(self, data: dict[str, Any], line: int, source: str | None) -> None:
        self._data = _Field(data, "")
        self._line = line
        self._source = source

    def record(self) -> GameRecord:
        """Return the checked record."""
        data = self._data
        version = data.value.get("format", FORMAT)
        if version not in (FORMAT, VARIANT_FORMAT) or isinstance(version, bool):
            self._fail(f"{FORMAT} or {VARIANT_FORMAT}", _Field(version, "format"))
        board = self._board(data, is_plain=version == FORMAT)
        mode = PlayMode(self._among(self._get(data, "mode"), [mode.value for mode in PlayMode]))
        return GameRecord(
            board=board,
            mode=mode,
            allowed=self._allowed(board, mode),
            players=self._players(self._get(data, "players")),
            seed=self._seed(self._get(data, "seed")),
            time=self._time(self._get(data, "time")),
            turns=tuple(self._each(self._get(data, "turns"), self._turn, "a list of turns")),
            scores=self._scores(self._get(data, "scores")),
            result=self._result(self._get(data, "result")),
            reason=self._text(self._get(data, "reason")),
        )

    def _board(self, data: _Field, *, is_plain: bool) -> Board:
        rows, columns = self._get(data, "rows"), self._get(data, "columns")
        m, n = self._whole(rows), self._whole(columns)
        geometry = Geometry.standard(m, n) if is_plain and is_shape(m, n) else None
        if not is_plain and 1 <= m * n <= MAX_SIZE:
            geometry = self._variant(data, m, n)
        if geometry is None:
            self._fail(f"2 ≤ rows, 2 ≤ columns and rows·columns ≤ {MAX_SIZE}", _Field([m, n], "rows and columns"))
        field = self._get(data, "board")
        cells = self._list(field, f"a list of {geometry.cell_count} values")
        if len(cells) != geometry.cell_count:
            self._error(f"{geometry.cell_count} values as board", str(len(cells)))
        for cell, value in enumerate(cells):
            if type(value) is not int or not 0 <= value <= geometry.size:
                self._fail(f"a value from 0 (empty) to {geometry.size}", _Field(value, f"board[{cell}]"))
        clash = geometry.clash(cells)
        if clash is not None:
            region, first, second = clash
            expected = f"each value once in {geometry.region_name(region)} of board"
            self._error(expected, f"{cells[first]} at board[{first}] and at board[{second}]")
        return Board.trusted(geometry, bytes(cells))

    def _variant(self, data: _Field, m: int, n: int) -> Geometry:
        """Return the geometry of a board that is no plain m×n one."""
        part: dict[str, Any] = {}
        for key in PARTS:
            if data.value.get(key) is not None:
                read = self._region(m * n) if key == "regions" else self._text
                part[key] = self._each(self._get(data, key), read, f"a list of {key}")
        try:
            return geometry_with(m, n, part)
        except NotationError as error:
            self._error(f"{error.expected} in the rules", error.found)
        except ShapeError as error:
            self._error("the blocks and regions of a board", str(error))

    def _region(self, size: int) -> Callable[[_Field], list[Square]]:
        return lambda field: list(self._each(field, self._square(size), "a list of squares"))

    def _allowed(self, board: Board, mode: PlayMode) -> tuple[Squares, Squares] | None:
        """Return the squares of the mode random. A record of another mode may contain only the squares of that mode."""
        if mode is not PlayMode.RANDOM and self._data.value.get("allowed") is None:
            return None
        field = self._get(self._data, "allowed")
        expected = "the squares of player 1 and of player 2"
        pair = self._each(field, lambda side: frozenset(self._each(side, self._square(board.size), expected)), expected)
        if len(pair) != 2:
            self._fail(f"{expected}, two lists", field)
        squares = pair[0], pair[1]
        if mode is PlayMode.RANDOM:
            return squares
        if squares != allowed_squares(board.geometry, mode):
            self._fail(f"the squares of the mode {mode}", field)
        return None

    def _square(self, size: int) -> Callable[[_Field], Square]:
        def square(field: _Field) -> Square:
            found = field.value
            if not (_are_integers(found, 2) and all(0 <= number < size for number in found)):
                self._fail(f"[row, column], each from 0 to {size - 1},", field)
            return found[0], found[1]

        return square

    def _players(self, field: _Field) -> tuple[Player, Player]:
        found = field.value
        if not (isinstance(found, list) and len(found) == 2 and all(isinstance(one, str | dict) for one in found)):
            self._fail("two names (or objects)", field)
        self._require_finite(field)
        return found[0], found[1]

    def _seed(self, field: _Field) -> int | str | None:
        if isinstance(field.value, bool) or not isinstance(field.value, int | str | None):
            self._fail("an integer, a text or null", field)
        return field.value

    def _time(self, field: _Field) -> Any:
        found = field.value
        for number in found if isinstance(found, list) else [found]:
            if isinstance(number, str | bool) or (
                isinstance(number, int | float) and not 0 <= number <= float_info.max
            ):
                self._fail("a number of seconds of at least 0, or null", field)
        self._require_finite(field)
        return found

    def _require_finite(self, field: _Field) -> None:
        """Refuse NaN and infinities at any depth: Python's json module accepts them, but JSON does not allow them."""
        try:
            json.dumps(field.value, allow_nan=False)
        except ValueError:
            self._fail("finite numbers", field)

    def _turn(self, field: _Field) -> Turn:
        if not isinstance(field.value, dict):
            self._fail("an object", field)
        player = self._get(field, "player")
        if type(player.value) is not int or player.value not in PLAYERS:
            self._fail("1 or 2", player)
        proposals = None
        if field.value.get("proposals") is not None:
            proposals = tuple(self._each(self._get(field, "proposals"), self._proposal, "a list of proposals"))
        reason = self._get(field, "reason")
        return Turn(
            player=player.value,
            move=self._move(self._get(field, "move")),
            outcome=OutcomeKind(self._among(self._get(field, "outcome"), [kind.value for kind in OutcomeKind])),
            reward=self._whole(self._get(field, "reward")),
            seconds=self._seconds(self._get(field, "seconds")),
            reason=None if reason.value is None else self._text(reason),
            proposals=proposals,
            error=None if field.value.get("error") is None else self._text(self._get(field, "error")),
            trace=None if field.value.get("trace") is None else self._text(self._get(field, "trace")),
        )

    def _move(self, field: _Field) -> Move | None:
        if field.value is None:
            return None
        if not _are_integers(field.value, 3):
            self._fail("[row, column, value] or null", field)
        return Move(*field.value)

    def _proposal(self, field: _Field) -> Proposal:
        if not (isinstance(field.value, list) and len(field.value) == 2):
            self._fail("[[row, column, value], seconds]", field)
        move, seconds = (_Field(value, f"{field.path}[{at}]") for at, value in enumerate(field.value))
        time = self._seconds(seconds)
        if time is None:
            self._fail("a number of at least 0", seconds)
        return Proposal(self._move(move), time)

    def _seconds(self, field: _Field) -> float | None:
        found = field.value
        if found is None:
            return None
        if type(found) not in (int, float) or not 0 <= found <= float_info.max:
            self._fail("a number of at least 0, or null", field)
        return float(found)

    def _scores(self, field: _Field) -> tuple[int, int]:
        if not (_are_integers(field.value, 2) and all(score >= 0 for score in field.value)):
            self._fail("two whole numbers of at least 0", field)
        return field.value[0], field.value[1]

    def _result(self, field: _Field) -> tuple[float, float] | None:
        found = field.value
        if found is None:  # the game was interrupted
            return None
        if not isinstance(found, list) or tuple(found) not in RESULTS or any(type(part) is bool for part in found):
            self._fail("[1, 0], [0.5, 0.5], [0, 1] or null", field)
        return RESULTS[RESULTS.index(tuple(found))]

    def _get(self, field: _Field, key: str) -> _Field:
        path = f"{field.path}.{key}" if field.path else key
        if key not in field.value:
            self._error(f"the key {path}", "none")
        return _Field(field.value[key], path)

    def _list(self, field: _Field, expected: str) -> list[Any]:
        if not isinstance(field.value, list):
            self._fail(expected, field)
        return field.value

    def _each(self, field: _Field, read: Callable[[_Field], Item], expected: str) -> Sequence[Item]:
        items = self._list(field, expected)
        return [read(_Field(item, f"{field.path}[{at}]")) for at, item in enumerate(items)]

    def _whole(self, field: _Field) -> int:
        if type(field.value) is not int or field.value < 0:
            self._fail("a whole number of at least 0", field)
        return int(field.value)

    def _text(self, field: _Field) -> str:
        if not isinstance(field.value, str):
            self._fail("a text", field)
        return str(field.value)

    def _among(self, field: _Field, names: list[str]) -> str:
        if field.value not in names:
            self._fail(f"one of {', '.join(names)}", field)
        return str(field.value)

    def _fail(self, expected: str, field: _Field) -> NoReturn:
        self._error(f"{expected} as {field.path}", _json(field.value))

    def _error(self, expected: str, found: str) -> NoReturn:
        raise NotationError(expected, found, line=self._line, source=self._source)


def _are_integers(value: Any, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(type(number) is int for number in value)
