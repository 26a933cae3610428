"""Games on the page: people move in turn, mistakes are explained, games are followed, paused, kept and given up."""

import asyncio
import json
import threading
import time

import pytest

from tests.web.support import client_of, events_of

from csp_sudoku import Board  # isort: skip - support skips where the extra is missing
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.record import Proposal, Recorder, Turn
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import verify
from csp_sudoku.moves.move import Move
from csp_sudoku.players.spec import Spec
from csp_sudoku.web import games as games_module

LAST = {"text": "123434122143432."}
"""A board with one empty cell, r4c4, which takes a 1."""
PEOPLE = {"first": "human", "second": "human"}


@pytest.fixture(scope="module", autouse=True)
def _prepared(prepared):
    """Nothing is compiled while a test waits for a turn."""


@pytest.fixture
def client():
    """A client of an application of its own, so that no game is left of another test."""
    with client_of() as found:
        yield found


def begun(client, **asked):
    """The address of a game that has begun."""
    found = client.post("/api/games", json={"board": LAST, **PEOPLE, **asked})
    assert found.status_code == 200, found.text
    return f"/api/games/{found.json()['id']}"


def accepted(client, game, **move):
    """Wait until it is a player's turn, and play a move: the answer."""
    for _ in range(400):
        found = client.post(f"{game}/move", json=move)
        if found.status_code == 200:
            return found.json()
        assert "your turn" in found.json()["error"], found.text
        time.sleep(0.02)
    raise AssertionError(found.text)


def test_people_play_a_game(client):
    """A move that would lose is explained and not played; the game ends with the last cell, and its record is right."""
    game = begun(client)
    found = accepted(client, game, player=1, cell=15, value=2)
    assert found["objection"].startswith("r4c4=2 is illegal: expected a value that no peer of r4c4 holds")
    assert accepted(client, game, player=1, cell=15, value=1) == {"objection": None}
    events = events_of(client.get(f"{game}/events").text)
    assert [name for name, _ in events] == ["start", "turn", "end"]
    assert json.loads(events[1][1])["state"]["scores"] == [7, 0]
    assert json.loads(events[2][1])["told"] == "7:0, player 1 wins (board full)."
    assert verify(parse_record(client.get(f"{game}/record").text)) == []
    shown = client.get(game).json()
    assert (shown["over"], shown["turns"], shown["people"]) == (True, 1, [1, 2])


def test_a_page_that_is_loaded_again_goes_on(client):
    """A browser that knows some events gets the others."""
    game = begun(client)
    accepted(client, game, player=1, cell=15, value=1)
    whole = events_of(client.get(f"{game}/events").text)
    assert events_of(client.get(f"{game}/events?after=0").text) == whole[1:]
    assert events_of(client.get(f"{game}/events", headers={"last-event-id": "1"}).text) == whole[2:]


def test_a_person_gets_advice_and_resigns(client):
    """A hint and the map are for the person to move; a person who resigns loses."""
    game = begun(client, board={"text": "12.. .... ...3 .4.."})
    assert accepted(client, game, player=1, cell=2, value=3) == {"objection": None}
    assert accepted(client, game, player=2, cell=0, value=3)["objection"].startswith("r1c1=3 is illegal")
    assert " is safe" in client.post(f"{game}/hint", json={}).json()["told"]
    assert sum(client.post(f"{game}/map", json={}).json()["bombs"]) > 0
    assert accepted(client, game, player=2, resign=True) == {"objection": None}
    end = json.loads(events_of(client.get(f"{game}/events").text)[-1][1])
    assert end["told"] == "0:0, player 1 wins (player 2 lost: no proposal)."
    assert client.post(f"{game}/hint", json={}).status_code == 400


def test_a_game_that_is_paused_waits(client):
    """A game that begins paused asks no player before it may continue."""
    game = begun(client, paused=True)
    for _ in range(5):
        assert client.post(f"{game}/move", json={"player": 1, "cell": 15, "value": 1}).status_code == 400
    assert client.get(game).json()["paused"]
    assert client.post(f"{game}/go", json={}).json() == {"paused": False}
    accepted(client, game, player=1, cell=15, value=1)
    assert events_of(client.get(f"{game}/events").text)[-1][0] == "end"


def test_a_game_is_given_up(client):
    """A game that is deleted ends, and says so."""
    game = begun(client)
    assert client.delete(game).json() == {}
    assert json.loads(events_of(client.get(f"{game}/events").text)[-1][1])["told"] == "The game was given up."


@pytest.mark.parametrize(
    ("asked", "status", "error"),
    [
        ({"first": "./agents/greedy_player"}, 400, "expected a player that comes with this program or was named"),
        ({"first": "agents.greedy_player"}, 400, "expected a player that comes with this program or was named"),
        ({"first": "random?x=1"}, 400, "expected a player that comes with this program or was named"),
        ({"board": {"text": "board 2x2 ................\nno-such-rule"}}, 400, "line 2, column 1: expected"),
        ({"seconds": 1e6}, 400, "expected a number from 0.01 to 60"),
        ({"pace": 11}, 400, 'expected a number from 0 to 10 as "pace"; found 11'),
        ({"mode": "boarder"}, 400, "expected one of border, classic, random, rows"),
        ({"board": None}, 400, 'expected a value as "board"; found null'),
    ],
)
def test_what_may_not_be_played(client, asked, status, error):
    """Only players of the command line play; folders, dotted paths and options of a request never do."""
    found = client.post("/api/games", json={"board": LAST, **PEOPLE, **asked})
    assert found.status_code == status
    assert found.json()["error"].startswith(error)


def test_unknown_games(client):
    """A game that does not exist is 404, and the number of an event is one."""
    for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/events"), ("POST", "/move"), ("GET", "/record")):
        assert client.request(method, f"/api/games/none{path}", json={}).status_code == 404
    game = begun(client)
    assert client.get(f"{game}/events?after=x").status_code == 400


def test_the_number_of_games_is_bounded(client, monkeypatch):
    """Further games are refused while as many are played, and finished ones are forgotten."""
    monkeypatch.setattr(games_module, "MAX_RUNNING", 2)
    monkeypatch.setattr(games_module, "MAX_KEPT", 2)
    first, second = begun(client), begun(client)
    found = client.post("/api/games", json={"board": LAST, **PEOPLE})
    assert (found.status_code, found.json()["error"]) == (
        429,
        "expected at most 2 games at a time; found more, so end one of them",
    )
    client.delete(first)
    client.get(f"{first}/events")
    third = begun(client)
    assert client.get(first).status_code == 404
    assert {game["id"] for game in client.get("/api/games").json()["games"]} == {
        second.rpartition("/")[2],
        third.rpartition("/")[2],
    }


def test_a_game_that_waits_after_each_turn_can_be_stopped(client):
    """The pace of a game ends at once when it is stopped or given up."""
    game = begun(client, board={"text": "12.. .... ...3 .4.."}, pace=10)
    accepted(client, game, player=1, cell=2, value=3)
    assert client.post(f"{game}/move", json={"player": 2, "cell": 3, "value": 4}).status_code == 400
    assert client.post(f"{game}/go", json={"turns": 1}).json() == {"paused": False}
    accepted(client, game, player=2, cell=3, value=4)
    client.delete(game)
    assert [name for name, _ in events_of(client.get(f"{game}/events").text)] == ["start", "turn", "turn", "end"]


def test_proposals_are_shown_while_a_player_thinks(monkeypatch):
    """Those who follow a game get what is proposed so far, without a number; it is gone when the turn is over."""
    state = GameState.start(Board.parse(LAST["text"]))

    def play(*_, on_start, on_turn, on_recorder, on_proposals, **__):
        recorder = Recorder(state, ("a", "b"))
        on_recorder(recorder)
        on_start(state)
        for value in (4, 1):
            on_proposals(state, [Proposal(Move(3, 3, value), 0.5)])
        assert seen.wait(60)
        after, outcome = state.play(Move(3, 3, 1))
        recorder.add(turn := Turn.of(outcome, 1.0, [Proposal(Move(3, 3, 1), 0.5)]))
        on_turn(after, outcome, turn)
        return recorder.finish(after)

    async def follow():
        game = games_module.Game(
            games_module.GameRequest((Spec("random"), Spec("greedy")), ("a", "b"), state.board, "classic", 1.0, None),
            None,
        )
        game.begin()
        found = []
        async for number, event in game.follow(0):
            found.append((number, event["kind"], event.get("proposals")))
            if event["kind"] == "thinking" and event["move"] == [3, 3, 1]:
                seen.set()
        return found, [event async for event in game.follow(0)]

    seen = threading.Event()
    monkeypatch.setattr(games_module, "play_game", play)
    found, again = asyncio.run(asyncio.wait_for(follow(), 120))
    proposals = [["r4c4=4", 0.5], ["r4c4=1", 0.5]]
    assert [one for one in found if one[1] != "thinking"] == [(0, "start", None), (1, "turn", None), (2, "end", None)]
    thinking = [one for one in found if one[1] == "thinking"]
    assert thinking[-1] == (None, "thinking", proposals)
    assert found.index(thinking[-1]) == len(thinking)
    assert [event["kind"] for _, event in again] == ["start", "turn", "end"]


def test_a_game_that_is_given_up_ends_while_a_player_thinks(monkeypatch):
    """Whoever gives a game up does not wait for the end of the turn."""
    state = GameState.start(Board.parse(LAST["text"]))

    def play(*_, on_start, on_recorder, on_proposals, **__):
        on_recorder(Recorder(state, ("a", "b")))
        on_start(state)
        while True:
            on_proposals(state, [Proposal(Move(3, 3, 4), 0.5)])
            time.sleep(0.01)

    async def follow():
        game = games_module.Game(
            games_module.GameRequest((Spec("random"), Spec("greedy")), ("a", "b"), state.board, "classic", 1.0, None),
            None,
        )
        game.begin()
        async for _, event in game.follow(0):
            if event["kind"] == "thinking":
                game.abandon()
        return game.events[-1]

    monkeypatch.setattr(games_module, "play_game", play)
    assert asyncio.run(asyncio.wait_for(follow(), 120))["told"] == "The game was given up."


@pytest.mark.slow
def test_programs_play_a_game(client):
    """Two programs play to the end, turn by turn; each turn has its proposals."""
    game = begun(client, first="random", second="greedy", board={"shape": [2, 2]}, seed=1, seconds=5)
    events = events_of(client.get(f"{game}/events").text)
    assert events[-1][0] == "end"
    turns = [json.loads(data)["turn"] for name, data in events if name == "turn"]
    assert all(turn["proposals"] for turn in turns)
    assert verify(parse_record(client.get(f"{game}/record").text)) == []
