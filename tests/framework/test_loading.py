"""Agents' folders: the API that they expect, their loading, their states and their proposals."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from csp_sudoku import OptionError
from csp_sudoku.framework.conversion import Position, to_game_state
from csp_sudoku.framework.detection import detect_api
from csp_sudoku.framework.sources import contents
from csp_sudoku.framework.v12 import sudoku as v12
from csp_sudoku.framework.v14 import sudoku as v14
from tests.cli.support import environment

AGENTS = Path(__file__).parent / "agents"
EMPTY = {"m": 2, "n": 2, "squares": [0] * 16, "initial": [0] * 16}
ROWS = EMPTY | {
    "mode": "rows",
    "allowed1": [(0, column) for column in range(4)],
    "allowed2": [(3, column) for column in range(4)],
    "occupied1": [],
    "occupied2": [],
}
EXPECTED = {
    "old_relative": "v12",
    "old_absolute": "v12",
    "new_plain": "v14",
    "saving": "v14",
    "starred": "v14",
    "players/deep_player": "v14",
}
CRASH = "AgentCrashError"
IMPORT = "AgentImportError"
HEAD = "import competitive_sudoku.sudokuai\nfrom competitive_sudoku.sudoku import *\n"
AGENT = """
class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def compute_best_move(self, game_state):
        self.propose_move({})
"""


def play(folder, *positions, api=(), cwd=None):
    """The report of the host of one agent, which is a process of its own."""
    done = subprocess.run(
        [sys.executable, str(AGENTS / "host.py"), str(folder), *api],
        input=json.dumps(positions),
        env=environment(PYTHONPATH=str(AGENTS.parents[2]), PYTHONDONTWRITEBYTECODE="1"),
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def write(folder, **files):
    """A folder with Python files of these contents; `__` in a name is a folder's end."""
    for name, text in files.items():
        path = folder.joinpath(*name.split("___")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(("name", "api"), EXPECTED.items())
def test_apis_are_detected(name, api):
    """The source of each agent shows its API."""
    assert detect_api(AGENTS / name) == api


@pytest.mark.parametrize(
    ("code", "api"),
    [
        ("Move(0, 1, 2)", "v12"),
        ("TabooMove(i=0, j=1, value=2)", "v12"),
        ("Move(*cell, value)", "v12"),
        ("Move((0, 1), 2)", "v14"),
        ("sudoku.Move(square=(0, 1), value=2)", "v14"),
        ("state.board.get(0, 1)", "v12"),
        ("state.board.get(*cell)", "v12"),
        ("state.board.put(*cell, 3)", "v12"),
        ("state.board.get((0, 1))", "v14"),
        ("new_board.put(0, 1, 2)", "v12"),
        ("self.board.put(move.square, 2)", "v14"),
        ("state.current_player() - 1", "v12"),
        ("state.current_player - 1", "v14"),
        ("board.rc2f(0, 1)", "v12"),
        ("SudokuBoard.f2rc(board, 3)", "v12"),
        ("board.index2square(3)", "v14"),
        ("state.player_squares()", "v14"),
        ("print(move.i)", "v12"),
        ("row, column = best_move.square", "v14"),
        ("from competitive_sudoku.sudoku import load_sudoku_from_text", "v12"),
        ("from competitive_sudoku.sudoku import allowed_squares", "v14"),
        ("from competitive_sudoku.sudoku import Move as M\nM(0, 1, 2)", "v12"),
        ("pass", "v14"),
        ("{}.get(1, 2), queue.put(1), Move(*all)", "v14"),
        ("class Move:\n    pass\nMove(0, 1, 2)", "v14"),
        ("from collections import namedtuple as Move\nMove(0, 1, 2)", "v14"),
        ("'''old: Move(0, 1, 2)'''  # rc2f", "v14"),
    ],
)
def test_each_kind_of_evidence_counts(code, api, tmp_path):
    """One line that only one API has decides, if there is no other; without any, the API is the new one."""
    assert detect_api(write(tmp_path, sudokuai=code)) == api


def test_what_the_agent_imports_outweighs_the_rest(tmp_path):
    """Files that the agent imports, from wherever, count more than those that merely lie there."""
    write(tmp_path / "agent", sudokuai="from agent.moves import best\nfrom shared.more import x", moves="Move(0, 1, 2)")
    write(tmp_path / "agent", training="Move((0, 1), 2)\nstate.player_squares()")
    write(tmp_path / "shared", more="board.rc2f(0, 1)")
    assert detect_api(tmp_path / "agent") == "v12"
    write(tmp_path / "agent", sudokuai="pass")
    assert detect_api(tmp_path / "agent") == "v14"


def test_unreadable_files_are_passed_over(tmp_path):
    """A file that does not parse, in whatever encoding, does not keep the others from being read."""
    write(tmp_path, sudokuai="from . import broken, latin, nothing\nimport helper", broken="def (:", helper="x = '\\d'")
    (tmp_path / "latin.py").write_bytes(b"# caf\xe9\nMove(0, 1, 2)\n")
    (tmp_path / "nothing.py").write_bytes(b"\0\0")
    (tmp_path / "deep.py").write_text("(" * 10000)
    assert detect_api(tmp_path) == "v12"
    assert detect_api(tmp_path / "none") == "v14"


def make_unreadable(path, kind):
    """Put something in the place of a source file that cannot be read to its end."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "huge":
        path.touch()
        os.truncate(path, 1 << 40)
    else:
        path.symlink_to(kind)


UNREADABLE = ["pipe", "folder", "huge", "/dev/zero", "/proc/kmsg", "/none"]


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_has_no_end_is_not_read(kind, tmp_path):
    """Only regular files up to a size are read: no pipe without a writer, and no device."""
    make_unreadable(tmp_path / "zz.py", kind)
    assert contents(tmp_path / "zz.py") is None


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_agent_with_files_that_have_no_end(kind, tmp_path):
    """Such files keep no agent from being loaded, whether they are imported or lie beside its modules."""
    code = "try:\n    from . import zz\nexcept BaseException: pass\n" if kind not in ("huge", "/proc/kmsg") else ""
    write(tmp_path / "agent", sudokuai=HEAD + code + AGENT.format("Move(0, 1, 2)"))
    make_unreadable(tmp_path / "agent" / "zz.py", kind)
    assert play(tmp_path / "agent", EMPTY)["proposals"] == [[0, 1, 2]]


@pytest.mark.parametrize("kind", ["pipe", "folder", "huge", "/dev/zero"])
def test_an_entry_that_has_no_end_is_an_error(kind, tmp_path):
    """One line reports the fault of a sudokuai.py that cannot be read to its end."""
    make_unreadable(tmp_path / "sudokuai.py", kind)
    told = play(tmp_path)
    expected = (
        "expected at most 64 MB in sudokuai.py; found 1048576 MB in " if kind == "huge" else "no regular file in "
    )
    assert (told["kind"], expected in told["error"]) == ("NoAgentError", True), told
    assert "\n" not in told["error"]


def test_the_largest_file_that_is_read(tmp_path):
    """A file may have as many bytes as the limit, and no more."""
    (tmp_path / "file").write_bytes(b"12345")
    assert contents(tmp_path / "file", 5) == b"12345"
    assert contents(tmp_path / "file", 4) is None


@pytest.mark.parametrize("name", ["old_relative", "old_absolute"])
def test_old_agents_play(name):
    """Agents of the old API, with imports relative or by their own name, propose a legal move."""
    told = play(AGENTS / name, EMPTY, EMPTY | {"squares": [1, 2, 3, *[0] * 13], "moves": [(0, 0, 1, False)]})
    assert (told["api"], told["module"]) == ("v12", f"{name}.sudokuai")
    assert all(any(move) and 1 <= move[2] <= 4 for move in told["proposals"])
    if name == "old_absolute":
        assert told["proposals"][1] == [0, 3, 4]


@pytest.mark.parametrize("name", ["new_plain", "starred", "players/deep_player"])
def test_new_agents_play(name):
    """Agents of the new API, with plain imports, star imports or imports by a longer name, play where they may."""
    told = play(AGENTS / name, ROWS, ROWS | {"player": 2})
    assert told["api"] == "v14"
    assert [move[0] for move in told["proposals"]] == [0, 3]
    if name == "new_plain":
        assert play(AGENTS / name, EMPTY)["proposals"][0] == [3, 3, 4]


def test_agents_remember_from_one_process_to_the_next(tmp_path):
    """Data that an agent saves is there in its next turn, also in another process."""
    for turn in (1, 2):
        told = play(AGENTS / "saving", ROWS, cwd=tmp_path)
        assert told["proposals"] == [[0, turn, 1]]


@pytest.mark.parametrize(
    "name", ["team-12.A1", "team 12", "12", "random", "team12.v2", "numpy.v2", "competitive_sudoku", "json"]
)
def test_any_folder_name_will_do(name, tmp_path):
    """Folder names that are no identifiers, or names of modules, hide no module and can be loaded."""
    shutil.copytree(AGENTS / "old_relative", tmp_path / name)
    told = play(tmp_path / name, EMPTY)
    assert told["proposals"][0] == [3, 3, 4]


def test_dotted_names_are_their_own(tmp_path):
    """A folder with a dot in its name is importable by that name."""
    folder = write(tmp_path / "team.v2", sudokuai=HEAD + "from team.v2.other import x" + AGENT.format("x"))
    write(folder, other="from competitive_sudoku.sudoku import Move\nx = Move(0, 1, 2)")
    assert play(folder, EMPTY)["proposals"] == [[0, 1, 2]]


def test_modules_further_up_are_found(tmp_path):
    """Names of folders above, and of modules in them, can be imported; the standard library is unaffected."""
    write(tmp_path / "src" / "bots" / "mine", sudokuai=HEAD + "from src.bots.mine.a import x" + AGENT.format("x"))
    write(tmp_path / "src" / "bots" / "mine", a="from engine.core import y\nfrom .. import z\nx = y")
    write(tmp_path / "src" / "bots", __init__="z = 1", random="")
    write(tmp_path, engine___core="import random; from src.shared import w\nrandom.choice([1])\n"
          "from competitive_sudoku.sudoku import Move\ny = Move(0, 1, 2)", src___shared="w = 1")  # fmt: skip
    assert play(tmp_path / "src" / "bots" / "mine", EMPTY) == {
        "api": "v12",
        "module": "src.bots.mine.sudokuai",
        "proposals": [[0, 1, 2]],
    }


def test_folders_above_hide_no_installed_package(tmp_path):
    """An agent below a folder numpy gets the real numpy, unless that folder has the module that it imports."""
    code = "import numpy.linalg\nfrom rich.mine import x" + AGENT.format("x")
    folder = write(tmp_path / "rich" / "numpy" / "bot", sudokuai=HEAD + code)
    write(tmp_path / "rich", mine="from competitive_sudoku.sudoku import Move\nx = Move(0, 1, 2)")
    assert play(folder, EMPTY, api=["v12"])["proposals"] == [[0, 1, 2]]


def test_agents_within_the_framework_s_package(tmp_path):
    """An agent that lies in a folder competitive_sudoku, and says so, gets its own module and our stand-ins."""
    framework = tmp_path / "competitive_sudoku"
    write(framework, __init__="", sudoku="raise SystemExit")
    code = "from competitive_sudoku.mine.a import x" + AGENT.format("x")
    write(framework / "mine", sudokuai=HEAD + code, a="from competitive_sudoku.sudoku import Move\nx = Move(0, 1, 2)")
    assert play(framework / "mine", EMPTY)["proposals"] == [[0, 1, 2]]


def test_the_api_can_be_forced(tmp_path):
    """A given API is used whatever is detected."""
    folder = write(tmp_path / "agent", sudokuai=HEAD + AGENT.format("game_state.initial_board.f2rc"))
    assert play(folder, api=["v12"])["api"] == "v12"
    assert play(folder, api=["v14"])["api"] == "v14"


@pytest.mark.parametrize(
    ("files", "kind", "message"),
    [
        (None, "NoAgentError", "expected the folder of an agent; found none at "),
        ({}, "NoAgentError", "expected a file sudokuai.py in the folder of an agent; found none in "),
        ({"sudokuai": "x = 1"}, "NoAgentClassError", "expected a class SudokuAI in "),
        ({"sudokuai": "SudokuAI = 1"}, "NoAgentClassError", "found 1"),
        ({"sudokuai": "from competitive_sudoku.sudokuai import SudokuAI"}, "NoAgentClassError", "found <class "),
        ({"sudokuai": "import none_such"}, IMPORT, "found sudokuai.py:1: ModuleNotFoundError: No module"),
        ({"sudokuai": "from . import a", "a": "\n\n1 / 0"}, CRASH, "found a.py:3: ZeroDivisionError: division by zero"),
        ({"sudokuai": "from . import a", "a": "x = 1\ndef ("}, IMPORT, "found a.py:2: SyntaxError: "),
        ({"sudokuai": "raise SystemExit('no')"}, CRASH, "found sudokuai.py:1: SystemExit: no"),
        ({"sudokuai": "", "__init__": "oops"}, CRASH, "found __init__.py:1: NameError: name 'oops' is not defined"),
        ({"sudokuai": "raise ValueError('two\\nlines')"}, CRASH, "found sudokuai.py:1: ValueError: two lines"),
    ],
)  # fmt: skip
def test_what_is_no_agent_is_an_error(files, kind, message, tmp_path):
    """Each reason why a folder is no agent has its own error, in one line with the fault and its place."""
    folder = tmp_path / "agent"
    if files is not None:
        folder.mkdir()
        write(folder, **files)
    told = play(folder)
    assert told["kind"] == kind
    assert message in told["error"]
    assert "\n" not in told["error"]


def test_positions_become_states():
    """Each API gets the position in its own words, and nothing in it is shared between two states."""
    position = Position(
        **ROWS
        | {"squares": (1, *[0] * 15), "moves": ((0, 0, 1, False), (3, 3, 1, True)), "taboo": ((3, 3, 1),)}
        | {"scores": (1, 3), "player": 2, "occupied1": ((0, 0),), "allowed1": ((0, 1), (0, 2))},
    )
    old, new = to_game_state(position, "v12"), to_game_state(position, "v14")
    for state, api in ((old, v12), (new, v14)):
        assert isinstance(state, api.GameState)
        assert (state.board.squares, state.initial_board.squares) == ([1, *[0] * 15], [0] * 16)
        assert [type(move) for move in state.moves] == [api.Move, api.TabooMove]
        assert [type(move) for move in state.taboo_moves] == [api.TabooMove]
        assert state.scores == [1, 3]
        again = to_game_state(position, "v12" if api is v12 else "v14")
        state.board.squares[0] = 2
        assert again.board.squares[0] == 1
    assert old.current_player() == 1
    assert (old.moves[1].i, old.moves[1].j, old.moves[1].value) == (3, 3, 1)
    assert new.current_player == 2
    assert new.moves[0].square == (0, 0)
    assert (new.allowed_squares1, new.occupied_squares1) == ([(0, 1), (0, 2)], [(0, 0)])
    assert to_game_state(Position(**EMPTY), "v14").is_classic_game()
    with pytest.raises(OptionError):
        to_game_state(position, "v1")
