"""The exit codes.

    0    done; and where a question was asked: yes
    1    the answer is no: a board has no solution
    2    something in the input or the usage is wrong; one line on standard error says what
    3    not decided within the limits
    130  interrupted

Of several boards the worst counts: a bad input (2) before an undecided board (3) before an unsolvable one (1).
A reader that closes the pipe early (`| head -1`) has what it wanted: that is 0, in silence.
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
    """The code that stands for all.

    >>> worst([DONE, NO, UNDECIDED, DONE]), worst([])
    (3, 0)
    """
    return max(codes, key=_BEST_TO_WORST.index, default=DONE)
