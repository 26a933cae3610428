"""Players for the arena's tests: each a function that plays a turn, or a class that also does something when made.

For supervisors, `load_player` stands in the place of the real one. Whatever forks or sleeps here ends by itself before
long.
"""

import ctypes
import mmap
import os
import random
import resource
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

LONG = 600
"""Seconds that a process lives that is to outlive its turn: longer than any test waits for it to be ended."""
PAUSE = 2.0
"""Seconds between the two proposals of a stubborn player."""


def load_player(spec, *, api=None, seed=None):
    """The player of a name in this module or in `makers`, as the real load_player has them."""
    from tests.arena.agents import makers

    found = globals().get(spec) or getattr(makers, spec)
    if isinstance(found, type):
        return found()
    player = type("Mock", (), {})()
    player.think = found
    return player


def good(state):
    """A move that does not lose."""
    return state.moves()[0]


def mover(state, propose):
    """Proposes a move and is done."""
    propose(good(state))


def waits_to_be_heard(state, propose):
    """Proposes all moves, waits until somebody has heard of the last one, and then ends with the first."""
    for move in state.moves():
        propose(move)
    while not Path(os.environ["CSP_SUDOKU_HEARD"]).exists():
        time.sleep(0.01)
    propose(good(state))


def quiet(state, propose):
    """Proposes nothing."""


def nothing(state, propose):
    """Proposes (0, 0, 0)."""
    propose((0, 0, 0))


def outside(state, propose):
    """Proposes a square that is not there."""
    propose((0, state.board.size, 1))


def hangs(state, propose):
    """Thinks for ever, with the processor busy."""
    propose(good(state))
    while True:
        pass


def sleeps(state, propose):
    """Thinks for ever without a proposal."""
    while True:
        time.sleep(1)


def deaf(state, propose):
    """Thinks for ever and will not hear of any signal."""
    propose(good(state))
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        signal.pause()


def raises(state, propose):
    """Crashes before it proposes anything."""
    raise ValueError("too hard")


def raises_late(state, propose):
    """Crashes after a proposal."""
    propose(good(state))
    raise ValueError("too hard")


class Untold(BaseException):
    """An error that can neither be caught as Exception nor told."""

    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


def raises_untold(state, propose):
    """Crashes with an error that cannot be told."""
    raise Untold


def exits(state, propose):
    """Ends its process."""
    os._exit(3)


def asks_to_exit(state, propose):
    """Ends its process as programs do."""
    sys.exit(0)


def segfaults(state, propose):
    """Reads where nothing is."""
    ctypes.string_at(0)


def exits_late(state, propose):
    """Ends its process after a proposal."""
    propose(good(state))
    os._exit(0)


def daemon():
    """Start a process that has left its parent, its session and its standard streams behind."""
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 4096)
    time.sleep(LONG)
    os._exit(0)


def daemons(state, propose):
    """Starts processes that are to outlive it."""
    for _ in range(3):
        daemon()
    propose(good(state))


def daemons_and_hangs(state, propose):
    """Starts processes that are to outlive it, and does not end."""
    daemons(state, propose)
    time.sleep(LONG)


def forks(state, propose):
    """Forks, and what it forks does so too: 2**6 processes, half of them in sessions of their own."""
    propose(good(state))
    for step in range(6):
        if not os.fork() and step % 2:
            os.setsid()
    time.sleep(LONG)
    os._exit(0)


def crowd(state, propose):
    """Starts more processes than it may."""
    for _ in range(60):
        if not os.fork():
            time.sleep(LONG)
            os._exit(0)
    time.sleep(LONG)


def crowd_and_moves(state, propose):
    """Proposes, and starts a hundred processes, each with a child, of which it takes no leave."""
    propose(good(state))
    for _ in range(100):
        if not os.fork():
            os.setsid()
            os.fork()
            time.sleep(LONG)
            os._exit(0)
    time.sleep(LONG)


def prints(state, propose):
    """Prints 20 megabytes."""
    sys.stderr.write("the beginning\n")
    for _ in range(20):
        os.write(1, b"x" * (1 << 20))
        sys.stdout.write("y" * 1000)
    sys.stdout.write("the end\n")
    propose(good(state))


def saves(state, propose):
    """Writes a file of 100 megabytes."""
    propose(good(state))
    with Path("huge").open("wb") as file:
        file.writelines(bytes(1 << 20) for _ in range(100))
    propose((0, 0, 0))


def hoards(state, propose):
    """Takes memory until there is none."""
    propose(good(state))
    kept = []
    while True:
        kept.append(bytearray(b"x" * (1 << 24)))


def maps(state, propose):
    """Takes memory from the system."""
    propose(good(state))
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 1 << 26, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


def closes(state, propose):
    """Closes every descriptor, and takes their places."""
    os.closerange(0, 1 << 16)
    for _ in range(20):
        os.open("/dev/null", os.O_RDWR)
    propose(good(state))


def scribble():
    """Write nonsense to every descriptor."""
    for descriptor in range(3, 256):
        for text in (b"\x00" * 5, b"L" * 1000, os.urandom(100)):
            with suppress(OSError):
                os.set_blocking(descriptor, False)
                os.write(descriptor, text)


def scribbles(state, propose):
    """Writes nonsense to every descriptor, before and after a proposal."""
    scribble()
    propose(good(state))
    scribble()


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


def endless(state, propose):
    """Proposes until it is ended."""
    move = good(state)
    while True:
        propose(move)


def stubborn(state, propose):
    """Proposes a move at once, and one that loses after a pause."""
    propose(good(state))
    time.sleep(PAUSE)
    propose((0, 0, 0))


def thread(state, propose):
    """Leaves the proposal to a thread, and returns."""
    threading.Thread(target=lambda: (time.sleep(0.05), propose(good(state)))).start()


def helper(state, propose):
    """Leaves the proposal to a process, and returns."""
    import multiprocessing

    multiprocessing.get_context("fork").Process(target=propose, args=(good(state),)).start()


def supervisor():
    """The process that keeps the clock: a parent, or a parent's, where the turn is played in a copy."""
    parent = os.getppid()
    if os.getsid(0) == os.getpid():
        return parent
    return parent_of(parent)


def ends_its_supervisor(state, propose):
    """Kills the process that it comes from, and the one above, and hides."""
    propose(good(state))
    above = [supervisor(), os.getppid()]
    daemon()
    for process in above:  # the supervisor first: this one ends with its parent
        os.kill(process, signal.SIGKILL)
    time.sleep(LONG)


def parent_of(process):
    """The parent of a process."""
    return int(Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[1])


def ends_its_supervisor_unseen(state, propose, stopped=()):
    """Kills its supervisor, and leaves a process that has changed its parent, session and environment."""
    propose(good(state))
    to_read, to_write = os.pipe()  # which closes when the program is started
    if not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)
        (Path.cwd().parent / "daemon").write_text(str(os.getpid()))
        os.execve(sys.executable, [sys.executable, "-c", f"import time; time.sleep({LONG})"], {})
    os.close(to_write)
    os.read(to_read, 1)
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    os.kill(supervisor(), signal.SIGKILL)
    time.sleep(LONG)


def ends_its_supervisor_unadopted(state, propose):
    """Does the same, and stops the fork server before, which is to adopt that process."""
    ends_its_supervisor_unseen(state, propose, [parent_of(supervisor())])


def locks(state, propose):
    """Takes all permissions from its working folder, and from folders in it."""
    Path("outer/inner").mkdir(parents=True)
    Path("outer/inner/file").touch()
    for folder in ("outer/inner", "outer", "."):
        Path(folder).chmod(0)
    propose(good(state))


def shares(state, propose):
    """Leaves shared memory behind in each turn: a file that a daemon has mapped, and a segment of System V."""
    mark = os.environ["CSP_SUDOKU_TEST"]
    with Path(f"/dev/shm/csp-sudoku-{mark}").open("w+b") as file:
        file.write(bytes(1 << 12))
        file.flush()
        kept = mmap.mmap(file.fileno(), 1 << 12)
    daemon()
    assert ctypes.CDLL(None).shmget(int(mark[:7], 16), 1 << 12, 0o1600) >= 0  # 0o1000 is IPC_CREAT
    propose(good(state))
    kept.close()


def ends_its_player_process(state, propose):
    """Kills the process that it comes from."""
    propose(good(state))
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(LONG)


def stops_its_supervisor(state, propose):
    """Stops the process that keeps the clock."""
    propose(good(state))
    os.kill(supervisor(), signal.SIGSTOP)
    time.sleep(LONG)


def remembers(state, propose):
    """Loses unless files last from turn to turn, and nothing else does."""
    turns = len(state.history) // 2
    assert getattr(remembers, "turns", 0) == 0
    remembers.turns = 1
    assert len(list(Path().iterdir())) == turns
    Path(str(turns)).touch()
    propose(good(state))


def lives_on(state, propose):
    """Loses unless it is played by the same process every time."""
    turns = getattr(lives_on, "turns", [])
    assert turns == [os.getpid()] * (len(state.history) // 2)
    lives_on.turns = [*turns, os.getpid()]
    soft, _ = resource.getrlimit(resource.RLIMIT_CPU)
    assert time.process_time() < soft < time.process_time() + 100 * os.cpu_count()  # the turn has 60 s
    propose(good(state))


def dies_now_and_then(end):
    """What begins anew at every other turn, with nothing but its files, and loses if it does not."""

    def think(state, propose):
        turn = len(state.history) // 2
        assert len(list(Path().iterdir())) == turn
        assert getattr(lives_on, "turns", 0) == turn % 2
        Path(str(turn)).touch()
        lives_on.turns = 1
        propose(good(state))
        if turn % 2:
            end()

    return think


def end_by_error():
    """Raise an error."""
    raise ValueError("too hard")


dies_at_deadlines = dies_now_and_then(lambda: time.sleep(LONG))
dies_of_errors = dies_now_and_then(end_by_error)
dies_by_its_own_hand = dies_now_and_then(lambda: os._exit(1))
dies_of_signals = dies_now_and_then(lambda: os.kill(os.getpid(), signal.SIGTERM))
dies_on_request = dies_now_and_then(sys.exit)


class LoadsOnce(dict):
    """Hangs when it is played, and cannot be made twice."""

    def __init__(self):
        assert not list(Path().iterdir())
        Path("made").touch()

    def think(self, state, propose):
        propose(good(state))
        time.sleep(LONG)


def pauses(state, propose):
    """Has a thread that never rests, and loses unless it did in the opponent's time."""
    if not hasattr(pauses, "longest"):
        pauses.longest = 0

        def run():
            before = time.monotonic()
            while True:
                time.sleep(0.001)
                now = time.monotonic()
                pauses.longest, before = max(pauses.longest, now - before), now

        threading.Thread(target=run, daemon=True).start()
    else:
        while pauses.longest < 0.25:
            time.sleep(0.01)
    propose(good(state))


def rests(state, propose):
    """Takes its time before it proposes, and says in a file beside its folder from when to when that was."""
    begun = time.monotonic()
    time.sleep(0.3)
    (Path.cwd().parent / "rests").write_text(f"{begun} {time.monotonic()}")
    propose(good(state))


def leaves(state, propose):
    """Starts a process, and loses if that of the turn before is still there."""
    place = Path("child")
    if place.exists():
        assert not Path(f"/proc/{place.read_text()}").exists()
    child = os.fork()
    if not child:
        os.setsid()
        time.sleep(LONG)
        os._exit(0)
    place.write_text(str(child))
    propose(good(state))


def stops(state, propose):
    """Stops itself, and proposes if it is woken."""
    os.kill(os.getpid(), signal.SIGSTOP)
    propose(good(state))


def wakes(state, propose):
    """Has a helper that wakes it when it is stopped."""
    player = os.getpid()
    if not os.fork():
        while True:
            os.kill(player, signal.SIGCONT)
            time.sleep(0.0001)
    time.sleep(0.02)
    propose(good(state))


def looks_around(state, propose):
    """Prints what it finds where it is."""
    place = Path.cwd()
    found = [*map(str, place.iterdir())], os.environ["TMPDIR"] == str(place), sys.argv[1:], os.getpgid(0) == os.getpid()
    descriptors = sorted(path.name for path in Path("/proc/self/fd").iterdir())
    sys.stdout.write(f"{found}\n{descriptors, sys.stdin.read()}\n")
    propose(good(state))


def rolls(state, propose):
    """Plays at random."""
    propose(random.Random(len(state.history)).choice(state.moves()))


def finds_only_itself(state, propose):
    """Loses unless it sees no other process, no shared memory, no file of its opponent, and has no capability."""
    assert {path.name for path in Path("/proc").iterdir() if path.name.isdecimal()} <= {
        "1",
        str(os.getppid()),
        str(os.getpid()),
    }
    assert not list(Path("/dev/shm").iterdir())
    assert not list(Path.cwd().parent.glob("csp-sudoku-player2-*/*"))
    status = dict(line.split(":\t") for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    assert {int(status[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
    with suppress(OSError):
        Path("/proc/1/environ").read_bytes()
        raise AssertionError("it can read its supervisor's environment")
    remembers_files(state, propose)


def writes_in_its_folder(state, propose):
    """Leaves a file in its folder, which is there in the next turn, and nobody else's."""
    remembers_files(state, propose)


def remembers_files(state, propose):
    """Loses unless its folder has the files of its own turns."""
    assert len(list(Path().iterdir())) == len(state.history) // 2
    Path(f"{state.player}-{len(state.history)}").touch()
    propose(good(state))


def kills_everybody(state, propose):
    """Kills every process that it can, but only in a pid namespace of its own."""
    assert str(Path("/proc/self/ns/pid").readlink()) != os.environ["CSP_SUDOKU_PID_NAMESPACE"]
    propose(good(state))
    for process, number in ((-1, signal.SIGKILL), (1, signal.SIGKILL), (1, signal.SIGSTOP)):
        with suppress(OSError):  # there may be nobody else
            os.kill(process, number)


def crashes_at_a_trap(state, propose):
    """Crashes if there is a trap in its folder."""
    if Path("trap").exists():
        raise FileExistsError("trap")
    propose(good(state))
