"""Mock players that end their turns in many ways: at once, late, never, by an error, by a signal, with memory."""

import ctypes
import os
import random
import resource
import signal
import sys
import threading
import time
from pathlib import Path

from tests.arena.agents.actions import LONG, PAUSE, good, remembers_files


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


def rolls(state, propose):
    """Plays at random."""
    propose(random.Random(len(state.history)).choice(state.moves()))


def writes_in_its_folder(state, propose):
    """Leaves a file in its folder, which is there in the next turn, and nobody else's."""
    remembers_files(state, propose)


def crashes_at_a_trap(state, propose):
    """Crashes if there is a trap in its folder."""
    if Path("trap").exists():
        raise FileExistsError("trap")
    propose(good(state))
