"""The layers of the program: which package imports which, read from the sources, as a table and as a picture.

    python -m tests.layers    prints the rows of the table in ARCHITECTURE.md, and the picture above it

The order of the table is that of the document, which begins with the packages that import nothing.
"""
# ruff: noqa: T201 - a command prints

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import networkx

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "csp_sudoku"
DOCUMENT = ROOT / "ARCHITECTURE.md"

FOLDERS = ("agents", "benchmarks", "boards")
"""Packages whose modules are in folders of their own outside of csp_sudoku in a clone."""

ROW = re.compile(r"^\| `(\w+)` \|([^|]*)\|([^|]*)\|$", flags=re.MULTILINE)
"""A row of the table: a package, its description, and its imports."""


def modules_of(package: str) -> list[str]:
    """Return the names of the modules and packages in a package's folder."""
    folder = ROOT / package
    files = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    return sorted(files + [path.parent.name for path in folder.glob("*/__init__.py")])


def groups() -> dict[str, list[Path]]:
    """Return every package and single module of csp_sudoku, with its files; of `csp_sudoku` itself, its `__init__`."""
    found = {"csp_sudoku": [SOURCE / "__init__.py"]}
    for name in modules_of("csp_sudoku"):
        place = ROOT / name if name in FOLDERS else SOURCE / name
        found[name] = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    return found


def imported(file: Path) -> Iterator[str]:
    """Yield the groups that a file imports, anywhere in it, as far as they are named in an import."""
    names = modules_of("csp_sudoku")
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found = [(node.module, alias.name) for alias in node.names]
        else:  # a relative import stays within its folder: agents, benchmarks and framework agents only
            continue
        for module, name in found:
            first, _, rest = module.partition(".")
            if first == "csp_sudoku":
                below = rest.partition(".")[0] or name
                yield below if below in names else "csp_sudoku"


def graph() -> dict[str, set[str]]:
    """Return which group imports which others."""
    return {name: {one for file in files for one in imported(file)} - {name} for name, files in groups().items()}


def rows() -> dict[str, list[tuple[str, str]]]:
    """Return the table of the document: each package, and the packages that it imports, with marks for upwards."""
    text = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""
    return {name: re.findall(r"`(\w+)`( ↑)?", cell) for name, _, cell in ROW.findall(text)}


def table() -> str:
    """Return the rows of the table as they should be, in the order and with the descriptions of the document."""
    found, imports = ROW.findall(DOCUMENT.read_text(encoding="utf-8")), graph()
    order = [name for name, _, _ in found]

    def cell(name: str) -> str:
        known = sorted(imports[name], key=order.index)
        return ", ".join(f"`{one}`" + (" ↑" if order.index(one) > order.index(name) else "") for one in known)

    return "\n".join(f"| `{name}` | {text.strip()} | {cell(name)} |".replace("|  |", "| |") for name, text, _ in found)


def picture() -> str:
    """Return the import graph in Mermaid's notation, without the arrows that follow from others.

    `errors` is left out, since everything imports it, and so are the imports from below that the table marks.
    """
    order = list(rows())
    arrows = networkx.DiGraph()
    arrows.add_nodes_from(name for name in order if name != "errors")
    for name, others in graph().items():
        arrows.add_edges_from((name, one) for one in others - {"errors"} if order.index(one) < order.index(name))
    edges = sorted(networkx.transitive_reduction(arrows).edges, key=lambda edge: [order.index(end) for end in edge])
    return "\n".join(["graph BT", *(f"    {low} --> {high}" for high, low in edges)])


if __name__ == "__main__":
    print(table(), picture(), sep="\n\n")
