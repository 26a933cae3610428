"""Pages as files: nothing from outside, nothing that a text can smuggle in, and a policy that says so."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest

from csp_sudoku.pages.document import asset, data_of, page, script_of

NASTY = "</script><script>alert(1)</script><!-- \u2028 & ]]>"


def made(**changes):
    """A page of small parts."""
    parts = {"title": "t", "body": "<p>b</p>", "style": "p{}", "script": "let a = 1;", "data": {}}
    return page(**{**parts, **changes})


def test_data_cannot_end_its_element():
    """JSON in a page has no character of a tag, and is read back as it was."""
    text = data_of({"name": NASTY})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"name": NASTY}


def test_the_policy_names_every_style_and_script():
    """The hashes of the policy are those of the styles and the script; everything else is forbidden."""
    text = made(body="<svg><style>a{}</style></svg>")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    named = dict(part.split(" ", 1) for part in policy.split("; "))
    digest = {
        one: f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in ("p{}", "a{}", "let a = 1;")
    }
    assert named == {
        "default-src": "'none'",
        "style-src": f"{digest['p{}']} {digest['a{}']}",
        "script-src": digest["let a = 1;"],
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_the_title_is_escaped():
    """A title is text."""
    assert "<title>a &lt;b&gt;</title>" in made(title="a <b>")


@pytest.mark.parametrize("name", ["board.js", "zoom.js", "replay.js"])
def test_modules_are_joined(name):
    """In one script there are no imports and no exports, and nothing else is missing."""
    text, joined = asset(name), script_of(name)
    assert not re.search(r"^(import|export)\b", joined, re.MULTILINE)
    links = re.findall(r"^(?:import|export)\b", text, re.MULTILINE)
    assert len(text.splitlines()) - len(joined.splitlines()) == len(links) > 0


@pytest.mark.parametrize("name", ["board.js", "zoom.js", "replay.js", "page.css", "replay.html"])
def test_the_files_name_no_other_place(name):
    """Scripts, styles and markup contain no address, set no markup from text, and cannot end their element."""
    text = asset(name)
    for forbidden in ("http", "innerHTML", "outerHTML", "insertAdjacent", "eval(", "url(", "@import", "</sc", "</sty"):
        assert forbidden not in text
    assert not re.search(r'\son\w+="|style="', text)
