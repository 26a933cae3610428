"""The arena against players that crash, hang, cheat and break things: the game ends by the rules all the same."""

import os
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from csp_sudoku import Board
from csp_sudoku.arena.play import play_game
from csp_sudoku.framework.loading import AgentError
from csp_sudoku.game.outcome import OutcomeKind
from csp_sudoku.game.verification import verify
from csp_sudoku.sandbox import client as remote
from csp_sudoku.sandbox.limits import PlayerLimits
from csp_sudoku.sandbox.terms import GameTerms
from tests.arena.support import AGENTS, LAST, SHORT, TURN, clean, in_time
from tests.arena.support import play as play_mock
from tests.support import most_slow

__all__ = ["clean"]


@pytest.fixture(params=[False, True], ids=["forked", "persistent"])
def play(request):
    """A game of mocks whose turns are played by copies of their processes, or by the processes themselves."""
    return partial(play_mock, persistent=request.param)


@pytest.fixture
def persistent(play):
    """Which of both it is."""
    return play.keywords["persistent"]


def lost(record, reason):
    """Whether player 1 has lost in its first turn, for this reason."""
    assert record.result == (0, 1)
    assert len(record.turns) == 1
    (turn,) = record.turns
    assert (turn.player, turn.outcome) == (1, OutcomeKind.LOST)
    return turn.reason.startswith(reason)


def played(record):
    """Whether the game was played to its end."""
    return record.reason == "board full"


def at_deadlines(play, clock):
    """A game of a player that thinks until each deadline, and by how much the slowest turn was over later than that."""

    def attempt(seconds):
        times = []

        def on_time(*_):
            times.append(time.monotonic())

        return play(seconds=seconds, on_start=on_time, on_turn=on_time), times

    (record, times), seconds = clock.gives_enough(attempt, lambda found: in_time(found[0]))
    assert [turn.seconds for turn in record.turns[::2]] == pytest.approx([seconds] * len(record.turns[::2]))
    return record, max(end - start for start, end in pairwise(times)) - seconds


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("quiet", "no proposal"),
        ("none", "no proposal"),
        ("nothing", "no proposal"),
        ("outside", "invalid: expected a move from r1c1=1 to "),
        ("nonsense", "invalid: expected three integers; found tuple_iterator"),
        ("raises", "crash: ValueError: too hard"),
        ("raises_untold", "crash: "),
        ("exits", "crash: its process has ended with the exit code 3"),
        ("asks_to_exit", "crash: SystemExit: 0"),
        ("segfaults", "crash: its process was ended by SIGSEGV"),
        ("RaisesWhenMade", "crash: KeyboardInterrupt: nobody may make me"),
        ("ExitsWhenMade", "crash: its process has ended with the exit code 7"),
        ("EndsBySignalWhenMade", "crash: its process was ended by the signal 40"),
    ],
)
def test_a_player_without_a_move_loses(play, player, reason):
    """Whatever a player does instead of proposing a move: it loses, and the record says why."""
    record = play(player)
    assert lost(record, reason), record.turns[0].reason


@pytest.mark.parametrize("player", ["ScribblesWhenMade", "ClosesWhenMade"])
def test_what_a_player_has_in_its_hands(play, persistent, player):
    """A forked player that spoils the pipes to its supervisor loses; a persistent player has no pipes to spoil."""
    record = play(player)
    assert played(record) if persistent else lost(record, "crash: ")


def test_a_thread_that_forges_reports(play, persistent):
    """It loses by it as well; on a busy machine it may get no word in before the first turn is over."""
    record = play("ForgesReports")
    if persistent:
        assert played(record)
        return
    last = record.turns[-1]
    assert record.result == (0, 1)
    assert (last.player, last.outcome) == (1, OutcomeKind.LOST)
    assert last.reason.startswith("crash: ")


@pytest.mark.parametrize(
    "player",
    most_slow(
        [
            *(
                "mover",
                "raises_late",
                "exits_late",
                "daemons",
                "closes",
                "scribbles",
                "nonsense_around",
                "evil",
                "many",
            ),
            *("thread", "helper", "leaves", "wakes", "looks_around", "StartsWhenMade", "PatchesWhenMade"),
            "EndsBySignal",
        ],
        ["mover", "raises_late", "daemons", "scribbles", "evil", "thread", "PatchesWhenMade"],
        is_one_argument=True,
    ),
)
def test_the_last_proposal_stands(play, player):
    """Whatever a player does besides proposing a good move, the move is played, and the turn ends with the player's."""
    record = play(player)
    assert played(record)
    assert all(turn.seconds < TURN for turn in record.turns)


def test_what_a_player_remembers():
    """A forked player keeps only its files from turn to turn; a persistent one keeps all its memory."""
    assert played(play_mock("remembers"))
    assert played(play_mock("lives_on", persistent=True))
    assert not played(play_mock("lives_on"))


@pytest.mark.slow
@pytest.mark.parametrize("end", ["at_deadlines", "of_errors", "by_its_own_hand", "of_signals", "on_request"])
def test_who_does_not_end_in_order_begins_anew(end, clock):
    """A persistent player that is ended, or ends, is there for its next turn, with the files that it has saved."""
    one = partial(play_mock, f"dies_{end}", board=Board.parse("1234 3412 .... ...."), persistent=True)
    if end == "at_deadlines":
        record, _ = clock.gives_enough(lambda seconds: one(seconds=seconds), in_time)
    else:
        record = one()
    assert played(record)
    assert len(record.turns) >= 8


def test_who_cannot_be_loaded_again_loses(clock):
    """A fault of a player that is loaded again is reported like a fault at the start."""
    record, _ = clock.gives_enough(lambda seconds: play_mock("LoadsOnce", seconds=seconds, persistent=True), in_time)
    assert record.reason == "player 1 lost: crash"
    assert [turn.outcome.value for turn in record.turns] == ["placed", "placed", "lost"]
    assert record.turns[-1].reason.startswith("crash: AssertionError")


@pytest.mark.slow
def test_a_persistent_player_does_not_think_in_the_opponents_time():
    """All its threads rest between its turns."""
    assert played(play_mock("pauses", "rests", persistent=True))


@pytest.mark.slow
def test_nothing_that_a_copy_starts_thinks_in_the_opponents_time(play):
    """Processes that start while a player forks for its next turn have ended before the opponent's turn begins."""
    assert played(play("PondersWhenCopied", "rests"))


@pytest.mark.slow
def test_a_turn_begins_at_once(play, persistent):
    """A player that delays the beginning of its turn has used up its time; a persistent player cannot delay it."""
    record = play("BeginsLate", seconds=TURN if persistent else 0.2)
    assert played(record) if persistent else lost(record, "no proposal")


@pytest.mark.slow
def test_time_to_be_copied_is_time_of_the_turn(play, persistent):
    """A slow fork reduces the time of the next turn; a persistent player does not fork."""
    record = play("BusyWhenCopied", seconds=TURN if persistent else 0.3)
    assert played(record) if persistent else lost(record, "no proposal")
    if not persistent:
        record = play("BusyWhenCopied")
        assert played(record)
        assert all(turn.seconds >= 0.4 for turn in record.turns if turn.player == 1)


@pytest.mark.slow
def test_who_leaves_its_group_is_ended_at_its_deadline(play, clock):
    """A copy has nowhere to go, and its supervisor does not wait for it: the other player's turn begins soon."""

    def measure():
        record, delay = at_deadlines(partial(play, "LeavesItsGroup"), clock)
        assert played(record)
        return delay

    clock.holds(measure, below=4.0)  # and not the 5 s in which the system ends what was killed


def test_who_stops_itself_is_woken():
    """A persistent player stops when its turn is over, and not before."""
    assert played(play_mock("stops", persistent=True))


@pytest.mark.parametrize("player", ["hangs", "deaf", "forks", "daemons_and_hangs", "endless"])
def test_a_turn_ends_at_its_deadline(play, player, clock):
    """A player that does not end is killed, with all processes that it has started, and its last proposal counts."""

    def measure():
        record, delay = at_deadlines(partial(play, player, board=LAST), clock)
        assert played(record)
        return delay

    clock.holds(measure, below=4.0)


def test_a_player_without_a_player_process_plays_no_more():
    """A player that kills the process from which its turns are forked gets no further turn."""
    record = play_mock("ends_its_player_process")
    assert record.reason == "player 1 lost: crash"
    assert [turn.outcome.value for turn in record.turns] == ["placed", "placed", "lost"]


@pytest.mark.quick
def test_no_proposal_before_the_deadline_loses(play):
    """A player that sleeps loses when the time is over."""
    record = play("sleeps", seconds=0.2)
    assert lost(record, "no proposal")
    assert record.turns[0].seconds == 0.2


@pytest.mark.slow
def test_a_load_that_hangs_loses(play):
    """A player that is not ready in time has crashed."""
    assert lost(play("HangsWhenMade", limits=PlayerLimits(load=0.5)), "crash: it was not ready in time")


def test_the_opponent_of_who_cannot_be_loaded_moves_first(play):
    """A crash at loading is found out when it is the player's turn."""
    record = play("mover", "RaisesWhenMade")
    assert record.result == (1, 0)
    assert [turn.outcome.value for turn in record.turns] == ["placed", "lost"]


def test_too_many_processes(play):
    """More processes than allowed end the turn before its deadline."""
    record = play("crowd", limits=PlayerLimits(processes=30))
    assert lost(record, "crash: ")
    assert record.turns[0].seconds < TURN


def test_a_crowd_is_ended(play, clock):
    """However many processes a turn has started, its proposal stands, and none is left after it."""
    record, _ = clock.gives_enough(lambda seconds: play("crowd_and_moves", board=LAST, seconds=seconds), in_time)
    assert played(record)


@pytest.mark.parametrize("player", ["hoards", "maps"])
def test_memory_is_limited(play, player):
    """A player that takes all available memory crashes, and its last proposal counts."""
    assert played(play(player, board=LAST, limits=PlayerLimits(memory=300)))


def test_files_are_limited(play, tmp_path):
    """A player that writes a huge file crashes, and its last proposal counts."""
    assert played(play("saves", limits=PlayerLimits(file=2), logs=tmp_path / "logs"))
    assert "OSError: [Errno 27]" in (tmp_path / "logs" / "player1.log").read_text()


def test_output_is_read_on_and_kept_in_part(play, tmp_path):
    """Of megabytes of output, the log keeps the beginning and the end; the player never waits for a reader."""
    assert played(play("prints", board=LAST, limits=PlayerLimits(log=10), logs=tmp_path))
    log = (tmp_path / "player1.log").read_bytes()
    assert log.startswith(b"the beginning\n")
    assert log.endswith(b"the end\n")
    assert b" bytes are left out here]" in log
    assert len(log) < 21_000
    assert played(play("prints", board=LAST))


def test_a_traceback_is_logged(play, tmp_path):
    """The log has the details of a crash."""
    play("raises", logs=tmp_path)
    log = (tmp_path / "player1.log").read_text()
    assert log.startswith("Traceback (most recent call last)")
    assert log.endswith("ValueError: too hard\n")


def test_what_counts_as_an_integer_is_one(play):
    """A proposal becomes plain integers in the player's process: whatever else its parts are stays there."""
    record = play("numeric", board=Board.empty(2, 2), second="quiet")
    assert record.turns[0].move == (1, 1, 1)
    assert record.reason == "player 2 lost: no proposal"


def test_a_player_that_ends_its_supervisor(play):
    """A player that kills its supervisor has crashed, and its processes are found nevertheless."""
    record = play("ends_its_supervisor")
    assert lost(record, "crash: its supervisor does not answer")


@pytest.mark.slow
def test_a_player_that_stops_its_supervisor(play, monkeypatch, clock):
    """A player that stops its supervisor has crashed, soon after the deadline."""
    monkeypatch.setattr(remote, "GRACE", 0.5)
    record, _ = clock.gives_enough(lambda seconds: play("stops_its_supervisor", seconds=seconds), in_time)
    assert lost(record, "crash: its supervisor does not answer")


def test_a_player_finds_nothing_but_itself(play, tmp_path):
    """The working folder is empty, temporary files go there, and no descriptor leads to the supervisor."""
    play("looks_around", board=LAST, logs=tmp_path)
    first, second = (tmp_path / "player1.log").read_text().splitlines()
    assert first == "([], True, [], True)"
    assert second == "(['0', '1', '2', '3'], '')"  # 3 is the folder that is being listed


def test_shared_memory_is_removed(play):
    """Objects that a player's processes have created and hold when they are killed are removed after the game."""
    mark = os.environ["CSP_SUDOKU_TEST"]
    assert played(play("shares"))
    assert not Path(f"/dev/shm/csp-sudoku-{mark}").exists()
    assert str(int(mark[:7], 16)) not in Path("/proc/sysvipc/shm").read_text().split()


def test_a_locked_folder_is_removed(play):
    """A player that takes the permissions from its working folder leaves nothing, as `clean` checks."""
    assert played(play("locks", board=LAST))


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (
            "breaks_at_import",
            "crash: expected to import the agent breaks_at_import; found sudokuai.py:3: ModuleNotFoundError",
        ),
        ("breaks_when_made", "crash: sudokuai.py:11: ValueError: nobody may make me"),
        ("proposes_nonsense", "crash: sudokuai.py:10: AttributeError"),
    ],
)
@pytest.mark.parametrize("persistent", [False, True], ids=["forked", "persistent"])
def test_an_agent_that_breaks_loses(agent, reason, persistent):
    """Crashes of framework agents at import, at creation and in a turn are reported."""
    record = play_game(
        str(AGENTS / agent), "random", SHORT, seed=1, terms=GameTerms(persistent=persistent), strict=False
    )
    assert lost(record, reason), record.turns[0].reason


@pytest.mark.parametrize("persistent", [False, True], ids=["forked", "persistent"])
def test_patched_standins_change_nothing(persistent):
    """The board and the score that an agent changes are its own."""
    record = play_game(str(AGENTS / "patches_standins"), "random", LAST, seed=1, terms=GameTerms(persistent=persistent))
    assert verify(record) == []
    assert record.scores == (7, 0)
    assert record.turns[0].move == (3, 3, 1)


def test_who_is_no_player_is_refused():
    """A folder without an agent in it is an error, and no game."""
    with pytest.raises(AgentError, match="expected a class SudokuAI in "):
        play_game(str(AGENTS / "classless"), "random", LAST)


@pytest.mark.parametrize("persistent", [False, True], ids=["forked", "persistent"])
def test_an_agent_that_cannot_be_imported_is_refused(persistent):
    """A missing import is an error like a missing class, and no game."""
    with pytest.raises(AgentError, match=r"import the agent breaks_at_import; found sudokuai\.py:3: ModuleNotFoundErr"):
        play_game("random", str(AGENTS / "breaks_at_import"), LAST, terms=GameTerms(persistent=persistent))


@pytest.mark.slow
def test_the_runner_goes_on(play):
    """Game after game, whatever the players do, no descriptor and no process is lost."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    for player in ("raises", "exits", "RaisesWhenMade", "ends_its_supervisor"):
        assert play(player, "quiet").result == (0, 1)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
