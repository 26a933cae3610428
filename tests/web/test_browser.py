"""The page in a browser: each flow by keyboard and by mouse, wide and narrow, and without a finding of axe."""

import json
import re
from pathlib import Path

import pytest

from csp_sudoku import Board
from csp_sudoku.cli.serve import PACKAGES, find_spec
from csp_sudoku.constraints import Killer, Thermometer
from tests.browsing import chromium
from tests.cli.support import holes
from tests.game.support import random_record
from tests.web.test_server import served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.xdist_group("page of serve"),
    pytest.mark.skipif(not all(map(find_spec, PACKAGES)), reason="the extra [web] is not installed"),
]

FLOWS = ("explore", "analyse", "play", "watch", "tournament")
EIGHT_EMPTY = "1243 3... 4... 2..."
LONG_MS = 60_000
WAITER = """
import time
from pathlib import Path

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import Move


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def compute_best_move(self, game_state):
        self.propose_move(Move((1, 1), 4))
        while not Path(__file__).with_name("heard").exists():
            time.sleep(0.01)
"""


@pytest.fixture(scope="module")
def browser():
    """A Chromium driven by Playwright."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def waiting(tmp_path_factory):
    """A player that proposes r2c2=4, and goes on thinking until there is a file `heard` beside it."""
    folder = tmp_path_factory.mktemp("players") / "waiter"
    folder.mkdir()
    path = folder / "sudokuai.py"
    path.write_text(WAITER)
    return path


@pytest.fixture(scope="module")
def server(tmp_path_factory, prepared, waiting):
    """The address of a server with a store of one game, and with a player that waits in the middle of its turn."""
    from csp_sudoku.arena.scheduled_game import ScheduledGame
    from csp_sudoku.arena.store import Store

    path = tmp_path_factory.mktemp("web") / "games.db"
    record = random_record(seed=4)
    with Store(path) as store:
        store.add(ScheduledGame("greedy", "random", record.board, 0.5, 0, name="empty-2x2"), record)
    with served("--store", str(path), str(waiting.parent)) as (_, address):
        yield address


@pytest.fixture
def page(browser, server):
    """A page of the server; an error on it, or a request to another place, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors, places = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("request", lambda one: places.append(one.url))
    page.goto(server)
    page.wait_for_selector("#flow-explore svg")
    yield page
    assert errors == []
    assert all(place.startswith(server) for place in places)
    context.close()


def values(page, flow):
    """The values on the board of a flow, row by row, 0 for empty."""
    texts = page.locator(f"#flow-{flow} .cell .value").all_text_contents()
    return [int(text or 0) for text in texts]


def told(page, flow, text):
    """Wait until the answer of a flow has a text."""
    page.wait_for_selector(f'#flow-{flow} .answer:has-text("{text}")', timeout=LONG_MS)


def opened(page, flow):
    """Go to a flow by its link."""
    page.click(f'nav a[href="#{flow}"]')
    page.wait_for_selector(f"#flow-{flow}:not([hidden])")


def shows(page, flow, text):
    """Show a puzzle in a flow by its text."""
    if page.locator(f"#flow-{flow} details[open] textarea").count() == 0:
        page.click(f'#flow-{flow} summary:has-text("Another")')
    page.fill(f"#flow-{flow} textarea", text)
    page.click(f"#flow-{flow} form:has(textarea) button")


def test_a_puzzle_with_rules_is_explored_and_analysed(page):
    """A pasted link to f-puzzles shows its rules on the board and in words, is solved, and becomes a position."""
    geometry = Board.empty(2, 2).geometry.with_constraints(Killer([0, 1], 3), Thermometer([4, 8]))
    shows(page, "explore", Board(geometry, bytes(16)).format("fpuzzles-url"))
    told(page, "explore", "0 of 16 cells given")
    assert page.locator("#flow-explore .cage").count() == page.locator("#flow-explore .line").count() == 1
    assert page.locator("#flow-explore details:has-text('Rules of this puzzle') li").all_text_contents() == [
        "the values of r1c1 r1c2 differ and add up to 3",
        "the values grow along r2c1 r3c1",
    ]
    page.click("[data-do=solve]")
    told(page, "explore", "This is a solution")
    found = values(page, "explore")
    assert found[0] + found[1] == 3
    assert found[4] < found[8]
    page.click("[data-do=reset]")
    page.click("[data-do=analyse]")
    page.wait_for_selector("#flow-analyse .cell .safe", timeout=LONG_MS)
    assert page.locator("#flow-analyse .cage").count() == 1
    assert "killer" in page.url
    page.reload()
    page.wait_for_selector("#flow-analyse .cage", timeout=LONG_MS)


def test_a_puzzle_is_explored(page):
    """Paste, enter by keys, clash, next step, count, solve, explain."""
    shows(page, "explore", "1.....2..3.....4")
    told(page, "explore", "4 of 16 cells given")
    page.focus("#flow-explore .board")
    for key in ("ArrowRight", "1"):
        page.keyboard.press(key)
    told(page, "explore", "A value stands twice")
    assert page.locator("#flow-explore .marks .wrong").count() == 2
    page.keyboard.press("Backspace")
    assert values(page, "explore")[1] == 0
    page.click("[data-do=hint]")
    told(page, "explore", "Naked single")
    page.click('button:has-text("Take this step")')
    told(page, "explore", "single")
    assert sum(map(bool, values(page, "explore"))) == 5
    page.click("[data-do=count]")
    told(page, "explore", "exactly one solution")
    page.click("[data-do=solve]")
    told(page, "explore", "This is a solution")
    assert values(page, "explore") == [1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4]
    shows(page, "explore", "12....3.........")
    told(page, "explore", "3 of 16 cells given")
    page.click("[data-do=explain]")
    told(page, "explore", "row 1 has no place for 3")
    assert page.locator("#flow-explore .marks .wrong").count() == 3


def test_letters_are_values_on_large_boards(page):
    """On a 16×16 board, g is 16."""
    shows(page, "explore", "0" * 256)
    told(page, "explore", "0 of 256 cells given")
    page.focus("#flow-explore .board")
    for key in ("g", "ArrowDown", "a"):
        page.keyboard.press(key)
    assert (values(page, "explore")[0], values(page, "explore")[16]) == (16, 10)


def test_a_large_board_is_zoomed(page):
    """The keys + and -, the buttons and the wheel zoom; the cursor stays in view, and moves appear where they fit."""
    opened(page, "analyse")
    shows(page, "analyse", holes(5, 5))
    page.wait_for_selector("#flow-analyse .cell .count:not(:empty)", timeout=LONG_MS)
    assert page.locator("#flow-analyse .cell text.safe").count() == 0
    whole = page.locator("#flow-analyse .board svg").bounding_box()["width"]
    page.focus("#flow-analyse .board")
    for key in ["ArrowDown"] * 12 + ["ArrowRight"] * 12 + ["+"] * 4:
        page.keyboard.press(key)
    assert page.inner_text("#flow-analyse .zoom output") == "400 %"
    page.wait_for_selector("#flow-analyse .cell text.safe")
    for key in ["ArrowRight"] * 10 + ["ArrowDown"] * 10:
        page.keyboard.press(key)
        cursor, frame = (page.locator(f"#flow-analyse {one}").bounding_box() for one in (".cursor", ".board"))
        assert frame["x"] - 3 <= cursor["x"] <= frame["x"] + frame["width"] - cursor["width"] + 3
        assert frame["y"] - 3 <= cursor["y"] <= frame["y"] + frame["height"] - cursor["height"] + 3
    page.click("#flow-analyse .zoom [aria-label='Zoom out']")
    page.keyboard.down("Control")
    page.mouse.move(frame["x"] + 50, frame["y"] + 50)
    page.mouse.wheel(0, 100)
    page.keyboard.up("Control")
    page.wait_for_selector("#flow-analyse .zoom output:text-is('200 %')")
    page.focus("#flow-analyse .board")
    for _ in range(2):
        page.keyboard.press("-")
    assert page.inner_text("#flow-analyse .zoom output") == "100 %"
    assert abs(page.locator("#flow-analyse .board svg").bounding_box()["width"] - whole) < 2


def test_a_position_is_analysed(page, server):
    """Map, exact value, what-if by mouse and by keys, undo, and a link to the position."""
    opened(page, "analyse")
    shows(page, "analyse", EIGHT_EMPTY)
    page.wait_for_selector("#flow-analyse .chip.exact", timeout=LONG_MS)
    assert page.locator("#flow-analyse .cell text.bomb").count() > 0
    bar = page.get_attribute("#flow-analyse .bar", "aria-label")
    assert re.fullmatch(r"Final lead at best play of player 1: (0|[+−]\d+)", bar)
    page.locator("#flow-analyse .cell text.safe").first.click()
    page.wait_for_selector('#flow-analyse output:has-text("1 of 1")')
    assert sum(map(bool, values(page, "analyse"))) == 8
    link = page.url
    page.focus("#flow-analyse .board")
    page.keyboard.press("u")
    page.wait_for_selector('#flow-analyse output:has-text("0 of 1")')
    page.keyboard.press("n")
    page.wait_for_selector('#flow-analyse output:has-text("1 of 1")')
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("1")
    told(page, "analyse", "R1c1=1 is illegal" if "r1c1" in page.inner_text("#flow-analyse .cell-told") else "illegal")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("#flow-analyse .chip.exact", timeout=LONG_MS)
    assert sum(map(bool, values(page, "analyse"))) == 8
    assert page.inner_text("#flow-analyse .answer").startswith("Player 2 is to move.")


def test_a_record_is_stepped_through(page):
    """A record that is pasted can be stepped through, reviewed, left for a try, and saved as a page."""
    record = random_record(seed=2)
    opened(page, "analyse")
    shows(page, "analyse", record.to_json())
    last = len(record.turns)
    page.wait_for_selector(f'#flow-analyse output:has-text("0 of {last}")', timeout=LONG_MS)
    page.focus("#flow-analyse .board")
    page.keyboard.press("End")
    told(page, "analyse", "The game is over")
    page.click("#flow-analyse [data-do=review]")
    page.wait_for_selector("#flow-analyse .graph", timeout=LONG_MS)
    page.click("#flow-analyse .turns li:nth-child(3) button")
    page.wait_for_selector(f'#flow-analyse output:has-text("2 of {last}")')
    page.locator("#flow-analyse .cell text.safe").last.click()
    page.wait_for_selector("#flow-analyse [data-do=game]:not([disabled])")
    page.click("#flow-analyse [data-do=game]")
    page.keyboard.press("End")
    page.wait_for_selector(f'#flow-analyse output:has-text("{last} of {last}")')
    with page.expect_download() as saved:
        page.click("#flow-analyse [data-part=page]")
    assert Path(saved.value.path()).read_text(encoding="utf-8").startswith("<!doctype html>")
    assert page.inner_text("#flow-analyse [data-part=score1]") == str(record.scores[0])


def test_a_person_plays(page):
    """A move by keys, an illegal one explained, a hint, the map, and a reload that takes up where it was."""
    opened(page, "play")
    page.select_option("#flow-play select[name=opponent]", "greedy")
    page.select_option("#flow-play select[name=board]", "shape 2x2")
    page.click("#flow-play form button")
    told(page, "play", "It is your turn")
    page.focus("#flow-play .board")
    page.keyboard.press("1")
    told(page, "play", "Turn 2:")
    before = values(page, "play")
    page.keyboard.press("2")
    told(page, "play", "It would lose the game, so it was not played")
    page.keyboard.press("?")
    told(page, "play", "Hint: ")
    page.keyboard.press("m")
    page.wait_for_selector("#flow-play .cell text.safe")
    page.reload()
    told(page, "play", "It is your turn")
    assert values(page, "play") == before
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#flow-play [data-do=resign]")
    told(page, "play", "The game is over. ")


def test_a_game_is_watched(page):
    """Two programs play; the game is stopped, continues turn by turn, and is analysed at its end."""
    opened(page, "watch")
    page.select_option("#flow-watch select[name=first]", "greedy")
    page.select_option("#flow-watch select[name=second]", "random")
    page.select_option("#flow-watch select[name=board]", "own")
    page.fill("#flow-watch textarea", EIGHT_EMPTY)
    page.click("#flow-watch form button")
    page.wait_for_selector("#flow-watch [data-part=turns] li", timeout=LONG_MS)
    page.click("#flow-watch [data-do=pause]:not([disabled])")
    told(page, "watch", "The game is stopped.")
    page.wait_for_timeout(500)
    turns = page.locator("#flow-watch [data-part=turns] li").count()
    page.click("#flow-watch [data-do=one]")
    page.wait_for_selector(f"#flow-watch [data-part=turns] li:nth-child({turns + 1})")
    assert re.match(
        r"\d+ proposals? of player [12]; the turn took", page.inner_text("#flow-watch summary:has-text('proposal')")
    )
    page.click("#flow-watch [data-do=go]")
    told(page, "watch", "The game is over.")
    page.click("#flow-watch [data-do=analyse]")
    page.wait_for_selector("#flow-analyse:not([hidden]) [data-part=turns] li:nth-child(5)", timeout=LONG_MS)


def test_proposals_are_seen_while_a_player_thinks(page, waiting):
    """What is proposed so far is listed, and stands pale on the board, before the turn is over."""
    opened(page, "watch")
    page.select_option("#flow-watch select[name=first]", "waiter")
    page.select_option("#flow-watch select[name=second]", "greedy")
    page.select_option("#flow-watch select[name=board]", "own")
    page.fill("#flow-watch textarea", EIGHT_EMPTY)
    page.fill("#flow-watch input[name=seconds]", "60")
    page.click("#flow-watch form button")
    page.wait_for_selector("#flow-watch summary:has-text('Player 1 thinks: 1 proposal so far')", timeout=LONG_MS)
    assert page.inner_text("#flow-watch [data-part=proposals]").endswith("r2c2=4")
    assert page.locator("#flow-watch .foreseen text").all_text_contents() == ["4"]
    assert page.locator("#flow-watch [data-part=turns] li").count() == 0
    waiting.with_name("heard").touch()
    told(page, "watch", "The game is over.")
    assert page.inner_text("#flow-watch [data-part=turns] li:first-child").startswith("1. r2c2=4")
    assert page.locator("#flow-watch .foreseen").count() == 0


def test_a_tournament_is_followed(page):
    """Standings, the crosstable, and a game that opens in Analyse."""
    opened(page, "tournament")
    page.wait_for_selector("#flow-tournament [data-part=standings] tbody tr:nth-child(2)")
    assert page.inner_text("#flow-tournament [data-part=count]") == "1 game"
    page.click("#flow-tournament [data-part=games] button")
    page.wait_for_selector("#flow-analyse:not([hidden]) svg", timeout=LONG_MS)


@pytest.mark.parametrize("width", [1280, 390])
def test_no_flow_is_wider_than_the_screen(page, width):
    """On a telephone, too, nothing has to be scrolled sideways but tables."""
    page.set_viewport_size({"width": width, "height": 844})
    for flow in FLOWS:
        opened(page, flow)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, flow


def test_everything_can_be_reached_by_keyboard(page):
    """Tab visits the skip link, the navigation, the board, the keypad and the questions, in this order."""
    seen = []
    for _ in range(24):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate("() => { const e = document.activeElement; return e.className || e.dataset.do || e.tagName }")
        )
    assert [one for one in dict.fromkeys(seen) if one][:5] == ["skip-link", "A", "board", "BUTTON", "main"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_axe_finds_nothing(browser, server, scheme, width):
    """axe-core finds no violation in any flow, light and dark, wide and narrow."""
    place = find_spec("axe_playwright_python")
    if place is None or place.origin is None:
        pytest.skip("axe-playwright-python, which has axe-core, is not installed")
    axe = Path(place.origin).with_name("axe.min.js").read_text(encoding="utf-8")
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(server)
    page.wait_for_selector("#flow-explore svg")
    page.evaluate(axe)
    for flow in FLOWS:
        opened(page, flow)
        if flow == "analyse":
            page.wait_for_selector("#flow-analyse .chip", timeout=LONG_MS)
        if flow == "watch":
            page.click("#flow-watch form button")
            page.wait_for_selector("#flow-watch svg", timeout=LONG_MS)
        found = page.evaluate(
            "async () => (await axe.run()).violations.map(one => [one.id, one.nodes.map(n => n.html)])"
        )
        assert found == [], (flow, json.dumps(found)[:2000])
    context.close()


def reach(page, selector):
    """Press Tab until the element of a selector has the focus."""
    for _ in range(300):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach {selector}")


def enter(page, selector, text=None, key="Enter"):
    """Go to an element by Tab, type a text there if there is one, and else press a key."""
    reach(page, selector)
    if text is None:
        page.keyboard.press(key)
    else:
        page.keyboard.type(text)


def shows_by_keys(page, flow, text):
    """Show a puzzle in a flow by the keyboard."""
    summary = f"#flow-{flow} details:has(textarea) summary"
    if not page.locator(f"#flow-{flow} details[open] textarea").count():
        enter(page, summary)
    enter(page, f"#flow-{flow} textarea", text)
    enter(page, f"#flow-{flow} form:has(textarea) button")


def test_puzzles_are_explored_by_keys_alone(page):
    """No step of exploring and analysing needs a pointer."""
    shows_by_keys(page, "explore", "1.....2..3.....4")
    told(page, "explore", "4 of 16 cells given")
    enter(page, "#flow-explore .board", key="ArrowRight")
    page.keyboard.press("2")
    assert values(page, "explore")[:2] == [1, 2]
    for action, answer in (("hint", "single"), ("count", "exactly one solution"), ("solve", "This is a solution")):
        enter(page, f"#flow-explore [data-do={action}]")
        told(page, "explore", answer)
    enter(page, "#flow-explore [data-do=reset]")
    enter(page, "#flow-explore [data-do=analyse]")
    page.wait_for_selector("#flow-analyse .cell .safe", timeout=LONG_MS)
    enter(page, "#flow-analyse .board", key="ArrowRight")
    page.keyboard.press("2")
    page.wait_for_selector('#flow-analyse output:has-text("1 of 1")')


def test_games_are_played_and_watched_by_keys_alone(page):
    """No step of playing, watching and following a tournament needs a pointer."""
    enter(page, 'nav a[href="#play"]')
    page.wait_for_selector("#flow-play:not([hidden])")
    enter(page, "#flow-play select[name=opponent]", "greedy")
    enter(page, "#flow-play form button")
    told(page, "play", "It is your turn")
    enter(page, "#flow-play .board", key="1")
    told(page, "play", "Turn 2:")
    page.on("dialog", lambda dialog: dialog.accept())
    enter(page, "#flow-play [data-do=resign]")
    told(page, "play", "The game is over. ")
    enter(page, 'nav a[href="#watch"]')
    page.wait_for_selector("#flow-watch:not([hidden])")
    for name in ("first", "second"):
        enter(page, f"#flow-watch select[name={name}]", "greedy")
    enter(page, "#flow-watch form button")
    page.wait_for_selector("#flow-watch [data-part=turns] li", timeout=LONG_MS)
    enter(page, "#flow-watch [data-do=pause]")
    told(page, "watch", "The game is stopped.")
    enter(page, 'nav a[href="#tournament"]')
    page.wait_for_selector("#flow-tournament [data-part=standings] tbody tr:nth-child(2)")
    enter(page, "#flow-tournament [data-part=games] button")
    page.wait_for_selector("#flow-analyse:not([hidden]) [data-part=turns] li", timeout=LONG_MS)


def test_a_game_is_played_and_dropped_by_the_mouse(page):
    """A cell is chosen and filled by clicks, and a record is dropped on the board."""
    opened(page, "play")
    page.select_option("#flow-play select[name=opponent]", "greedy")
    page.select_option("#flow-play select[name=board]", "shape 2x2")
    page.click("#flow-play form button")
    told(page, "play", "It is your turn")
    page.click("#flow-play [data-ground='0']")
    page.locator("#flow-play .pad button").first.click()
    told(page, "play", "Turn 2:")
    opened(page, "analyse")
    record = random_record(seed=2)
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.json", { type: "application/json" }));
            const place = document.querySelector("#flow-analyse .board");
            for (const kind of ["dragenter", "dragover", "drop"])
                place.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        record.to_json(),
    )
    page.wait_for_selector(f'#flow-analyse output:has-text("0 of {len(record.turns)}")', timeout=LONG_MS)
