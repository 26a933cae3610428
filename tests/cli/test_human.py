"""csp-sudoku play human: a person as a player, line by line and on the board of a terminal."""

from __future__ import annotations

import io
import json
import signal

import pytest

from csp_sudoku.board import Board
from csp_sudoku.cli.board_screen import Resigns, ScreenTurn, place_of
from csp_sudoku.cli.drawing import draw_position
from csp_sudoku.evaluation.advice import Adviser, objection
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import verify
from csp_sudoku.moves.move import Move
from tests.arena.support import clean, here, refuses
from tests.cli.support import environment, run
from tests.cli.test_streams import Terminal, posix

__all__ = ["clean"]

LAST = "123434122143432."
"""A puzzle with one empty cell, r4c4, which takes a 1."""
FEW = "1234 34.. 21.. 43.."
"""Six empty cells, with several solutions."""
BOMBS = "12.. .... .... ...."
"""r2c3=1 is safe here; on 12.. .... ...3 .... r1c3=4 is a bomb."""
GAME = ("--time", "60", "--seed", "1")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run play while a person types a text: the exit code, the output and standard error."""
    play = here("play", capsys)

    def call(text: str | bytes, *arguments: object) -> tuple[int, str, str]:
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        return play(*arguments)

    return call


def test_a_person_plays_line_by_line(typed) -> None:
    """The program draws the board and asks for the move; the game and its result are reported as in any game."""
    code, out, err = typed("r4c4=1\n", "human", "human", "--boards", LAST, *GAME)
    assert (code, err) == (0, "")
    assert out.startswith("# 2x2 classic, human against human, no clock\n┌─")
    assert "0:0, you are player 1\nplayer 1, your move (r1c2=3; ? hint, m map, m r1c2 one cell, q resign): \n" in out
    assert ": player 1 places r4c4=1: 7 points for row 4, column 4, block 4; 7:0\n" in out
    assert "7:0, player 1 (human) wins (board full); 1 turn, seed 1" in out


def test_two_people_play(typed) -> None:
    """Two people share the keyboard; neither has a clock, and no process is started."""
    moves = ["r2c3=1", "r2c4=2", "r3c3=4", "r3c4=3", "r4c3=2", "r4c4=1"]
    code, out, _ = typed("\n".join(moves), "human", "human", "--boards", FEW, *GAME, "--json")
    record = parse_record(out)
    assert code == 0
    assert [str(turn.move) for turn in record.turns] == moves
    assert (record.players, record.time, record.reason) == (("human", "human"), None, "board full")
    assert verify(record) == []


@pytest.mark.slow
def test_the_record_of_a_person(typed, tmp_path) -> None:
    """The record has the person's moves and times, and no time limit for them; the opponent's move is shown."""
    path = tmp_path / "game.json"
    text = "r2c3=1\n" + "?\n" * 3
    code, out, _ = typed(text, "human", "greedy?safe", "--boards", FEW, *GAME, "--record", path)
    record = parse_record(path.read_text())
    assert code == 0
    assert verify(record) == []
    assert (record.players, record.time) == (("human", "greedy?safe=true"), [None, 60])
    first, second, last = record.turns
    assert (str(first.move), first.seconds >= 0, first.proposals[-1].move) == ("r2c3=1", True, first.move)
    assert f"you are player 1; the last move was {second.move}\n" in out
    assert (last.outcome.value, last.reason) == ("lost", "no proposal: resigned")


@pytest.mark.parametrize("text", ["q\n", "Quit\n", ""])
def test_resigning(text: str, typed) -> None:
    """q and the end of the input resign; that loses, and is no failure of the player."""
    code, out, err = typed(text, "human", "human", "--boards", FEW, *GAME)
    assert (code, err) == (0, "")
    assert "player 1 loses: it proposed nothing (resigned); 0:0" in out
    assert "player 2 (human) wins (player 1 lost: no proposal); 1 turn" in out
    assert "failures of" not in out


def test_moves_that_lose_are_explained(typed) -> None:
    """No move, an illegal one, one off the board and a taboo one are explained, and the program asks again."""
    text = b"r1c1=2\nr9c1=1\nr2c2=9\nhello\n\xff\xfe\n\nr1c3=4\nr1c3=4\nr1c3=3\n"
    code, out, _ = typed(text, "human", "human", "--boards", "12.. .... ...3 ....", *GAME)
    assert code == 0
    for answer in (
        "r1c1=2 is illegal: expected an empty cell at r1c1; found 1 in it\n",
        "r9c1=1 is illegal: expected a move from r1c1=1 to r4c4=4; found r9c1=1\n",
        "r2c2=9 is illegal: expected a move from r1c1=1 to r4c4=4; found r2c2=9\n",
        "expected a move such as r1c5=7, with rows and columns from 1; found 'hello'\n",
        "player 1 skips with r1c3=4: it would leave no completion",
        "you are player 2; the last move was r1c3=4, a bomb\n",
        "r1c3=4 is taboo: it was found to be a bomb before\n",
        "player 2 places r1c3=3",
    ):
        assert answer in out


def test_questions(typed) -> None:
    """? is a hint, m the map, and "m r1c3" the verdicts on one cell; u is refused, since a move stands."""
    code, out, _ = typed(
        "?\nu\nm\nm r1c3\nm r1c1\nm r5c1\n", "human", "human", "--boards", "12.. .... ...3 ....", *GAME
    )
    assert code == 0
    assert ": \nnaked single: r1c4=4, since the cell can take no other value.\n" in out
    assert "\nin each empty cell: the number of safe moves, and after a star the number of bombs\n" in out
    assert "[1] [2]" in out
    assert "\nr1c3: safe 3; bomb 4\n" in out
    assert "\nr1c1 is filled\n" in out
    assert ": \na move of a game cannot be taken back\n" in out
    assert "\nexpected a cell from r1c1 to r4c4; found r5c1\n" in out


def test_open_squares(typed) -> None:
    """In a mode that restricts the squares they are listed, and a move elsewhere is explained."""
    code, out, _ = typed("r2c1=3\nm r2c1\n", "human", "human", "--boards", "empty-2x2", "--mode", "rows", *GAME)
    assert code == 0
    assert "open to you: r1c1, r1c2, r1c3, r1c4\n" in out
    assert "r2c1=3 is illegal: expected a square that is open to player 1; found r2c1\n" in out
    assert "r2c1: safe 1, 2, 3, 4; the cell is not open to you\n" in out


def test_the_conversation_leaves_the_record_alone(typed) -> None:
    """With --json the output is the record and nothing else; the questions are on standard error."""
    code, out, err = typed("r4c4=1\n", "human", "human", "--boards", LAST, *GAME, "--json")
    assert (code, json.loads(out)["scores"]) == (0, [7, 0])
    assert "you are player 1\nplayer 1, your move" in err


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_only_play_asks_a_person(command: str, tmp_path, capsys) -> None:
    """The other commands refuse a person in one line, before any game."""
    refuses(here(command, capsys), ["human", "random"], "expected a player that is a program; found 'human'", tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["human?safe", "random"], "expected a player that is a program; found 'human'"),
        (["human", "randm"], "did you mean 'random'?"),
        (["human", "random", "--boards", "-"], "expected a file, a name or a puzzle as the board of a human"),
        (["human", "human", "--boards", "UNSOLVABLE"], "expected a board with a completion to play on"),
    ],
)
def test_bad_input(arguments: list[str], message: str, tmp_path, capsys) -> None:
    """A game that cannot be played is one line and exit code 2."""
    refuses(here("play", capsys), arguments, message, tmp_path)


def state_of(text: str, *moves: tuple[int, int, int]) -> GameState:
    """The state on a board after some moves."""
    state = GameState.start(Board.parse(text))
    for move in moves:
        state, _ = state.play(move)
    return state


def test_objections() -> None:
    """A move has an objection exactly if it loses at once; a bomb has none."""
    state = state_of("12.. .... ...3 ....", (0, 2, 4))
    for row in range(5):
        for col in range(5):
            for value in range(6):
                move = Move(row, col, value)
                _, outcome = state.play(move)
                assert bool(objection(state, move)) == (outcome.reason is not None), move


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LAST, "r4c4=1 is safe and gives 7 points."),
        ("12.. .... ..1. ....", "hidden single: r2c4=1, since row 2 has no other place for 1."),
        (
            "....34..........",
            (
                "locked candidates: in row 2, 1 must be in r2c3 or r2c4, both in block 2, "
                "so r1c3 and r1c4 cannot be 1. Moves that this excludes are bombs; r1c1=1 is safe."
            ),
        ),
        ("................", "r1c1=1 is safe."),
    ],
)
def test_hints(text: str, said: str) -> None:
    """A hint prefers points, then a step with a reason, and always names a safe move."""
    assert Adviser().hint(state_of(text)) == said


KEYS = {"up": 259, "down": 258, "left": 260, "right": 261, "enter": 10, "erase": 127, "delete": 330, "tab": 9}
"""The codes that curses gives to keys."""


def pressed(turn: ScreenTurn, *keys: str) -> Move | None:
    """Press keys, each a name or a character; return the result of the last one."""
    found = None
    for key in keys:
        found = turn.press(KEYS[key] if key in KEYS else ord(key))
    return found


def turn_on(text: str, *moves: tuple[int, int, int]) -> ScreenTurn:
    """A turn of a person on the screen."""
    return ScreenTurn(state_of(text, *moves), ["human", "greedy"], Adviser())


def test_keys_move_and_play() -> None:
    """Arrows move the cursor around the edges, a digit is a value, and Enter plays it."""
    turn = turn_on(BOMBS)
    assert turn.cursor == (0, 2)
    assert pressed(turn, "down", "right") is None
    assert turn.cursor == (1, 3)
    assert pressed(turn, "right", "up", "up", "left") is None
    assert turn.cursor == (3, 3)
    assert pressed(turn, "1", "2", "enter") == Move(3, 3, 2)
    pressed(turn, "3", "erase", "enter")
    assert turn.message == "type a value first"
    pressed(turn, "3", "left")
    assert turn.value == 0, "a value belongs to its cell"
    assert turn_on(BOMBS, (3, 1, 3)).cursor == (3, 1), "the cursor begins at the last move"


def test_keys_that_do_not_play() -> None:
    """A move that loses is explained and not played; 9 is no value here; ? and m ask; q asks once more."""
    turn = turn_on(BOMBS)
    assert pressed(turn, "1", "enter") is None
    assert "r1c3=1 is illegal: expected a value that no peer of r1c3 holds" in turn.message
    pressed(turn, "9")
    assert turn.value == 1
    pressed(turn, "?")
    assert "safe" in turn.message or "single" in turn.message
    pressed(turn, "m")
    assert turn.shows_map
    pressed(turn, "tab")
    assert not turn.shows_map
    pressed(turn, "u")
    assert turn.message == "a move of a game cannot be taken back"
    pressed(turn, "q")
    assert turn.message == "press q again to resign"
    pressed(turn, "left")
    pressed(turn, "q")
    with pytest.raises(Resigns):
        pressed(turn, "q")


def test_letters_are_values() -> None:
    """Beyond 9 the letters are values: on 25×25 M is 22, so that only Tab shows the map there."""
    turn = ScreenTurn(GameState.start(Board.empty(5, 5)), ["human", "human"], Adviser())
    pressed(turn, "m")
    assert (turn.value, turn.shows_map) == (22, False)
    assert pressed(turn, "P", "enter") == Move(0, 0, 25)
    assert turn.help_line() == "arrows, 1-9 A-P and Enter play; ? hint, Tab map, q resign"
    assert turn_on(BOMBS).help_line() == "arrows, 1-4 and Enter play; ? hint, m map, q resign"


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (5, 5)])
def test_the_place_of_a_cell_in_the_drawing(shape: tuple[int, int]) -> None:
    """The cursor stands on the cell that it is on: the drawing has its value there."""
    size = shape[0] * shape[1]
    values = [(n * 7 + 3) % size + 1 for n in range(size * size)]
    board = Board.trusted(Board.empty(*shape).geometry, bytes(values))
    state = GameState.start(board)
    lines = draw_position(board, board, None, colour=False).splitlines()
    for cell, value in enumerate(values):
        line, column = place_of(state, *divmod(cell, size))
        text = str(value)
        assert lines[line][column - len(text) + 1 : column + 1] == text


@pytest.mark.slow
def test_through_pipes(tmp_path) -> None:
    """The whole program without a terminal: moves come through a pipe, and the opponent plays in the sandbox."""
    done = run(
        "play",
        "human",
        "greedy?safe",
        "--boards",
        FEW,
        *GAME,
        "--record",
        str(tmp_path / "game.json"),
        stdin="r2c3=1\nq\n",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# 2x2 classic, human against greedy?safe=true, 60 s per turn of greedy?safe=true\n")
    assert "player 2 places " in done.stdout
    assert verify(parse_record((tmp_path / "game.json").read_text())) == []


@pytest.mark.slow
@posix
def test_on_a_terminal(tmp_path) -> None:
    """On a terminal the board takes the screen: a digit and Enter play, the opponent answers, and q q resigns."""
    path = tmp_path / "game.json"
    arguments = ("play", "human", "greedy?safe", "--boards", FEW, *GAME, "--record", str(path))
    terminal = Terminal(*arguments, env=environment(TERM="xterm", LINES="40", COLUMNS="100"))
    terminal.until(b"q resign")
    terminal.press(b"1\n")
    terminal.until(b"the last move was ")
    terminal.press(b"qq")
    assert terminal.end() == 0
    text = terminal.shown.decode()
    assert ": player 1 places r2c3=1" in text
    assert "player 2 (greedy?safe=true) wins (player 1 lost: no proposal)" in text
    assert text.rindex("\x1b[?1049l") > text.rindex("\x1b[?1049h"), "the screen is given back"
    record = parse_record(path.read_text())
    assert (str(record.turns[0].move), verify(record)) == ("r2c3=1", [])


@pytest.mark.slow
@posix
def test_arrows_hints_and_a_losing_move_on_a_terminal() -> None:
    """Arrow keys reach another cell; a hint and an explanation are below the board."""
    arguments = ("play", "human", "human", "--boards", LAST, *GAME)
    terminal = Terminal(*arguments, env=environment(TERM="xterm", LINES="40", COLUMNS="100"))
    terminal.until(b"q resign")
    terminal.press(b"?")
    terminal.until(b"r4c4=1 is safe and gives 7 points")
    terminal.press(b"\x1bOD2\n")
    terminal.until(b"r4c3=2 is illegal")
    terminal.press(b"\x1bOC1\n")
    assert terminal.end() == 0
    assert "7:0, player 1 (human) wins (board full); 1 turn" in terminal.shown.decode()


@pytest.mark.slow
@posix
def test_interrupt_on_a_terminal(tmp_path) -> None:
    """Ctrl-C on the board gives the screen back, keeps the record of the turns so far, and ends with 130."""
    path = tmp_path / "game.json"
    arguments = ("play", "human", "human", "--boards", FEW, *GAME, "--record", str(path))
    terminal = Terminal(*arguments, env=environment(TERM="xterm", LINES="40", COLUMNS="100"))
    terminal.until(b"q resign")
    terminal.press(b"1\n")
    terminal.until(b"you are player 2")
    terminal.press(b"\x03")
    assert terminal.end() == 128 + signal.SIGINT
    text = terminal.shown.decode()
    assert text.rindex("\x1b[?1049l") > text.rindex("\x1b[?1049h")
    assert text.endswith("interrupted\r\n")
    assert parse_record(path.read_text()).reason == "interrupted"


@pytest.mark.slow
@posix
def test_a_small_terminal_and_a_dumb_one() -> None:
    """If the board does not fit, or the terminal can only print, moves are typed on lines."""
    for changes in ({"TERM": "dumb"}, {"TERM": "xterm", "LINES": "10", "COLUMNS": "40"}):
        terminal = Terminal("play", "human", "human", "--boards", LAST, *GAME, env=environment(**changes))
        terminal.until(b"q resign): ")
        terminal.press(b"r4c4=1\n")
        assert terminal.end() == 0
        assert "\x1b[?1049h" not in terminal.shown.decode()
        assert "7:0, player 1 (human) wins" in terminal.shown.decode()
