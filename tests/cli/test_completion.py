"""Completion in the shell: the program answers click's protocol with the names that may stand there."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys

import click
import pytest
from click.shell_completion import BashComplete

from csp_sudoku.cli.arguments import shipped_names
from csp_sudoku.cli.bench import BENCHMARKS
from csp_sudoku.cli.group import COMMANDS, main
from csp_sudoku.cli.moves import ENGINE_NAMES
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.moves.classification import ENGINES
from csp_sudoku.notation import format_names
from csp_sudoku.players.spec import registered_players
from csp_sudoku.solvers.registry import PRESETS, SOLVERS
from tests.cli.support import PROGRAM, environment
from tests.cli.test_startup import HEAVY, commands

HARD = [name for name in shipped_names() if name.startswith("hard-3")]
PLAYERS = [player.name for player in registered_players()]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(line: str) -> dict[str, str]:
    """The environment in which bash asks for the completions of the last word of a line."""
    words = shlex.split(line) + [""] * line.endswith(" ")
    return environment(_CSP_SUDOKU_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))


def answered(line: str) -> subprocess.CompletedProcess[str]:
    """The program's answer to bash."""
    return subprocess.run(PROGRAM, capture_output=True, env=asked(line), check=False, text=True)


def completions(line: str) -> list[str]:
    """The completions of the last word of a line, in this process; a type other than plain is before the value."""
    *words, last = shlex.split(line) + [""] * line.endswith(" ")
    found = BashComplete(main, {}, "csp-sudoku", "_CSP_SUDOKU_COMPLETE").get_completions(words[1:], last)
    return [item.value if item.type == "plain" else f"{item.type}:{item.value}" for item in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("csp-sudoku ", COMMANDS),
        ("csp-sudoku so", ["solve", "solvers"]),
        ("csp-sudoku solve --solver ", [*SOLVERS, *PRESETS]),
        ("csp-sudoku solve --solver=ex", ["exact-cover"]),
        ("csp-sudoku solve ", shipped_names()),
        ("csp-sudoku show hard-3", HARD),
        ("csp-sudoku solve hard-3x3 --format ", format_names()),
        ("csp-sudoku solve --to ", format_names()),
        ("csp-sudoku convert --to ", format_names()),
        ("csp-sudoku generate --shape 3x3 --to ", format_names()),
        ("csp-sudoku moves --engine ", ENGINE_NAMES),
        ("csp-sudoku moves --only ", ["safe", "bombs"]),
        ("csp-sudoku value --mode ", [mode.value for mode in PlayMode]),
        ("csp-sudoku play ", sorted([*PLAYERS, "human"])),
        ("csp-sudoku match ", PLAYERS),
        ("csp-sudoku play random gre", ["greedy"]),
        ("csp-sudoku play random greedy --boards ", shipped_names()),
        ("csp-sudoku play random greedy --mode r", ["rows", "random"]),
        ("csp-sudoku match random ", PLAYERS),
        ("csp-sudoku match --boards hard-3x3 ", shipped_names()),
        ("csp-sudoku tournament random greedy ", PLAYERS),
        ("csp-sudoku tournament random greedy --boards ", shipped_names()),
        ("csp-sudoku tournament random greedy --boards hard-3x3 ", shipped_names()),
        ("csp-sudoku tournament --boards hard-3x3 -- ", PLAYERS),
        ("csp-sudoku tournament random greedy --system s", ["swiss"]),
        ("csp-sudoku bench ", [*BENCHMARKS, "compare"]),
        ("csp-sudoku bench agents --player ", PLAYERS),
        ("csp-sudoku bench agents --boards ", shipped_names()),
        ("csp-sudoku bench agents --boards hard-3x3 ", shipped_names()),
        ("csp-sudoku train ", ["neat"]),
        ("csp-sudoku replay ", ["file:"]),
        ("csp-sudoku solve puzzles/", ["file:puzzles/"]),
        ("csp-sudoku solve --time", ["--time-limit"]),
        ("csp-sudoku bench agents --boards hard-3x3 --ti", ["--time"]),
        ("csp-sudoku moves --dead", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_names_are_completed(line, expected) -> None:
    """The tab key offers the names that may stand at that place, and no other."""
    assert completions(line) == list(expected)


def test_files_are_completed_beside_names(here) -> None:
    """If both a file and a name are possible, the files of the current folder come after the names."""
    (here / "hard-3.txt").touch()
    (here / "hard-3-more").mkdir()
    (here / "easy.txt").touch()
    (here / ".hidden").touch()
    assert completions("csp-sudoku solve hard-3") == [*HARD, "hard-3-more/", "hard-3.txt"]
    assert completions("csp-sudoku solve ")[-3:] == ["easy.txt", "hard-3-more/", "hard-3.txt"]


def test_the_names_of_engines_are_all() -> None:
    """The command line, which does not load the engines to complete their names, knows all of them."""
    assert set(ENGINE_NAMES) == {"auto", *ENGINES}


@pytest.mark.parametrize(
    "line",
    ["csp-sudoku slove ", "csp-sudoku bench agentz ", "csp-sudoku solve --solver x --to ", "csp-sudoku show --names "],
)
def test_a_mistake_in_the_line_is_no_error(line) -> None:
    """A line that is wrong so far prints no error and no traceback over the prompt."""
    done = answered(line)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", [name for name, _ in commands(main, "csp-sudoku")])
def test_every_completer_is_light(name) -> None:
    """Each completer answers without the packages that take long to load."""
    script = (
        "import json, sys; from csp_sudoku.cli.group import main; from click.shell_completion import BashComplete; "
        "words = json.loads(sys.argv[1]); complete = BashComplete(main, {}, 'csp-sudoku', 'X').get_completions; "
        "[complete(line, '') for line in words]; print(json.dumps(sorted(sys.modules)))"
    )
    command = dict(commands(main, "csp-sudoku"))[name]
    words = name.split()[1:]
    lines = [words] + [[*words, option.opts[0]] for option in command.params if isinstance(option, click.Option)]
    done = subprocess.run([sys.executable, "-c", script, json.dumps(lines)], capture_output=True, check=True, text=True)
    assert set(json.loads(done.stdout)).isdisjoint(HEAVY)


def test_protocol() -> None:
    """The program itself answers the shell, one typed item per line."""
    done = answered("csp-sudoku solve --solver ex")
    assert (done.stdout, done.stderr) == ("plain,exact-cover\n", "")
    assert answered("csp-sudoku show hard-3").stdout.splitlines() == [f"plain,{name}" for name in HARD]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_line_of_the_readme_defines_the_completion() -> None:
    """The line of the README evaluates to a completion function for the program."""
    source = subprocess.run(
        PROGRAM, capture_output=True, env=environment(_CSP_SUDOKU_COMPLETE="bash_source"), check=True, text=True
    ).stdout
    told = subprocess.run(
        ["bash", "-c", f"{source}\ncomplete -p csp-sudoku"], capture_output=True, check=True, text=True
    )
    assert told.stdout.endswith(" csp-sudoku\n")


def test_no_completer_is_forgotten() -> None:
    """Every option for a board, a solver, an engine, a mode or a notation has a completer."""
    wanted = {"--boards", "--solver", "--engine", "--mode", "--format", "--to", "--system", "--player"}
    for name, command in commands(main, "csp-sudoku"):
        for option in command.params:
            if wanted & set(option.opts) and option.metavar != "MODULE:FUNCTION":
                assert option._custom_shell_complete is not None, (name, option.opts)
