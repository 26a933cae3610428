"""csp-sudoku train: networks from the command line, and the state that survives an interruption."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from csp_sudoku.cli.main import execute
from csp_sudoku.neuroevolution.network import StoredNetwork
from csp_sudoku.neuroevolution.settings import EvolutionSettings
from csp_sudoku.neuroevolution.training import Training
from tests.cli.support import PROGRAM, environment, run, told
from tests.clock import wait_until

pytest.importorskip("neat")

SMALL = ["--shape", "2x2", "--seed", "3", "--population", "40"]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def train(capsys, tmp_path, monkeypatch):
    """Run the command in this process, in a folder of its own: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = execute(["train", "neat", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, told(err)

    return call


@pytest.mark.slow
def test_a_network_is_trained_and_plays(train, tmp_path):
    """The network's file contains the command that made it, and the player uses it."""
    code, out, err = train(*SMALL, "--generations", 40)
    assert (code, err) == (0, "")
    stored = StoredNetwork.load(tmp_path / "neat-2x2.json")
    assert stored.shape == (2, 2)
    assert stored.command == "csp-sudoku train neat --shape 2x2 --seed 3 --generations 40 --population 40"
    assert stored.found["held_out_boards_passed"] == "500/500"
    first, second, *_, last = out.splitlines()
    assert first == f"phase one is passed after {stored.found['passed_phase_one_at'] + 1} generations"
    assert second == "phase one: the best network passes 500/500 held-out boards, by which it was chosen"
    assert last.startswith(f"neat-2x2.json: the network of generation {stored.found['generation']}, ")
    done = run(
        "play",
        f"neat?network={tmp_path / 'neat-2x2.json'}",
        "random",
        "--boards",
        "empty-2x2",
        "--time",
        "60",
        "--json",
    )
    assert json.loads(done.stdout)["reason"] == "board full"


@pytest.mark.slow
def test_the_command_in_the_file_makes_it_again(train, tmp_path):
    """The same command, run elsewhere with other jobs, writes the same file to the byte."""
    train(*SMALL, "--generations", 12, "--network", "one.json")
    again = StoredNetwork.load(tmp_path / "one.json").command.split()[3:]
    train(*again, "--network", "two.json", "--jobs", 2)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_json_is_one_object(train):
    """With --json the output is one object; exit code 1 shows that phase one was not passed."""
    code, out, err = train(*SMALL, "--generations", 1, "--fitness", "threshold", "--start", "full", "--json")
    assert (code, err) == (1, "")
    found = json.loads(out)
    assert found["passed_phase_one_at"] is None
    assert found["command"].endswith(" --population 40 --fitness threshold --start full")
    assert (found["connections"], found["hidden_nodes"]) == (256, 0)


def test_more_generations_go_on(train, tmp_path):
    """A finished training continues with more generations, with the same result as a single run."""
    train(*SMALL, "--generations", 5, "--network", "parts.json")
    out = train(*SMALL, "--generations", 12, "--network", "parts.json")[1]
    assert out.startswith("continuing after 5 generations from parts.json.checkpoint\n")
    train(*SMALL, "--generations", 12, "--network", "whole.json")
    assert (tmp_path / "parts.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def started(folder, *arguments):
    """The program, training for longer than anyone waits."""
    command = [*PROGRAM, "train", "neat", *SMALL, "--generations", "100000", "--network", "long.json", *arguments]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True
    )


def wait_for(path, process, before=b""):
    """Wait until a file is there, and not as it was before."""

    def is_there():
        assert process.poll() is None, process.stderr.read()
        return path.exists() and path.read_bytes() != before

    wait_until(is_there)
    return path.read_bytes()


def goes_on_as_without_interruption(train, folder):
    """Resumed for three generations, it writes the same as a run without interruption."""
    done = Training.begin(EvolutionSettings(2, 2, 3, 40), folder / "long.json.checkpoint").generation
    assert done > 0
    train(*SMALL, "--generations", done + 3, "--network", "long.json")
    train(*SMALL, "--generations", done + 3, "--network", "whole.json")
    assert (folder / "long.json").read_bytes() == (folder / "whole.json").read_bytes()


@posix
@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_kill_9_loses_no_more_than_a_second(train, tmp_path, jobs):
    """Killed, it leaves a whole checkpoint, from which the result is that of a run without interruption."""
    checkpoint = tmp_path / "long.json.checkpoint"
    with started(tmp_path, "--jobs", jobs) as process:
        first = wait_for(checkpoint, process)
        wait_for(checkpoint, process, first)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    goes_on_as_without_interruption(train, tmp_path)


@posix
@pytest.mark.slow
def test_interrupt_loses_nothing(train, tmp_path):
    """Ctrl-C keeps the last whole generation, says so in one word, and ends with 130; no process stays behind."""
    checkpoint = tmp_path / "long.json.checkpoint"
    with started(tmp_path, "--jobs", "2") as process:
        wait_for(checkpoint, process)
        children = _children(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)
    assert (process.returncode, told(err)) == (130, "interrupted\n")
    for child in children:
        wait_until(lambda: not _is_there(child))  # noqa: B023
    goes_on_as_without_interruption(train, tmp_path)


def _children(pid):
    """The processes that a process has started, where the system tells."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    except OSError:
        return []


def _is_there(pid):
    """Whether there is a process of this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing option '--shape'"),
        (["--shape", "7x1"], "7×1"),
        (["--shape", "2x2", "--fitness", "treshold"], "did you mean 'threshold'?"),
        (["--shape", "2x2", "--start", "ful"], "did you mean 'full'?"),
        (["--shape", "2x2", "--population", "7"], "expected a whole number of at least 8; found '7'"),
        (["--shape", "2x2", "--generations", "0"], "expected a whole number of at least 1; found '0'"),
        (["--shape", "2x2", "--network", "/no/such/folder/x"], "expected a file to write, found no folder"),
        (["--shape", "2x2", "--checkpoint", "."], "expected a file to write, found a folder"),
        (
            ["--shape", "2x2", "--network", "x", "--checkpoint", "./x"],
            "expected --network and --checkpoint to be different",
        ),
        (["--shape", "2x2", "--checkpoint", __file__], "expected a checkpoint of csp-sudoku train neat, found another"),
    ],
)
def test_bad_input(train, arguments, message):
    """A training that cannot begin is one line on standard error, and exit code 2."""
    code, out, err = train(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("csp-sudoku: ")
    assert err.count("\n") == 1
    assert message in err


def test_another_player_is_not_trained(capsys):
    """Only neat is."""
    assert execute(["train", "greedy", "--shape", "2x2"]) == 2
    assert "expected a player to train among neat; found 'greedy'" in capsys.readouterr().err


def test_without_neat_python_it_says_what_to_install(train, monkeypatch):
    """Without neat-python the error names the extra that brings it."""
    monkeypatch.setitem(sys.modules, "neat", None)
    monkeypatch.delitem(sys.modules, "csp_sudoku.neuroevolution.evolution", raising=False)
    code, _, err = train(*SMALL)
    assert code == 2
    assert err == 'csp-sudoku: expected neat-python, which "csp-sudoku[neat]" brings; found none\n'
