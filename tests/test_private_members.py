"""Tests use the product through its public names: each private one that a test needs is listed here, with the reason.

A member is private if its name begins with one underscore. The scan knows the private names that the product defines,
and finds them in the tests as attributes, imports and texts for `setattr` and `getattr`. Names that a test module takes
from another one of the tests are not the product's.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("csp_sudoku", "agents", "benchmarks", "boards")
PRIVATE = re.compile(r"_[a-zA-Z0-9]\w*(?<!_)")
"""One underscore in front; protocols of Python and of notebooks have more, or one at the end as well."""
DEFINED = re.compile(r"(?:def|class)\s+(_\w+)|\b(?:self|cls)\.(_\w+)|^ *(_\w+)\s*(?:[:=]|,.*=)", re.MULTILINE)
PROTOCOL = {"_asdict", "_fields", "_make", "_replace"}
"""The public methods of named tuples."""
BY_NAME = ("setattr", "getattr", "hasattr", "delattr")

ALLOWED = {
    # compilation and warming up: what a process has compiled is a secret of the module, and its state is the claim
    ("game/test_referee.py", "_ready"): "the set of compiled kernels, which a warm-up must fill and a search may not",
    ("cli/test_preparing.py", "_prepare"): "the cache of what is prepared is emptied before and after a test",
    ("test_warm_up.py", "_marker"): "the file that says that a group is compiled",
    ("test_warm_up.py", "_prepare"): "what a compiling process does, without the process",
    # the table of the public names
    ("test_api.py", "_HOMES"): "ARCHITECTURE.md names the table; the test compares it with the documentation",
    # geometries
    ("test_geometry.py", "_hash"): "two geometries with one hash are not found by chance",
    ("test_geometry.py", "_standard"): "the cache of plain geometries is emptied, as if no test had used one",
    # searches: their stages are replaced, or cut short, at a moment that no limit can hit
    ("cli/test_interrupt.py", "_slice"): "Ctrl-C comes between two slices of a search",
    ("moves/test_explaining.py", "_hitting_set"): "the time ends within CP-SAT's search for a hitting set",
    ("solvers/test_auto.py", "_FirstStage"): "the moments at which the listing changes its way are counted",
    ("solvers/test_auto.py", "_cpsat"): "a stage that must not begin is missing",
    ("solvers/test_auto.py", "_learn"): "a stage that has used up the limits is replaced by its result",
    ("solvers/test_nine.py", "_at_once"): "the direct search is switched off, and the run must give the same evidence",
    ("solvers/test_questions.py", "_Task"): "what is sent to the executor of a caller can be pickled",
    ("solvers/test_questions.py", "_solve_chunk_fully"): "what is sent to the executor of a caller can be pickled",
    ("solvers/test_race.py", "_slice"): "two searches take turns in one thread, a slice each",
    ("solvers/test_race.py", "_waiting"): "each clause that one search sends to the other is checked on its way",
    # the tree of the playouts is an array of its kernel; no question of a player asks for it
    ("search/test_completions.py", "_candidates"): "the numbers of the moves, which only the model knows",
    ("search/test_completions.py", "_games"): "the mirror images of the game on the empty board",
    ("search/test_kept_tree.py", "_root"): "the visits of the root of a tree that goes on",
    ("search/test_kept_tree.py", "_settings"): "the number of positions in the tree",
    ("search/test_kept_tree.py", "_tree"): "the positions and moves of the tree, compared with what is kept of them",
    ("search/test_playouts.py", "_gives"): "whether a move gives a region away, by the search's own judgement",
    ("search/test_playouts.py", "_settings"): "the number of positions in the tree",
    ("search/test_playouts.py", "_spare"): "a partner of a skip is planted",
    ("search/test_playouts.py", "_tree"): "results of playouts are planted, to see which move is chosen",
    ("search/test_tallies.py", "_settings"): "an argument of the kernel that is tested by itself",
    ("evaluation/test_value.py", "_Values"): "the last stage of the champion's turn, which a whole turn rarely reaches",
    ("evaluation/test_value.py", "_games"): "the values known so far in that stage",
    ("evaluation/test_value.py", "_value"): "values that have any order are planted",
    # untrusted players: they reach into everything
    ("arena/agents/makers.py", "_begin"): "a hostile player patches the process that begins its turn",
    ("arena/test_play.py", "_NUMBER"): "a note is cut short where a killed writer would have left it",
    ("arena/test_play.py", "_bytes"): "a hostile player scribbles on its shared memory",
    ("arena/test_play.py", "_place"): "a note is cut short where a killed writer would have left it",
    ("arena/test_play.py", "_words"): "a hostile player scribbles on its shared memory",
    ("attack/forging.py", "_words"): "a hostile player scribbles on its shared memory",
    ("sandbox/test_fork_server.py", "_socket"): "of all waiting, that for the fork server is told by its socket",
    # the store
    ("arena/test_store.py", "_connection"): "synchronous is a setting of the store's own connection",
}
"""The private members that tests use: the file below `tests` and the name, and why there is no public way."""


def private_names(source: str) -> set[str]:
    """The private names that a module defines: functions, classes, variables, attributes and methods."""
    return {name for found in DEFINED.findall(source) for name in found if PRIVATE.fullmatch(name)} - PROTOCOL


def private_accesses(source: str, known: set[str]) -> dict[str, list[int]]:
    """The private names of the product that a test module uses, with the lines."""
    if known.isdisjoint(re.findall(r"_\w+", source)):
        return {}  # parsing takes most of the time
    tree = ast.parse(source)
    ours = {alias.asname or alias.name for node in ast.walk(tree) for alias in _from_tests(node)}
    found = defaultdict(list)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=base), attr=name) if base in {"self", "cls", *ours}:
                pass
            case ast.Attribute(attr=name):
                found[name].append(node.lineno)
            case ast.ImportFrom(module=str(module), names=names) if module.partition(".")[0] in PRODUCT:
                for alias in names:
                    found[alias.name].append(node.lineno)
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=arguments) if called in BY_NAME:
                for name in _texts(arguments[:2]):
                    found[name.rpartition(".")[2]].append(node.lineno)
    return {name: lines for name, lines in found.items() if name in known}


def _from_tests(node: ast.AST) -> list[ast.alias]:
    """What an import takes from other modules of the tests."""
    match node:
        case ast.ImportFrom(module=str(module), names=names) if module.partition(".")[0] == "tests":
            return names
    return []


def _texts(nodes: list[ast.expr]) -> list[str]:
    """The texts among some arguments."""
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


@pytest.fixture(scope="module")
def accesses():
    """The uses of private members in all tests, with their lines, by the file and the name."""
    known = {
        name
        for package in PRODUCT
        for path in (ROOT / package).rglob("*.py")
        for name in private_names(path.read_text("utf-8"))
    }
    found = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for name, lines in private_accesses(path.read_text("utf-8"), known).items():
            found[path.relative_to(ROOT / "tests").as_posix(), name] = lines
    return found


def test_private_members_have_a_reason(accesses):
    """A new use of a private member needs a public way, or a reason in the list."""
    new = [entry for entry in accesses if entry not in ALLOWED]
    assert [f"{file}, line {accesses[file, name][0]}: {name}" for file, name in new] == []


def test_no_reason_is_left_over(accesses):
    """The list shrinks with the uses, and each entry says why."""
    assert [entry for entry in ALLOWED if entry not in accesses] == []
    assert all(len(reason.split()) >= 5 for reason in ALLOWED.values())


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("thing._secret", ["_secret"]),
        ("thing.part._secret()", ["_secret"]),
        ("from csp_sudoku.board import _secret", ["_secret"]),
        ("monkeypatch.setattr(thing, '_secret', 1)", ["_secret"]),
        ("monkeypatch.setattr('csp_sudoku.board._secret', 1)", ["_secret"]),
        ("getattr(thing, '_secret')", ["_secret"]),
        ("self._secret", []),
        ("thing.secret", []),
        ("thing._other", []),
        ("os._exit(0)", []),
        ("thing.__secret__", []),
        ("from tests.support import thing\nthing._secret", []),
        ("from tests.support import _secret", []),
    ],
)
def test_what_is_found(line, found):
    """Each way to reach a private member of the product, and what only looks like one."""
    known = private_names(
        "class Thing:\n    def __init__(self):\n        self._secret = 1\n    _repr_html_ = None\n    _fields = ()"
    )
    assert known == {"_secret"}
    assert list(private_accesses(line, known)) == found
