"""An agent's source files, as far as its sudokuai.py leads to them, and what they import; nothing is run.

Whatever cannot be read or parsed is passed over: whether it matters, the import will tell. So is what is no regular
file, such as a named pipe, which nobody may ever write to, or a link to /dev/zero, which has no end.
"""

from __future__ import annotations

import ast
import os
import stat
import warnings
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from csp_sudoku.framework.standins import MODULES, PACKAGE

ENTRY = "sudokuai.py"
"""The file that every agent has."""

NEAR = 5
"""How many of the folders above an agent's are looked at."""

SIZE_LIMIT = 1 << 20
"""Bytes of a source file that is looked at; generated tables are larger."""

FILE_LIMIT = 300
"""Files that are looked at."""


class Import(NamedTuple):
    """What a file imports: the dotted name in parts; `level` is the number of leading dots."""

    level: int
    parts: tuple[str, ...]


class Source:
    """A source file and its syntax tree."""

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.path = path
        self.tree = tree

    @cached_property
    def imports(self) -> list[Import]:
        """Everything that is imported; `from a.b import c` is a.b.c, which may be a module or a name in one."""
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found += [Import(0, tuple(alias.name.split("."))) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = tuple(node.module.split(".")) if node.module else ()
                found += [Import(node.level, (*base, alias.name)) for alias in node.names]
        return found


def absolute(folder: str | os.PathLike[str]) -> Path:
    """The place of a folder; of a link, its own and not what it points to, for its name is the agent's."""
    return Path(os.path.abspath(folder))  # noqa: PTH100 - pathlib would follow the link


def above(folder: Path) -> list[Path]:
    """The folders that an agent's absolute imports may start from, the nearest first: its parent, and so on."""
    return list(folder.parents)[:NEAR]


def reached(folder: Path) -> list[Source]:
    """The files that an agent's sudokuai.py imports, directly or not, and itself first."""
    found: dict[Path, Source] = {}
    waiting = [folder / ENTRY]
    while waiting and len(found) < FILE_LIMIT:
        path = waiting.pop(0)
        source = None if path in found else parsed(path)
        if source is not None:
            found[path] = source
            waiting += (file for wanted in source.imports for file in _files(folder, path, wanted))
    return list(found.values())


def others(folder: Path, known: list[Source]) -> Iterator[Source]:
    """The other source files of an agent's folder."""
    paths = {source.path for source in known}
    inside = (path for pattern in ("*.py", "*/*.py") for path in sorted(folder.glob(pattern)))
    for _, path in zip(range(FILE_LIMIT), (path for path in inside if path not in paths), strict=False):
        source = parsed(path)
        if source is not None:
            yield source


def parsed(path: Path) -> Source | None:
    """A source file, or None if it cannot be read and parsed, in its own encoding or in Latin-1."""
    data = contents(path)
    if data is None:
        return None
    for text in (data, data.decode("latin-1")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # strange escapes are the agent's business
                return Source(path, ast.parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def contents(path: Path, limit: int = SIZE_LIMIT) -> bytes | None:
    """The bytes of a regular file; None if it is none, cannot be read at once, or has more than `limit` bytes."""
    try:
        if not path.is_file():  # first, since a device may do something when it is opened
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, "rb", 0) as file:  # noqa: PTH123 - the descriptor may be of something else by now
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            data = b""
            while len(data) <= limit and (part := file.read(limit + 1 - len(data))) != b"":
                if part is None:  # more may come, as in /proc/kmsg
                    return None
                data += part
    except (OSError, ValueError):
        return None
    return data if len(data) <= limit else None


def exists(folder: Path, name: str) -> bool:
    """Whether a folder has a module or a package of this name."""
    inside = folder / name
    return bool(name) and (
        (folder / f"{name}.py").is_file() or any(any(inside.glob(pattern)) for pattern in ("*.py", "*/*.py"))
    )


def _files(folder: Path, importer: Path, wanted: Import) -> Iterator[Path]:
    """The existing files that an import in a file may load: each package on the way, and the module.

    Not the framework's own modules, should they lie near: agents get the stand-ins.
    """
    if not wanted.level and wanted.parts[0] == PACKAGE and wanted.parts[1:2] in [(name,) for name in MODULES]:
        return
    if wanted.level:
        starts = [Path(os.path.normpath(importer.parent.joinpath(*[".."] * (wanted.level - 1))))]
    else:
        starts = [folder, *above(folder)[:3], importer.parent]
    for start in starts:
        for length in range(1, len(wanted.parts) + 1):
            place = start.joinpath(*wanted.parts[:length])
            yield from (file for file in (place.with_name(f"{place.name}.py"), place / "__init__.py") if file.is_file())
