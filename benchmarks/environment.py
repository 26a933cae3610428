"""The origin of the numbers: the machine, the versions and the commit, at the head of every result."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import csp_sudoku as cs
from csp_sudoku import agents, benchmarks

READ = (".py", ".txt", ".json")

STANDS_ON = ("numba", "numpy", "ortools")
"""The packages whose versions matter to every figure."""


@cache
def processor() -> str:
    """Return the name of the processor, and the number of logical processors."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        model = f"{names[0]} ({len(names)} logical processors)" if names else model
    return model


def machine() -> str:
    """Return the processor, the system, and the Python version."""
    return f"{processor()}, {platform.system()}, {platform.python_implementation()} {platform.python_version()}"


def versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """Return the versions of these packages, if they are installed, and of the packages that matter to every figure."""
    found = {"csp-sudoku": cs.__version__}
    for name in sorted({*STANDS_ON, *packages}):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@cache
def commit() -> str | None:
    """Return the commit of the clone with this package, with a + if files have changed since; None outside a clone."""
    home = Path(cs.__file__).parents[1]
    if not (home / ".git").exists():
        return None
    told = [_git(home, "rev-parse", "--short=12", "HEAD"), _git(home, "status", "--porcelain", "-uno")]
    if told[0] is None:
        return None
    return told[0] + ("+" if told[1] else "")


@cache
def code() -> str:
    """Return a digest of our code, committed or not."""
    home = Path(cs.__file__).parent
    places = [home, *map(Path, agents.__path__)]
    scripts = [file for place in benchmarks.__path__ for file in sorted(Path(place).glob("*.py"))]
    return digest(dict.fromkeys(place.resolve() for place in (*places, *scripts)))


def digest(places: Iterable[Path]) -> str:
    """Return a digest of the code in these files and folders, and of the data files that players read."""
    found = sha256()
    for place in places:
        inside = sorted(file for file in place.rglob("*") if file.suffix in READ) if place.is_dir() else [place]
        for file in inside:
            with suppress(OSError):
                found.update(f"{file.relative_to(place)}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def _git(home: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=home, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def environment(packages: Iterable[str] = ()) -> dict[str, Any]:
    """Return the machine, the versions and the commit, for JSON."""
    return {"machine": machine(), "versions": versions(packages), "commit": commit()}


def fingerprint(packages: Iterable[str] = ()) -> str:
    """Return a digest that distinguishes runs that must not be mixed: other machines, versions, or code."""
    known = [machine(), versions(packages), code()]
    return sha256(json.dumps(known).encode()).hexdigest()[:16]


def head(command: str, packages: Mapping[str, str]) -> list[str]:
    """Return the lines of Markdown that show the origin of the numbers."""
    told = ", ".join(f"{name} {number}" for name, number in packages.items())
    known = commit()
    at = f" Commit: {known}." if known else ""
    return [f"    {command}", "", f"Machine: {machine()}.  ", f"Packages: {told}.{at}", ""]


def one_thread() -> dict[str, str]:
    """Return the environment of a process that computes in one thread."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    home = str(Path(cs.__file__).parents[1])
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return {**os.environ, **dict.fromkeys(names, "1"), "PYTHONPATH": path}
