"""csp-sudoku moves: which moves are safe, which are bombs, why, and as a picture."""

import json
import re
import signal
from itertools import product

import pytest

from csp_sudoku import Board, Geometry
from csp_sudoku.cli.main import execute
from csp_sudoku.moves.classification import classify_moves
from tests.cli.support import EMPTY, NONE, ONE, ONE_SOLVED, environment, run, told, unfolded
from tests.cli.test_streams import Terminal, posix, start
from tests.support import count_by_force, is_solution_of, planted, random_of

ENGINE = "search"
"""The engine of these tests: any that is exact."""

BOMB = "12.. .... ...4 ...."
"""A board with a completion, on which r1c3=3 is a bomb: it leaves r1c4 without a value."""
BOMB_WITH_MORE = "12.. .... ...4 ..2."
"""The same with a given that has nothing to do with it."""
FULL = "".join(str(value) for row in ONE_SOLVED for value in row)


@pytest.fixture
def moves(tmp_path, capsys):
    """Run the command on a text in this process: (exit code, standard output, standard error)."""

    def called(text, *options, engine=ENGINE):
        path = tmp_path / "boards.txt"
        path.write_text(text)
        chosen = [] if engine is None else ["--engine", engine]
        code = execute(["moves", *chosen, *map(str, options), str(path)])
        out, err = capsys.readouterr()
        return code, out.replace(str(path), "boards.txt"), told(err).replace(str(path), "boards.txt")

    return called


@pytest.fixture
def explain(moves):
    """Explain a move."""
    return lambda text, *options: moves(text, "--explain", *options, engine=None)


def by_force(board):
    """The safe moves and the bombs of a board, by brute force."""
    safe, bombs = [], []
    for row, column in product(range(board.size), repeat=2):
        for value in board.candidates(row, column):
            is_safe = count_by_force(board.place(row, column, value), 1) == 1
            (safe if is_safe else bombs).append([row, column, value])
    return safe, bombs


def test_json(moves):
    """An object per board and line: the shape, the moves as brute force finds them, and the evidence."""
    boards = [planted(2, 2, random_of("cli", trial), 0.6)[0] for trial in range(5)]
    code, out, err = moves("\n".join(board.format("line") for board in boards), "--json")
    assert (code, err) == (0, "")
    for board, line in zip(boards, out.splitlines(), strict=True):
        found = json.loads(line)
        keys = ["rows", "columns", "solvable", "safe", "bombs", "unknown"]
        keys += ["engine", "seconds", "loading_seconds", "solves"]
        assert list(found) == keys
        assert [found["safe"], found["bombs"]] == list(by_force(board))
        assert (found["rows"], found["columns"], found["solvable"], found["unknown"]) == (2, 2, True, [])
        assert found["engine"] == ENGINE
        assert found["seconds"] > 0
        assert 0 <= found["solves"] <= len(found["safe"]) + len(found["bombs"]) + 1


def test_json_tells_the_rows_and_columns_of_a_block(moves):
    """m×n and n×m are different shapes."""
    found = json.loads(moves(Board.empty(2, 3).format("tue"), "--json", engine="auto")[1])
    assert (found["rows"], found["columns"], len(found["safe"])) == (2, 3, 216)
    assert found["engine"] != "auto"


def test_text(moves):
    """A person sees the counts in their cells, a legend, a line per cell, and the evidence."""
    code, out, err = moves(BOMB)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    safe, bombs = by_force(Board.parse(BOMB))
    assert lines[1] == "│ [1] [2] │ 1*1 1   │"
    shown = drawn(lines)
    assert all(shown[place] == text for place, text in counted(safe, bombs).items())
    assert lines[7].startswith("3*2 is 3 safe moves and 2 bombs")
    listed = lines[8:-1]
    assert listed[0] == "r1c3: bombs 3; safe 4"
    assert told_moves(listed, "safe") == safe
    assert told_moves(listed, "bombs") == bombs
    assert lines[-1].startswith(f"boards.txt, puzzle 1: {len(safe)} safe moves, {len(bombs)} bombs; by {ENGINE}; ")


def drawn(lines):
    """The texts in the cells of a drawing of 4×4."""
    rows = [line.replace("│", " ").split() for line in lines if line.startswith("│")]
    return {(row, column): text for row, texts in enumerate(rows) for column, text in enumerate(texts)}


def counted(safe, bombs):
    """The expected text of each cell in the drawing of these moves."""
    shown = {}
    for place in {(row, column) for row, column, _ in safe + bombs}:
        good, bad = (sum(move[:2] == list(place) for move in moves) for moves in (safe, bombs))
        shown[place] = f"{good}*{bad}" if bad else f"{good}"
    return shown


def told_moves(lines, kind):
    """The moves of a kind that the list tells."""
    found = []
    for line in lines:
        row, column, rest = re.fullmatch(r"r(\d+)c(\d+): (.*)", line).groups()
        for part in rest.split("; "):
            name, *values = part.split()
            if name == kind:
                found += [[int(row) - 1, int(column) - 1, int(value)] for value in values]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (5, 5)], ids=str)
def test_the_drawing_counts_what_the_list_names(shape, moves):
    """At every size, the numbers of a cell agree with its line, and all columns are aligned."""
    board, _ = planted(*shape, random_of("drawing", shape), 0.5)
    code, out, _ = moves(board.format("tue"), engine="auto")
    assert code == 0
    assert max(len(line) for line in out.splitlines() if line.startswith("r")) <= 80
    lines = unfolded(out).splitlines()
    drawing = [line for line in lines if line[0] in "┌│├└"]
    assert len({len(line) for line in drawing}) == 1
    listed = [line for line in lines if re.match(r"r\d+c\d+: ", line)]
    safe, bombs = told_moves(listed, "safe"), told_moves(listed, "bombs")
    shown = drawn(lines)
    for (row, column), text in counted(safe, bombs).items():
        assert shown[row, column] == text
    for row, column in product(range(board.size), repeat=2):
        if board[row, column]:
            assert shown[row, column] == f"[{board[row, column]}]"
    legal = [board.candidates(row, column) for row, column in product(range(board.size), repeat=2)]
    assert len(safe) + len(bombs) == sum(map(len, legal))


@pytest.mark.parametrize("kind", ["safe", "bombs"])
def test_only_one_kind(kind, moves):
    """--only leaves the other kind out of the list, but not out of the JSON."""
    other = {"safe": "bombs", "bombs": "safe"}[kind]
    _, out, _ = moves(BOMB, "--only", kind)
    listed = [line for line in out.splitlines() if re.match(r"r\d+c\d+: ", line)]
    assert told_moves(listed, kind) == dict(zip(["safe", "bombs"], by_force(Board.parse(BOMB)), strict=True))[kind]
    assert told_moves(listed, other) == []
    assert not any(other in line for line in listed)
    _, out, _ = moves(BOMB, "--only", kind, "--json")
    assert json.loads(out)[other] == json.loads(moves(BOMB, "--json")[1])[other]


def test_a_board_without_completion(moves):
    """On an unsolvable board every legal move is a bomb; a sentence says so, and the exit code is 1."""
    code, out, _ = moves(NONE)
    legal = sum(len(Board.parse(NONE).candidates(row, column)) for row, column in product(range(4), repeat=2))
    assert code == 1
    assert f"boards.txt, puzzle 1: unsolvable, so {legal} legal moves can only be bombs; by {ENGINE}" in out
    code, out, _ = moves(NONE, "--json")
    found = json.loads(out)
    assert (code, found["solvable"], found["safe"], len(found["bombs"])) == (1, False, [], legal)


def test_a_full_board(moves):
    """A full board has no moves; that is an answer, too."""
    code, out, _ = moves(FULL)
    assert code == 0
    assert out.splitlines()[-1].startswith("boards.txt, puzzle 1: full, no move is left; by ")
    code, out, _ = moves(FULL, "--json")
    found = json.loads(out)
    assert (code, found["solvable"], found["safe"], found["bombs"], found["unknown"]) == (0, True, [], [], [])


def test_no_time(moves):
    """Moves that the deadline leaves open are shown as undecided, and the exit code is 3."""
    code, out, _ = moves(EMPTY, "--time-limit", "0")
    assert code == 3
    assert "0?4" in out
    assert "?4 is 4 undecided moves" in out
    assert "r1c1: undecided 1 2 3 4\n" in out
    assert "0 safe moves, 0 bombs, 64 undecided, whether solvable is undecided; by" in out
    code, out, _ = moves(EMPTY, "--time-limit", "0", "--json")
    found = json.loads(out)
    assert (code, found["solvable"], found["safe"], found["bombs"], len(found["unknown"])) == (3, None, [], [], 64)


def test_many_boards(moves):
    """Boards are answered in order, set apart by an empty line; of the exit codes, the worst counts."""
    code, out, _ = moves(f"{ONE}\n{NONE}\n{EMPTY}")
    assert code == 1
    assert out.count("\n\n") == 2
    assert [int(number) for number in re.findall(r"puzzle (\d)", out)] == [1, 2, 3]
    code, out, err = moves(f"{ONE}\n{ONE[:-1]}\n", "--json")
    assert code == 2
    assert out.count("\n") == 1
    assert err.startswith("csp-sudoku: boards.txt, line 2")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "naiv"], "did you mean 'naive'?"),
        (["--only", "bomb"], "did you mean 'bombs'?"),
        (["--time-limit", "-1"], "at least 0; found '-1'"),
        (["--time-limit", "soon"], "found 'soon'"),
        (["--explain", "r1c3"], "expected a move such as r1c5=7, with rows and columns from 1; found 'r1c3'"),
        (["--explain", "r1c3=x"], "found 'r1c3=x'"),
        (["--explain", "r0c3=3"], "found 'r0c3=3'"),
        (["--explain", "0,2"], "expected a move such as r1c5=7, with rows and columns from 1; found '0,2'"),
        (["--explain", "-1,2,3"], "found '-1,2,3'"),
        (["--explain", "r1c3=5"], "expected a move from r1c1=1 to r4c4=4; found r1c3=5"),
        (["--explain", "r5c3=1"], "found r5c3=1"),
        (
            ["--explain", "r1c3=3", "--only", "safe"],
            "expected --explain without --engine, --only, --plot; found --only",
        ),
        (["--plot", "out.jpg"], "expected a file that ends in .png, .svg, .pdf; found 'out.jpg'"),
        (["--plot", "out"], "found 'out'"),
        (["--plot", "no/such/out.png"], "expected to write 'no/such/out.png'; found no such file or directory"),
    ],
)
def test_bad_options(options, message, moves):
    """Contradictory options are one line and the exit code 2, before any work is done."""
    code, out, err = moves(BOMB, *options, engine=None)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("csp-sudoku: ")
    assert err.count("\n") == 1


def test_a_bomb_is_explained(explain):
    """The fewest givens are drawn with the move, the others as dots, and a sentence states the contradiction."""
    code, out, err = explain(BOMB_WITH_MORE, "r1c3=3")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "┌───────┬───────┐",
        "│  1  2 │ >3    │",
        "│       │       │",
        "├───────┼───────┤",
        "│       │     4 │",
        "│       │  ·    │",
        "└───────┴───────┘",
        (
            "boards.txt, puzzle 1: r1c3=3 is a bomb: with it, 3 of the 4 givens admit no completion: "
            "r1c4 can take no value. No fewer do: r1c1=1, r1c2=2, r3c4=4."
        ),
    ]


def test_a_bomb_is_explained_as_json(explain):
    """The object has the move, the verdict, the givens, and whether no fewer do."""
    code, out, _ = explain(BOMB_WITH_MORE, "r1c3=3", "--json")
    assert code == 0
    assert json.loads(out) == {
        "move": [0, 2, 3],
        "verdict": "bomb",
        "solvable": True,
        "givens": [[0, 0, 1], [0, 1, 2], [2, 3, 4]],
        "minimal": True,
        "minimum": True,
        "peer": None,
        "completion": None,
    }


def test_a_safe_move_is_explained(explain):
    """A completion proves that a move is safe."""
    code, out, _ = explain(BOMB, "r1c3=4")
    assert code == 0
    assert out.splitlines()[1] == "│  1  2 │  4 ·3 │"
    assert out.endswith("boards.txt, puzzle 1: r1c3=4 is safe: this is a completion with it\n")
    found = json.loads(explain(BOMB, "r1c3=4", "--json")[1])
    assert (found["verdict"], found["givens"], found["minimum"]) == ("safe", None, None)
    completion = Board.from_array(found["completion"])
    assert is_solution_of(completion, Board.parse(BOMB).place(0, 2, 4))


def test_what_is_no_move_is_explained(explain):
    """A filled cell and a value that a peer holds are no error: they are the explanation."""
    code, out, _ = explain(BOMB, "r1c2=3")
    assert (code, out) == (0, "boards.txt, puzzle 1: r1c2=3 is no move: the cell is filled with 2\n")
    code, out, _ = explain(BOMB, "r1c4=4")
    assert (code, out) == (0, "boards.txt, puzzle 1: r1c4=4 is illegal: its peer r3c4 holds 4\n")
    found = json.loads(explain(BOMB, "r1c4=4", "--json")[1])
    assert (found["verdict"], found["peer"]) == ("illegal", [2, 3])


def test_an_unsolvable_board_is_explained(explain):
    """If no move leaves a completion, the sentence blames the board, and the exit code is 1."""
    code, out, _ = explain(NONE, "r1c3=4")
    assert code == 1
    assert "is a bomb, as every move is: the board has no completion even without it" in out
    found = json.loads(explain(NONE, "r1c3=4", "--json")[1])
    assert (found["verdict"], found["solvable"], found["givens"]) == ("bomb", False, None)


def test_no_time_to_explain(explain):
    """Without time a move is undecided, and the exit code is 3."""
    code, out, _ = explain(BOMB, "r1c3=3", "--time-limit", "0")
    assert code == 3
    assert out.endswith("whether r1c3=3 is safe or a bomb is undecided within the time limit\n")
    assert json.loads(explain(BOMB, "r1c3=3", "--time-limit", "0", "--json")[1])["verdict"] == "unknown"


def test_a_move_that_one_board_does_not_have(explain):
    """A board that is too small for the move is reported; the others are explained."""
    code, out, err = explain(f"2 2 {' . ' * 16}\n\n2 3 {' . ' * 36}", "r6c6=6")
    assert code == 2
    assert err.startswith("csp-sudoku: boards.txt, puzzle 1: expected a move from r1c1=1 to r4c4=4; found r6c6=6\n")
    assert out.endswith("boards.txt, puzzle 2: r6c6=6 is safe: this is a completion with it\n")


def png_size(path):
    """The width and the height of a PNG file."""
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert b"IEND" in content[-12:]
    return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (5, 5)], ids=str)
def test_a_picture(shape, moves, tmp_path):
    """--plot writes a picture whose size grows with the board, prints its name, and leaves no other files."""
    board, _ = planted(*shape, random_of("picture", shape), 0.5)
    code, out, err = moves(board.format("tue"), "--plot", tmp_path / "out.png", engine="auto")
    assert (code, err) == (0, "")
    assert out.endswith(f"boards.txt, puzzle 1: bombs per cell in {tmp_path / 'out.png'}\n")
    width, height = png_size(tmp_path / "out.png")
    assert 500 < height < 2500
    assert height > 60 * board.size
    assert 0.9 < width / height < 1.1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["boards.txt", "out.png"]


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")])
def test_formats_of_pictures(suffix, start, moves, tmp_path):
    """The suffix says the format; a picture that was there is replaced."""
    path = tmp_path / f"out{suffix}"
    path.write_text("old")
    assert moves(BOMB, "--plot", path)[0] == 0
    assert path.read_bytes().startswith(start)


def test_what_the_picture_says(moves, tmp_path):
    """The picture has the shape, how full the board is, the counts, the name of its scale, and a number per cell."""
    from csp_sudoku.moves.heat_map import heat_map

    board = Board.parse(BOMB)
    safe, bombs = by_force(board)
    figure = heat_map(classify_moves(board, ENGINE))
    texts = [text.get_text() for text in figure.texts]
    assert texts[:2] == ["2×2 sudoku, 19% filled", f"{len(safe)} safe moves, {len(bombs)} bombs"]
    cells, bar = figure.axes
    for axis in (cells.xaxis, cells.yaxis):
        assert [label.get_text() for label in axis.get_ticklabels()] == ["1", "2", "3", "4"]
    assert bar.get_ylabel() == "bombs per cell"
    numbers = [text.get_text() for text in cells.texts]
    expected = [
        board[row, column] or sum(move[:2] == [row, column] for move in bombs)
        for row, column in product(range(4), repeat=2)
    ]
    assert numbers == [str(number) for number in expected]


def test_pictures_show_the_blocks_that_there_are():
    """Thick lines go around the pieces of a jigsaw, and the title names it."""
    from csp_sudoku.moves.heat_map import heat_map

    jigsaw = Board(Geometry.irregular(["aaab", "ccab", "cdbb", "cddd"]), [0] * 16)
    for board, name, lines in ((Board.empty(2, 2), "2×2", 24), (jigsaw, "irregular 4", 28)):
        figure = heat_map(classify_moves(board, "naive"))
        assert figure.texts[0].get_text() == f"{name} sudoku, 0% filled"
        thin, thick = figure.axes[0].collections
        assert (len(thin.get_segments()), len(thick.get_segments())) == (40 - lines, lines)


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (NONE, [], "0 safe moves, 33 bombs, no completion"),
        (FULL, [], "0 safe moves, 0 bombs"),
        (EMPTY, ["--time-limit", "0"], "0 safe moves, 0 bombs, 64 undecided (?)"),
    ],
    ids=["unsolvable", "full", "undecided"],
)
def test_pictures_of_odd_boards(text, options, said, moves, tmp_path):
    """Boards without a completion, without an empty cell, or without time have their picture, too."""
    from csp_sudoku.moves.heat_map import heat_map

    moves(text, "--plot", tmp_path / "out.png", *options)
    png_size(tmp_path / "out.png")
    found = classify_moves(Board.parse(text), ENGINE, 0 if options else None)
    assert heat_map(found).texts[1].get_text() == said


def test_a_picture_of_each_board(moves, tmp_path):
    """Several boards have numbered pictures, whose names are in the JSON; a bad board does not affect the others."""
    code, out, err = moves(f"{ONE}\n{NONE}\n{ONE[:-1]}\n", "--plot", tmp_path / "out.png", "--json")
    assert code == 2
    assert err.count("\n") == 1
    names = [str(tmp_path / f"out-{number}.png") for number in (1, 2)]
    assert [json.loads(line)["plot"] for line in out.splitlines()] == names
    assert sorted(path.name for path in tmp_path.iterdir()) == ["boards.txt", "out-1.png", "out-2.png"]


def test_a_directory_is_no_picture(moves, tmp_path):
    """A directory is not written over, whatever its name ends in."""
    (tmp_path / "out.png").mkdir()
    code, out, err = moves(BOMB, "--plot", tmp_path / "out.png")
    assert (code, out) == (2, "")
    assert "expected a file to write; found the directory" in err


def test_a_picture_that_cannot_be_finished(moves, tmp_path, monkeypatch):
    """A picture is written completely or not at all: a former file stays."""
    from pathlib import Path

    def no_space(self, _):
        raise OSError(28, "No space left on device")

    path = tmp_path / "out.png"
    path.write_text("old")
    from csp_sudoku.moves.heat_map import heat_map, save

    figure = heat_map(classify_moves(Board.parse(BOMB), ENGINE))
    monkeypatch.setattr(Path, "replace", no_space)
    with pytest.raises(OSError, match="No space left"):
        save(figure, path)
    assert path.read_text() == "old"
    assert [other.name for other in tmp_path.iterdir()] == ["out.png"]


@pytest.mark.slow
@posix
def test_colours_on_a_terminal(tmp_path):
    """On a terminal safe moves are green and bombs are red; a bomb's explanation shows the move in reverse."""
    path = tmp_path / "board.txt"
    path.write_text(BOMB)
    terminal = Terminal("moves", "--engine", ENGINE, str(path))
    assert terminal.end() == 0
    assert "\x1b[32m1\x1b[0m\x1b[31m*1\x1b[0m" in terminal.shown.decode()
    terminal = Terminal("moves", "--explain", "r1c3=3", str(path))
    assert terminal.end() == 0
    assert "\x1b[1m\x1b[7m3\x1b[0m" in terminal.shown.decode()
    plain = environment(NO_COLOR="1", TERM="xterm")
    terminal = Terminal("moves", "--engine", ENGINE, str(path), env=plain, errors=False)
    assert terminal.end() == 0
    assert "\x1b" not in terminal.shown.decode()


@posix
def test_interrupt():
    """Ctrl-C keeps the answers so far: each answer is printed before the next board is read."""
    with start("moves", "--engine", ENGINE, "--json", "--format", "line") as process:
        process.stdin.write(f"{ONE}\n".encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["solvable"] is True
        process.send_signal(signal.SIGINT)
        assert told(process.stderr.read()) == "interrupted\n"
    assert process.returncode == 130


def test_an_output_without_line_drawing():
    """An output that is ASCII gets an ASCII drawing."""
    done = run("moves", "--engine", ENGINE, stdin=BOMB, env=environment(PYTHONIOENCODING="ascii"))
    assert done.returncode == 0
    assert done.stdout.startswith("+---------+---------+\n| [1] [2] | 1*1 1")
