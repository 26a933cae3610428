"""The exchange of short learned clauses between searches of the same board.

A search appends what it learns to its outbox, and adds what is in its inbox to its own clauses whenever it restarts.
Between slices, the module `exchange` carries clauses from outboxes to inboxes. A clause is a header, which is negative,
and its literals, which are not: so literals can be translated without looking for the headers.
"""

from __future__ import annotations

from csp_sudoku.compiled.compilation import part
from csp_sudoku.solvers.backtracking.kernels.state import Tables
from csp_sudoku.solvers.learning.kernels.clauses import is_full, store
from csp_sudoku.solvers.learning.kernels.memory import DECISION, MAIL, Memory
from csp_sudoku.solvers.learning.kernels.propagation import enqueue, value_of

SHARED_LENGTH = 2
"""A clause is shared if its length is at most this, or its glue at most `shared_glue`."""

LONGEST = 30
"""Upper bound for the length of a shared clause, whatever its glue."""

BASE = 64
"""A header is -1 - (length · BASE + glue)."""


@part
def share(s: Memory, glue: int) -> None:
    """Append the clause in `learned` to the outbox if it is short, and if there is room."""
    length = s.learned_length
    if (glue > s.shared_glue and length > SHARED_LENGTH) or length > LONGEST or s.outbox_end + length >= MAIL:
        return
    s.outbox[s.outbox_end] = -1 - (length * BASE + min(glue, BASE - 1))
    for i in range(length):
        s.outbox[s.outbox_end + 1 + i] = s.learned[i]
    s.outbox_end += length + 1


@part
def receive(g: Tables, s: Memory) -> bool:
    """At the root: add the clauses of the inbox, and empty it; return false if one of them refutes the board."""
    at = 0
    while at < s.inbox_end:
        header = -1 - s.inbox[at]
        begin = at + 1
        at = begin + header // BASE
        s.learned_length = 0
        satisfied = False
        for i in range(begin, at):
            literal = s.inbox[i]
            truth = value_of(s, literal)
            if truth > 0:
                satisfied = True
                break
            if truth == 0:
                s.learned[s.learned_length] = literal
                s.learned_length += 1
        if satisfied:
            continue
        if s.learned_length == 0:
            return False
        if s.learned_length == 1:
            enqueue(g, s, s.learned[0], DECISION)
        elif not is_full(s):
            store(s, header % BASE)
    s.inbox_end = 0
    return True
