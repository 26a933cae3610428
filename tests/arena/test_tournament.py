"""Tournaments: the pairings, the games that are played, and the reports."""

import subprocess
import sys
import tracemalloc
from collections import Counter
from itertools import combinations

import pytest

from csp_sudoku import Board, OptionError
from csp_sudoku.arena.failures import NO_FAILURES, Failure, GameFailures
from csp_sudoku.arena.head_to_head import KeptGame, pairing_results
from csp_sudoku.arena.pool import GamePool, local_pool
from csp_sudoku.arena.report import draw, markdown
from csp_sudoku.arena.schedule import NamedBoard, gauntlet, round_robin, swiss_round, swiss_rounds
from csp_sudoku.arena.scheduled_game import GameSummary
from csp_sudoku.arena.standings import StoredGames
from csp_sudoku.arena.store import Store
from csp_sudoku.arena.tournament import Tournament
from csp_sudoku.sandbox.terms import GameTerms
from tests.arena.support import AGENTS, LAST, MOCKS, SHORT, TURN, clean

__all__ = ["clean"]

BOARDS = [NamedBoard("short", SHORT), NamedBoard("other", SHORT.place(1, 2, 1))]
STRONG_TO_WEAK = ("mover", "raises", "quiet")
"""Who moves wins; of the others loses who is to move first."""


def tournament_of(*players, boards=BOARDS, times=(TURN,), games=2, **options) -> Tournament:
    """A tournament between mocks."""
    return Tournament(players, players, boards, times, games, terms=GameTerms(loader=MOCKS), **options)


def played(tournament, store=None) -> int:
    """Play a tournament, and return how many games that took."""
    with store or Store() as kept, local_pool(2) as pool:
        before = kept.count
        tournament.play(pool, kept)
        return kept.count - before


class Alone:
    """A store that its user does not close."""

    def __init__(self, store):
        self.store = store

    def __enter__(self):
        return self.store

    def __exit__(self, *_):
        pass


@pytest.mark.parametrize("count", [2, 3, 8])
def test_round_robin_and_gauntlet(count):
    """Everybody meets everybody once; the first meets all others once."""
    assert sorted(round_robin(count)) == sorted(combinations(range(count), 2))
    assert gauntlet(count) == [pairing for pairing in round_robin(count) if 0 in pairing]


@pytest.mark.parametrize("count", range(2, 14))
def test_swiss(count):
    """No two players meet twice, each plays or rests per round, none rests twice; the strongest comes out first."""
    scores, met, rested = [0.0] * count, set(), Counter()
    for _ in range(swiss_rounds(count)):
        pairings = swiss_round(scores, met, rested)
        assert len(pairings) == count // 2
        assert met.isdisjoint(pairings)
        met |= set(pairings)
        busy = [player for pairing in pairings for player in pairing]
        assert len(set(busy)) == len(busy)
        for player in set(range(count)) - set(busy):
            rested[player] += 1
            scores[player] += 1
        for stronger, _ in pairings:
            scores[stronger] += 1
    assert set(rested.values()) <= {1}
    assert scores[0] == max(scores)
    assert scores.count(max(scores)) == 1 or count % 2


def test_swiss_pairs_equals_and_meets_again_only_if_it_must():
    """Winners meet winners; two players meet again only if there is no other opponent."""
    assert swiss_round([1, 0, 1, 0], [(0, 1), (2, 3)], []) == [(0, 2), (1, 3)]
    assert swiss_round([1, 0], [(0, 1)], []) == [(0, 1)]
    assert swiss_round([0], [], []) == []


@pytest.mark.slow
@pytest.mark.parametrize(("form", "games"), [("round-robin", 24), ("gauntlet", 16), ("swiss", 16)])
def test_what_is_played(form, games):
    """Each pairing plays its games on each board at each time; the total is known before."""
    tournament = tournament_of(*STRONG_TO_WEAK, times=(TURN, 90.0), form=form)
    assert tournament.total == games
    assert played(tournament) == games
    told = tournament.as_object()
    assert told["games"] == games
    assert told["standings"][0]["player"] == "mover"
    assert all(one["games"] == 8 for one in told["pairings"])
    table = tournament.crosstable()
    for row in range(3):
        assert table[row][row] is None
        for column in range(3):
            assert table[row][column] is None or table[row][column] + table[column][row] == 1
    assert (table[0][1], table[0][2]) == (1, 1) or form == "swiss"
    assert (table[1][2] is None) == (form != "round-robin")


def test_odd_numbers_of_games():
    """The last pair has one game only."""
    tournament = tournament_of("mover", "quiet", games=3, boards=BOARDS[:1])
    assert played(tournament) == 3
    assert [len(pair) for pair in tournament.results()[0, 1]] == [2, 1]


@pytest.mark.slow
def test_more_of_everything_plays_only_what_is_missing(tmp_path):
    """Added players, boards, times and games cost only the additional games; a change of their order costs none."""
    store = Store(tmp_path / "games.db")
    kept = Alone(store)
    assert played(tournament_of("mover", "quiet", boards=BOARDS[:1]), kept) == 2
    assert played(tournament_of("quiet", "mover", boards=BOARDS[:1]), kept) == 0
    assert played(tournament_of("mover", "quiet", "raises", boards=BOARDS[:1]), kept) == 4
    assert played(tournament_of("mover", "quiet", "raises"), kept) == 6
    assert played(tournament_of("mover", "quiet", "raises", games=4), kept) == 12
    assert played(tournament_of("mover", "quiet", "raises", games=4, times=(TURN, 90.0)), kept) == 24
    assert played(tournament_of("mover", "quiet", "raises", games=4, times=(TURN, 90.0), form="swiss"), kept) == 0
    store.close()


@pytest.mark.slow
def test_ratings_by_board_and_by_time():
    """The games of a board, and of a time, can be separated; together they are the whole."""
    tournament = tournament_of(*STRONG_TO_WEAK, times=(TURN, 90.0))
    played(tournament)
    told = tournament.as_object()
    for split in ("by_board", "by_time"):
        assert sum(table[0]["games"] for table in told[split].values()) == told["standings"][0]["games"]
    assert list(told["by_time"]) == ["60", "90"]
    for table in (told["standings"], *told["by_board"].values(), *told["by_time"].values()):
        assert table[0]["player"] == "mover"
        assert all(low < elo < high for elo, (low, high) in ((one["elo"], one["elo_interval"]) for one in table))
        assert sum(one["elo"] for one in table) == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_tables_and_pictures(tmp_path):
    """Markdown with equal columns, and two pictures, of a tournament in which some have not met."""
    tournament = tournament_of(*STRONG_TO_WEAK, times=(TURN, 90.0), form="gauntlet")
    played(tournament)
    text = markdown(tournament)
    assert text.startswith("# gauntlet: 3 players, 16 games on short, other, 60, 90 s per turn\n")
    for title in ("## Crosstable", "## By board", "## By time"):
        assert f"\n{title}" in text
    for table in text.split("\n\n"):
        if table.startswith("|"):
            assert len({len(line) for line in table.splitlines()}) == 1
            assert len({line.count("|") for line in table.splitlines()}) == 1
    pictures = draw(tournament, tmp_path / "new" / "folder")
    assert [path.name for path in pictures] == ["scores.png", "ratings.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_a_tournament_that_has_not_begun(tmp_path):
    """A tournament without games is reported as such."""
    tournament = tournament_of(*STRONG_TO_WEAK)
    assert tournament.as_object()["games"] == 0
    assert tournament.leaders() == []
    assert "0 games" in markdown(tournament)
    assert len(draw(tournament, tmp_path)) == 2


def test_a_swiss_tournament_goes_on_with_the_same_rounds():
    """With all games in the store, the rounds are paired as they were."""
    players = ("mover", "raises", "quiet", "none", "nothing")
    first, again = (tournament_of(*players, form="swiss", games=1, boards=BOARDS[:1]) for _ in range(2))
    with Store() as store:
        played(first, Alone(store))
        again.play(GamePool(None, 1), store)
    assert again.as_object() == first.as_object()
    standings = {one.player: one for one in first.standings()}
    for tournament in (first, again):
        leaders = tournament.leaders(9)
        assert [score / games for _, score, games in leaders] == sorted(one.score for one in standings.values())[::-1]
        assert all((score, games) == (standings[n].score * games, standings[n].games) for n, score, games in leaders)
        assert tournament.leaders() == leaders[:3]
    assert store.path == ":memory:"


@pytest.mark.slow
def test_who_meets_again_plays_other_games():
    """With more rounds than opponents, no game counts twice."""
    tournament = tournament_of("mover", "quiet", form="swiss", rounds=3, games=3, boards=BOARDS[:1])
    assert tournament.total == 9
    assert played(tournament) == 9
    assert sum(len(pair) for pair in tournament.results()[0, 1]) == 9
    assert [len(pair) for pair in tournament.results()[0, 1]].count(1) == 3


def test_a_board_is_there_once():
    """Under another name its games would be the same."""
    with pytest.raises(OptionError, match="expected different boards; found 'again', which is the same as 'short'"):
        tournament_of("a", "b", boards=[*BOARDS, NamedBoard("again", SHORT)])


def test_names_are_no_formulas(tmp_path):
    """Whatever the folder of a player is called, it can be drawn."""
    tournament = Tournament(("a", "b"), ("$\\nothing$", "$b"), BOARDS, (1.0,), 2)
    assert len(draw(tournament, tmp_path)) == 2


@pytest.mark.parametrize(("players", "form"), [(("a",), "swiss"), (("a", "b", "a"), "gauntlet"), (("a", "b"), "cup")])
def test_a_tournament_that_cannot_be(players, form):
    """One player, the same twice, an unknown format."""
    with pytest.raises(OptionError, match=r"expected (two players|a tournament format)"):
        tournament_of(*players, form=form, boards=[NamedBoard("empty", Board.empty(2, 2))])


@pytest.mark.slow
def test_each_foreign_player_is_loaded_once_before_the_games(tmp_path, monkeypatch):
    """Nobody is loaded whose games are all in the store, no player of ours, and no player of another loader."""
    loaded = []
    monkeypatch.setattr("csp_sudoku.arena.pool.require_scheduled_player", lambda player: loaded.append(player[0]))
    agents = [str(AGENTS / name) for name in ("breaks_when_made", "raises_late", "patches_standins")]
    last = [NamedBoard("last", LAST)]

    def tournament(*players, **options):
        return Tournament(players, players, last, (TURN,), 2, **options)

    with Store() as store, local_pool() as pool:
        tournament(*agents[:2], "random", form="swiss", rounds=2).play(pool, store)
        assert loaded == sorted(agents[:2])
    with Store() as store:
        for players, expected in ((agents[:2], agents[:2]), (agents[:2], []), (agents, agents)):
            loaded.clear()
            with local_pool() as pool:
                tournament(*players).play(pool, store)
            assert sorted(loaded) == sorted(expected)
        loaded.clear()
        assert played(tournament_of("mover", "quiet"), Alone(store)) == 4
        assert loaded == []


class Finished:
    """A store that has every game, each with a summary of its own."""

    def summaries(self, games):
        """The summaries of games, by their keys."""
        return {game.key: self._summary(int(game.key[:4], 16)) for game in games}

    def _summary(self, number):
        failed = GameFailures((1, *[0] * 6), Failure("crashes", 1, f"sudokuai.py:{number % 3}: ValueError"))
        return GameSummary(number % 3 / 2, (number % 9, 3), (0, 0), (failed, NO_FAILURES))


def resumed(games):
    """The result of a tournament between four players of which all games are finished."""
    tournament = tournament_of("a", "b", "c", "d", boards=BOARDS[:1], games=games)
    tournament.play(GamePool(None, 1), Finished())
    return tournament.as_object()


def kept(games):
    """The results from the games of a store, which share their names and summaries as `Store.games` has it."""
    summary = GameSummary(1.0, (7, 3), (2, 0))
    found = [
        KeptGame("ab"[at % 2], "ba"[at % 2], "short", 0.5, "classic", 10**6 + at // 2, summary) for at in range(games)
    ]
    return StoredGames(found, {"a": "a", "b": "b"}).tables(), pairing_results(found)


@pytest.mark.parametrize(("told", "most"), [(resumed, 250), (kept, 350)])
def test_results_of_many_games_take_little_memory(told, most):
    """The peak grows by fewer bytes than an object with its parts would take for each game, which is over 500."""
    told(100)  # imports
    peaks = []
    for games in (100, 1100):
        tracemalloc.start()
        told(games)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    count = 6000 if told is resumed else 1000
    assert (peaks[1] - peaks[0]) / count < most


def test_a_report_needs_no_scipy():
    """Scipy takes 65 MB, more than all else that goes on with a tournament of 100,000 games."""
    script = """
import sys
from tests.arena.test_tournament import resumed
assert len(resumed(4)["standings"]) == 4
print(sorted({name.partition(".")[0] for name in sys.modules} & {"scipy", "choix"}))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
