"""The exit codes.

    0    done; and if the command asks a question, the answer is yes
    1    the answer is no: a board has no solution
    2    something in the input or the usage is wrong; one line on standard error names it
    3    not decided within the limits
    130  interrupted

Of several boards the worst code counts: a bad input (2) before an undecided board (3) before an unsolvable one (1). If
a reader closes the pipe early (`| head -1`), the program ends silently with 0.
"""

from __future__ import annotations

from collections.abc import Iterable

DONE = 0
NO = 1
BAD = 2
UNDECIDED = 3
INTERRUPTED = 130

_BEST_TO_WORST = (DONE, NO, UNDECIDED, BAD)


def worst(codes: Iterable[int]) -> int:
    """Return the worst of several exit codes; DONE if there are none.

    >>> worst([DONE, NO, UNDECIDED, DONE]), worst([])
    (3, 0)
    """
    return max(codes, key=_BEST_TO_WORST.index, default=DONE)
