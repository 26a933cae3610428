"""Compiling ahead: what is compiled is what solvers and players need, and a failure is one line."""

import subprocess
import sys

import pytest

from csp_sudoku import OptionError, warm_up
from csp_sudoku.cli.main import execute
from tests.cli.support import environment

NEEDED = """
from csp_sudoku import Board, solve, classify_moves, get_solver
from csp_sudoku.search.thinking import warm_up
from csp_sudoku.solvers.kernels import compiled
compiled._compile_in_thread = lambda function, types, get=compiled._compile_in_thread: (
    get(function, types), function.stats.cache_misses and print("compiled", function.__name__))
warm_up()
for name in ("exact-cover", "learning", "backtracking"):
    get_solver(name).count(Board.empty(2, 2), 2)
for engine in ("rule", "search"):
    classify_moves(Board.empty(2, 2), engine=engine)
"""


def test_nothing_is_compiled_after_it():
    """The champion, every solver and every map find all their kernels in the cache."""
    warm_up.warm_up()
    done = subprocess.run([sys.executable, "-c", NEEDED], capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout == ""


def test_every_group_is_of_use():
    """Each name needs groups that there are, and each group but those of one engine alone is needed by a name."""
    needed = {group for groups in warm_up.NEEDS.values() for group in groups}
    assert needed == set(warm_up.GROUPS)


def test_what_is_missing_is_compiled_once(monkeypatch, tmp_path):
    """Groups with a marker are left alone; progress counts the others."""
    monkeypatch.setattr(warm_up, "_marker", lambda group: tmp_path / group)
    monkeypatch.setattr(warm_up, "_compile_apart", lambda group: (tmp_path / group).touch())
    (tmp_path / "nine").touch()
    steps = []
    assert warm_up.warm_up(["auto"], jobs=1, on_progress=lambda *step: steps.append(step)) == 3
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert warm_up.warm_up(["auto"]) == 0
    assert not warm_up.is_ready("rule")


def test_what_cannot_be_compiled_is_one_line(monkeypatch, capsys):
    """A process that fails is reported with its last line."""
    monkeypatch.setattr(warm_up, "is_ready", lambda group: False)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(warm_up.WarmUpError, match=r"expected to compile the kernels of 'nine'; found exit code 1"):
        warm_up._compile_apart("nine")
    assert execute(["warm-up", "auto"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_unknown_name():
    """A name that nothing has is an error with a hint."""
    with pytest.raises(OptionError, match="did you mean 'champion'"):
        warm_up.needed(["champoin"])
