"""Planted faults, by which the tests check that the runner reports each as one line: the seed says which.

This module is no kind of the fuzzer: nothing of the product is checked here.
"""

from __future__ import annotations

import os
from random import Random

from tests.fuzz.case import Budget, MismatchError, SpentError, memory_limit

FAULTS = ("mismatch", "error", "open", "hang", "death", "memory", "none")


def check(random: Random, budget: Budget) -> None:
    """Act on the environment variable FUZZ_FAULT, since a seed cannot be read back from its numbers."""
    fault = os.environ.get("FUZZ_FAULT", "none")
    if fault == "mismatch":
        raise MismatchError("4x4: one says\nthis, the other that")
    if fault == "error":
        raise KeyError("a key")
    if fault == "open":
        raise SpentError
    while fault == "hang":
        pass
    if fault == "death":
        os._exit(7)
    if fault == "memory":
        with memory_limit(50):
            bytearray(200 << 20)
