"""One game in the arena: its turns, its clock, its record, and what remains after it."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from csp_sudoku import Board, OptionError, SudokuError
from csp_sudoku.arena.play import play_game
from csp_sudoku.framework.loading import AgentError
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import verify
from csp_sudoku.players.spec import Spec
from csp_sudoku.sandbox import proposal_buffer as buffer_module
from csp_sudoku.sandbox.client import PlayerClient
from csp_sudoku.sandbox.fork_server import SupervisorError
from csp_sudoku.sandbox.log import Log
from csp_sudoku.sandbox.processes import descendants, end_descendants, entry, has_young
from csp_sudoku.sandbox.proposal_buffer import KEPT, End, ProposalBuffer
from csp_sudoku.sandbox.supervisor import MAX_SO_FAR
from csp_sudoku.sandbox.terms import GameTerms
from tests.arena.agents.actions import PAUSE
from tests.arena.support import LAST, MOCKS, SHORT, TURN, clean, in_time, play
from tests.cli.support import environment
from tests.clock import wait_until
from tests.support import most_slow

__all__ = ["clean"]


@pytest.mark.parametrize("mode", list(PlayMode))
def test_a_game_in_every_mode(mode):
    """Our own players play whole games by the rules, and the record passes verification."""
    players = "random", Spec.parse("agents.greedy_player")
    record = play_game(*players, Board.empty(2, 2), terms=GameTerms(mode), seed=4, seconds=TURN)
    assert verify(record) == []
    assert record.players == ("random", "greedy")
    assert (record.seed, record.time) == (4, TURN)


@pytest.mark.parametrize("persistent", [False, True])
def test_proposals_are_reported_while_a_player_thinks(persistent, tmp_path, monkeypatch):
    """A player that waits until its proposals are acknowledged continues in time; the record has all of them."""
    path, heard = tmp_path / "heard", []
    monkeypatch.setenv("CSP_SUDOKU_HEARD", str(path))
    moves = GameState.start(SHORT).moves()
    assert len(moves) <= MAX_SO_FAR

    def hear(state, proposals):
        if state.board == SHORT:
            heard.extend(one.move for one in proposals)
            if heard[-1] == moves[-1]:
                path.touch()

    first = play("waits_to_be_heard", on_proposals=hear, persistent=persistent).turns[0]
    assert first.seconds < TURN
    assert [one.move for one in first.proposals] == [*moves, moves[0]]
    assert heard[: len(moves)] == moves


def test_what_hears_of_proposals_may_end_the_game(tmp_path, monkeypatch):
    """An error of the function that is called with proposals ends the game in the middle of a turn."""
    monkeypatch.setenv("CSP_SUDOKU_HEARD", str(tmp_path / "never"))

    def refuse(state, proposals):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        play("waits_to_be_heard", on_proposals=refuse)


def test_the_time_of_a_turn():
    """Without another time a turn has half a second."""
    assert play_game("random", "random", LAST).time == 0.5


@pytest.mark.slow
def test_a_seed_repeats_a_game():
    """The same seed gives the same moves, another one others; None takes one that the record tells."""
    one = partial(play_game, "random", "random", Board.empty(2, 2), seconds=TURN)
    games = [one(seed=seed) for seed in (1, 1, 2, None)]
    moves = [[turn.move for turn in game.turns] for game in games]
    assert moves[0] == moves[1] != moves[2]
    again = one(seed=games[3].seed)
    assert [turn.move for turn in again.turns] == moves[3]
    assert moves[0][::2] != moves[0][1::2]


def test_who_passes_is_not_called():
    """A player without an open square is passed over, and the turn has no time."""
    board = Board.parse("1234 .... .... ....")
    record = play("mover", "mover", board, mode="rows")
    assert record.turns[0].outcome.value == "passed"
    assert (record.turns[0].seconds, record.turns[0].proposals) == (None, None)
    assert record.turns[1].proposals


def test_a_turn_ends_when_its_player_is_done(clock):
    """Nobody waits for a time that is not needed; the proposals are recorded with theirs."""

    def measure():
        started = time.monotonic()
        record = play("mover")
        for turn in record.turns:
            assert len(turn.proposals) == 1
            assert 0 <= turn.proposals[0].seconds <= turn.seconds < TURN
        return time.monotonic() - started

    clock.holds(measure, below=20)


@pytest.mark.slow
def test_full_time(clock):
    """With full_time a turn takes all its time, though its player says how long it thought."""

    def attempt(seconds):
        times = []
        record = play("mover", seconds=seconds, full_time=True, on_turn=lambda *_: times.append(time.monotonic()))
        return record, times

    def measure():
        (record, times), seconds = clock.gives_enough(attempt, lambda found: in_time(found[0]))
        assert all(turn.seconds < seconds for turn in record.turns)
        return min(after - before for before, after in pairwise(times)) / seconds

    clock.holds(measure, at_least=0.97)  # the time in which a player is copied counts as well, if it is long


@pytest.mark.slow
def test_each_player_has_its_own_time(clock):
    """One player may have more time than the other; the record has both times."""
    record, seconds = clock.gives_enough(
        lambda seconds: play("stubborn", "stubborn", seconds=(seconds, TURN)), in_time, times=(PAUSE / 10, PAUSE / 2)
    )
    assert record.time == [seconds, TURN]
    assert [turn.outcome.value for turn in record.turns] == ["placed", "lost"]
    assert record.turns[1].move == (0, 0, 0)


@pytest.mark.slow
def test_what_is_proposed_too_late_does_not_count(clock):
    """A proposal after the deadline is not there; the one before stands."""
    record, _ = clock.gives_enough(
        lambda seconds: play("stubborn", board=LAST, seconds=seconds), in_time, times=(PAUSE / 10, PAUSE / 2)
    )
    assert [len(turn.proposals) for turn in record.turns] == [1]
    assert [len(turn.proposals) for turn in play("stubborn", board=LAST).turns] == [2]


def test_the_last_proposals_are_recorded():
    """Of very many proposals the latest ones are kept, including the very last."""
    record = play("many", board=LAST)
    proposals = record.turns[0].proposals
    assert len(proposals) == KEPT
    assert proposals[0].move == (0, 0, 0)
    assert proposals[-1].move == (3, 3, 1)


@pytest.mark.slow
def test_the_clock_is_accurate_under_load(clock):
    """With all processors busy, a turn of 0.1 s ends within 10 ms of that, and no proposal after it counts."""
    busy = "import time\nend = time.monotonic() + 60\nwhile time.monotonic() < end: pass"

    def measure():
        others = [subprocess.Popen([sys.executable, "-c", busy]) for _ in range(os.cpu_count() or 1)]
        try:
            with PlayerClient("endless", 1, GameTerms(loader=MOCKS)) as player:
                player.wait()
                thoughts = [player.think(GameState.start(LAST), 0.1) for _ in range(15)]
        finally:
            for process in others:
                process.kill()
                process.wait()
        assert all(thought.seconds <= 0.1 for thought in thoughts)
        ends = sorted(max((one.seconds for one in thought.proposals), default=0.0) for thought in thoughts)
        assert ends[-1] <= 0.1
        return ends[len(ends) // 2]

    clock.holds(measure, at_least=0.09)


@pytest.mark.quick
def test_a_turn_is_told_as_it_ends():
    """Callbacks get the start and each turn, with the state after it."""
    told = []
    record = play(
        "mover",
        on_start=lambda state: told.append(state.board),
        on_turn=lambda state, outcome, turn: told.append((state.scores, outcome.move, turn)),
    )
    assert told[0] == SHORT
    assert [turn for _, _, turn in told[1:]] == list(record.turns)
    assert told[-1][0] == record.scores


def test_a_board_without_a_completion_is_refused():
    """No game is played where every move would be a bomb."""
    with pytest.raises(SudokuError, match="expected a board with a completion"):
        play("mover", board=Board.parse("12.. ..3. .... ...."))


@pytest.mark.quick
def test_a_full_board_is_a_game_without_turns():
    """If neither player can play, the game is a draw."""
    record = play("mover", board=LAST.place(3, 3, 1))
    assert (record.turns, record.result) == ((), (0.5, 0.5))


@pytest.mark.parametrize("seconds", [0, -1, float("inf"), float("nan"), (1.0, 0)])
def test_a_time_that_is_none(seconds):
    """A turn takes more than no time, and less than forever."""
    with pytest.raises(OptionError, match="expected a time per turn"):
        play("mover", seconds=seconds)


def test_an_unknown_player_is_refused():
    """A name that no player has is an error with a hint."""
    with pytest.raises(OptionError, match="did you mean 'random'"):
        play_game("randm", "random", SHORT)


def test_an_option_that_a_player_does_not_have():
    """An error that only loading detects is an error too, and no crash."""
    with PlayerClient("greedy?save=true", 1) as player, pytest.raises(AgentError, match="did you mean 'safe'"):
        player.wait()


def test_a_supervisor_that_cannot_start_is_no_crash_of_its_player(monkeypatch, capfd):
    """A broken supervisor is reported as an error, and no player loses."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(SupervisorError, match="expected a process for players to start in; found that it cannot start"):
        play("mover")
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(SupervisorError, match="expected a process for players to start in; found no such file"):
        play("mover")


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_error_in_the_arena_leaves_nothing(error, clock):
    """Ctrl-C, or an error in a callback, ends both players at once."""

    def stop(*_):
        raise error

    def measure():
        started = time.monotonic()
        with pytest.raises(error):
            play("mover", "hangs", on_turn=stop)
        return time.monotonic() - started

    clock.holds(measure, below=3)


@pytest.mark.slow
@pytest.mark.parametrize("persistent", [False, True], ids=["forked", "persistent"])
@pytest.mark.parametrize(
    "number", most_slow([signal.SIGKILL, signal.SIGINT, signal.SIGTERM], [signal.SIGKILL], is_one_argument=True)
)
def test_an_arena_that_is_killed_leaves_nothing(number, persistent, tmp_path):
    """When the arena ends, however it does, so do the supervisors and all that their players have started."""
    ready = tmp_path / "ready"
    program = f"""
from pathlib import Path
from csp_sudoku import Board
from csp_sudoku.arena.play import play_game
from csp_sudoku.sandbox.terms import GameTerms
play_game("mover", "daemons_and_hangs", Board.empty(2, 2), seconds=600,
          terms=GameTerms(loader={MOCKS!r}, persistent={persistent}), on_turn=lambda *_: Path({str(ready)!r}).touch())
"""
    paths = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-c", program], env=environment(PYTHONPATH=paths), stderr=subprocess.DEVNULL
    ) as process:
        wait_until(ready.exists)
        wait_until(lambda: len(descendants(process.pid)) >= 6)  # a fork server, two supervisors, two players, a daemon
        process.send_signal(number)
    assert process.returncode


def test_a_proposal_buffer_bears_whatever_is_scribbled_on_it():
    """Random bytes are read as notes of which none is committed, or as nonsense; never as an error."""
    buffer = ProposalBuffer()
    for _ in range(50):
        buffer._bytes[:] = os.urandom(len(buffer._bytes))
        buffer._words[0] = 2000
        assert isinstance(buffer.end, End)
        assert buffer.text.isprintable() or not buffer.text
        assert buffer.notes() == []


def test_a_proposal_buffer_leaves_out_what_was_cut_short():
    """A note without its number is none."""
    buffer = ProposalBuffer()
    buffer.begin(9)
    for value in (1, 2, 3):
        buffer.propose((0, 0, value))
    buffer._words[buffer_module._place(2) + buffer_module._NUMBER] = 0
    assert [note.move.value for note in buffer.notes()] == [1, 3]


@pytest.mark.slow
def test_a_proposal_buffer_can_be_read_whenever_its_writer_is_killed():
    """Whatever a kill interrupts, the proposals before are there."""
    for pause in range(100):
        buffer = ProposalBuffer()
        buffer.begin(9)
        child = os.fork()
        if not child:
            while True:
                buffer.propose((1, 2, 3))
        while not buffer.count:
            time.sleep(0.001)
        time.sleep(pause * 2e-5)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert {note.move for note in buffer.notes()} == {(1, 2, 3)}
        assert len(buffer.notes()) == min(buffer.count, KEPT)


@pytest.mark.parametrize(("size", "lost"), [(5, 0), (20, 0), (21, 1), (1000, 980)])
def test_a_log_keeps_both_ends(size, lost, tmp_path):
    """The log keeps the beginning and the end of a long output, and the size of the omitted part."""
    text = bytes(range(48, 58)) * 100
    log = Log(str(tmp_path / "log"), 10)
    for at in range(0, size, 7):
        os.write(log.target, text[at : min(at + 7, size)])
        log.take()
    log.close()
    kept = (tmp_path / "log").read_bytes()
    told = b"\n[%d bytes are left out here]\n" % lost if lost else b""
    assert kept == text[:size][:10] + told + text[:size][10:][-10:]


def test_descendants_are_found_and_only_they_are_killed():
    """Children and grandchildren are killed; excluded processes and those of others survive."""
    program = "import subprocess, time; subprocess.Popen(['sleep', '600']); print(1, flush=True); time.sleep(600)"
    ours = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    ours.stdout.readline()
    spared = subprocess.Popen(["sleep", "600"])
    assert has_young(ours.pid, (os.getpid(),))
    assert not has_young(spared.pid, (spared.pid,))
    family = [one.pid for one in descendants(os.getpid())]
    assert {ours.pid, spared.pid} <= set(family)
    children = descendants(ours.pid)
    try:
        assert len(children) == 1
        assert entry(os.getppid()).pid == os.getppid()
        assert end_descendants({*family, spared.pid} - {ours.pid, children[0].pid}) == 2
        assert entry(children[0].pid) is None or entry(children[0].pid).ended
        assert not entry(spared.pid).ended
    finally:
        spared.kill()
        spared.wait()
        ours.kill()
        ours.wait()
        ours.stdout.close()
    assert entry(ours.pid) is None
