"""The page of a game in a browser: by keyboard and by mouse, light and dark, on a narrow screen, and offline."""

import pytest

from csp_sudoku import Board
from csp_sudoku.evaluation.analyse import analyse
from csp_sudoku.game.record import Recorder, Turn
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import Replay
from csp_sudoku.pages import replay_page
from tests.browsing import chromium
from tests.game.support import random_record, turns_of
from tests.support import random_of

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("page of a game")]


@pytest.fixture(scope="module")
def browser():
    """A Chromium driven by Playwright."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def replay():
    """A short game in the mode rows, with skips and mistakes."""
    random = random_of("browser")
    state = GameState.start(Board.parse("1243 3... 4... 2..."), "rows")
    recorder = Recorder(state, ("<b>one</b>", "two"))
    for _, outcome, after in turns_of(state, random):
        recorder.add(Turn.of(outcome))
        state = after
    found = Replay(recorder.finish(state))
    found.steps = list(found)
    return found


@pytest.fixture(scope="module")
def file(replay, tmp_path_factory):
    """The page of that game with its reviews."""
    path = tmp_path_factory.mktemp("pages") / "game.html"
    reviews = list(analyse(replay.start, replay.steps, time_limit=None))
    path.write_text(replay_page(replay, replay.steps, reviews=reviews), encoding="utf-8")
    return path


@pytest.fixture(params=["light", "dark"])
def page(request, browser, file):
    """The page, opened from its file without a network; an error on it, or a request, fails the test."""
    context = browser.new_context(color_scheme=request.param, offline=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors, requests = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("request", lambda one: requests.append(one.url))
    page.goto(file.as_uri())
    yield page
    assert errors == []
    assert requests == [file.as_uri()]
    context.close()


def values(page):
    """The values on the board, row by row, 0 for empty."""
    texts = page.eval_on_selector_all(".cell .value", "all => all.map(one => one.textContent)")
    return [int(text or 0) for text in texts]


def state_after(replay, number):
    """The position of the game after some turns."""
    return replay.steps[number - 1].state if number else replay.start


def test_keys_step_through_the_game(page, replay):
    """Arrows, Home and End show each position, as the rules have it."""
    last = len(replay.steps)
    for number in range(last + 1):
        assert values(page) == list(state_after(replay, number).board.values)
        assert page.inner_text("#place") == f"{number} of {last}"
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert page.inner_text("#text") == "The start."
    page.keyboard.press("End")
    assert page.inner_text("#next").startswith("The game is over:")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#place") == f"{last - 1} of {last}"


def test_the_mouse_steps_through_the_game(page, replay):
    """Buttons, the list of turns, the slider and the graph lead to their positions."""
    last = len(replay.steps)
    page.click("#last")
    assert values(page) == list(state_after(replay, last).board.values)
    page.click("#turns li:nth-child(3) button")
    assert page.inner_text("#place") == f"2 of {last}"
    assert page.get_attribute("#turns li:nth-child(3) button", "aria-current") == "step"
    page.fill("#slider", "4")
    assert page.inner_text("#place") == f"4 of {last}"
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#place") == f"5 of {last}"
    box = page.locator("#graph svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    assert page.inner_text("#place") == f"{last} of {last}"


def test_candidates_are_those_of_the_map(page, replay):
    """Every position shows its safe moves and bombs, or the number of bombs, or nothing."""
    from csp_sudoku import classify_moves

    for number in range(len(replay.steps) + 1):
        found = classify_moves(state_after(replay, number).board)
        assert page.locator(".cell text.safe").count() == len(found.safe)
        assert page.locator(".cell text.bomb").count() >= len(found.bombs)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.keyboard.press("m")
    counts = classify_moves(replay.start.board).counts("bomb").ravel().tolist()
    shown = page.eval_on_selector_all(".cell .count", "all => all.map(one => one.textContent)")
    pairs = zip(replay.start.board.values, counts, strict=True)
    assert shown == ["" if value else str(count) for value, count in pairs]
    page.keyboard.press("m")
    assert values(page) == list(replay.start.board.values)


def test_the_board_can_be_zoomed(browser, tmp_path):
    """On a narrow screen, the zoom makes the board wider than its frame, which scrolls to the last move."""
    found = Replay(random_record(3, 3, seed=1))
    path = tmp_path / "game.html"
    path.write_text(replay_page(found, list(found)), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 600})
    page.goto(path.as_uri())
    assert page.locator("#board svg").bounding_box()["width"] < 390
    whole = page.locator("#board svg").bounding_box()["width"]
    for _ in range(2):
        page.click("#zoom button:last-child")
    page.keyboard.press("+")
    assert page.inner_text("#zoom output") == "300 %"
    assert abs(page.locator("#board svg").bounding_box()["width"] - 3 * whole) < 5
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for _ in range(10):
        page.keyboard.press("ArrowRight")
        cell, frame = (page.locator(one).bounding_box() for one in (".ground.last", "#board"))
        assert frame["x"] - 1 <= cell["x"] <= frame["x"] + frame["width"] - cell["width"] + 1
    page.close()


def test_names_are_text(page):
    """A name that looks like markup is shown literally."""
    assert page.inner_text("h1") == "<b>one</b> against two"
    assert page.locator("h1 b").count() == 0


def test_everything_can_be_reached_by_keyboard(page):
    """Tab visits the board, the buttons, the slider, the choices and the list."""
    seen = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        seen.add(
            page.evaluate("document.activeElement.id || document.activeElement.name || document.activeElement.tagName")
        )
    assert {"board", "first", "back", "slider", "ahead", "last", "view"} <= seen


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_the_screen(page, width):
    """No part is wider than the screen, and the board is readable on a telephone."""
    page.set_viewport_size({"width": width, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#board svg").bounding_box()["width"] > 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(browser, file, scheme):
    """axe-core finds no violation: names, roles, contrast and the order of headings are right."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (extra [browser])")
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)  # axe is a script that the policy forbids
    page = context.new_page()
    page.goto(f"{file.as_uri()}#4")
    found = axe.Axe().run(page)
    assert [one["id"] for one in found.response["violations"]] == []
    context.close()


def test_the_frame_of_a_notebook_works(browser, tmp_path):
    """Within the frame that a notebook shows, the page runs, and cannot reach the notebook."""
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><title>notebook</title>{random_record(seed=1)._repr_html_()}", encoding="utf-8")
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("#last").click()
    assert frame.locator("#next").inner_text().startswith("The game is over:")
    reached = "() => { try { return parent.document.title; } catch (error) { return error.name; } }"
    assert page.frames[1].evaluate(reached) == "SecurityError"
    assert errors == []
    page.close()


def test_an_address_can_name_a_turn(browser, file):
    """A link with #3 opens the page after turn 3."""
    page = browser.new_page()
    page.goto(f"{file.as_uri()}#3")
    assert page.inner_text("#place").startswith("3 of ")
    page.close()
