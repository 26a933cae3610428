"""Kind `files`: damaged texts of boards, game records and framework states; readers answer or raise a SudokuError.

What they may raise is a NotationError (a SudokuError from the framework's stand-ins) of one short line that names a
place within the text. What they read is a clean board, or a record that is written and read back as it is. All of it
stays within a limit of memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random

from csp_sudoku import NotationError, SudokuError, load_many, notation
from csp_sudoku.framework.solve_sudoku import run
from csp_sudoku.framework.v12 import sudoku as v12
from csp_sudoku.framework.v14 import sudoku as v14
from csp_sudoku.game.reading import parse_record, read_records
from csp_sudoku.game.verification import verify
from csp_sudoku.notation import FORMATS
from tests.conformance.reference import standard
from tests.fuzz.boards import random_sample, random_shape
from tests.fuzz.case import Budget, MismatchError, expect, expect_equal, memory_limit
from tests.fuzz.notation import random_grid
from tests.game.support import random_record

MEGABYTES = 300
"""Memory that reading may take in addition; the largest text here has some megabytes."""

PIECES = (
    b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\r", b"\n", b"\n\n", b"\t", b" ", b"#", b"|", b"-", b"+", b"=",
    b":", b",", b'"', b"\\", b"{", b"}", b"[", b"]", b"[[[[", b"null", b"true", b"NaN", b"-Infinity", b"1e999", b"-1",
    b"0", b"1.5", b"2 2\n", b"3x2:", b"rows = 2\n", b"board =\n", b"quizzes\n", b'{"board": ', b'"turns": [', b"->",
    b"(0,0)", b"\xe2\x94\x82", "１".encode(), "é".encode(), b"\\ud800", b"\\u0000", b"_", b"*", b"\x1b[31m",
    b"99999999999999999999", b"moves = [",
)  # fmt: skip


def check(random: Random, budget: Budget) -> None:
    """A text of some kind, damaged or not, to the readers of its kind and to one of another kind."""
    make, readers = random.choices(KINDS, [5, 3, 2])[0]
    text = make(random)
    damaged = damage(text, random) if random.random() < 0.97 else text
    with memory_limit(MEGABYTES), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(damaged)
        random.choice(random.choices([readers, ALL_READERS], [4, 1])[0])(damaged, path, random)


def _boards(random: Random) -> bytes:
    """Boards in a notation."""
    grids = [random_grid(random) for _ in range(random.choice([1, 1, 1, 2, 5]))]
    return "\n".join(notation.write(grids, random.choice(list(FORMATS)), zero_based=random.random() < 0.2)).encode()


def _records(random: Random) -> bytes:
    """Records of games, a line each."""
    m, n = random_shape(random, 6)
    seeds = [random.randrange(10**6) for _ in range(random.choice([1, 1, 3]))]
    mode = random.choice(["classic", "rows", "border", "random"])
    boards = [random_sample(random, 6, is_plain=True, styles=("few holes", "without values")) for _ in seeds]
    records = [
        random_record(m, n, mode, seed, sample.board if sample.solution and _fits(sample) else None)
        for seed, sample in zip(seeds, boards, strict=True)
    ]
    return "".join(record.to_json() + "\n" for record in records).encode()


def _fits(sample) -> bool:
    """Whether the board is a part of its grid, so that it has a completion."""
    return all(value in (0, full) for value, full in zip(sample.cells, sample.solution, strict=True))


def _states(random: Random) -> bytes:
    """A state of a game in the framework's newer text form, or a board in the older one."""
    sample = random_sample(random, is_plain=True)
    board = v14.SudokuBoard(sample.board.m, sample.board.n)
    board.squares = list(sample.cells)
    if random.random() < 0.3:
        return v14.print_sudoku_board(board).encode()
    allowed = v14.allowed_squares(board, random.choice(["rows", "border"])) if random.random() < 0.6 else (None, None)
    empty = [board.index2square(k) for k, value in enumerate(board.squares) if not value]
    moves = [v14.TabooMove(square, random.randint(1, board.N)) for square in empty[:2]]
    state = v14.GameState(board, None, moves, list(moves), [random.randint(0, 99), 7], random.choice([1, 2]), *allowed)
    return v14.print_game_state(state).encode()


def damage(text: bytes, random: Random) -> bytes:
    """The text with some bytes flipped, cut, doubled or moved, numbers made huge, junk put in, or nested deeply."""
    data = bytearray(text)
    for _ in range(random.choice([1, 1, 1, 2, 4, 10])):
        start = random.randint(0, len(data))
        end = min(len(data), start + random.choice([1, 1, 2, 5, 20, 200]))
        match random.randrange(14):
            case 0 if data:
                data[start % len(data)] ^= 1 << random.randrange(8)
            case 1:
                del data[start:end]
            case 2:
                data[start:end] = bytes(data[start:end]) * random.choice([2, 2, 3, 50])
            case 3:
                del data[start:]
            case 4:
                data[start:start] = random.choice(PIECES)
            case 5:
                data[start:end] = random.choice(PIECES) * random.choice([1, 1, 3, 70, 1000])
            case 6:
                data[start:start] = random.randbytes(random.choice([1, 3, 30]))
            case 7:
                data = _with_huge_number(data, random)
            case 8:
                data[start:start] = random.choice([b"[", b"{", b'{"a":', b"[{"]) * random.choice([10, 70, 100_000])
            case 9:
                other = random.randint(0, len(data))
                data[other:other] = data[start:end]
            case 10:
                data = bytearray(random.choice([b"\r\n", b"\r", b" ", b"", b"\n\n"]).join(bytes(data).split(b"\n")))
            case 11 | 12:  # what a slip of the hand does: another board, as often as not
                data[start : start + 1] = random.choice([b".", b"0", b"1", b"2", b"3", b" ", b"\n", b"# 1\n"])
            case 13 if random.random() < 0.1:
                data[start:start] = random.choice([b"1 ", b".", b"x", b"\n", b" ", b'"a", ']) * 1_500_000
    return bytes(data)


def _with_huge_number(data: bytearray, random: Random) -> bytearray:
    """The text with the digits at some place made many, or negative, or a fraction."""
    places = [at for at, byte in enumerate(data) if chr(byte).isdigit()]
    if places:
        at = random.choice(places)
        data[at : at + 1] = random.choice(
            [b"9" * 20, b"9" * 400, b"9" * 5000, b"-3", b"0.5", b"1e400", b"007", b"256", b"26"]
        )
    return data


def _read_boards(text: bytes, path: Path, random: Random) -> None:
    """The readers of boards: clean boards, or a NotationError; the file and the stream say the same."""
    format, zero_based = random.choice([*[None] * 3 * len(FORMATS), *FORMATS]), random.random() < 0.15
    shape = random.choice([*[None] * 7, random_shape(random)])
    asked = f"notation.read(format={format}, shape={shape}, zero_based={zero_based})"
    found = _outcome(
        lambda: list(notation.read(BytesIO(text), format, shape=shape, zero_based=zero_based)), text, asked
    )
    for grid in found if isinstance(found, list) else ():
        values = [[grid.values[cell] for cell in region if grid.values[cell]] for region in standard(grid.m, grid.n)]
        clean = len(grid.values) == (grid.m * grid.n) ** 2 and max(grid.values) <= grid.m * grid.n
        expect(
            clean and all(len(set(some)) == len(some) for some in values), f"{asked} gives a board that clashes: {grid}"
        )
    again = _outcome(lambda: list(load_many(path, format, shape=shape, zero_based=zero_based)), text, "load_many")
    if isinstance(found, list) and isinstance(again, list):
        expect_equal(f"load_many like {asked}", [board.values for board in again], [grid.values for grid in found])
    else:
        expect_equal(f"load_many like {asked}", type(again), type(found))


def _read_records(text: bytes, path: Path, random: Random) -> None:
    """The reader of records: a record is written and read back unchanged, and verified without an error."""
    found = _outcome(lambda: list(read_records(path)), text, "read_records")
    for record in found if isinstance(found, list) else ():
        again = parse_record(record.to_json())
        expect_equal("a record that is written and read again", again.as_object(), record.as_object())
        if record.board.size <= 6:
            for problem in verify(record):
                expect("\n" not in str(problem), f"the problem {problem!r} of a record has several lines")


def _read_states(text: bytes, path: Path, random: Random) -> None:
    """The stand-ins' readers and `solve_sudoku`: an answer, or a SudokuError, or exit code 2, of one line."""
    string = text.decode("utf-8", "replace")
    mode = random.choice(["classic", "rows", "border"])
    readers: tuple[Callable[[], object], ...] = (
        lambda: v12.load_sudoku_from_text(string),
        lambda: v14.parse_sudoku_board(string),
        lambda: str(v14.parse_game_state(string, mode)),
        lambda: v14.pretty_print_game_state(v14.parse_game_state(string, mode)),
    )
    for reader in readers:
        _outcome(reader, None, "the stand-ins' reader")
    options = random.choice([[], ["--move", "0 1"], ["--greedy"], ["--move", "3 99999999999999999999"]])
    code, line = run([str(path), *options])
    expect(code in (0, 2), f"solve_sudoku {options} ends with code {code}")
    expect("\n" not in line and len(line) < 500, f"solve_sudoku {options} prints {line!r}")


def _outcome(read: Callable[[], object], text: bytes | None, who: str) -> object:
    """The result of a reader, or the error that it raises, which must be one short line about a place in the text."""
    try:
        return read()
    except NotationError as error:
        line, lines = error.line, 2 + (text.count(b"\n") + text.count(b"\r") if text is not None else 10**9)
        expect("\n" not in str(error) and len(str(error)) < 600, f"{who} raises {str(error)!r}, no short line")
        expect(line is None or 1 <= line <= lines, f"{who} raises {error} about a text of {lines} lines")
        expect(error.column is None or text is None or 1 <= error.column <= len(text) + 1, f"{who} raises {error}")
        return error
    except SudokuError as error:
        if text is None:
            return error
        raise MismatchError(f"{who} raises {type(error).__name__}: {error}, no NotationError") from error


Reader = Callable[[bytes, Path, Random], None]
KINDS: tuple[tuple[Callable[[Random], bytes], tuple[Reader, ...]], ...] = (
    (_boards, (_read_boards,)),
    (_records, (_read_records,)),
    (_states, (_read_states, _read_states, _read_boards)),
)
"""The kinds of texts, and their readers."""

ALL_READERS = (_read_boards, _read_records, _read_states)
