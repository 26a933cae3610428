"""Drawings as trees for the tests: elements by their class, and the segments of a path."""

from __future__ import annotations

import re
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def tree(drawing: str) -> ElementTree.Element:
    """The root of a drawing, which must be well-formed XML."""
    root = ElementTree.fromstring(drawing)
    assert root.tag == f"{SVG}svg"
    return root


def having(root: ElementTree.Element, *names: str, tag: str | None = None) -> list[ElementTree.Element]:
    """The elements below a root that have all of these classes, in the order of the document."""
    found = [one for one in root.iter() if set(names) <= set((one.get("class") or "").split())]
    return [one for one in found if tag is None or one.tag == f"{SVG}{tag}"]


def texts(root: ElementTree.Element, *names: str) -> list[str]:
    """The texts of the elements with these classes."""
    return ["".join(one.itertext()) for one in having(root, *names, tag="text")]


def segments(data: str) -> set[tuple[float, float, float, float]]:
    """The lines of a path that has only M, h and v, as (x, y, end x, end y)."""
    found = set()
    for x, y, way, length in re.findall(r"M([\d.]+) ([\d.]+)([hv])([\d.]+)", data):
        across, along = (float(length), 0.0) if way == "h" else (0.0, float(length))
        found.add((float(x), float(y), float(x) + across, float(y) + along))
    return found
