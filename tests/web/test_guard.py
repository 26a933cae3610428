"""The guard: foreign hosts and origins, forms and large requests are refused, and every answer has its headers."""

import pytest

from tests.web.support import HOST, PORT

from csp_sudoku.web.guard import MAX_BODY, policy  # isort: skip - support skips where the extra is missing


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", f"127.0.0.1.evil.example:{PORT}", ""])
def test_foreign_hosts_are_refused(client, host):
    """A name that resolves to 127.0.0.1 is not this server."""
    found = client.get("/api/about", headers={"host": host})
    assert found.status_code == 403
    assert found.json()["error"].startswith("expected one of 127.0.0.1:8000, localhost:8000 as host; found ")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_own_hosts_are_served(client, name):
    """The server answers to both of its names."""
    assert client.get("/api/about", headers={"host": f"{name}:{PORT}"}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://{HOST}", "http://127.0.0.1:9999"])
def test_foreign_origins_are_refused(client, origin):
    """A page of another server may ask nothing."""
    assert client.post("/api/solve", json={"text": "x"}, headers={"origin": origin}).status_code == 403


def test_other_sites_are_refused(client):
    """A browser says when another site is the origin, also where it sends no origin."""
    assert client.get("/api/about", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_forms_are_refused(client):
    """Only JSON is a question, which a form of a foreign page cannot send."""
    assert client.post("/api/solve", content="text=1", headers={"content-type": "text/plain"}).status_code == 415
    assert client.post("/api/solve", data={"text": "1"}).status_code == 415


def test_large_requests_are_refused(client):
    """A request that is too large is refused by its length, and by its content if the length is not told."""

    def parts():
        for _ in range(20):
            yield b" " * 100_000

    headers = {"content-type": "application/json"}
    huge = {**headers, "content-length": str(MAX_BODY + 1)}
    assert client.post("/api/solve", content=b"{}", headers=huge).status_code == 413
    assert client.post("/api/solve", content=parts(), headers=headers).status_code == 413


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/api/about", "/nowhere"])
def test_every_answer_has_the_headers(client, path):
    """Pages, files, answers and errors have the same policy."""
    found = client.get(path)
    assert found.headers["content-security-policy"] == policy()
    assert found.headers["x-content-type-options"] == "nosniff"
    assert "'unsafe" not in policy()
