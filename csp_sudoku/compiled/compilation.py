"""Compilation: each kernel is compiled to machine code once per computer, with a message, and can be interrupted.

Kernels are plain functions decorated with `kernel` (numba, cached on disk); their helpers are decorated with `part`.
The first call of a kernel compiles it. That takes seconds, so a line on standard error reports it; it happens in a
thread of its own, so that Ctrl-C takes effect at once. Later processes load the machine code in a tenth of a second.
All time limits and reported times exclude both.

Compiled loops cannot be interrupted from outside. A kernel that may run long therefore does a bounded amount of
work per call, keeps its whole state in arrays, and is called again and again, so that Ctrl-C, deadlines and
progress are handled between the calls.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from csp_sudoku.compiled.lean import import_numba
from csp_sudoku.compiled.loading import add_compiling, loading

_numba = import_numba()

ANNOUNCE_AFTER = 0.8
"""Seconds of compilation after which a line on standard error reports it."""

Function = TypeVar("Function", bound=Callable[..., Any])


def _fingerprint() -> str:
    """Return a digest of all kernel sources: numba's own check misses a change in a helper of another file."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for path in sorted([*package.glob("compiled/*.py"), *package.glob("**/kernels/**/*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def cache_folder() -> Path:
    """Return the folder for machine code: below $CSP_SUDOKU_CACHE, the user's cache folder, or a temporary folder."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    chosen = os.environ.get("CSP_SUDOKU_CACHE")
    base = Path(chosen) if chosen else home / "csp_sudoku"
    folder = base / _fingerprint()
    if not _writable(folder):
        user = os.getuid() if hasattr(os, "getuid") else "user"
        folder = Path(tempfile.gettempdir()) / f"csp_sudoku-{user}" / folder.name
        folder.mkdir(parents=True, exist_ok=True)
    return folder


_FOLDER = cache_folder()
_ready: set[Callable[..., Any]] = set()  # asking numba takes longer
_OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Compile an entry point with numba, without the interpreter, and keep the machine code on disk."""
    before = _numba.config.CACHE_DIR
    _numba.config.CACHE_DIR = str(_FOLDER)
    try:
        compiled: Function = _numba.njit(cache=True, **_OPTIONS)(function)
    finally:
        _numba.config.CACHE_DIR = before
    return compiled


def part(function: Function) -> Function:
    """Compile a helper that only kernels call; its code is kept with theirs."""
    compiled: Function = _numba.njit(**_OPTIONS)(function)
    return compiled


def get_ready(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile or load a kernel for arguments like these, unless it is ready; report long compilation, obey Ctrl-C.

    A kernel is always called with the same types, so that it is compiled only once.
    """
    if function not in _ready:
        if not function.signatures:  # type: ignore[attr-defined]
            with loading():
                _compile_in_thread(function, tuple(_numba.typeof(argument) for argument in arguments))
        _ready.add(function)


def _compile_in_thread(function: Any, types: tuple[Any, ...]) -> None:
    failure: list[BaseException] = []

    def work() -> None:
        try:
            _compile(function, types)
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits, whatever it is
            failure.append(error)

    thread = threading.Thread(target=work, name=f"compile {function.__name__}", daemon=True)
    started = time.monotonic()
    thread.start()
    is_announced = False
    while thread.is_alive():
        thread.join(0.05)
        is_late = time.monotonic() - started > ANNOUNCE_AFTER
        if is_late and not is_announced and function.stats.cache_misses:  # on a busy machine loading takes long, too
            is_announced = True
            _say(f"compiling the kernel '{_name(function)}' for this computer (once; later runs load it)")
    if function.stats.cache_misses:
        add_compiling(time.monotonic() - started)
    if failure:
        raise failure[0]


def _compile(function: Any, types: tuple[Any, ...]) -> None:
    """Load a kernel, or compile it and keep it, whatever state the cache is in.

    A damaged entry is replaced. If the cache cannot be written, as on a full disk, every process compiles again.
    """
    try:
        function.compile(types)
    except _numba.errors.NumbaError:
        raise
    except OSError as error:
        if not function.signatures:  # it could not be read
            raise
        _say_once(f"expected room for compiled kernels in {_FOLDER}; found {error.strerror or error}; going on without")
    except Exception as error:
        if function.signatures:
            raise
        _say(f"the cached kernel '{_name(function)}' is damaged ({type(error).__name__}); compiling it again")
        function._cache.flush()
        function.compile(types)


def _name(function: Any) -> str:
    return str(function.__name__).replace("_", " ")


def _say(line: str) -> None:
    """Print a line on standard error: a library that is silent for seconds looks hung."""
    print(f"csp-sudoku: {line}", file=sys.stderr, flush=True)  # noqa: T201


@cache
def _say_once(line: str) -> None:
    _say(line)
