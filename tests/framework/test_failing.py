"""The message of an agent's error, with the place in the agent's own files."""

import importlib.util

import pytest

from csp_sudoku import Board
from csp_sudoku.framework.failing import error_line


def raised(path, *arguments):
    """The error that the function `act` of a Python file raises when it is called, or that its import raises."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        module.act(*arguments)
    except Exception as error:  # noqa: BLE001 - any error
        return error
    raise AssertionError("nothing was raised")


@pytest.fixture
def agent(tmp_path):
    """The folder of an agent; its file has this text."""
    folder = tmp_path / "team" / "agent"
    folder.mkdir(parents=True)

    def made(text):
        path = folder / "sudokuai.py"
        path.write_text(text)
        return path

    return made


def test_the_place_is_the_innermost_frame_of_the_agent(agent):
    """A frame of Python's or of ours below it does not count."""
    path = agent("import json\n\ndef act(board):\n    board.parse('x')\n")
    assert error_line(raised(path, Board), str(path.parent)).startswith(
        "sudokuai.py:4: csp_sudoku.errors.NotationError: "
    )
    path = agent("import json\n\ndef act():\n    helped()\n\ndef helped():\n    json.loads('{')\n")
    assert error_line(raised(path), str(path.parent)).startswith("sudokuai.py:7: json.decoder.JSONDecodeError: ")


def test_without_a_folder_there_is_no_place(agent):
    """A player that is no agent in a folder has its message alone."""
    error = raised(agent("def act():\n    raise ValueError('too\\nhard')\n"))
    assert error_line(error, None) == "ValueError: too hard"


def test_files_that_agents_share(agent, tmp_path):
    """If no frame is in the agent's folder, the place is a file outside of it."""
    shared = tmp_path / "team" / "shared.py"
    shared.write_text("def act():\n    1 / 0\n")
    error = raised(shared)
    assert error_line(error, str(tmp_path / "team" / "agent")) == "shared.py:2: ZeroDivisionError: division by zero"


def test_the_folder_is_not_a_prefix_of_a_name(agent, tmp_path):
    """A folder agent10 is not in agent1."""
    path = agent("def act(call):\n    call()\n")
    other = tmp_path / "team" / "agent10"
    other.mkdir()
    (other / "helper.py").write_text("def act():\n    1 / 0\n")
    spec = importlib.util.spec_from_file_location("helper", other / "helper.py")
    helper = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(helper)
    assert error_line(raised(path, helper.act), str(path.parent)).startswith("sudokuai.py:2: ZeroDivisionError")


def test_a_syntax_error_has_its_own_place(agent):
    """It is raised in the import system, and says itself where it is."""
    path = agent("x = 1\ny = (\n")
    assert error_line(raised(path), str(path.parent)).startswith("sudokuai.py:2: SyntaxError: ")
    parsing = agent("import ast\ndef act():\n    ast.parse('(')\n")
    assert error_line(raised(parsing), str(parsing.parent)).startswith("sudokuai.py:3: SyntaxError: ")
