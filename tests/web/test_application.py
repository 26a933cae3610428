"""The questions of the page: about puzzles, about positions, and about records."""

import json

import pytest

from tests.game.support import random_record
from tests.web.support import CLASH, PUZZLE, SOLVED, client_of, events_of

from csp_sudoku import Board, classify_moves  # isort: skip - support skips where the extra is missing
from csp_sudoku.constraints import Killer  # isort: skip
from csp_sudoku.web.application import QUESTIONS

FEW = {"shape": [2, 2], "values": [1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 0, 0, 2, 1, 0, 0]}
"""A position with one completion and four empty cells."""

LINK = Board(Board.empty(2, 2).geometry.with_constraints(Killer([0, 1], 3)), bytes(16)).format("fpuzzles-url")


def test_the_page_and_its_files_are_there(client):
    """The page names its script and styles, and each of its files is served with its type."""
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for name, kind in (("app.js", "text/javascript"), ("board.js", "text/javascript"), ("page.css", "text/css")):
        found = client.get(f"/static/{name}")
        assert found.headers["content-type"].startswith(kind)
    assert client.get("/static/../games.py").status_code == 404
    assert client.get("/static/replay.py").status_code == 404


def test_files_name_no_other_place(client):
    """Scripts, styles and markup load nothing from elsewhere, and set no markup from text."""
    from csp_sudoku.web.application import files_of

    for name, (content, _) in files_of("csp_sudoku.web", "static").items():
        text = content.decode().replace("http://www.w3.org/2000/svg", "")
        for forbidden in ("http", "innerHTML", "outerHTML", "insertAdjacent", "eval(", "url(", "@import", "style="):
            assert forbidden not in text, (name, forbidden)


def test_about(client):
    """The page gets the available choices."""
    found = client.get("/api/about").json()
    assert found["players"] == ["random", "greedy"]
    assert "hard-3x3" in found["boards"]
    assert found["modes"] == ["classic", "rows", "border", "random"]
    assert found["stores"] == []


def test_a_puzzle_is_read(ask):
    """A board comes from a text, a name or a shape, with its drawing; values take the place of its own."""
    found = ask("read", {"text": PUZZLE})
    assert (found["shape"], found["size"], found["values"][6]) == ([2, 2], 4, 2)
    assert found["svg"].count("data-cell") == 16
    assert ask("read", {"name": "hard-3x3"})["size"] == 9
    assert ask("read", {"shape": [2, 3]})["values"] == [0] * 36
    assert ask("read", {"text": found["text"], "values": SOLVED})["values"] == SOLVED
    killer = ask("read", {"text": "board 2x2 ................\ndiagonal falling"})
    assert killer["variant"] == {"rules": ["diagonal falling"]}
    assert killer["rules"] == ["the falling diagonal holds no value twice"]
    assert ask("read", {"text": killer["text"]}) == killer


def test_a_puzzle_is_solved(ask):
    """A solution, the proof that there is none, and UNKNOWN without time."""
    assert ask("solve", {"text": PUZZLE})["values"] == SOLVED
    assert ask("solve", {"text": CLASH})["status"] == "unsolvable"
    assert ask("solve", {"shape": [5, 5], "seconds": 0})["status"] == "unknown"


def test_solutions_are_counted(ask):
    """A count is exact, or says that it is not."""
    assert ask("count", {"shape": [2, 2]})["told"] == "There are exactly 288 solutions."
    assert ask("count", {"text": PUZZLE})["told"] == "There is exactly one solution."
    assert ask("count", {"text": CLASH})["told"] == "There is no solution."
    found = ask("count", {"shape": [2, 2], "limit": 100})
    assert (found["solutions"], found["exact"]) == (100, False)


def test_progress_is_streamed(client):
    """A client that accepts a stream gets the progress, and at the end the result; errors come as events, too."""
    found = client.post("/api/count", json={"shape": [2, 2]}, headers={"accept": "text/event-stream"})
    events = events_of(found.text)
    assert [name for name, _ in events] == ["progress", "progress", "progress", "result"]
    assert json.loads(events[-1][1])["solutions"] == 288
    found = client.post("/api/solve", json={"text": "12"}, headers={"accept": "text/event-stream"})
    ((name, data),) = events_of(found.text)
    assert name == "error"
    assert json.loads(data)["error"].startswith("line 1, column 3: expected")


def test_a_clash_is_explained(ask):
    """The cells that clash are named; a board with a solution has none."""
    found = ask("explain", {"text": CLASH})
    assert found["part"] == [0, 1, 6]
    assert "row 1 has no place for 3" in found["told"]
    assert ask("explain", {"text": PUZZLE})["solvable"]


def test_the_next_steps_lead_to_a_value(ask):
    """The steps end with the first one that places a value; full and impossible boards have none."""
    found = ask("hint", {"text": "12.. .... ..1. ...."})["steps"]
    assert found[-1]["placements"] == [[7, 1]]
    assert found[-1]["told"].startswith("Hidden single: r2c4=1, since")
    assert ask("hint", {"text": PUZZLE, "values": SOLVED}) == {
        "steps": [],
        "told": "The board is full: it is solved.",
    }
    assert "row 1 has no place for 3" in ask("hint", {"text": CLASH})["told"]


def test_a_puzzle_is_generated(ask):
    """The same seed gives the same puzzle, which has one solution."""
    found = ask("generate", {"shape": [2, 2], "difficulty": 0.2, "seed": 3})
    assert found == ask("generate", {"shape": [2, 2], "difficulty": 0.2, "seed": 3})
    assert ask("count", {"text": found["text"]})["solutions"] == 1
    assert found["told"].endswith("Seed 3.")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"text": "1123............"}, "line 1, column 2: expected each value once in row 1"),
        ({"text": 7}, 'expected a text of at most 262144 characters as "text"; found 7'),
        ({"name": "nothing"}, "expected the name of a board that ships with the program; found 'nothing'"),
        ({"shape": [1, 9]}, "expected"),
        ({"shape": [2, 2], "values": [9] * 16}, 'expected 16 whole numbers from 0 to 4 as "values"'),
        ({"shape": [2, 2], "values": [1, 1] + [0] * 14}, "expected each value once in row 1"),
        ({"shape": [2, 2], "seconds": 1e9}, 'expected a number from 0 to 60 as "seconds"; found 1000000000.0'),
        ([], "expected a JSON object as the body of the request; found []"),
    ],
)
def test_bad_questions_have_one_clear_error(ask, body, error):
    """An error gives the expected value and the value found, in one line."""
    found = ask("solve", body, status=400)["error"]
    assert found.startswith(error)
    assert "\n" not in found


def test_unknown_routes_and_methods(client):
    """Routes and methods that do not exist are named."""
    assert client.get("/api/nothing").json() == {"error": "expected a route of this server; found GET /api/nothing"}
    found = client.get("/api/solve")
    assert (found.status_code, found.json()["error"]) == (
        405,
        "expected a method of this route; found GET /api/solve",
    )


def test_a_position_has_its_map(ask):
    """The map is the exact one; without time, moves are undecided."""
    text = "12.. .... ...3 .4.."
    values = list(Board.parse(text).values)
    found, exact = ask("map", {"shape": [2, 2], "values": values}), classify_moves(text)
    assert found["safe"] == exact.safe_masks.tolist()
    assert found["bombs"] == exact.bomb_masks.tolist()
    assert (found["complete"], found["told"]) == (True, "16 safe moves, 8 bombs.")
    assert not ask("map", {"shape": [5, 5], "values": [0] * 625, "seconds": 0})["complete"]


def test_a_position_has_its_value(ask):
    """An exact value is marked as such, with the best moves."""
    found = ask("value", FEW)
    assert found["exact"]
    assert found["told"] == f"Best play is worth {found['margin']:+g} to player 1: exact."
    assert found["best"]
    assert ask("value", {"shape": [2, 2], "values": SOLVED}, status=400)["error"].startswith("expected a position with")


def test_a_position_keeps_its_rules(ask):
    """A board with rules becomes a position, whose map obeys them, on the way to the browser and back."""
    board = ask("read", {"text": LINK})
    assert board["rules"] == ["the values of r1c1 r1c2 differ and add up to 3"]
    assert 'class="cage"' in board["svg"]
    state = ask("start", {"text": LINK})["state"]
    assert state["variant"] == board["variant"] == {"rules": ["killer 3 r1c1 r1c2"]}
    found = ask("map", state)
    assert (found["complete"], found["bombs"][0], found["safe"][0]) == (True, 0b1100, 0b0011)
    after = ask("move", {"position": state, "cell": 0, "value": 4})
    assert (after["kind"], after["state"]["variant"]) == ("skipped", state["variant"])
    assert ask("draw", after["state"])["state"]["taboo"] == [[0, 4]]
    assert ask("solve", {"shape": [2, 2], "variant": state["variant"]})["values"][:2] in ([1, 2], [2, 1])


@pytest.mark.parametrize(
    ("variant", "error"),
    [
        ({"rules": ["kiler"]}, "expected the name of a rule (did you mean 'killer'?)"),
        ({"rules": [3]}, 'expected a list of texts as "variant.rules"; found 3'),
        ({"rules": "killer"}, 'expected a list of at most 1000 items as "variant.rules"'),
        ({"blocks": ["a"]}, "expected N rows of N labels"),
        ({"regions": [[[0, 7]]]}, 'expected lists of [row, column] as "variant.regions"'),
        ({"regions": [[[0, 1]]]}, "expected 4 different cells in extra region 1"),
        ("killer", 'expected a JSON object as "variant"'),
    ],
    ids=str,
)
def test_a_wrong_variant_is_one_clear_error(ask, variant, error):
    """Each mistake in blocks, regions and rules is named."""
    found = ask("read", {"shape": [2, 2], "variant": variant}, status=400)["error"]
    assert error in found


def test_a_move_is_played(ask):
    """A safe move is placed, a bomb becomes taboo, and a move that would lose at once is explained and not played."""
    position = ask("start", {"text": "12.. .... ...3 .4.."})["state"]
    assert position["told"] == "Player 1 is to move."
    after = ask("move", {"position": position, "cell": 2, "value": 3})
    assert (after["kind"], after["state"]["values"][2], after["state"]["player"]) == ("placed", 3, 2)
    bomb = ask("move", {"position": position, "cell": 2, "value": 4})
    assert (bomb["kind"], bomb["state"]["taboo"]) == ("skipped", [[2, 4]])
    taboo = ask("move", {"position": bomb["state"], "cell": 2, "value": 4})
    assert taboo["objection"] == "R1c3=4 is taboo: it was found to be a bomb before."
    illegal = ask("move", {"position": position, "cell": 2, "value": 1})
    assert illegal["objection"].startswith("R1c3=1 is illegal: expected a value that no peer of r1c3 holds")


def test_modes_have_their_squares(ask):
    """In the mode rows each player has its squares, which a position keeps on the way to the browser and back."""
    state = ask("start", {"shape": [2, 2], "mode": "rows"})["state"]
    assert state["open"] == [[0, 1, 2, 3], [12, 13, 14, 15]]
    assert ask("draw", state)["state"] == state
    state = ask("start", {"shape": [2, 2], "mode": "random", "seed": 1})["state"]
    assert ask("draw", state)["state"] == state
    closed = next(cell for cell in range(16) if cell not in state["open"][0])
    assert "open to player 1" in ask("move", {"position": state, "cell": closed, "value": 1})["objection"]


def test_a_record_is_replayed(ask):
    """A recorded game becomes positions and turns."""
    record = random_record(seed=2)
    found = ask("record", {"text": record.to_json()})
    assert len(found["states"]) == len(record.turns) + 1
    assert len(found["turns"]) == len(record.turns)
    assert found["problems"] == []
    assert found["states"][-1]["scores"] == list(record.scores)
    wrong = {**record.as_object(), "scores": [99, 0]}
    assert ask("record", {"text": json.dumps(wrong)})["problems"]
    assert ask("record", {"text": "{}"}, status=400)["error"].startswith("line 1: expected")


def test_a_game_is_reviewed(ask):
    """Each turn has its judgement; there is a graph, and a page; a record that is wrong is refused."""
    record = random_record(seed=2, board=Board.parse("1243 3... 4... 21.."))
    found = ask("review", {"text": record.to_json()})
    assert len(found["turns"]) == len(record.turns)
    assert all(turn["judgement"] and turn["before"] for turn in found["turns"])
    assert found["told"].startswith("Proven: ")
    assert found["graph"].startswith("<svg")
    assert found["page"].startswith("<!doctype html>")
    wrong = {**record.as_object(), "scores": [99, 0]}
    assert ask("review", {"text": json.dumps(wrong)}, status=400)["error"].startswith("expected a game as the rules")


def test_every_question_refuses_an_empty_request(client):
    """Each question needs something, and says what."""
    for name in QUESTIONS:
        found = client.post(f"/api/{name}", json={})
        assert found.status_code == 400, name
        assert found.json()["error"].startswith("expected ")


def test_a_store_has_tables_and_games(tmp_path):
    """The tables of a store grow with it, and each of its games can be had."""
    from csp_sudoku.arena.scheduled_game import ScheduledGame
    from csp_sudoku.arena.store import Store

    path = str(tmp_path / "games.db")
    with Store(path) as store, client_of(stores=[path]) as client:
        assert client.get("/api/about").json()["stores"] == ["games.db"]
        assert client.get("/api/stores/0").json()["count"] == 0
        record = random_record(seed=4)
        store.add(ScheduledGame("greedy", "random", record.board, 0.5, 0, name="empty-2x2"), record)
        found = client.get("/api/stores/0").json()
        assert found["count"] == 1
        assert len(found["standings"]) == len(found["names"]) == 2
        assert client.get("/api/stores/0/games/1").json()["text"] == record.to_json()
        assert client.get("/api/stores/0/games/2").status_code == 400
        assert client.get("/api/stores/1").status_code == 404
