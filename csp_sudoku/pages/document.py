"""A page as one file: its style, its script and its data are inside, and its policy forbids everything else.

The Content-Security-Policy names each style and script by its hash, so that a browser runs nothing that a name in an
untrusted record might smuggle in, and loads nothing from anywhere.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from csp_sudoku.drawing.elements import escaped

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_LINK = re.compile(r"^(?:import .* from .*|export \{.*\});\n", re.MULTILINE)
"""A line that imports or exports names; in one file these lines are not needed."""
_UNSAFE = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def asset(name: str) -> str:
    """Return the text of a file beside this module."""
    return files("csp_sudoku.pages").joinpath(name).read_text(encoding="utf-8")


def script_of(*names: str) -> str:
    """Return modules of JavaScript as one: the files `names`, in this order, without their imports and exports.

    A line that exports or imports names must begin with `import` or with `export {`.
    """
    return "".join([_LINK.sub("", asset(name)) for name in names])


def data_of(value: Any) -> str:
    """Return a value as JSON for an element of a page: without the characters of tags.

    >>> print(data_of({"name": "</script><b>"}))
    {"name":"\\u003c/script\\u003e\\u003cb\\u003e"}
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda match: _UNSAFE[match[0]], text)


def page(*, title: str, body: str, style: str, script: str, data: Any) -> str:
    """Return a page.

    `title` is its title as plain text, `body` the markup of its content, `style` its style sheet, `script` its module
    of JavaScript, and `data` the value that the script finds as JSON in the element with the id "data".
    """
    styles = [style, *_STYLE.findall(body)]
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src {' '.join(dict.fromkeys(map(_hash, styles)))}",
            f"script-src {_hash(script)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escaped(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{data_of(data)}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _hash(text: str) -> str:
    """Return the hash of a style or a script, as it stands in a policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
