"""csp-sudoku analyse: every turn of a game compared with the best one, in words, as JSON and as a picture."""

import json
import re
import signal
import time
from random import Random

import pytest

from csp_sudoku import Board, solve
from csp_sudoku.evaluation.analyse import ReviewSummary, analyse
from csp_sudoku.evaluation.plain import plain_value
from csp_sudoku.game.outcome import Loss
from csp_sudoku.game.record import Recorder, Turn, write_records
from csp_sudoku.game.state import GameState
from csp_sudoku.game.verification import Replay
from tests.arena.support import here
from tests.cli.support import run, told, unfolded
from tests.cli.test_moves import png_size
from tests.cli.test_replay import spoiled
from tests.cli.test_streams import Terminal, posix, start
from tests.game.support import MODES, ending, random_record, turns_of
from tests.support import random_of

LONG = random_record(3, 3)
FIELDS = [
    "turn", "player", "move", "outcome", "scores", "value", "exact", "depth",
    "played", "loss", "best", "missed_skip", "verdict",
]  # fmt: skip
SUMMARY = ["proven", "mistakes", "blunders", "missed_skips", "lost", "first_exact"]


def game_of(m, n, empty, mode, random):
    """The record of random moves on a board with one solution and so many empty cells."""
    while True:
        board, _ = ending(m, n, empty, random)
        state = GameState.start(board, mode, random)
        if not state.is_over:
            break
    recorder = Recorder(state, ("one", "two"))
    for _, outcome, after in turns_of(state, random):
        recorder.add(Turn.of(outcome))
        state = after
    return recorder.finish(state)


def reviews_of(record, **options):
    """The reviews of a correct game, with as much time as they take unless there is a limit."""
    replay = Replay(record)
    steps = list(replay)
    assert not replay.problems
    return list(analyse(replay.start, steps, **{"time_limit": None, **options}))


ENDINGS = [game_of(*shape, 5, mode, random_of("endings", shape, mode)) for shape in [(2, 2), (3, 3)] for mode in MODES]


@pytest.fixture
def analysed(capsys):
    """Run the command in this process: (exit code, standard output, standard error).

    A position has as much time as it takes, unless the options say otherwise.
    """
    call = here("analyse", capsys)

    def called(*arguments):
        return call(*([] if "--time-limit" in arguments else ["--time-limit", 600]), *arguments)

    return called


@pytest.fixture
def game(tmp_path):
    """The file of one short game."""
    path = tmp_path / "game.json"
    write_records([ENDINGS[4]], path)
    return path


@pytest.fixture
def games(tmp_path):
    """A file of several."""
    path = tmp_path / "games.jsonl"
    write_records(ENDINGS, path)
    return path


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)], ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_reviews_are_those_of_plain_recursion(shape, mode):
    """Values, losses, best moves, missed skips and changes of the result agree with plain recursion."""
    random = random_of("reviews", shape, mode)
    for _ in range(4):
        record = game_of(*shape, random.randint(2, 5), mode, random)
        replay = Replay(record)
        state = replay.start
        solution = solve(state.board).solution
        steps = list(replay)
        for review, step in zip(reviews_of(record), steps, strict=True):
            assert review.exact
            if not state.must_pass:
                check(review, state, step, solution)
            else:
                assert (str(review.judgement), review.best, review.loss) == ("pass", (), 0)
                assert review.value == plain_value(state)
            state = step.state


def check(review, state, step, solution):
    """Compare a review with plain recursion."""
    values = {}
    for move in state.moves():
        safe = solution[move.row, move.col] == move.value
        after, outcome = state.place(move) if safe else state.skip(move)
        values[move] = outcome.reward - plain_value(after), safe
    best = max(value for value, _ in values.values())
    played, _ = values[step.turn.move]
    assert (review.value, review.played, review.loss) == (best, played, best - played)
    assert list(review.best) == sorted(move for move, (value, _) in values.items() if value == best)
    fills = [move for move, (value, safe) in values.items() if safe and value == best]
    assert review.missed_skip == (not fills and step.turn.move not in review.best)
    mine = state.scores[state.player - 1] - state.scores[2 - state.player]
    before, after = ((lead > 0) - (lead < 0) for lead in (mine + best, mine + played))
    expected = "best" if best == played else "mistake" if before == after else "blunder"
    assert str(review.judgement) == expected


@pytest.mark.slow
def test_a_game_has_it_all():
    """Random games contain mistakes, blunders and missed skips."""
    random = random_of("all")
    found = [review for _ in range(20) for review in reviews_of(game_of(3, 3, 8, "classic", random))]
    assert {str(review.judgement) for review in found} == {"best", "mistake", "blunder"}
    assert any(review.missed_skip for review in found)


def test_the_margin_stays_where_nobody_errs():
    """The score so far plus the value changes only by what a turn loses; at the end it is the result."""
    for record in ENDINGS:
        reviews = reviews_of(record)
        margins = [review.margin for review in reviews] + [record.scores[0] - record.scores[1]]
        for review, now, then in zip(reviews, margins, margins[1:], strict=False):
            assert then - now == (-review.loss if review.player == 1 else review.loss)


def test_estimates_are_no_verdicts():
    """Without a proof no loss is charged to a player, and no loss is negative."""
    reviews = reviews_of(LONG, time_limit=0, last=len(LONG.turns))
    guessed = [review for review in reviews if not review.exact]
    assert len(guessed) > 20
    assert all(review.judgement in (None, "pass") and not review.missed_skip for review in guessed)
    assert all(review.loss >= 0 for review in reviews)
    assert reviews[-1].exact


def test_json(analysed, games):
    """An object per game and line: where it came from, the players, a turn for each turn, and the sums."""
    code, out, err = analysed("--json", games)
    assert (code, err) == (0, "")
    for number, (record, line) in enumerate(zip(ENDINGS, out.splitlines(), strict=True), 1):
        found = json.loads(line)
        assert (found["source"], found["game"], found["mode"]) == (str(games), number, record.mode)
        assert (found["rows"], found["columns"], found["players"]) == (record.board.m, record.board.n, ["one", "two"])
        assert (found["scores"], found["result"]) == (list(record.scores), list(record.result))
        assert found["complete"] is True
        assert list(found["summary"]) == SUMMARY
        turns = found["turns"]
        assert all(list(turn) == FIELDS for turn in turns)
        assert [turn["turn"] for turn in turns] == list(range(1, len(record.turns) + 1))
        assert [turn["move"] and tuple(turn["move"]) for turn in turns] == [turn.move for turn in record.turns]
        for turn in turns:
            assert turn["loss"] == turn["value"] - turn["played"]
            assert (turn["move"] in turn["best"]) == (turn["loss"] == 0) or turn["move"] is None
        for key, verdict in (("mistakes", "mistake"), ("blunders", "blunder")):
            counts = [sum(turn["verdict"] == verdict and turn["player"] == who for turn in turns) for who in (1, 2)]
            assert found["summary"][key] == counts
        assert found["summary"]["first_exact"] == 1


def test_text(analysed, game):
    """The title, the meaning of the columns, a line per turn, the sums of each player, and the end of the game."""
    code, out, err = analysed(game)
    assert (code, err) == (0, "")
    assert max(len(line) for line in out.splitlines() if str(game) not in line) <= 80
    record, lines = ENDINGS[4], unfolded(out).splitlines()
    assert lines[0] == f"# {game}, game 1: 3x3 classic, one against two"
    assert lines[2].split() == ["turn", "player", "move", "value", "played", "loss"]
    reviews = reviews_of(record)
    for review, line in zip(reviews, lines[3:], strict=False):
        move = f"r{review.move.row + 1}c{review.move.col + 1}={review.move.value}"
        assert line.split()[:2] == [str(review.number), str(review.player)]
        assert f"{'skip ' if review.kind == 'skipped' else ''}{move} " in line[:32]
        assert ("mistake" in line) == (review.judgement == "mistake")
        assert ("BLUNDER: " in line) == (review.judgement == "blunder")
        assert ("missed skip" in line) == review.missed_skip
        assert ("best " in line) == (review.loss > 0)
        assert "~" not in line
    rest = lines[3 + len(reviews) :]
    summary = ReviewSummary.of(reviews)
    assert rest[0].startswith(f"player 1 (one): {summary.mistakes[0]} mistake")
    assert rest[1].startswith(f"player 2 (two): {summary.mistakes[1]} mistake")
    first, second = record.scores
    assert rest[2].startswith(f"{game}, game 1: proven from turn 1 of {len(reviews)} on; {first}:{second}, ")
    assert rest[3:] == [""]


def test_estimates_are_marked(analysed, tmp_path):
    """Unproven values have a ~ before them; the summary names the turn from which on values are proven."""
    write_records([LONG], tmp_path / "game.json")
    code, out, _ = analysed(tmp_path / "game.json", "--time-limit", "0", "--last", "30")
    assert code == 0
    out = unfolded(out)
    turns = out.splitlines()[3:33]
    assert "~" in turns[0]
    assert "~" not in turns[-1]
    first = next(line.split()[0] for line in turns if "~" not in line)
    assert f"proven from turn {first} of {len(LONG.turns)} on" in out


@pytest.mark.parametrize("last", [1, 3, 1000])
def test_the_last_turns(analysed, game, last):
    """--last leaves out the turns before, and changes nothing about the others."""
    turns = json.loads(analysed("--json", game)[1])["turns"]
    assert json.loads(analysed("--json", "--last", last, game)[1])["turns"] == turns[-last:]


def test_a_lost_game(analysed, tmp_path):
    """A move that loses the game at once throws it away: the turn has no value, and the program continues."""
    board, solution = ending(3, 3, 4, random_of("forfeit"))
    state = GameState.start(board)
    recorder = Recorder(state, ("a", "b"))
    cell = next(iter(board.empty_cells()))
    row, column = divmod(cell, 9)
    state, outcome = state.play((row, column, solution.values[cell]))
    recorder.add(Turn.of(outcome))
    state, outcome = state.lose(Loss.NO_PROPOSAL)
    recorder.add(Turn.of(outcome))
    write_records([recorder.finish(state)], tmp_path / "game.json")
    code, out, _ = analysed(tmp_path / "game.json", "--json", "--plot", tmp_path / "out.png")
    turn = json.loads(out)["turns"][1]
    assert code == 0
    assert (turn["move"], turn["played"], turn["loss"], turn["verdict"]) == (None, None, None, "forfeit")
    assert turn["exact"]
    assert turn["best"]
    assert "loses the game at once" in analysed(tmp_path / "game.json")[1]


def test_a_pass(analysed, tmp_path):
    """A player who passes has a turn with a value, but no choice."""
    write_records([random_record(mode="rows", board=Board.parse("1234 .... .... ...."))], tmp_path / "game.json")
    code, out, _ = analysed(tmp_path / "game.json", "--json", "--time-limit", "0.1")
    turn = json.loads(out)["turns"][0]
    assert code == 0
    assert (turn["move"], turn["outcome"], turn["verdict"], turn["loss"], turn["best"]) == (
        None,
        "passed",
        "pass",
        0,
        [],
    )
    assert analysed(tmp_path / "game.json", "--time-limit", "0.1")[1].splitlines()[3].split()[2] == "pass"


def test_a_game_that_is_not_right(analysed, tmp_path):
    """A record that contradicts the rules is refused in one line, as in replay; the other games are analysed."""
    path = tmp_path / "games.jsonl"
    path.write_text(f"{ENDINGS[0].to_json()}\n{spoiled(ENDINGS[4], 1)}\n{ENDINGS[1].to_json()}\n")
    code, out, err = analysed("--json", path)
    assert code == 1
    assert [json.loads(line)["game"] for line in out.splitlines()] == [1, 3]
    assert err.startswith(f"csp-sudoku: {path}, game 2: turn 1: expected reward ")
    assert err.count("\n") == 1


def test_a_bad_file(analysed, tmp_path, game):
    """An input that is no record is one line and the exit code 2, and does not hide the others."""
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    code, out, err = analysed("--json", bad, tmp_path / "none.json", game)
    assert code == 2
    assert out.count("\n") == 1
    assert err.count("\n") == 2
    assert err.startswith(f"csp-sudoku: {bad}, line 1: expected the key rows")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--time-limit", "-1"], "at least 0; found '-1'"),
        (["--last", "0"], "at least 1; found '0'"),
        (["--plot", "out.jpg"], "expected a file that ends in .png, .svg, .pdf; found 'out.jpg'"),
        (["--plot", "no/such/out.png"], "expected to write 'no/such/out.png'; found no such file or directory"),
    ],
)
def test_bad_options(analysed, game, options, message):
    """Contradictory options are one line and the exit code 2, before any work is done."""
    code, out, err = analysed(game, *options)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_standard_input():
    """Without a file, or with "-", standard input is read."""
    for arguments in ([], ["-"]):
        done = run("analyse", *arguments, stdin=ENDINGS[0].to_json())
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("# <stdin>, game 1: 2x2 classic, one against two")


def test_a_picture(analysed, game, tmp_path):
    """--plot writes a picture and prints its name; several games have numbered pictures."""
    code, out, err = analysed(game, "--plot", tmp_path / "out.png")
    assert (code, err) == (0, "")
    assert f"{game}, game 1: the margin over the turns in {tmp_path / 'out.png'}\n" in out
    width, height = png_size(tmp_path / "out.png")
    assert width > height > 500
    code, out, _ = analysed(game, game, "--json", "--plot", tmp_path / "out.svg")
    assert [json.loads(line)["plot"] for line in out.splitlines()] == [str(tmp_path / f"out-{i}.svg") for i in (1, 2)]
    assert (tmp_path / "out-2.svg").read_bytes().startswith(b"<?xml")
    assert not (tmp_path / "out.svg").exists()


def test_names_are_no_formulas(tmp_path):
    """Whatever players and files are called, it can be drawn."""
    from csp_sudoku.evaluation.plot import value_plot

    record = game_of(2, 2, 4, "classic", Random(1))
    figure = value_plot(reviews_of(record), ("$\\one$", "$"), "a game of $\\one$", record.scores)
    figure.savefig(tmp_path / "out.png")
    assert (tmp_path / "out.png").stat().st_size > 1000


def test_what_the_picture_says():
    """The line goes from the first turn to the result; each mistake and blunder is marked where the line is then."""
    from csp_sudoku.evaluation.analyse import Judgement
    from csp_sudoku.evaluation.plot import BLUNDER, ESTIMATE, MISTAKE, PROVEN, value_plot

    record = next(
        record
        for record in (game_of(3, 3, 6, "classic", Random(seed)) for seed in range(50))
        if any(review.judgement is Judgement.BLUNDER for review in reviews_of(record))
    )
    reviews = reviews_of(record)
    margins = [review.margin for review in reviews] + [record.scores[0] - record.scores[1]]
    figure = value_plot(reviews, ("one", "two"), "title", record.scores)
    lines = figure.axes[0].lines
    for colour in (ESTIMATE, PROVEN):
        line = next(line for line in lines if line.get_color() == colour)
        assert list(line.get_ydata()) == margins
        assert list(line.get_xdata()) == list(range(len(margins)))
    for colour, judgement in ((MISTAKE, Judgement.MISTAKE), (BLUNDER, Judgement.BLUNDER)):
        marks = [(line.get_xdata()[0], line.get_ydata()[0]) for line in lines if line.get_color() == colour]
        expected = [review.number for review in reviews if review.judgement is judgement]
        assert marks == [(number, margins[number]) for number in expected]
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"player 1, one, wins", "player 2, two, wins"} <= set(texts)
    assert any(text.startswith("turn ") for text in texts)


@pytest.mark.slow
@posix
def test_interrupt(tmp_path):
    """Ctrl-C ends the analysis, and the turns so far are reported and drawn, with their sums."""
    path = tmp_path / "games.jsonl"
    write_records([ENDINGS[4], LONG], path)
    with start("analyse", "--time-limit", "0.5", "--plot", str(tmp_path / "out.png"), str(path)) as process:
        while b"game 2: 3x3 " not in process.stdout.readline():
            assert process.poll() is None
        for _ in range(3):  # two lines above the table, and the first turn
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert told(err) == "interrupted\n"
    assert process.returncode == 130
    assert png_size(tmp_path / "out-2.png")
    assert "game 2: interrupted after turn " in unfolded(out.decode())


@pytest.mark.slow
@posix
def test_interrupt_on_a_terminal(tmp_path):
    """The ^C that a terminal shows is removed: the sums and the last line begin at the beginning of a line."""
    path = tmp_path / "games.jsonl"
    write_records([LONG], path)
    terminal = Terminal("analyse", "--time-limit", "0.5", str(path))
    terminal.until(b"\n   1  1 ")
    terminal.press(b"\x03")
    assert terminal.end() == 130
    assert b"^C" in terminal.shown
    assert re.search(
        rb"\r\x1b\[K(\x1b\[\?25h)?player 1 \(", terminal.shown
    )  # a bar that was drawn had hidden the cursor
    assert terminal.shown.endswith(b"\r\ninterrupted\r\n")


@pytest.mark.slow
@posix
def test_interrupt_with_json(tmp_path, clock):
    """With --json the object of the game that was interrupted has the turns so far."""
    path = tmp_path / "games.jsonl"
    write_records([ENDINGS[4], LONG], path)

    def attempt(seconds):
        with start("analyse", "--time-limit", "0.5", "--json", str(path)) as process:
            process.stdout.readline()  # the first game is done
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        assert told(err) == "interrupted\n"
        assert process.returncode == 130
        return out

    out, _ = clock.gives_enough(attempt, bool, times=(3, 10, 30))
    found = json.loads(out)
    assert found["complete"] is False
    assert 0 < len(found["turns"]) < len(LONG.turns)
