"""The server as a process and under load: its port, Ctrl-C, and many clients at a time."""

import asyncio
import json
import re
import signal
import socket
import subprocess
from contextlib import contextmanager
from random import Random

import pytest

from csp_sudoku import Board
from csp_sudoku.cli import serve as serve_module
from csp_sudoku.cli.main import execute
from csp_sudoku.puzzles.generate import random_solution
from tests.cli.support import PROGRAM, environment

needs_extra = pytest.mark.skipif(
    not all(map(serve_module.find_spec, serve_module.PACKAGES)), reason="the extra [web] is not installed"
)


@contextmanager
def served(*arguments):
    """A server on a free port: its process and its address."""
    command = [*PROGRAM, "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as own:
        try:
            line = own.stdout.readline()
            yield own, re.fullmatch(r"serving (http://127\.0\.0\.1:\d+/) \(Ctrl-C ends\)\n", line)[1]
        finally:
            own.kill()


def test_a_missing_extra_is_one_line(monkeypatch, capsys):
    """Without the extra, the command names it."""
    monkeypatch.setattr(serve_module, "find_spec", lambda name: None)
    assert execute(["serve"]) == 2
    expected = "expected the extra [web] (pip install 'csp-sudoku[web]'); found no starlette and no uvicorn"
    assert capsys.readouterr().err == f"csp-sudoku: {expected}\n"


@needs_extra
def test_a_port_that_is_taken_is_one_line(capsys):
    """A port on which another program listens is an error, and so is a store or a player that does not exist."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert execute(["serve", "--port", str(port)]) == 2
    expected = f"csp-sudoku: expected a free port (--port 0 finds one); found {port}: address already in use\n"
    assert capsys.readouterr().err == expected
    assert execute(["serve", "--store", "none.db"]) == 2
    assert capsys.readouterr().err == "csp-sudoku: expected a store of games at none.db; found none\n"
    assert execute(["serve", "./nobody"]) == 2
    assert capsys.readouterr().err.startswith("csp-sudoku: expected ")


@needs_extra
@pytest.mark.slow
@pytest.mark.usefixtures("prepared")
def test_ctrl_c_ends_the_server():
    """Ctrl-C ends the server with code 130, also while a client follows a game."""
    httpx = pytest.importorskip("httpx")
    with served() as (own, address):
        body = {"first": "human", "second": "human", "board": {"shape": [2, 2]}}
        game = httpx.post(f"{address}api/games", json=body).json()["id"]
        with httpx.stream("GET", f"{address}api/games/{game}/events", timeout=20) as stream:
            assert "start" in next(stream.iter_text())
            own.send_signal(signal.SIGINT)
            assert own.wait(10) == 130
        assert own.stderr.read() == "interrupted\n"


@needs_extra
@pytest.mark.slow
@pytest.mark.usefixtures("prepared")
def test_fifty_clients_ask_for_maps():
    """Fifty clients ask for maps of 25×25 boards at the same time; each gets one, and the page stays responsive."""
    httpx = pytest.importorskip("httpx")
    random = Random(1)
    solution = list(random_solution(5, 5, random).values)
    boards = []
    for _ in range(50):
        empty = set(random.sample(range(625), 250))
        boards.append([0 if cell in empty else value for cell, value in enumerate(solution)])

    async def run(address):
        limits = httpx.Limits(max_connections=60)
        async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
            asked = [
                asyncio.ensure_future(client.post("/api/map", json={"shape": [5, 5], "values": values, "seconds": 20}))
                for values in boards
            ]
            waits = []
            while not all(one.done() for one in asked):
                begin = asyncio.get_running_loop().time()
                assert (await client.get("/api/about")).status_code == 200
                waits.append(asyncio.get_running_loop().time() - begin)
                await asyncio.sleep(0.05)
            return [await one for one in asked], max(waits)

    with served() as (_, address):
        found, slowest = asyncio.run(run(address))
    assert [one.status_code for one in found] == [200] * 50
    for values, one in zip(boards, found, strict=True):
        moves = json.loads(one.text)
        assert moves["complete"]
        assert all(moves["safe"][cell] for cell, value in enumerate(values) if not value)
    assert slowest < 5
    assert Board((5, 5), solution).is_full


@needs_extra
@pytest.mark.slow
@pytest.mark.usefixtures("prepared")
def test_a_client_that_goes_away_cancels_its_question():
    """Long questions whose clients are gone leave their thread at once, so the next one is answered."""
    httpx = pytest.importorskip("httpx")
    with served() as (_, address):
        for accept in ("application/json", "text/event-stream"):
            for _ in range(4):
                body = {"shape": [3, 3], "values": [0] * 81, "seconds": 60}
                headers = {"accept": accept}
                with httpx.Client(timeout=0.3) as client, pytest.raises(httpx.ReadTimeout):
                    client.post(f"{address}api/value", json=body, headers=headers)
        body = {"shape": [2, 2], "values": [1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 0, 0, 2, 1, 0, 0]}
        assert httpx.post(f"{address}api/value", json=body, timeout=30).json()["exact"]


@needs_extra
@pytest.mark.slow
@pytest.mark.usefixtures("prepared")
def test_what_is_no_request_is_refused():
    """Bytes that are no HTTP, and incomplete requests, get 4xx or nothing, and the server continues."""
    httpx = pytest.importorskip("httpx")
    random = Random(2)
    right = (
        b'POST /api/solve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"text":1'
    )
    with served() as (_, address):
        port = int(address.rstrip("/").rpartition(":")[2])
        for _ in range(200):
            data = bytearray(right)
            for _ in range(random.randrange(1, 6)):
                data[random.randrange(len(data))] = random.randrange(256)
            with socket.create_connection(("127.0.0.1", port), timeout=5) as raw:
                raw.sendall(bytes(data[: random.randrange(1, len(data) + 1)]))
                raw.shutdown(socket.SHUT_WR)
                answer = raw.recv(100)
            assert re.match(rb"HTTP/1\.1 4\d\d |$", answer), (data, answer)
        assert httpx.get(f"{address}api/about").status_code == 200
