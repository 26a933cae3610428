"""Elements: whatever a text holds, the result is well-formed and shows that text."""

from xml.etree import ElementTree

import pytest

from csp_sudoku.drawing.elements import Markup, classes, element, escaped, joined, number, path

NASTY = ["</text><script>alert(1)</script>", "a & b", "\"'><svg onload=x>", "]]>", "<!--", "é ≤ 数"]


@pytest.mark.parametrize("text", NASTY)
def test_texts_and_attributes_are_escaped(text):
    """A text comes back as it was, as content and as attribute, and is never an element."""
    root = ElementTree.fromstring(element("text", text, title=text))
    assert (root.text, root.get("title"), len(root)) == (text, text, 0)


@pytest.mark.parametrize("text", ["\x00", "\x1b[31m", "\ud800", "\uffff", "\x0b"])
def test_characters_that_xml_forbids_are_replaced(text):
    """Control characters and halves of surrogate pairs become U+FFFD, so that the document can be read."""
    assert "\ufffd" in ElementTree.fromstring(element("text", text)).text


def test_markup_is_not_escaped_again():
    """Elements within elements stay elements; plain texts between them are escaped."""
    inner = element("b", "1 < 2")
    assert element("p", inner, "<i>") == "<p><b>1 &lt; 2</b>&lt;i&gt;</p>"
    assert isinstance(joined(inner, "&"), Markup)
    assert joined(inner, "&") == f"{inner}&amp;"
    assert escaped(escaped("x")) == "x"


def test_numbers_are_rounded():
    """Two digits, no trailing zeros and no negative zero."""
    assert [number(value) for value in (1, 1.0, 0.125, 2 / 3, -0.0001, 100.10)] == [
        "1",
        "1",
        "0.12",
        "0.67",
        "0",
        "100.1",
    ]
    assert path("M", 1, 2, "L", 1 / 3, 4) == "M1 2L0.33 4"
    assert element("rect", width=1 / 3) == '<rect width="0.33"/>'


def test_attributes_may_be_missing():
    """None leaves an attribute out."""
    assert element("g", class_=classes(None, ""), font_size=2) == '<g font-size="2"/>'
