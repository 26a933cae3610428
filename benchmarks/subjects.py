"""The subjects of the measurements: our solvers, solvers in plain Python, pip-installable ones, and the user's own.

A subject is a text:

    auto, learning, fighter, …        a solver or preset of ours, through `csp_sudoku.solve`
    backtracking?variables=degree     one of ours with options
    auto*many                         through `csp_sudoku.solve_many`
    plain:algorithm-x                 one of `plain`, in plain Python
    peer:glucose4                     one of `peers`
    command:tdoku                     a program that reads and writes lines (`external`), with "." for an empty cell
    command-0:tdoku                   the same, with 0 for an empty cell
    team.solver:solve                 any function: it takes a Board, and returns a Board, a Result, the values, or None
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import csp_sudoku as cs
from csp_sudoku.errors import OptionError, expect_name
from csp_sudoku.solvers.registry import PRESETS, SOLVERS, get_solver

from . import external
from .environment import digest
from .models import Cells, PeerPuzzle, warm_up
from .peers import PEERS
from .plain import PLAIN

MANY = "*many"
PEER = "peer:"


class SubjectAnswer(NamedTuple):
    """The answer of a subject to a puzzle, with figures of its work."""

    cells: Cells | None
    build: float | None = None
    """The time to build its model, in seconds."""
    nodes: int | None = None


class Subject(NamedTuple):
    """A subject, ready to be measured."""

    prepare: Callable[[PeerPuzzle], Any]
    """A function that converts a puzzle to the subject's form; it is not measured."""
    answers: Callable[[Iterable[Any]], Iterator[Any]]
    """A function that yields the answers on demand; it is measured."""
    read: Callable[[Any], SubjectAnswer]
    """A function that reads an answer; it is not measured."""


def require(text: str) -> str:
    """Return the text if it names a subject, else raise OptionError; a function of the user is imported."""
    kind, colon, name = text.partition(":")
    if kind == "peer" and colon:
        expect_name("peer", name, PEERS)
    elif kind == "plain" and colon:
        expect_name("plain solver", name, PLAIN)
    elif is_command(text):
        external.words(name)
    elif colon:
        _imported(text)
    else:
        _ours(text)
    return text


def selected(text: str) -> str:
    """Return the subject that `--only` names: a peer needs no `peer:` unless a solver of ours has the same name.

    Raise OptionError if there is no such subject, or if it is a peer that is not installed.
    """
    name = text.removesuffix(MANY).partition("?")[0]
    if ":" in text or name in SOLVERS or name in PRESETS:
        return selected_peer(text) if is_peer(text) else require(text)
    expect_name("solver", text, {*SOLVERS, *PRESETS, *PEERS})
    return selected_peer(text)


def selected_peer(text: str) -> str:
    """Return the subject of a peer, named with or without `peer:`.

    Raise OptionError if there is no such peer, or if it is not installed.
    """
    name = text.removeprefix(PEER)
    expect_name("peer", name, PEERS)
    peer = PEERS[name]
    if not peer.is_installed():
        raise OptionError(
            f"expected an installed peer; found {name!r} without its package {peer.package}"
            ' (the extra bench installs it: pip install "csp-sudoku[bench]")'
        )
    return PEER + name


def label(text: str) -> str:
    """Return the label of a subject in the tables."""
    kind, colon, name = text.partition(":")
    if kind == "peer" and colon:
        return PEERS[name].label
    if kind == "plain" and colon:
        return PLAIN[name].label
    if is_command(text):
        return external.label(name)
    return text if colon else "csp_sudoku " + text.replace(MANY, ", solve_many")


def is_own(text: str) -> bool:
    """Return whether a subject is a function of the user."""
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind not in ("peer", "plain", *external.EMPTY)


def is_command(text: str) -> bool:
    """Return whether a subject is the command line of an external program."""
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind in external.EMPTY


def source(text: str) -> str:
    """Return a digest of the code of a user's function or program; an empty string for other subjects.

    The code of a function is the package that contains it, or without a package, all modules in its folder. The code of
    a program is all files that its command line names.
    """
    if is_command(text):
        return digest(external.files(text.partition(":")[2]))
    if not is_own(text):
        return ""
    name = text.partition(":")[0]
    files = [getattr(import_module(module), "__file__", None) for module in (name.partition(".")[0], name)]
    place = Path(files[0] or files[1] or "")
    if not place.name:
        return ""
    return digest([place.parent] if place.name == "__init__.py" else sorted(place.parent.glob("*.py")))


def is_peer(text: str) -> bool:
    """Return whether a subject is a third-party package."""
    return text.startswith(PEER)


def is_installed(text: str) -> bool:
    """Return whether a subject can be measured here."""
    return not is_peer(text) or PEERS[text.partition(":")[2]].is_installed()


def loaded(text: str) -> Subject:
    """Import a subject, and return it ready to be measured."""
    kind, colon, name = text.partition(":")
    if kind in ("peer", "plain") and colon:
        model = PEERS[name].load() if kind == "peer" else PLAIN[name].load()

        def solved(puzzles: Iterable[PeerPuzzle]) -> Iterator[SubjectAnswer]:
            for puzzle in puzzles:
                started = time.process_time()
                solve = model(puzzle)
                built = time.process_time() - started
                yield SubjectAnswer(solve(), built, getattr(solve, "nodes", None))

        return Subject(lambda puzzle: puzzle, solved, lambda answer: answer)
    if colon:
        function = _imported(text)
        return Subject(_board, lambda boards: map(function, boards), _read)
    if text.endswith(MANY):
        solver, options = _ours(text)
        return Subject(_board, lambda boards: cs.solve_many(boards, solver=solver, **options), _read)
    solver, options = _ours(text)
    return Subject(_board, lambda boards: (cs.solve(board, solver, **options) for board in boards), _read)


def _ours(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options of a solver of ours; raise OptionError if there is none."""
    name, mark, query = text.removesuffix(MANY).partition("?")
    options: dict[str, Any] = dict(part.partition("=")[::2] for part in query.split("&")) if mark else {}
    get_solver(name, **options)
    return name, options


def _imported(text: str) -> Callable[[cs.Board], Any]:
    """Return the function that module:function names; raise OptionError if it cannot be imported."""
    module, _, name = text.partition(":")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:  # noqa: BLE001 - any error of the user's code
        raise OptionError(f"expected a solver as module:function; found {text!r} ({error})") from None
    if not callable(found):
        raise OptionError(f"expected a function that takes a Board; found {text!r}")
    function: Callable[[cs.Board], Any] = found
    return function


def _board(puzzle: PeerPuzzle) -> cs.Board:
    return cs.Board((puzzle.m, puzzle.n), puzzle.cells)


def _read(answer: Any) -> SubjectAnswer:
    """Read an answer of ours, or of the user's function."""
    if isinstance(answer, cs.Result):
        solution, stats = answer.solution, answer.stats
        return SubjectAnswer(None if solution is None else solution.values, stats.build_seconds, stats.nodes)
    if isinstance(answer, cs.Board):
        return SubjectAnswer(answer.values)
    if answer is None:
        return SubjectAnswer(None)
    cells = [int(value) for row in answer for value in (row if isinstance(row, Iterable) else [row])]
    return SubjectAnswer(cells)


def warm(text: str, subject: Subject, m: int, n: int) -> None:
    """Let a subject load and compile all code that it may need for a shape."""
    easy = subject.prepare(warm_up(m, n))
    for _ in subject.answers([easy] * 3):
        pass
    if text.partition("?")[0].removesuffix(MANY) == "auto":
        cs.solve(easy, "cpsat")  # auto loads OR-Tools at the first board that needs it
        if (m, n) == (3, 3):
            cs.solve(cs.Board.empty(2, 2))  # and the general search, for boards that the bit-board search gives up
