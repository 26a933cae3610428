"""The command line starts light: its help loads none of the heavy packages."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from csp_sudoku import __version__
from csp_sudoku.cli.group import COMMANDS, PARTS, main
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
    """The help names every command, shows examples, and lists the exit codes."""
    done = run(flag)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)
    assert "Examples:" in done.stdout
    assert "Exit codes:" in done.stdout


def test_help_has_parts() -> None:
    """The commands stand under the headings of their parts, in order, and none stands in two of them."""
    lines = run("--help").stdout.splitlines()
    headings = [lines.index(f"{part}:") for part in PARTS]
    assert headings == sorted(headings)
    for heading, names in zip(headings, PARTS.values(), strict=True):
        assert [line.split()[0] for line in lines[heading + 1 : heading + 1 + len(names)]] == list(names)
        assert not lines[heading + 1 + len(names)]
    assert len(set(COMMANDS)) == len(COMMANDS)
    assert max(map(len, lines)) <= 80


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    """The commands of a group with their names, including those of nested groups."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


SENTENCE = re.compile(r"[A-Z0-9].*[.](  \[default: .+\])?", re.DOTALL)


@pytest.mark.parametrize(("name", "command"), list(commands(main, "csp-sudoku")), ids=str)
def test_help_is_made_of_sentences(name: str, command: click.Command) -> None:
    """Each text of a command and of its options is made of sentences, and gives its default in brackets."""
    texts = [inspect.cleandoc(command.help or ""), command.short_help]
    texts += [option.help for option in command.params if isinstance(option, click.Option)]
    assert [text for text in texts if not (text and SENTENCE.fullmatch(text))] == [], name
    options = " ".join(text for text in texts if text)
    assert not re.search(r"by default|\b[Tt]ell\b", options), "a default is in brackets, and a command reports"


def test_no_arguments_is_help() -> None:
    """Without a command the program prints the help."""
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
    """The help of convert names every notation."""
    named = run("convert", "--help").stdout.partition("The notations are ")[2].partition(".")[0]
    assert set(named.replace(" and ", ", ").replace(",", " ").split()) == set(FORMATS)


def test_help_of_solve_names_the_notations_of_solutions() -> None:
    """The help of `solve --to` names every notation."""
    help_text = " ".join(run("solve", "--help").stdout.split())
    named = help_text.partition("Print only the solutions, in this notation: ")[2].partition(".")[0]
    assert set(named.replace(" or ", ", ").replace(",", " ").split()) == set(FORMATS)


def test_version() -> None:
    """--version prints the version of the package."""
    assert run("--version").stdout == f"csp-sudoku {__version__}\n"
