"""A base class for objects that are closed at the end of a `with` block.

`contextlib.closing` would do the same at every call; here no caller can forget it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """A context manager that calls its own `close` at the end of the block."""

    @abstractmethod
    def close(self) -> None:
        """Release what the object holds, such as processes and files."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
