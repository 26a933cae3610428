"""Sources: the source files that an agent's sudokuai.py imports, directly or not, read without running any of them.

A file that cannot be read or parsed is skipped; if the file matters, the import of the agent fails later. A file that
is not regular is skipped as well: a read from a named pipe may never return, and a link to /dev/zero has no end.
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
"""Maximum number of folders above an agent's folder to search."""

SIZE_LIMIT = 1 << 20
"""Upper bound for the size of a source file to read, in bytes; larger files are generated tables."""

_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""The flags for opening a source file. Of the optional ones, Windows has only the last, which no other system has."""

FILE_LIMIT = 300
"""Maximum number of files that are read."""


class Import(NamedTuple):
    """An import of a file: the parts of the dotted name, and the number of leading dots as `level`."""

    level: int
    parts: tuple[str, ...]


class SourceFile:
    """A source file and its syntax tree."""

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.path = path
        self.tree = tree

    @cached_property
    def imports(self) -> list[Import]:
        """All imports of the file; `from a.b import c` gives a.b.c, which may be a module or a name in one."""
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found += [Import(0, tuple(alias.name.split("."))) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = tuple(node.module.split(".")) if node.module else ()
                found += [Import(node.level, (*base, alias.name)) for alias in node.names]
        return found


def absolute(folder: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a folder. A link is not resolved, because its own name is the agent's name."""
    return Path(os.path.abspath(folder))  # noqa: PTH100 - pathlib would follow the link


def above(folder: Path) -> list[Path]:
    """Return the folders from which an agent's absolute imports may start: its parent, then the folders above it."""
    return list(folder.parents)[:NEAR]


def reached(folder: Path) -> list[SourceFile]:
    """Return an agent's sudokuai.py and the files that it imports, directly or not."""
    found: dict[Path, SourceFile] = {}
    waiting = [folder / ENTRY]
    while waiting and len(found) < FILE_LIMIT:
        path = waiting.pop(0)
        source = None if path in found else parsed(path)
        if source is not None:
            found[path] = source
            waiting += (file for wanted in source.imports for file in _files(folder, path, wanted))
    return list(found.values())


def others(folder: Path, known: list[SourceFile]) -> Iterator[SourceFile]:
    """Yield the other source files of an agent's folder and of its subfolders."""
    paths = {source.path for source in known}
    inside = (path for pattern in ("*.py", "*/*.py") for path in sorted(folder.glob(pattern)))
    for _, path in zip(range(FILE_LIMIT), (path for path in inside if path not in paths), strict=False):
        source = parsed(path)
        if source is not None:
            yield source


def parsed(path: Path) -> SourceFile | None:
    """Return a source file, or None if it can be parsed neither in its own encoding nor in Latin-1."""
    data = contents(path)
    if data is None:
        return None
    for text in (data, data.decode("latin-1")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # warnings about invalid escapes concern only the agent's author
                return SourceFile(path, ast.parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def contents(path: Path, limit: int = SIZE_LIMIT) -> bytes | None:
    """Return the bytes of a file; None if it is not regular, cannot be read at once, or exceeds `limit` bytes."""
    try:
        if not path.is_file():  # checked first, since opening a device may have an effect
            return None
        descriptor = os.open(path, _FLAGS)
        with open(descriptor, "rb", 0) as file:  # noqa: PTH123 - the path may name another file by now
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            data = b""
            while len(data) <= limit and (part := file.read(limit + 1 - len(data))) != b"":
                if part is None:  # the file has no end yet, as /proc/kmsg
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
    """Yield the existing files that an import in a file may load: each package on the path, and the module.

    The framework's own modules are omitted, because agents get the stand-ins.
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
