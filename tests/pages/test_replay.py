"""The page of a game: one file with the game inside, in which names are text and nothing else."""

import json
import re
from html.parser import HTMLParser

import pytest

from csp_sudoku import Board
from csp_sudoku.evaluation.analyse import analyse
from csp_sudoku.game.reading import parse_record
from csp_sudoku.game.verification import Replay
from csp_sudoku.pages import replay_frame, replay_page
from tests.cli.test_replay import spoiled
from tests.game.support import random_record
from tests.pages.test_positions import lost

SCRIPT = "<script>alert(1)</script>"


class Reader(HTMLParser):
    """The tags, attributes and data of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.attributes, self.content = [], [], set(), {}
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._open = dict(attrs).get("id", "")
        self.ids += [value for name, value in attrs if name == "id"]
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.content[self._open] = self.content.get(self._open, "") + data


def page_of(record, **options):
    """The page of a record."""
    replay = Replay(record)
    steps = list(replay)
    return replay_page(replay, steps, **options)


@pytest.fixture(scope="module")
def page():
    """The page of a short game."""
    return page_of(random_record(seed=4))


@pytest.mark.quick
def test_the_page_is_one_file(page):
    """It has two scripts, one of which is data, and no element or attribute that loads anything."""
    reader = Reader(page)
    assert reader.tags.count("script") == 2
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(reader.tags)
    assert not {"src", "href", "srcset", "action", "style"} & reader.attributes
    assert not any(name.startswith("on") for name in reader.attributes)
    assert "<!-- " not in page
    assert len(reader.ids) == len(set(reader.ids))


def test_the_page_has_the_game(page):
    """The data has the givens, each turn and each position."""
    record = random_record(seed=4)
    data = json.loads(Reader(page).content["data"])
    assert data["given"] == list(record.board.values)
    assert len(data["turns"]) == len(record.turns)
    assert len(data["positions"]) == len(record.turns) + 1


def test_the_elements_of_the_script_are_there(page):
    """Every element that the script looks up by its name is in the page."""
    script = page.rpartition('<script type="module">')[2]
    asked = set(re.findall(r'\bat\("(\w+)"\)|getElementById\("(\w+)"\)', script))
    names = {first or second for first, second in asked}
    assert {"slider", "turns", "text", "thinking"} <= names
    assert names <= set(Reader(page).ids)


def test_names_are_text():
    """A player whose name is a script is shown, in the page and in the frame of a notebook, and does not run."""
    record = random_record(seed=4)
    data = record.as_object() | {
        "players": [SCRIPT, {"name": '"><img src=x>'}],
        "reason": "interrupted",
        "result": None,
    }
    page = page_of(parse_record(json.dumps(data)))
    reader = Reader(page)
    assert reader.tags.count("script") == 2
    assert "img" not in reader.tags
    assert "&lt;script&gt;alert(1)&lt;/script&gt; against" in page
    frame = Reader(replay_frame(parse_record(json.dumps(data))))
    assert frame.tags == ["iframe"]


def test_a_crash_is_on_the_page():
    """The failures have buttons that lead to their turns."""
    page = page_of(lost("<i>"))
    assert page.count('data-turn="') == 2
    assert "turn 2, player 2: crash: sudokuai.py:20: ZeroDivisionError: x" in page
    assert "raised after proposing: &lt;i&gt;" in page


def test_a_wrong_record_names_its_difference():
    """The page of a record that contradicts the rules ends there, and reports the difference."""
    record = random_record(seed=4)
    page = page_of(parse_record(spoiled(record)))
    assert "Differences from the rules" in page
    assert "turn 3: expected reward" in page
    unsolvable = parse_record(
        json.dumps(record.as_object() | {"board": list(Board.parse("12.. ..3. .... ....").values)})
    )
    assert "expected a board with a completion, found one without" in page_of(unsolvable)


def test_reviews_are_on_the_page():
    """With the reviews of a game, the graph has margins and the positions best moves."""
    record = random_record(board=Board.parse("1243 3421 43.. 21.."), seed=1)
    replay = Replay(record)
    steps = list(replay)
    reviews = list(analyse(replay.start, steps, time_limit=None))
    page = replay_page(replay, steps, reviews=reviews)
    data = json.loads(Reader(page).content["data"])
    assert all(turn["best"] for turn in data["turns"])
    assert page.count('class="proven-dot"') == len(record.turns) + 1
    assert "final lead at best play, proven" in page
    assert "final lead at best play, proven" not in page_of(record)


def test_the_same_game_is_the_same_page(page):
    """Two pages of one game are equal."""
    assert page == page_of(random_record(seed=4))


@pytest.mark.slow
def test_a_long_game_is_below_a_megabyte():
    """The positions share their common parts."""
    assert len(page_of(random_record(4, 4, seed=1))) < 1_000_000


def test_a_frame_isolates_the_page():
    """A notebook shows the page in a frame that may run its script and nothing else of the notebook."""
    frame = replay_frame(random_record(seed=4))
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert 'sandbox="allow-scripts"' in frame
    assert random_record(seed=4)._repr_html_() == frame
