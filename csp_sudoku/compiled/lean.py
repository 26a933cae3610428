"""The import of numba; in our own commands, without scipy.

When numba loads its first kernel, it imports scipy's linear algebra, which takes a quarter of the CPU time of a short
command, and which none of our kernels uses. A process that runs only our kernels may omit scipy; numba cannot compile
`np.cov` there. So the command line calls `skip_scipy`, and the library never does.
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
    modules["scipy"] = None  # importing scipy fails now, and numba works without it
    try:
        import_module("numba.np.arraymath")
    finally:
        del modules["scipy"]
    return import_module("numba")
