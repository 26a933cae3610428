"""The common parts of the tests of the page: an application, and a client for it."""

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")
pytest.importorskip("httpx", reason="httpx is not installed (extra [test])")

import warnings
from pathlib import Path

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # starlette prefers httpx2 to httpx, and takes both
    from starlette.testclient import TestClient

import csp_sudoku.boards
from csp_sudoku.players.spec import Spec
from csp_sudoku.web.application import Settings, application

PORT = 8000
HOST = f"127.0.0.1:{PORT}"
PUZZLE = "1.....2..3.....4"
"""A 2×2 board with one solution."""
SOLVED = [1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4]
CLASH = "12....3........."
"""A 2×2 board without a solution: row 1 has no place for 3."""


def settings(**changes):
    """The settings of a server with two players and the boards that ship."""
    folder = Path(csp_sudoku.boards.__path__[0])
    found = {
        "players": {"random": Spec("random"), "greedy": Spec("greedy")},
        "boards": {path.stem: path for path in folder.glob("*.txt")},
    }
    return Settings(**{**found, **changes})


def client_of(**changes):
    """A client of an application with these settings."""
    return TestClient(application(settings(**changes), PORT), base_url=f"http://{HOST}")


def events_of(text):
    """The events of a stream: [(name, data as text)]."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if "event" in lines:
            found.append((lines["event"], lines["data"]))
    return found
