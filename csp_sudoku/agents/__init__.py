"""The players that come with this package: the folders of `agents/`.

In a clone these are at its top level, where the framework finds them as `agents.NAME`; a wheel has them here, in place
of this file (see package-dir in pyproject.toml). Nowhere is a top-level package `agents` installed, since others are
called that too.
"""

from pathlib import Path

__path__ = [str(Path(__file__).parents[2] / "agents")]
