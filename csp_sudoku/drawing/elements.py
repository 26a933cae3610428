"""Elements of SVG as text: every text and every attribute is escaped, and every number is rounded.

`Markup` is text that is an element already. `element` escapes each child that is plain text, so a player's name from an
untrusted file cannot become an element.
"""

from __future__ import annotations

import re

DIGITS = 2
"""Number of digits after the point of a coordinate. Rounding keeps drawings short, and the same on every machine."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML does not allow in any form, for example NUL or half of a surrogate pair."""


class Markup(str):
    """A text that consists of elements, so it is never escaped again."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Return a text as markup that shows it; a character that XML forbids becomes U+FFFD.

    >>> escaped("<b> & \\"you\\"")
    '&lt;b&gt; &amp; &quot;you&quot;'
    """
    allowed = _FORBIDDEN.sub("\ufffd", text)
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        allowed = allowed.replace(character, entity)
    return Markup(allowed)


def number(value: float) -> str:
    """Return a coordinate as text with at most two digits after the point.

    >>> number(12.0), number(1 / 3), number(-0.001)
    ('12', '0.33', '0')
    """
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def joined(*parts: str) -> Markup:
    """Return some markup and texts, one after the other; the texts are escaped."""
    return Markup("".join([part if isinstance(part, Markup) else escaped(part) for part in parts]))


def element(name: str, *children: str, **attributes: object) -> Markup:
    """Return an element.

    `name` is its name. `children` are markup, or texts, which are escaped. `attributes` are written in their order;
    attributes that are None are omitted, a trailing underscore is dropped, and other underscores become hyphens.

    >>> element("text", "a < b", x=1.5, class_="value", font_size=None)
    '<text x="1.5" class="value">a &lt; b</text>'
    >>> element("g", element("rect", stroke_width=2))
    '<g><rect stroke-width="2"/></g>'
    """
    written = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        text = number(value) if isinstance(value, int | float) else escaped(str(value))
        written.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    opening = " ".join(written)
    content = joined(*children)
    return Markup(f"<{opening}>{content}</{name}>" if content else f"<{opening}/>")


def path(*steps: str | float) -> str:
    """Return the data of a path: letters, and coordinates.

    >>> path("M", 1, 2.5, "h", 10, "z")
    'M1 2.5h10z'
    """
    text = ""
    for step in steps:
        if isinstance(step, str):
            text += step
        else:
            text += number(step) if not text or text[-1].isalpha() else f" {number(step)}"
    return text


def classes(*names: str | None) -> str | None:
    """Return the names that are given, as the value of the attribute class; None if there is none.

    >>> classes("ground", None, "last")
    'ground last'
    """
    return " ".join([name for name in names if name]) or None
