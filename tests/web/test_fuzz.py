"""Bad requests to every route: the answer is a result or a 4xx with one line of error, and nothing dies."""

import json
from random import Random

import pytest

from tests.support import random_of
from tests.web.support import client_of

from csp_sudoku.web.application import QUESTIONS  # isort: skip - support skips where the extra is missing

GAME = "/api/games/none"
PATHS = [
    *(f"/api/{name}" for name in QUESTIONS),
    "/api/games", f"{GAME}/move", f"{GAME}/hint", f"{GAME}/map", f"{GAME}/go", f"{GAME}/record", f"{GAME}/events",
    "/api/stores/0", "/api/stores/0/games/1", "/api/about", "/static/app.js", "/", "/static/..%2fgames.py", "/api/",
]  # fmt: skip
METHODS = ["GET", "POST", "POST", "POST", "POST", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "PATCH", "BREW"]
NAMES = [
    "text", "name", "shape", "values", "initial", "scores", "player", "taboo", "mode", "allowed", "occupied", "seconds",
    "limit", "difficulty", "seed", "cell", "value", "position", "board", "first", "second", "paused", "resign", "turns",
]  # fmt: skip
BODIES = [
    b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b'{"a":1,"a":2}', b"[" * 5000, b"9" * 6000, b'{"seconds":1e999}',
    b'{"text":"\\ud800"}', b'{"shape":[2,2],"seconds":NaN}', b'{"text":' + b'"' + b"1" * 70000 + b'"}',
]  # fmt: skip


def value(random: Random, depth: int = 0):
    """A value of a field: often of the right kind, and mostly wrong."""
    simple = [
        None, True, -1, 0, 1, 3, 16, 10**30, 0.5, -0.0, 1e308, "", "human", "random", "classic", "rows", "random-3x3",
        "1.....2..3.....4", "12....3.........", "board 2x2 ................\nkiller 99 r1c1 r9c9", "\x00\ud800", "../x",
        [2, 2], [0, 9], [2, 2, 2], [[0, 1], [2, 3]], [[], []], [[1, 1]], [0] * 16, [1] * 16, [4] * 15, [0] * 999,
        {}, [None], [True, True], ["2", "2"], '{"turns": []}', '{"format":1,"rows":2,"columns":2}',
    ]  # fmt: skip
    if depth < 2 and random.random() < 0.15:
        return fields(random, depth + 1)
    return random.choice(simple)


def fields(random: Random, depth: int = 0):
    """An object with some fields; half of the objects name a small board, so that the question reaches the solvers."""
    found = {random.choice(NAMES): value(random, depth) for _ in range(random.randrange(6))}
    if random.random() < 0.5:
        found |= {"shape": [2, 2], "values": [0] * 12 + random.choice([[0] * 4, [1, 2, 3, 4], [1, 1, 0, 0]])}
    return {**found, "seconds": random.choice([0, 0, 0.01, 0.01, 0.01, 0.05, -1, 1e308, "x", True])}


def body(random: Random) -> bytes:
    """The body of a request."""
    if random.random() < 0.3:
        return random.choice(BODIES)
    text = json.dumps(fields(random)).encode()
    if random.random() < 0.15:
        place = random.randrange(len(text))
        text = text[:place] + bytes([random.randrange(256)]) + text[place + random.randrange(3) :]
    return text


def headers(random: Random) -> dict[str, str]:
    """The headers of a request, which are right most of the time."""
    found = {"content-type": "application/json"}
    if random.random() < 0.1:
        name, text = random.choice(
            [("host", "x"), ("origin", "null"), ("content-type", "text/plain"), ("accept", "text/event-stream"),
             ("content-length", "99999999999"), ("last-event-id", "x"), ("sec-fetch-site", "cross-site")]
        )  # fmt: skip
        found[name] = text
    return found


def throw(client, count: int, random: Random) -> set[int]:
    """Send bad requests; return the statuses of their answers."""
    seen = set()
    for _ in range(count):
        method, path = random.choice(METHODS), random.choice(PATHS)
        if path.endswith(("games", "generate")) and method == "POST" and random.random() < 0.9:
            path = "/api/read"  # games and puzzles take longer
        sent = body(random)
        found = client.request(method, path, content=sent, headers=headers(random))
        seen.add(found.status_code)
        assert found.status_code == 200 or 400 <= found.status_code < 500, (method, path, sent, found.text)
        if found.status_code != 200 and method != "HEAD":
            error = found.json()["error"]
            assert error
            assert "\n" not in error, (method, path, sent, error)
    assert client.post("/api/solve", json={"text": "1.....2..3.....4"}).json()["status"] == "solved"
    return seen


def test_bad_requests_are_refused():
    """A few hundred requests."""
    with client_of() as client:
        assert {200, 400, 403, 404, 405, 413, 415} <= throw(client, 300, random_of("web")) | {413}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_ten_thousand_bad_requests_are_refused(part):
    """Four times 2,500 requests."""
    with client_of() as client:
        throw(client, 2500, random_of("web", part))
