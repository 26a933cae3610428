"""The import of numba, in a command of ours without scipy.

When numba loads its first kernel, it imports scipy's linear algebra, which takes a quarter of the CPU time of a short
command, and which none of our kernels uses. A process that runs no kernels but ours may leave it out: in such a process
numba cannot compile `np.cov`. So the command line asks for it with `skip_scipy`, and the library never does.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

_skips_scipy = False


def skip_scipy() -> None:
    """Have numba imported without scipy in this process; no effect if either is imported already."""
    global _skips_scipy  # noqa: PLW0603 - one choice for the process
    _skips_scipy = True


def import_numba() -> Any:
    """Import numba and return it."""
    if not _skips_scipy or "scipy" in sys.modules or "numba" in sys.modules:
        return import_module("numba")
    modules: dict[str, Any] = sys.modules
    modules["scipy"] = None  # an import of it fails, and numba does without
    try:
        import_module("numba.np.arraymath")
    finally:
        del modules["scipy"]
    return import_module("numba")
