"""The graph of a game: its lines have the points of the game, and its marks the turns."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from csp_sudoku.evaluation.margins import Margin
from csp_sudoku.pages.graph import LEFT, WIDTH, Slip, ticks, value_graph

LEADS = [0, 1, 1, -2, 5]
MARGINS = [
    Margin(turn, margin, turn > 1, lead)
    for turn, (margin, lead) in enumerate(zip([2.5, -3, 4, 4, 5], LEADS, strict=True))
]


def drawn(leads=LEADS, margins=MARGINS, slips=(), skips=()):
    """The graph as a tree."""
    return ElementTree.fromstring(value_graph(leads, margins, slips, skips))


def of_class(root, name):
    """The elements with a class."""
    return [one for one in root.iter() if name in (one.get("class") or "").split()]


def test_lines_of_the_game():
    """The score has a step for each turn; the estimate goes through all margins, and the proof through proven ones."""
    root = drawn()
    (score,), (estimate,), (proven,) = (of_class(root, name) for name in ("score", "estimate", "proven"))
    assert score.get("d").count("H") == len(LEADS) - 1
    assert estimate.get("d").count("L") == len(MARGINS) - 1
    assert proven.get("d").count("M") == 2
    assert len(of_class(root, "proven-dot")) == 3


def test_the_script_finds_turns():
    """Turn t stands at data-zero + t · data-step; the last one at the right border."""
    root = drawn()
    zero, step = float(root.get("data-zero")), float(root.get("data-step"))
    assert zero == LEFT
    assert LEFT < zero + step * (len(LEADS) - 1) < WIDTH


def test_slips_and_skips_are_marked():
    """Mistakes and blunders are triangles with their kind, skips diamonds; the description names the turns."""
    root = drawn(slips=[Slip(1, 1, "mistake"), Slip(4, 2, "blunder")], skips=[2, 3])
    first, second = of_class(root, "slip")
    assert first.get("class").split() == ["slip", "mistake"]
    assert "".join(first.itertext()) == "turn 1: mistake of player 1"
    assert "".join(second.itertext()) == "turn 4: blunder of player 2"
    assert len(of_class(root, "skip")) == 2
    assert root.find("desc").text == "mistakes: turns 1; blunders: turns 4; skips: turns 2, 3"
    assert drawn().find("desc").text == "No turn is marked."


def test_a_slip_of_player_1_points_down():
    """The tip of a triangle is at the margin after its turn, on the side from which the margin came."""
    below, above = of_class(drawn(slips=[Slip(2, 1, "blunder"), Slip(2, 2, "blunder")]), "slip")
    ys = [float(one.get("d").split("M")[1].split("h")[0].split()[1]) for one in (below, above)]
    assert ys[0] < ys[1]


@pytest.mark.parametrize(
    ("leads", "margins"), [([0], []), ([0, 0, 0], []), ([0], [Margin(0, 0.0, exact=True, score=0)])]
)
def test_short_games_have_a_graph(leads, margins):
    """A game without turns, or without points, divides by nothing."""
    root = drawn(leads, margins)
    assert of_class(root, "axis")
    assert "nan" not in ElementTree.tostring(root, "unicode").lower()


@pytest.mark.parametrize("span", [1, 3, 7, 20, 99, 625, 4000])
def test_ticks_are_few_and_round(span):
    """At most the requested number of steps, all of one round width, within the span."""
    found = ticks(-span, span, most=5)
    assert len(found) <= 6
    assert 0 in found
    assert all(-span <= one <= span for one in found)
    assert len({after - before for before, after in pairwise(found)}) <= 1
