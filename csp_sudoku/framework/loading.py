"""Loading: import an agent's class from its folder, with the stand-ins for the framework and the modules around it.

Each agent needs a fresh process: loading changes `sys.path` and `sys.modules` permanently, and two agents may have
modules of the same name.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from csp_sudoku.errors import SudokuError
from csp_sudoku.framework.detection import detect_api
from csp_sudoku.framework.failing import error_line
from csp_sudoku.framework.sources import ENTRY, SourceFile, above, absolute, contents, exists, parsed, reached
from csp_sudoku.framework.standins import PACKAGE, install
from csp_sudoku.framework.sudokuai import SudokuAI

CLASS = "SudokuAI"

ENTRY_LIMIT = 64
"""Upper bound for the size of a sudokuai.py that is imported, in megabytes."""


class AgentError(SudokuError):
    """An agent that cannot be loaded."""


class NoAgentError(AgentError):
    """There is no folder, or the folder has no sudokuai.py."""


class NoAgentClassError(AgentError):
    """A sudokuai.py without the class SudokuAI."""


class AgentCrashError(AgentError):
    """An agent whose modules raise an error when they are imported."""


class AgentImportError(AgentCrashError):
    """An agent with a syntax error, or with an import of a missing module or name."""


def load_agent_class(folder: str | os.PathLike[str], api: str | None = None) -> type[Any]:
    """Return the class SudokuAI of an agent's folder; the API is detected unless given.

    The folder's name is its package, so its modules may import each other relatively, by that name, by a longer name
    that begins further up (`agents.NAME.helpers`), or plainly (`import helpers`). Raise AgentError if loading fails.
    """
    place = agent_folder(folder)
    package = install(api or detect_api(place))
    if place.parent.name == PACKAGE:  # agents within the framework's own package
        package.__path__.append(str(place.parent))
    found = getattr(load_module(place), CLASS, None)
    if not isinstance(found, type) or found is SudokuAI:
        raise NoAgentClassError(f"expected a class {CLASS} in {place / ENTRY}; found {found or 'none'}")
    return found


def agent_folder(folder: str | os.PathLike[str]) -> Path:
    """Return the path of an agent's folder; raise NoAgentError if it has no sudokuai.py, or one that is too large."""
    place = absolute(folder)
    if not place.is_dir():
        raise NoAgentError(
            f"expected the folder of an agent; found {'a file' if place.exists() else 'none'} at {place}"
        )
    entry = place / ENTRY
    if not entry.is_file():
        found = "what is no regular file" if entry.exists() else "none"
        raise NoAgentError(f"expected a file {ENTRY} in the folder of an agent; found {found} in {place}")
    megabytes = entry.stat().st_size >> 20
    if megabytes > ENTRY_LIMIT:
        raise NoAgentError(f"expected at most {ENTRY_LIMIT} MB in {ENTRY}; found {megabytes} MB in {place}")
    return place


def load_module(place: Path) -> ModuleType:
    """Import the module sudokuai of an agent's folder; raise AgentCrashError if it or its imports fail."""
    sources = reached(place)
    with importing(place):
        return import_module(f"{_arranged(place, sources)}.{ENTRY.removesuffix('.py')}")


@contextmanager
def importing(place: Path) -> Iterator[None]:
    """Convert every exception of an agent's modules during their import to AgentCrashError."""
    try:
        yield
    except (Exception, SystemExit) as error:
        found = error_line(error, str(place))
        kind = AgentImportError if isinstance(error, SyntaxError | ImportError) else AgentCrashError
        raise kind(f"expected to import the agent {place.name}; found {found}") from error


def require_syntax(place: Path) -> None:
    """Raise AgentImportError if the sudokuai.py of a folder has a syntax error; the file is not run."""
    source = contents(place / ENTRY)
    if source is None or parsed(place / ENTRY) is not None:
        return
    with importing(place):
        ast.parse(source, str(place / ENTRY))


def _arranged(place: Path, sources: list[SourceFile]) -> str:
    """Make the imports of the agent's files resolvable, and return the name of its package."""
    absolute = [wanted.parts for source in sources for wanted in source.imports if not wanted.level]
    depth = max(_depth_by_name(place, absolute), _depth_by_level(place, sources))
    folders = [*reversed(above(place)[:depth]), place]
    _extend_path(place)
    for folder in folders[:-1]:
        _adopt(_name_of(folders[: folders.index(folder) + 1]), folder, tolerant=True)
    for parts in absolute:
        _find_above(place, *parts)
    name = _name_of(folders)
    _adopt(name, place)
    return name


def _depth_by_name(place: Path, absolute: list[tuple[str, ...]]) -> int:
    """Return the number of folders above its own that the agent names when it imports its own modules."""
    depth = 0
    for parts in absolute:
        for at, part in enumerate(parts):
            names = [folder.name for folder in reversed(above(place)[:at])]
            if part == place.name and names == list(parts[:at]):
                depth = max(depth, at)
    return depth


def _depth_by_level(place: Path, sources: list[SourceFile]) -> int:
    """Return the number of folders above its own that the agent's relative imports reach."""
    depth = 0
    for source in sources:
        if source.path.is_relative_to(place):
            inside = len(source.path.relative_to(place).parts) - 1
            depth = max([depth, *(wanted.level - 1 - inside for wanted in source.imports)])
    return min(depth, len(above(place)))


def _extend_path(place: Path) -> None:
    """Add the folder's parent to `sys.path` after the standard library, and the folder itself at the end."""
    installed = (at for at, entry in enumerate(sys.path) if entry.endswith(("site-packages", "dist-packages")))
    sys.path.insert(next(installed, len(sys.path)), str(place.parent))
    sys.path.append(str(place))


def _find_above(place: Path, top: str, inside: str = "", *_rest: str) -> None:
    """Make a top-level name importable if it names a folder above, or a module in such a folder.

    A folder above hides an installed package of the same name only if it contains the imported module.
    """
    if top in sys.modules or top in sys.stdlib_module_names or exists(place.parent, top) or exists(place, top):
        return
    for folder in above(place):
        if folder.name == top and (find_spec(top) is None or exists(folder, inside)):
            _adopt(top, folder, tolerant=True)
            return
        if exists(folder, top) and str(folder) not in sys.path:
            sys.path.insert(len(sys.path) - 1, str(folder))
            return


def _name_of(folders: list[Path]) -> str:
    """Return a dotted package name for the last of some nested folders that hides no other module."""
    first, *rest = (folder.name for folder in folders)
    if not rest and re.fullmatch(r"\w+(\.\w+)+", first) and _is_free(first.partition(".")[0]):
        return first
    taken = first in sys.stdlib_module_names or first == PACKAGE or (first in sys.modules and not _is_ours(folders[0]))
    return ".".join(re.sub(r"\.", "_", name) for name in (f"agent_{first}" if taken else first, *rest))


def _is_free(name: str) -> bool:
    return name not in sys.modules and find_spec(name) is None


def _is_ours(folder: Path) -> bool:
    """Whether the module with a folder's name was already made from that folder."""
    return str(folder) in list(getattr(sys.modules.get(folder.name), "__path__", ()))


def _adopt(name: str, folder: Path, *, tolerant: bool = False) -> None:
    """Make a folder the package of a dotted name; if `tolerant` is set, errors of its __init__.py are ignored."""
    parent, _, last = name.rpartition(".")
    if parent and parent not in sys.modules:  # the name of a folder may contain dots
        _register(ModuleSpec(parent, None, is_package=True))
    init = folder / "__init__.py"
    spec = spec_from_file_location(name, init, submodule_search_locations=[str(folder)]) if init.is_file() else None
    if spec is None or spec.loader is None:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
    module = _register(spec)
    if parent:
        setattr(sys.modules[parent], last, module)
    if spec.loader is not None:
        with suppress(*[Exception] if tolerant else []):
            spec.loader.exec_module(module)


def _register(spec: ModuleSpec) -> ModuleType:
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    return module
