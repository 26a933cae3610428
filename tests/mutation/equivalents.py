"""The file of mutants that do the same as the original: three lines for each, and a blank one after them.

csp_sudoku/geometry.py: why nobody can tell the difference
- the line as it is
+ the line as the mutant has it
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

Key = tuple[str, str, str]
"""The module, the original line, and the line of the mutant."""


def read_entries(path: Path) -> Iterator[tuple[Key, str]]:
    """The mutants of a file, each with the reason that is given, which may be empty."""
    text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("#"))
    for entry in filter(str.strip, text.split("\n\n")):
        head, before, after = entry.strip("\n").split("\n")
        module, _, why = head.partition(":")
        yield (module, before[1:].strip(), after[1:].strip()), why.strip()


def write_entry(path: Path, key: Key) -> None:
    """Append a mutant without a reason."""
    module, before, after = key
    with path.open("a") as file:
        file.write(f"{module}:\n- {before}\n+ {after}\n\n")
