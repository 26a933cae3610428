"""The environment variables of a Python process that imports this package."""

from __future__ import annotations

import os
from pathlib import Path

_HOME = Path(__file__).resolve().parents[2]


def package_environment(**others: str) -> dict[str, str]:
    """Return the environment of this process with the path of this package, and with `others`."""
    environment = {**os.environ, **others}
    if not _HOME.name.endswith("-packages"):
        before = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = f"{before}{os.pathsep}{_HOME}" if before else str(_HOME)
    return environment
