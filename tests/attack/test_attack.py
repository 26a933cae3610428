"""The attack itself: its checks detect faults, and find what they inspect."""

import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from csp_sudoku.arena.store import Store
from tests.arena.test_store import record, scheduled_game
from tests.attack import __main__ as command
from tests.attack import cases, commands, inputs, many, soak, watch
from tests.attack.battery import BOARD, Battery, environment
from tests.attack.hostiles import EITHER, LOSES, PLAYS, Hostile
from tests.attack.registry import HOSTILES, hostile
from tests.attack.table import kind_of, table
from tests.attack.verdict import DELAY, Game, Match, Problem, Verdict, games_of, problems_of
from tests.attack.watch import Seen

TOKEN = f"csp-attack-{os.getpid() % 0xFFFFFFF:07x}"
LEAK = """
import os, pathlib, sys, time
(pathlib.Path(os.environ["TMPDIR"]) / "forgotten").touch()
pathlib.Path("/dev/shm/" + os.environ["CSP_ATTACK_TOKEN"]).touch()
if not os.fork():
    os.setsid()
    if not os.fork():
        os.execve(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(600)"], {})
    os._exit(0)
os.wait()
print("done")
"""


@pytest.fixture
def subreaper():
    """This process adopts orphans during a test."""
    watch.become_subreaper()
    yield
    watch.ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


def test_a_leak_is_found(subreaper, tmp_path, monkeypatch):
    """A command that leaves a process without a mark, a file and shared memory: all three are seen, and cleared up."""
    monkeypatch.setattr(watch, "PATIENCE", 0.2)
    seen = watch.observe(
        [sys.executable, "-S", "-c", LEAK], environment(tmp_path, TOKEN), tmp_path, token=TOKEN, limit=60
    )
    assert (seen.code, seen.out) == (0, "done\n")
    assert len(seen.processes) == 1
    assert "time.sleep(600)" in seen.processes[0]
    assert seen.files == ["temporary/forgotten"]
    assert seen.shared == [f"/dev/shm/{TOKEN}"]
    watch.remove_shared(seen.shared)
    assert watch.shared(TOKEN) == []
    assert watch.left(set()) == []
    kinds = {problem.kind for problem in problems(match(seen=replace(seen, out=REPORT)))}
    assert kinds == {"processes", "files", "shared"}


def test_a_command_that_does_not_end_is_ended(subreaper, tmp_path):
    """At its limit, with all that it has started."""
    endless = [sys.executable, "-S", "-c", "import os, time; os.fork(); time.sleep(600)"]
    seen = watch.observe(endless, environment(tmp_path, TOKEN), tmp_path, token=TOKEN, limit=0.3)
    assert (seen.code, seen.processes) == (None, [])


REPORT = json.dumps({"games": 2, "wins": 1, "draws": 1, "losses": 0})
PLACED = {"outcome": "placed", "move": [0, 0, 1]}
TURNS = [{"player": 1, **PLACED}, {"player": 2, **PLACED}]
NOTES = [
    {"game": "one", "begun": 1.0, "ended": 1.1, "running": [], "memory": True},
    {"game": "one", "begun": 2.0, "ended": 2.1, "running": [], "memory": True},
    {"game": "two", "begun": 99.0, "ended": 99.1, "running": [], "memory": True},
]


def game(key="1", first="hostile", second="honest", score=0.5, turns=TURNS):
    """A game between two agents."""
    return Game(key, f"/agents/{first}", f"/agents/{second}", 0.5, score, {"turns": turns})


GAMES = [game(), game("2", "honest", "hostile")]


def match(seen=None, games=GAMES, notes=NOTES, store=""):
    """A correct match, except for the given changes."""
    return Match(seen or Seen(code=0, out=REPORT, megabytes=100), games, notes, store)


def problems(found, *, expected=PLAYS, harms=(), is_isolated=False):
    """The faults of a match."""
    agent = type("Agent", (), {"expected": expected, "harms": frozenset(harms), "slack": 0.0})
    return problems_of(found, agent, "hostile", match(), games=2, seconds=0.5, is_isolated=is_isolated)


def lost(player, reason, **others):
    """A game that a player loses in the second turn."""
    return game(turns=[TURNS[0], {"player": player, "outcome": "lost", "reason": reason}], **others)


@pytest.mark.parametrize(
    ("wrong", "options", "kind"),
    [
        ({}, {}, None),
        ({"games": GAMES[:1]}, {}, "store"),
        ({"games": [GAMES[0], GAMES[0]]}, {}, "store"),
        ({"store": "the store cannot be read"}, {}, "store"),
        ({"games": [game(score=1.0), GAMES[1]]}, {}, "profit"),
        ({"games": [game(turns=TURNS[:1]), GAMES[1]]}, {"expected": EITHER}, "profit"),
        ({}, {"expected": LOSES}, "profit"),
        ({"games": [lost(2, "crash: killed"), GAMES[1]]}, {}, "opponent"),
        ({"games": [lost(2, "crash: killed"), GAMES[1]]}, {"harms": ["loss"]}, "opponent"),
        ({"games": [lost(2, "crash: killed from outside"), GAMES[1]]}, {"harms": ["loss"]}, None),
        (
            {"games": [lost(2, "crash: killed from outside"), GAMES[1]]},
            {"harms": ["loss"], "is_isolated": True},
            "opponent",
        ),
        ({"games": [lost(2, "no proposal"), GAMES[1]]}, {}, "clock"),
        ({"games": [lost(1, "crash: exit", score=0.0), GAMES[1]]}, {}, "loss"),
        ({"games": [lost(1, "crash: exit", score=0.0), GAMES[1]]}, {"expected": EITHER}, None),
        ({"games": [lost(1, "crash: exit", score=1.0), GAMES[1]]}, {"expected": EITHER}, "score"),
        ({"notes": [{**NOTES[0], "running": ["7 R"]}]}, {}, "time"),
        ({"notes": [{**NOTES[0], "running": ["7 R"]}]}, {"harms": ["time"]}, None),
        ({"notes": [{**NOTES[0], "memory": False}]}, {}, "opponent"),
        ({"notes": [NOTES[0], {**NOTES[1], "begun": 1.7 + DELAY}]}, {}, "clock"),
        ({"seen": Seen(code=0, out=REPORT, megabytes=200)}, {}, "memory"),
        ({"seen": Seen(code=1, out=REPORT)}, {}, "end"),
        ({"seen": Seen(code=None, out=REPORT)}, {}, "end"),
        ({"seen": Seen(code=0, out=REPORT, err="Traceback (most …)\nValueError")}, {}, "end"),
        ({"seen": Seen(code=0, out="")}, {}, "report"),
        ({"seen": Seen(code=0, out=REPORT.replace("2", "3"))}, {}, "report"),
    ],
)
def test_what_is_wrong_is_found(wrong, options, kind):
    """Each kind of fault, and each known harm, which is no fault without isolation."""
    assert {problem.kind for problem in problems(match(**wrong), **options)} == ({kind} if kind else set())


def test_agents_are_found_by_name():
    """Each agent has a docstring, and a case in each setting; the worst of them only where they can do no harm."""
    assert len(cases.all_cases()) > 200
    assert hostile("kills-parent") is HOSTILES["kills-parent"]
    assert all(agent.__doc__ and issubclass(agent, Hostile) for agent in HOSTILES.values())
    assert [case for case in cases.all_cases() if case.startswith("kills-everybody")] == [
        "kills-everybody:isolated", "kills-everybody:isolated-persistent",
    ]  # fmt: skip
    assert cases.chosen(["prints:forked", "stores"]) == ["prints:forked", "stores"]
    with pytest.raises(ValueError, match="nobody"):
        cases.chosen(["nobody"])
    assert set(cases.shuffled(1)) - set(cases.shuffled(1, minutes=1)) == cases.LONG
    assert sorted(cases.shuffled(1)) == sorted(cases.all_cases()) != cases.shuffled(1) != cases.shuffled(2)


def test_the_command_says_how_to_repeat_a_failure(monkeypatch, capsys):
    """The exit code is 1, and a line has the name and the seed."""
    wrong = Verdict("prints:forked", 2, PLAYS, "played on 2", (Problem("files", "1 file is left"),))
    for found, code in (((), 0), ((wrong,), 1)):
        monkeypatch.setattr(command, "run", lambda *_, found=found: iter(found))
        monkeypatch.setattr(command, "become_subreaper", lambda: None)
        assert command.main(["--seed", "7", "--only", "prints:forked"]) == code
    assert "1 file is left | python -m tests.attack --only prints:forked --seed 7" in capsys.readouterr().out
    assert command.main(["--seed", "7", "--only", "prints:forked", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdicts"][0]["problems"] == ["1 file is left"]


def test_the_table_has_a_row_for_each_kind():
    """Attacks of an agent belong to what its module is about; those that were skipped or tried again are counted."""
    hostile("harmless")
    assert [kind_of(case) for case in ("prints:forked", "forks:isolated", "stores")] == [
        "agents: flooding", "agents: starting", "stores",
    ]  # fmt: skip
    verdicts = [
        Verdict("prints:forked", 2, PLAYS, "", tries=2),
        Verdict("maps:forked", 1000, PLAYS, "", (Problem("files", "x"),)),
        Verdict("maps:isolated", 0, "", "skipped: no", is_skipped=True),
        Verdict("stores", 60, "", ""),
    ]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table(verdicts).splitlines()]
    assert cells[2:] == [
        ["agents: flooding", "3", "1,002", "1", "1", "1", "1"],
        ["stores", "1", "60", "1", "0", "0", "0"],
        ["all", "4", "1,062", "2", "1", "1", "1"],
    ]


def test_attacks_run_side_by_side(monkeypatch):
    """Each process has a part of the cases; a process that ends too early is a problem."""
    found = list(cases.run_side_by_side(["readers"], 1, 0.0, 2))
    assert found == []  # no time is left to begin the attack
    monkeypatch.setattr(sys, "executable", "false")
    (verdict,) = cases.run_side_by_side(["readers"], 1, None, 2)
    assert "before 1 attacks: ['readers']" in verdict.problems[0].text
    told = Verdict("readers", 3, "x", "y", (Problem("", "z"),), 2)
    assert Verdict.from_object(json.loads(json.dumps(told.as_object()))) == told


@pytest.mark.parametrize(
    ("answer", "is_wrong"),
    [
        ({"code": 0, "err": ""}, False),
        ({"code": 2, "err": "csp-sudoku: expected x; found y\n"}, False),
        ({"code": 2, "err": ""}, True),
        ({"code": 2, "err": "csp-sudoku: expected x; found y\nsomething else\n"}, True),
        ({"code": 2, "err": f"csp-sudoku: found {'9' * 5000}\n"}, True),
        ({"code": 3, "err": "Traceback (most recent call last)"}, True),
        ({"code": "raised", "err": ""}, True),
        ({"code": -9, "err": ""}, True),
    ],
)
def test_what_comes_of_a_hostile_command_line_is_judged(answer, is_wrong):
    """One line for what is wrong, of bounded length; nothing is raised."""
    assert bool(commands.wrong(["solve", "9" * 5000], answer)) is is_wrong


@pytest.mark.slow
def test_hostile_command_lines(tmp_path):
    """A few of them, and their options come from the help texts."""
    helps = dict.fromkeys(commands.COMMANDS, "Options:\n  --seed N  A seed.\n")
    lines = commands.command_lines(Random(1), helps, 200)
    assert {"--seed"} == {word.partition("=")[0] for line in lines for word in line if word.startswith("--seed")}
    verdict = commands.verdict(seed=3, count=10)
    assert verdict.is_ok, verdict.problems


def test_a_store_of_many_games_is_made_of_one(tmp_path):
    """The rows have the keys, seeds and players that are given."""
    with Store(tmp_path / "one.db") as store:
        store.add(scheduled_game(), record())
    many.fill(tmp_path / "many.db", tmp_path / "one.db", [["k1", "7", "a", "b"], ["k2", "8", "b", "a"]])
    found = games_of(tmp_path / "many.db")
    assert [(one.key, one.first, one.second, one.record["seed"]) for one in found] == [
        ("k1", "a", "b", 7), ("k2", "b", "a", 8),
    ]  # fmt: skip
    with Store(tmp_path / "many.db") as store:
        assert store.count == len(list(store.games())) == 2


@pytest.mark.parametrize(("command", "count"), [("match", 2), ("tournament", 12)])
def test_the_keys_of_many_games_are_those_of_the_product(command, count, tmp_path):
    """They come from a script, which has to follow the product's names."""
    (tmp_path / "board.txt").write_text(BOARD)
    script = [sys.executable, "-c", many.KEYS, "2", *many.PLAYERS[command]]
    done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=True)
    games = [line.split() for line in done.stdout.splitlines()]
    assert len({key for key, *_ in games}) == len(games) == count
    assert {player for *_, first, second in games for player in (first, second)} == set(many.PLAYERS[command])


def test_a_curve_that_grows_is_not_flat():
    """Growth beyond the allowance is found, and growth in the first quarter is none."""
    flat = [dict.fromkeys(soak.ALLOWANCES, 50.0) for _ in range(40)]
    early = [{**row, "memory_mb": min(50.0, 5.0 * number)} for number, row in enumerate(flat)]
    grows = [{**row, "files": 50.0 + number} for number, row in enumerate(flat)]
    assert soak.steep(flat) == soak.steep(early) == []
    assert soak.steep(grows) == ["files grew from 64.5 to 84.5"]
    assert soak.means(grows, "files") == (54.5, 84.5)
    assert soak.steep(flat[:3]) == ["expected at least 8 rows; found 3"]


def test_what_comes_of_a_damaged_store_is_judged():
    """A report on all rows or one line; anything else is a fault."""
    good = {"file": "1.db", "code": 0, "out": '{"games": 2}', "err": ""}
    assert inputs._wrong(good, 2) == inputs._wrong(good, None) == []
    assert inputs._wrong({**good, "code": 2, "err": "csp-sudoku: expected x; found y\n"}, 2) == []
    for wrong in ({"out": '{"games": 1}'}, {"out": ""}, {"code": 1}, {"code": 2}, {"code": 2, "err": "Traceback\nx\n"}):
        assert inputs._wrong({**good, **wrong}, 2)


def test_a_damaged_store_cannot_be_read(tmp_path):
    """The attack reads stores by itself, and notices damage."""
    path = tmp_path / "games.db"
    path.write_bytes(b"SQLite format 3\0" + bytes(200))
    with pytest.raises(sqlite3.Error):
        games_of(path)


@pytest.fixture(scope="module")
def battery():
    """The battery, with one match of the harmless agent for all tests."""
    return Battery(seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "setting"), [("kills-opponent", "persistent"), ("plants-pickle", "isolated")])
def test_an_attack_fails(subreaper, battery, name, setting):
    """Two attacks of the battery, one of which does its known harm, and the other none."""
    reason = cases.why_not(f"{name}:{setting}")
    if reason is not None:
        pytest.skip(reason)
    verdict = battery.verdict(name, setting)
    assert verdict.is_ok, verdict.problems
    assert verdict.games == 2
