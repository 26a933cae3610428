"""RunStore: the raw runs, one line of JSON each; a line is on the disk when `add` returns.

A run has a key, so it is stored only once, however often it is added. If the program is killed while it writes a line,
the incomplete line is removed when the file is opened again; nothing else is ever changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from io import BufferedIOBase
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from csp_sudoku.errors import SudokuError


class RunStore:
    """The runs of a file; a context manager that closes the file. No other process may write it at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise SudokuError(f"expected a file for runs at {path}; found {error.strerror}") from error
        try:
            self._lock()
            self._file.seek(0)
            self._runs, whole = _read(self._file, path)
            self._file.truncate(whole)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not available on Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SudokuError(f"expected nobody else to write {self.path}; found another run of it") from None

    def add(self, run: dict[str, Any]) -> bool:
        """Keep a run, and return whether it is new; when this returns, the run is on the disk."""
        if run["key"] in self._runs:
            return False
        self._file.write(json.dumps(run, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._runs[run["key"]] = run
        return True

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the run of this key; None if there is none."""
        return self._runs.get(key)

    def __contains__(self, key: str) -> bool:
        return key in self._runs

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._runs.values())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


Runs = RunStore | Mapping[str, dict[str, Any]]
"""A lookup of runs by their keys."""


def runs_in(path: Path) -> dict[str, dict[str, Any]]:
    """Return the runs of a file by their keys; no runs if there is no file. Another process may have it open."""
    try:
        with path.open("rb") as file:
            return _read(file, path)[0]
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SudokuError(f"expected a file of runs at {path}; found {error.strerror}") from error


def _read(file: BufferedIOBase, path: Path) -> tuple[dict[str, dict[str, Any]], int]:
    """Return the runs of a file by their keys, and their length in bytes, without an incomplete last line."""
    runs: dict[str, dict[str, Any]] = {}
    whole = 0
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            break
        try:
            run = json.loads(line)
            key = run["key"]
        except (ValueError, TypeError, KeyError):
            raise SudokuError(f"{path}, line {number}: expected a run; found {line[:40]!r}") from None
        runs.setdefault(key, run)
        whole += len(line)
    return runs, whole
