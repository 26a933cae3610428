"""Many games: a fork server for their players, a pool that plays them, a match that sums them up."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from functools import partial
from itertools import count, islice

import pytest

from csp_sudoku import Board, OptionError
from csp_sudoku.arena.match import Match
from csp_sudoku.arena.play import play_game
from csp_sudoku.arena.pool import GamePool, local_pool
from csp_sudoku.arena.schedule import NamedBoard
from csp_sudoku.arena.scheduled_game import GameSummary
from csp_sudoku.arena.statistics import Sprt
from csp_sudoku.arena.store import Store
from csp_sudoku.game.state import GameState
from csp_sudoku.sandbox.client import MARK, PlayerClient
from csp_sudoku.sandbox.fork_server import ForkServer, readable
from csp_sudoku.sandbox.processes import descendants, entry, marked
from csp_sudoku.sandbox.terms import DEFAULT_TERMS, GameTerms
from tests.arena.support import LAST, MOCKS, SHORT, TURN, clean, in_time, play
from tests.clock import wait_until
from tests.sandbox.test_isolation import lost, played

__all__ = ["clean"]

BOARDS = [NamedBoard("short", SHORT), NamedBoard("last", LAST)]
TERMS = GameTerms(loader=MOCKS)


@pytest.fixture(scope="module")
def fork_server():
    """One fork server for several games, started outside of the scope of `clean`."""
    with ForkServer() as one:
        yield one


def match_of(one="mover", other="quiet", games=8, **options) -> Match:
    """A match between mocks."""
    return Match(one, other, BOARDS, games=games, seconds=TURN, terms=options.pop("terms", TERMS), **options)


def won(match, scores):
    """Tell a match the scores of its games, from the side of its first player."""
    for scheduled_game, score in zip(match.scheduled_games, scores, strict=False):
        summary = GameSummary(score, (7, 3), (2, 0))
        match.take(scheduled_game, summary if scheduled_game.first == match.one else summary.seen_by(first=False))


def test_games_come_in_pairs():
    """Each board and seed is played from both sides; the pairs take the boards in turn."""
    scheduled_games = match_of(games=7).scheduled_games
    assert [scheduled_game.first for scheduled_game in scheduled_games] == ["mover", "quiet"] * 3 + ["mover"]
    assert [scheduled_game.name for scheduled_game in scheduled_games] == [
        "short",
        "short",
        "last",
        "last",
        "short",
        "short",
        "last",
    ]
    assert len({scheduled_game.key for scheduled_game in scheduled_games}) == 7
    seeds = [scheduled_game.game_seed for scheduled_game in scheduled_games]
    assert seeds[::2][:3] == seeds[1::2]
    assert seeds[0] == seeds[2] != seeds[4]


def test_the_names_that_are_swapped_are_the_same_games():
    """A against B and B against A have their games in common."""
    keys = [
        {scheduled_game.key for scheduled_game in match_of(*pair).scheduled_games} for pair in (("a", "b"), ("b", "a"))
    ]
    assert keys[0] == keys[1]


def test_a_match_is_told_from_the_first_side():
    """Wins, draws, losses, points and skips are those of A, whichever player moved first."""
    match = match_of()
    won(match, [1, 1, 0.5, 1, 0, 0, 1])
    told = match.as_object()
    assert list(told)[:9] == ["games", "wins", "draws", "losses", "points", "skips", "score", "elo", "elo_interval"]
    assert [told[key] for key in ("games", "wins", "draws", "losses", "points", "skips")] == [7, 4, 1, 2, 49, 14]
    assert (told["points_against"], told["skips_against"], told["skips_per_game"]) == (21, 0, [2, 0])
    assert told["score"] == pytest.approx(4.5 / 7)
    assert told["pairs"] == [1, 0, 0, 1, 1]
    assert told["elo_interval"][0] < told["elo"] < told["elo_interval"][1]


def test_a_sequential_test_takes_the_pairs_in_their_order():
    """The decision does not depend on the order in which games end, and later games do not count."""
    test = Sprt(0, 200)
    straight, backwards = match_of(games=80, sprt=test), match_of(games=80, sprt=test)
    scores = [1, 1, 0, 1] * 20
    won(straight, scores)
    results = list(zip(backwards.scheduled_games, scores, strict=True))
    for scheduled_game, score in reversed(results):
        assert not backwards.is_over
        summary = GameSummary(score, (7, 3), (2, 0))
        backwards.take(scheduled_game, summary if scheduled_game.first == "mover" else summary.seen_by(first=False))
    assert straight.decision == backwards.decision
    assert straight.decision.accepted == "elo1"
    assert straight.as_object() == backwards.as_object()
    assert straight.as_object()["games"] == 2 * straight.decision.pairs < 80
    assert straight.as_object()["sprt"]["accepted"] == "elo1"


def test_a_match_of_any_number_of_games_begins_at_once():
    """Games are made when they are needed: a match of a trillion games is as quick and as small as one of two."""
    match = match_of(games=10**12)
    games = list(islice(match.scheduled_games, 5))
    assert [match.scheduled_games.place(game) for game in games] == [0, 1, 2, 3, 4]
    for game in games:
        match.take(game, GameSummary(1.0, (7, 3), (2, 0)))
    assert (match.wins, match.losses, len(match.pairs)) == (3, 2, 3)
    assert (match.live.wins, match.live.losses, match.live.games) == (3, 2, 5)


def test_a_pool_plays_a_match_and_then_nothing():
    """Each game is played once; games in the store are not played again, but they are reported."""
    with Store() as store, local_pool(2) as pool:
        first, again, longer = match_of(), match_of(), match_of(games=10)
        pool.play(first.scheduled_games, store, first.take)
        assert (first.wins, first.losses, store.count) == (8, 0, 8)
        idle = GamePool(None, 1)
        idle.play(again.scheduled_games, store, again.take)
        assert again.as_object() == first.as_object()
        pool.play([*longer.scheduled_games, *longer.scheduled_games], store, longer.take)
        assert (longer.wins, store.count) == (10, 10)


def test_games_in_the_store_are_looked_up_together(monkeypatch):
    """A match that is resumed asks the store for many games at a time, and twice more for those that it lacks."""
    asked = []
    with Store() as store, local_pool(2) as pool:
        first, again = match_of(games=4), match_of(games=6)
        pool.play(first.scheduled_games, store, first.take)
        true_get, true_summaries = store.get, store.summaries
        monkeypatch.setattr("csp_sudoku.arena.pool.BATCH", 3)
        monkeypatch.setattr(store, "get", lambda game: asked.append(1) or true_get(game))
        monkeypatch.setattr(store, "summaries", lambda games: asked.append(len(games)) or true_summaries(games))
        pool.play(again.scheduled_games, store, again.take)
    assert (asked[:2], asked[2:]) == ([3, 3], [1] * 4)  # before and after each of the two games
    assert (again.wins, len(again.results)) == (6, 6)


def test_a_game_is_in_the_store_before_the_next_starts():
    """With one job, each game that begins finds all before it."""
    counts, begun = [], []

    class Watching:
        def submit(self, task, scheduled_game):
            begun.append(store.count)
            return pool.executor.submit(task, scheduled_game)

    with Store() as store, local_pool() as pool:
        GamePool(Watching(), 1).play(match_of(games=5).scheduled_games, store, lambda *_: counts.append(store.count))
    assert (begun, counts) == ([0, 1, 2, 3, 4], [1, 2, 3, 4, 5])


@pytest.mark.slow
def test_a_decided_test_ends_a_match():
    """When it is decided no more games are begun."""
    match = match_of(games=400, sprt=Sprt(0, 400))
    with Store() as store, local_pool(2) as pool:
        pool.play(match.scheduled_games, store, match.take, lambda: match.is_over)
        assert match.decision.accepted == "elo1"
        assert store.count < 100


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_what_goes_wrong_ends_a_pool(error):
    """Ctrl-C, or an error in a callback, abandons the other games, keeps the finished ones, and leaves no process."""

    def stop(*_):
        raise error

    with Store() as store:
        with pytest.raises(error), local_pool(2) as pool:
            pool.play(match_of("mover", "mover", games=50).scheduled_games, store, stop)
        assert 1 <= store.count <= 2


def test_what_is_done_is_kept_when_another_fails():
    """If one of several games that end together fails, the others are in the store before the error is raised."""
    match = match_of("mover", "mover", games=3)
    record = play("mover", "mover")

    class Prompt:
        def submit(self, task, scheduled_game):
            future = Future()
            if scheduled_game == next(iter(match.scheduled_games)):
                future.set_exception(ZeroDivisionError())
            else:
                future.set_result(record)
            return future

    with Store() as store:
        with pytest.raises(ZeroDivisionError):
            GamePool(Prompt(), 3).play(match.scheduled_games, store, match.take)
        assert store.count == len(match.results) == 2


def test_what_another_process_has_kept_counts():
    """If a game is already in the store, the stored game is reported."""
    match = match_of("mover", "quiet", games=1)
    won, lost = play("mover", "quiet"), play("quiet", "mover")

    class Slow:
        def submit(self, task, scheduled_game):
            store.add(scheduled_game, lost)
            future = Future()
            future.set_result(won)
            return future

    with Store() as store:
        GamePool(Slow(), 1).play(match.scheduled_games, store, match.take)
        assert (match.losses, store.count) == (1, 1)


def test_a_player_that_cannot_be_is_an_error():
    """An error that refuses a game ends the match."""
    with Store() as store, local_pool() as pool, pytest.raises(OptionError, match="did you mean"):
        pool.play(match_of("randm", "greedy", terms=DEFAULT_TERMS).scheduled_games, store)


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("quiet", "no proposal"),
        ("raises", "crash: ValueError: too hard"),
        ("segfaults", "crash: its process was ended by SIGSEGV"),
        ("ExitsWhenMade", "crash: its process has ended with the exit code 7"),
        ("ScribblesWhenMade", "crash: its process sent something"),
        ("ClosesWhenMade", "crash: "),
        ("ForgesReports", "crash: its process sent something"),
    ],
)
def test_a_fork_server_survives_who_loses(player, reason, fork_server):
    """One game after the other from the same fork server, whatever its players do."""
    record = play(player, fork_server=fork_server)
    assert lost(record, reason), record.turns[0].reason


@pytest.mark.parametrize("player", ["mover", "daemons", "closes", "scribbles", "looks_around", "PatchesWhenMade"])
def test_a_fork_server_survives_who_moves(player, fork_server):
    """So it does players that reach for all they find."""
    assert played(play(player, fork_server=fork_server))


@pytest.mark.parametrize("player", ["deaf", "daemons_and_hangs", "ends_its_player_process"])
def test_a_turn_from_a_fork_server_ends_at_its_deadline(player, fork_server, clock):
    """A process that does not end is killed, and the fork server has no children left."""
    record, _ = clock.gives_enough(
        lambda seconds: play(player, board=LAST, seconds=seconds, fork_server=fork_server), in_time
    )
    assert played(record)
    assert descendants(fork_server.pid) == []


def test_a_fork_server_whose_asker_is_gone_ends_in_silence():
    """Also when the asker leaves an answer unread, which resets the connection."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-P", "-m", "csp_sudoku.sandbox.fork_server"]
    with theirs, subprocess.Popen(command, stdin=theirs, stderr=subprocess.PIPE) as process:
        theirs.close()
        with ours:
            ours.send(b'{"ended": 1}')
            assert readable(ours.fileno(), 300.0)
        assert process.communicate(timeout=300) == (None, b"")
    assert process.returncode == 0


def test_a_fork_server_that_is_ended_is_started_again():
    """The game in progress ends well, and so does the next one."""
    with ForkServer() as fork_server:
        killed = []

        def kill(*_):
            if not killed:
                killed.append(fork_server.pid)
                os.kill(fork_server.pid, signal.SIGKILL)

        assert played(play("mover", fork_server=fork_server, on_turn=kill))
        assert played(play("mover", fork_server=fork_server))
        assert fork_server.pid not in killed


def test_a_supervisor_has_a_mark_of_its_own():
    """Its forked descendants have the mark too, so the processes that a killed supervisor leaves are found."""
    with ForkServer() as fork_server, PlayerClient("mover", 1, TERMS, fork_server=fork_server) as player:
        player.wait()
        found = marked(f"{MARK}={player.mark}")
        assert len(found) >= 2
        assert [one.pid for one in found if one.parent not in {other.pid for other in found}] == [player.process]
        os.kill(player.process, signal.SIGKILL)
        wait_until(lambda: (left := entry(player.process)) is None or left.ended)
        assert player.think(GameState.start(LAST), TURN).crash == "its supervisor was killed from outside"


def test_a_game_is_the_same_with_a_fork_server_and_without(fork_server):
    """The seed decides, and nothing that a fork server has done before."""
    one = partial(play_game, "random", "greedy", Board.empty(2, 2), seconds=TURN, seed=3)
    games = [one(fork_server=shared) for shared in (None, fork_server, fork_server)]
    assert len({tuple(turn.move for turn in game.turns) for game in games}) == 1


@pytest.mark.slow
def test_games_at_the_same_time_share_a_fork_server(fork_server):
    """Any thread may use it."""
    records = []

    def one():
        records.extend(play("mover", fork_server=fork_server) for _ in range(3))

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(records) == 9
    assert all(map(played, records))


@pytest.mark.slow
def test_a_short_game_is_short(fork_server, clock):
    """A 2×2 game takes a fraction of a second, at least twenty times less than the original's full turns of 0.5 s."""
    seeds = count()

    def measure():
        seed = next(seeds)
        started = time.monotonic()
        record = play_game("random", "random", Board.empty(2, 2), seconds=TURN, seed=seed, fork_server=fork_server)
        return (time.monotonic() - started) / len(record.turns)

    clock.holds(measure, below=0.5 / 20, tries=50)  # others may slow down many games, but not every one
