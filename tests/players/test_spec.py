"""The text that names a player: the players it finds, the options it sets, and its errors."""

import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import csp_sudoku
from csp_sudoku import OptionError, agents
from csp_sudoku.framework.loading import AgentCrashError, AgentError, AgentImportError, NoAgentClassError, NoAgentError
from csp_sudoku.players import Agent, Spec, registered_players
from csp_sudoku.players import spec as spec_module
from csp_sudoku.players.spec import labels
from tests.cli.support import environment

pytestmark = pytest.mark.quick

SOURCE = Path(csp_sudoku.__file__).parent
PLAYERS = Path(agents.__path__[0])
FRAMEWORK = "class SudokuAI: pass\n"
NATIVE = """
from csp_sudoku.framework import adapter
from csp_sudoku.players import Agent
from csp_sudoku.solvers.base import Option

class First(Agent):
    OPTIONS = {"depth": Option(2, int, "how deep"), "style": Option("calm", ("calm", "wild"), "how")}

    def proposals(self, state):
        yield state.moves()[0]

SudokuAI = adapter.framework_player(First)
"""


def folder_of(place, code=FRAMEWORK):
    """An agent's folder."""
    place.mkdir(parents=True)
    (place / "sudokuai.py").write_text(code)
    return place


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["random", "naive", "greedy"])
def test_the_baselines_are_found_by_every_name(name, here):
    """A short name, the folder's name, a dotted path and the folder itself are the same player, wherever one is."""
    texts = [name, f"{name}_player", f"agents.{name}_player", f"csp_sudoku.agents.{name}_player"]
    texts.append(str(PLAYERS / f"{name}_player"))
    assert {Spec.parse(text) for text in texts} == {Spec(name)}
    spec = Spec.parse(texts[2])
    assert (str(spec), spec.label, spec.is_registered, spec.is_native) == (name, name, True, True)
    assert (spec.folder / "sudokuai.py").is_file()


@pytest.mark.parametrize(
    "text",
    ["./team/agent7", "team/agent7", "team/agent7/", "team.agent7", "./team/agent7/sudokuai.py", "~/team/agent7"],
)
def test_folders_are_found_from_the_current_one(text, here, monkeypatch):
    """A folder is found by its path, from the home folder too, and by its dotted path; it need not be a package."""
    place = folder_of(here / "team" / "agent7")
    monkeypatch.setenv("HOME", str(here))
    spec = Spec.parse(text)
    assert (spec.folder, spec.label, spec.is_registered, spec.is_native) == (place, "agent7", False, False)
    assert Spec.parse(str(place)) == spec


@pytest.mark.parametrize("name", ["agent7", "team.v2", "what?now", "odd=?name&", "100%26"])
def test_a_folder_here_needs_no_path(name, here):
    """A folder of the current one is found by its name alone, whatever that is."""
    folder_of(here / name)
    spec = Spec.parse(name)
    assert spec.folder == here / name
    assert Spec.parse(str(spec)) == spec


def test_a_link_keeps_its_name(here):
    """A link to a folder is a player of the link's name, for that is the package's."""
    (here / "mine").symlink_to(folder_of(here / "theirs"))
    assert Spec.parse("./mine").label == "mine"


def test_a_link_to_one_of_ours_is_it(here):
    """A link to a folder of ours is that player."""
    (here / "mine").symlink_to(PLAYERS / "greedy_player")
    assert Spec.parse("./mine") == Spec("greedy")


def test_registered_names_come_first(here):
    """A folder that is called like a player of ours is found by its path only."""
    folder_of(here / "greedy")
    assert Spec.parse("greedy").is_registered
    assert Spec.parse("./greedy").folder == here / "greedy"


def test_our_dotted_path_may_be_taken(here):
    """A folder agents/ in the current folder has priority over ours, as in Python; other players are ours."""
    place = folder_of(here / "agents" / "greedy_player")
    assert Spec.parse("agents.greedy_player").folder == place
    assert Spec.parse("agents.naive_player") == Spec("naive")


def test_packages_are_found_where_python_finds_them(here, monkeypatch):
    """A dotted path leads to an importable package, which is not imported for that."""
    place = folder_of(here / "lib" / "squad" / "sub" / "player")
    (here / "lib" / "squad" / "__init__.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(here / "lib")
    assert Spec.parse("squad.sub.player").folder == place
    assert "squad" not in sys.modules


def test_options_are_in_order_of_their_names():
    """Equal options are equal specs; an option without a value is true; texts round trip."""
    spec = Spec.parse("greedy?safe")
    assert spec == Spec.parse("greedy?safe=true")
    assert (str(spec), spec.label) == ("greedy?safe=true", "greedy?safe=true")
    assert spec.settings(spec.agent().OPTIONS) == {"safe": True}
    assert Spec.parse("greedy").settings(spec.agent().OPTIONS) == {"safe": False}


def test_any_value_round_trips():
    """Values may contain the characters that separate options."""
    spec = Spec("greedy", (("a", "1&2=3"), ("b", "50%?"), ("c", "mrv+degree %26")))
    assert Spec.read(str(spec)) == spec
    assert hash(Spec.read(str(spec))) == hash(spec)
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_a_spec_means_the_same_elsewhere(here, monkeypatch):
    """The text of a spec does not depend on the current folder."""
    folder_of(here / "agent7")
    text = str(Spec.parse("agent7"))
    (here / "other").mkdir()
    monkeypatch.chdir(here / "other")
    assert Spec.parse(text).folder == here / "agent7"


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("greddy", OptionError, "found 'greddy' (did you mean 'greedy'?)"),
        ("zzz", OptionError, "expected a player (or the folder of one) among "),
        ("", OptionError, "expected the name or the folder of a player; found ''"),
        ("?safe", OptionError, "expected the name or the folder of a player; found ''"),
        ("greedy?", OptionError, "expected option=value in the player 'greedy?'; found ''"),
        ("greedy?=1", OptionError, "found '=1'"),
        ("greedy?safe&safe=no", OptionError, "once; found 'safe' again"),
        ("greedy?save=1", OptionError, "expected a greedy option among safe; found 'save' (did you mean 'safe'?)"),
        ("greedy?safe=7", OptionError, "expected greedy option safe to be true|false; found '7'"),
        ("naive?safe", OptionError, "expected no option of naive, which has none; found 'safe'"),
        ("./none", NoAgentError, "expected the folder of an agent; found none at "),
        ("~/none/at/all", NoAgentError, "expected the folder of an agent; found none at "),
        ("./file", NoAgentError, "expected the folder of an agent; found a file at "),
        (".", NoAgentError, "expected a file sudokuai.py in the folder of an agent; found none in "),
        ("team.none", NoAgentError, "expected a package with a module sudokuai; found none of the name 'team.none'"),
        ("agents.none", NoAgentError, "found none of the name 'agents.none'"),
        ("a..b", NoAgentError, "found none of the name 'a..b'"),
        ("team.agent7?depth=1", OptionError, "expected no option of agent7, which has none; found 'depth'"),
    ],
)
def test_what_is_no_player_is_an_error(text, kind, message, here):
    """Each mistake is one line with the expected text and the text found."""
    (here / "file").write_text("")
    folder_of(here / "team" / "agent7")
    with pytest.raises(kind) as caught:
        Spec.parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("depth=3&style=wild", None),
        ("deep=3", "expected a mine option among depth, style"),
        ("style=wile", "expected mine option style=calm|wild; found 'wile'"),
        ("depth=x", "expected mine option depth to be int; found 'x'"),
    ],
)
def test_options_of_an_agent_of_ours_elsewhere_are_checked(options, message, here):
    """The options of a folder from elsewhere are determined in a process of its own."""
    folder_of(here / "mine", NATIVE)
    assert Spec.parse("mine").is_native
    if message is None:
        assert Spec.parse(f"mine?{options}").options == (("depth", "3"), ("style", "wild"))
    else:
        with pytest.raises(OptionError, match=message.replace("|", r"\|")):
            Spec.parse(f"mine?{options}")
    assert "mine" not in sys.modules


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import none_such", "sudokuai.py:1: ModuleNotFoundError: No module named 'none_such'"),
        ("import os; os._exit(3)", "expected to load the player "),
        ("import time; time.sleep(60)", "found no end"),
    ],
)
def test_a_player_that_cannot_be_asked_is_an_error(code, message, here, monkeypatch):
    """An agent of ours that crashes, ends or hangs while its options are determined does so in another process."""
    monkeypatch.setattr(spec_module, "PATIENCE", 2.0 if "sleep" in code else 300.0)
    folder_of(here / "mine", f"{code}\n{NATIVE}")
    with pytest.raises(AgentError) as caught:
        Spec.parse("mine?depth=3")
    assert message in str(caught.value)


def test_a_syntax_error_is_told_before_the_options(here):
    """A file that cannot be parsed may be an agent of ours: its options are unknown."""
    folder_of(here / "mine", f"{NATIVE}\nx = (\n")
    lines = NATIVE.count("\n") + 2
    with pytest.raises(AgentImportError, match=rf"import the agent mine; found sudokuai\.py:{lines}: SyntaxError: "):
        Spec.parse("mine?depth=3")


def test_players_of_ours_are_listed():
    """Each has a name, a folder, a line about it, and its options."""
    players = {player.name: player for player in registered_players()}
    assert {"random", "naive", "greedy"} <= players.keys()
    assert list(players) == sorted(players)
    for name, player in players.items():
        assert player.folder.name in {name.replace("-", "_"), f"{name.replace('-', '_')}_player"}
        assert player.summary.endswith(".")
    assert list(players["greedy"].options) == ["safe"]
    assert dict(players["naive"].options) == {}


def test_any_folder_among_ours_is_a_player(tmp_path, monkeypatch):
    """NAME_player and NAME are both found as NAME, hyphens for underscores; the shorter folder wins."""
    for name in ("tree_mcts_player", "champion", "champion_player", "plain"):
        folder_of(tmp_path / name, f'"""About {name}."""\n')
    (tmp_path / "no_player").mkdir()
    folder_of(tmp_path / "broken_player", "SudokuAI = framework_player(1)")
    monkeypatch.setattr(agents, "__path__", [str(tmp_path)])
    found = {player.name: player for player in registered_players()}
    assert list(found) == ["broken", "champion", "plain", "tree-mcts"]
    assert found["champion"].summary == "About champion."
    assert Spec.parse("tree_mcts").label == "tree-mcts"
    with pytest.raises(NoAgentError):
        Spec.parse("agents.none_player")
    with pytest.raises(AgentCrashError, match="name 'framework_player' is not defined"):
        Spec.parse("broken?x=1")


def test_a_folder_of_ours_without_an_agent_is_an_error(tmp_path):
    """The argument of framework_player must be an agent."""
    with pytest.raises(NoAgentClassError, match="expected SudokuAI = framework_player"):
        spec_module.agent_of(spec_module, tmp_path)


def test_labels_tell_players_apart(here):
    """Players of the same folder name show as much of their paths as it takes; the same player twice is the same."""
    for place in ("a/team/bot", "b/team/bot", "b/other/bot", "greedy"):
        folder_of(here / place)
    specs = [Spec.parse(text) for text in ("a/team/bot", "b/team/bot", "b/other/bot", "./greedy", "greedy", "greedy")]
    assert labels(specs) == ["a/team/bot", "b/team/bot", "other/bot", f"{here.name}/greedy", "greedy", "greedy"]
    assert labels([]) == []
    assert labels(specs[:1] * 2) == ["bot", "bot"]


def test_finding_players_is_light():
    """To find and load a player of the baselines costs no heavy package."""
    script = (
        "import sys; from csp_sudoku.players.player import load_player; "
        "[load_player(name) for name in ('random', 'naive', 'greedy')]; "
        "print([name for name in ('numpy', 'numba', 'ortools', 'networkx') if name in sys.modules])"
    )
    assert python(script, cwd=PLAYERS, path=SOURCE.parent) == "[]"


def test_the_wheel_s_layout_has_the_players(tmp_path):
    """If the folders are in csp_sudoku/agents, as in a wheel, players are found, without a package agents."""
    place = tmp_path / "site" / "csp_sudoku"
    shutil.copytree(SOURCE, place, ignore=shutil.ignore_patterns("__pycache__", "agents"))
    shutil.copytree(PLAYERS, place / "agents", ignore=shutil.ignore_patterns("__pycache__"))
    script = """
from importlib.util import find_spec
from csp_sudoku.players import Spec
spec = Spec.parse('agents.greedy_player?safe=no')
print(spec, spec.folder.parent.parent.name, spec.agent().__module__, find_spec('agents'))
"""
    told = "greedy?safe=no csp_sudoku csp_sudoku.agents.greedy_player.sudokuai None"
    assert python(script, cwd=tmp_path, path=tmp_path / "site") == told


def python(script, cwd, path):
    """The output of a script in a process of its own."""
    env = environment(PYTHONPATH=str(path), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([sys.executable, "-c", script], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_agent_must_have_proposals():
    """The one thing that an agent of ours cannot do without."""
    with pytest.raises(TypeError, match="proposals"):
        Agent(None)
