"""The command line starts light: its help loads none of the heavy packages."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from csp_sudoku import __version__
from csp_sudoku.cli.group import COMMANDS
from csp_sudoku.notation import FORMATS
from tests.cli.support import environment, run

HEAVY = ["matplotlib", "networkx", "numba", "numpy", "ortools", "rich"]


def loaded(*arguments: str) -> set[str]:
    """The packages that a command line has loaded when it ends."""
    script = (
        "import json, sys; from csp_sudoku.cli.main import execute; "
        "code = execute(sys.argv[1:]); print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, env=environment(), check=True, text=True
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0
    return set(modules)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["--version"], [], *([name, "--help"] for name in COMMANDS)], ids=" ".join
)
def test_help_is_light(arguments: list[str]) -> None:
    """No help text costs the import of a solver's or a drawing package."""
    assert loaded(*arguments).isdisjoint(HEAVY)


def test_only_the_asked_command_is_loaded() -> None:
    """A command does not load its sisters."""
    modules = loaded("show", "--help")
    assert "csp_sudoku.cli.show" in modules
    assert "csp_sudoku.cli.generate" not in modules


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_every_command(flag: str) -> None:
    """The help names every command, shows examples, and tells the exit codes."""
    done = run(flag)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)
    assert "Examples:" in done.stdout
    assert "Exit codes:" in done.stdout


def test_no_arguments_is_help() -> None:
    """Who gives no command gets the help."""
    assert run().stdout == run("--help").stdout


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_has_help_with_examples(name: str, flag: str) -> None:
    """Each command explains itself, with lines to copy."""
    done = run(name, flag)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: csp-sudoku {name} ")
    assert f"\n    csp-sudoku {name}" in done.stdout.partition("Examples:")[2]


def test_help_of_convert_names_the_notations() -> None:
    """Who converts is told all the names there are."""
    named = run("convert", "--help").stdout.partition("The notations are ")[2].partition(".")[0]
    assert set(named.replace(" and ", ", ").replace(",", " ").split()) == set(FORMATS)


def test_version() -> None:
    """--version tells the version of the package."""
    assert run("--version").stdout == f"csp-sudoku {__version__}\n"
