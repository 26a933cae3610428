"""The old names of options: they are accepted, they name the new ones on standard error, and no help shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from csp_sudoku.cli.aliases import RenamedOption, renamed_option
from csp_sudoku.cli.bench import OWN
from csp_sudoku.cli.group import main
from csp_sudoku.cli.main import execute
from tests.cli.support import EMPTY, told
from tests.cli.test_startup import commands

SINGULAR = {"--board", "--deadline", "--limit", "--rows", "--columns"}
"""The names that no command shows any more."""


def said(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> tuple[str, str]:
    """The output of a command line on standard output and standard error."""
    assert execute([str(argument) for argument in arguments]) == code
    captured = capsys.readouterr()
    return captured.out, told(captured.err)


def options() -> Iterator[tuple[str, click.Option]]:
    """Each option of each command."""
    for name, command in commands(main, "csp-sudoku"):
        for option in command.params:
            if isinstance(option, click.Option):
                yield name, option


@pytest.mark.parametrize("arguments", [["--old", "2"], ["--old=2"], ["--new", "1", "--old", "2"]], ids=" ".join)
def test_an_old_name_is_the_option(arguments, capsys) -> None:
    """An old name sets the same value, before or after the new one, and one line names the new one."""

    @click.command
    @renamed_option("--new", old="--old", type=int)
    def command(new):
        return new

    assert command.main(arguments, standalone_mode=False) == 2
    assert capsys.readouterr() == ("", "csp-sudoku: --old is called --new now\n")
    assert command.main(["--new", "2"], standalone_mode=False) == 2
    assert capsys.readouterr() == ("", "")


def test_an_old_name_is_told_once(capsys) -> None:
    """An old name that is repeated prints one line for each command line, and the values are in order."""

    @click.command
    @renamed_option("--boards", old="--board", multiple=True)
    def command(boards):
        return boards

    for _ in range(2):
        arguments = ["--board", "a", "--boards", "b", "--board", "c"]
        assert command.main(arguments, standalone_mode=False) == ("a", "b", "c")
        assert capsys.readouterr().err == "csp-sudoku: --board is called --boards now\n"


def test_an_error_names_the_new_name(capsys) -> None:
    """A wrong value is an error of the option under its new name."""
    _, err = said(capsys, "moves", "--deadline", "soon", EMPTY, code=2)
    assert err.startswith("csp-sudoku: --deadline is called --time-limit now\n")
    assert "'--time-limit'" in err.splitlines()[1]


def test_time_limit_was_deadline(capsys) -> None:
    """`moves --deadline` is `moves --time-limit`."""
    out, err = said(capsys, "moves", "--deadline", "0", EMPTY, code=3)
    assert err == "csp-sudoku: --deadline is called --time-limit now\n"
    assert said(capsys, "moves", "--time-limit", "0", EMPTY, code=3)[0].splitlines()[:-1] == out.splitlines()[:-1]


def test_time_limit_was_limit(tmp_path, capsys) -> None:
    """`bench … --limit` is `bench … --time-limit`."""
    asked = ["bench", "search", "--quick", "--plan", "--out", tmp_path, "--boards", "empty-2x2", "empty-2x3"]
    out, err = said(capsys, *asked, "--limit", "3")
    assert err == "csp-sudoku: --limit is called --time-limit now\n"
    assert said(capsys, *asked, "--time-limit", "3") == (out, "")


def test_boards_was_board(tmp_path, capsys) -> None:
    """`play --board` and `bench … --board` are `--boards`."""
    err = said(capsys, "play", "random", "random", "--board", "no-such-board", code=2)[1]
    assert err.startswith("csp-sudoku: --board is called --boards now\ncsp-sudoku: no-such-board: ")
    asked = ["bench", "agents", "--quick", "--plan", "--only", "random", "--only", "greedy", "--out", tmp_path]
    out, err = said(capsys, *asked, "--board", "empty-2x2", "--board", "empty-2x3")
    assert err == "csp-sudoku: --board is called --boards now\n"
    assert said(capsys, *asked, "--boards", "empty-2x2", "empty-2x3") == (out, "")
    assert said(capsys, *asked, "--boards", "empty-2x2")[0] != out


def test_shape_was_rows_and_columns(capsys) -> None:
    """`generate --rows M --columns N --format F` is `generate --shape MxN --to F`."""
    out, err = said(capsys, "generate", "--rows", "2", "--columns", "3", "--seed", "1", "--format", "line")
    assert err.splitlines() == [
        "csp-sudoku: --format is called --to now",
        "csp-sudoku: --rows M --columns N is called --shape MxN now",
    ]
    assert said(capsys, "generate", "--shape", "2x3", "--seed", "1", "--to", "line") == (out, "")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--rows", "3"], "--rows"),
        (["--columns", "3"], "--columns"),
        (["--shape", "3x3", "--rows", "3"], "--shape and --rows"),
        ([], "neither"),
    ],
    ids=str,
)
def test_a_shape_is_given_once(arguments, names, capsys) -> None:
    """A shape is --shape alone, or both of the old options."""
    out, err = said(capsys, "generate", *arguments, code=2)
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("csp-sudoku: expected --shape MxN")
    assert err.endswith(f"; found {names}\n")


def test_system_was_format(capsys) -> None:
    """`tournament --format` is `tournament --system`."""
    err = said(capsys, "tournament", "random", "greedy", "--format", "swis", code=2)[1]
    assert err.startswith("csp-sudoku: --format is called --system now\n")
    assert "did you mean 'swiss'?" in err


def test_network_was_out(capsys) -> None:
    """`train --out` is `train --network`."""
    err = said(capsys, "train", "neat", "--shape", "2x2", "--out", "/no/such/folder/x", code=2)[1]
    assert err.startswith("csp-sudoku: --out is called --network now\ncsp-sudoku: /no/such/folder/x: ")


def test_no_help_shows_an_old_name(capsys) -> None:
    """The help and the examples of every command have the new names only."""
    for name, command in commands(main, "csp-sudoku"):
        text = command.get_help(click.Context(command, info_name=name))
        words = set(re.findall(r"--[a-z-]+", text))
        renamed = {option.old for option in command.params if isinstance(option, RenamedOption)}
        assert not words & (SINGULAR | renamed), name


def test_one_name_means_one_thing() -> None:
    """In every command, --json is a flag, --format and --to are notations, and --out is a folder."""
    for name, option in options():
        if "--json" in option.opts:
            assert option.is_flag, name
        if {"--format", "--to"} & set(option.opts):
            assert option.metavar == "NOTATION", name
        if "--out" in option.opts:
            assert option.metavar == "FOLDER", name
    assert set(OWN) <= {name.split()[-1] for name, _ in options()}
