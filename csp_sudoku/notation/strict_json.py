"""JSON whose objects have no repeated keys: Python's own reader silently keeps the last value of a repeated key."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any


class RepeatedKeyError(Exception):
    """An object contains a key twice."""


def loads(source: str) -> Any:
    """Return a JSON text as Python objects; raise RepeatedKeyError, or what `json.loads` raises."""
    return json.loads(source, object_pairs_hook=unique_keys)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a dictionary; raise RepeatedKeyError for the first repeated key.

    >>> unique_keys([("a", 1), ("b", 2)])
    {'a': 1, 'b': 2}
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise RepeatedKeyError(next(key for key, count in counts.items() if count > 1))
    return found
