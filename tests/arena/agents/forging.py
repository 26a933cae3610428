"""Mock players that propose what is no move, or far too many moves."""

from tests.arena.agents.actions import good


def outside(state, propose):
    """Proposes a square that is not there."""
    propose((0, state.board.size, 1))


class Evil(int):
    """An integer that does everything else."""

    def _no(self, *_):
        raise SystemError

    __eq__ = __lt__ = __gt__ = __index__ = __int__ = __hash__ = __reduce_ex__ = __getstate__ = __repr__ = _no


class Numeric:
    """What has an index, and prints when it is pickled."""

    def __index__(self):
        return 1

    def __reduce__(self):
        return print, ("pickled",)


class Thrower:
    """What cannot be asked for its parts."""

    def __iter__(self):
        raise OSError

    def __getattribute__(self, name):
        raise OSError


NONSENSE = (
    *(None, 1.5, "012", 7, (), (1, 2), (1, 2, 3, 4), (1.0, 2, 3), ("1", "2", "3"), [None] * 3, {}, object()),
    *((10**18, 0, 1), (10**5000, 0, 1), (0, -(10**30), 1), (float("nan"),) * 3, Thrower(), Thrower, print, iter(())),
)


def nonsense(state, propose):
    """Proposes what are no moves."""
    for proposal in NONSENSE:
        propose(proposal)


def nonsense_around(state, propose):
    """Proposes a move among what are none."""
    for proposal in NONSENSE[:10]:
        propose(proposal)
    propose(good(state))
    for proposal in NONSENSE[10:]:
        propose(proposal)


def none(state, propose):
    """Proposes None."""
    propose(None)


def evil(state, propose):
    """Proposes a good move made of integers that are none when they are looked at."""
    move = good(state)
    propose([Evil(part) for part in move])


def numeric(state, propose):
    """Proposes (1, 1, 1), made of what is no integer, but counts as one."""
    propose([Numeric()] * 3)


def many(state, propose):
    """Proposes more often than anyone wants to know."""
    for _ in range(20_000):
        propose((0, 0, 0))
    propose(good(state))
