"""Verdicts: what is expected of a match between a hostile and an honest agent, and what is wrong with what was seen.

A match is read from its store, as plain SQLite and JSON. What is expected follows from the same match of the harmless
agent, which was played before.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from tests.attack.hostiles import LOSES, PLAYS, Hostile
from tests.attack.watch import Seen

ALLOWANCE = 64.0
"""Megabytes by which the command may grow larger than with the harmless agent."""
DELAY = 4.0
"""Seconds after its deadline by which a turn must be over, also on a busy machine."""
CLOCK = "clock"
"""The kind of faults that a busy machine may cause; such a case is tried again with more time."""


class Problem(NamedTuple):
    """The fault."""

    kind: str
    text: str


class Game(NamedTuple):
    """A game in a store."""

    key: str
    first: str
    second: str
    seconds: float
    score: float
    record: dict[str, Any]

    @property
    def moves(self) -> list[tuple[Any, ...]]:
        """The turns without their times."""
        return [(turn["player"], turn["outcome"], str(turn.get("move"))) for turn in self.record["turns"]]


@dataclass
class Match:
    """The observations of a match."""

    seen: Seen
    games: list[Game] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    """The notes of the honest agent, one for each turn."""
    store: str = ""
    """The fault of the store; empty if it can be read."""


@dataclass(frozen=True)
class Verdict:
    """A row of the table."""

    attack: str
    games: int
    expected: str
    found: str
    problems: tuple[Problem, ...] = ()
    tries: int = 1
    is_skipped: bool = False

    @property
    def is_ok(self) -> bool:
        return not self.problems

    def as_object(self) -> dict[str, Any]:
        """The verdict as a JSON object."""
        problems = [problem.text for problem in self.problems]
        return {**vars(self), "problems": problems, "ok": self.is_ok}

    @staticmethod
    def from_object(told: dict[str, Any]) -> Verdict:
        """The verdict of a JSON object; the kinds of its problems are not known any more."""
        parts = {name: value for name, value in told.items() if name != "ok"}
        return Verdict(**{**parts, "problems": tuple(Problem("", text) for text in told["problems"])})


def games_of(store: Path) -> list[Game]:
    """The games of a store, in order; sqlite3.Error or ValueError if it cannot be read."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        (health,) = connection.execute("PRAGMA integrity_check").fetchone()
        if health != "ok":
            raise sqlite3.DatabaseError(health)
        rows = connection.execute("SELECT key, first, second, seconds, score, record FROM games ORDER BY number")
        return [Game(*row[:5], json.loads(row[5])) for row in rows]


def problems_of(
    match: Match, agent: type[Hostile], name: str, twin: Match, *, games: int, seconds: float, is_isolated: bool
) -> list[Problem]:
    """The faults in a match of the agent called `name`, with this number of games and `seconds` for each turn."""
    harms = agent.harms & {"files"} if is_isolated else agent.harms
    found = [*_of_command(match, twin, harms), *_of_store(match, games)]
    found += [problem for game in match.games for problem in _of_game(game, name, twin.games, agent.expected, harms)]
    found += _of_notes(match.notes, seconds + DELAY + agent.slack, harms)
    return found


def _of_command(match: Match, twin: Match, harms: frozenset[str]) -> list[Problem]:
    """The faults of the command, and in its remains."""
    seen, found = match.seen, []
    if seen.code is None:
        found.append(Problem("end", f"it did not end within {seen.seconds:.0f} s"))
    elif seen.code:
        found.append(Problem("end", f"exit code {seen.code}: {seen.err.strip().splitlines()[-1:]}"))
    if "Traceback" in seen.err:
        found.append(Problem("end", f"a traceback: {seen.err.strip().splitlines()[-1]}"))
    if seen.processes:
        found.append(Problem("processes", f"processes are left ({len(seen.processes)}): {seen.processes[0]}"))
    if seen.files and "files" not in harms:
        found.append(Problem("files", f"files are left ({len(seen.files)}): {seen.files[0]}"))
    if seen.shared and "shared" not in harms:
        found.append(Problem("shared", f"shared memory is left: {', '.join(seen.shared)}"))
    if twin.seen.megabytes and seen.megabytes > twin.seen.megabytes + ALLOWANCE:
        found.append(Problem("memory", f"{seen.megabytes:.0f} MB, not {twin.seen.megabytes:.0f} MB"))
    return found


def _of_store(match: Match, games: int) -> list[Problem]:
    """The faults in the stored games, and in the report on them."""
    if match.store:
        return [Problem("store", match.store)]
    found, kept = [], match.games
    if len(kept) != games or len({game.key for game in kept}) != games:
        found.append(Problem("store", f"{len(kept)} games in the store, not {games}"))
    try:
        told = json.loads(match.seen.out)
        sums = told["games"], told["wins"] + told["draws"] + told["losses"]
    except (ValueError, KeyError, TypeError) as error:
        return [*found, Problem("report", f"no report: {error!r}")]
    if sums != (games, games):
        found.append(Problem("report", f"a report on {sums[0]} games, not {games}"))
    return found


def _of_game(game: Game, name: str, twins: Sequence[Game], expected: str, harms: frozenset[str]) -> list[Problem]:
    """The faults in a game: the hostile agent may play on like its twin or lose, and the other one may not."""
    is_first = Path(game.first).name == name
    player = 1 if is_first else 2
    turns = game.record["turns"]
    for turn in turns:
        if turn["player"] != player and (turn["outcome"] == "lost" or turn.get("error")):
            reason = str(turn.get("reason") or turn.get("error"))
            if "loss" in harms and "outside" in reason:
                return []
            kind = CLOCK if reason.startswith("no proposal") else "opponent"
            return [Problem(kind, f"the honest agent failed: {reason}")]
    has_lost = bool(turns) and turns[-1]["player"] == player and turns[-1]["outcome"] == "lost"
    if has_lost:
        reason = str(turns[-1].get("reason"))
        if (game.score == 1) is is_first and game.score != 0.5:
            return [Problem("score", f"it lost ({reason}) and has the score of a win")]
        kind = CLOCK if reason.startswith("no proposal") else "loss"
        return [Problem(kind, f"it lost: {reason}")] if expected == PLAYS else []
    if expected == LOSES:
        return [Problem("profit", "it did not lose")]
    twin = next((one for one in twins if (Path(one.first).name != "honest") is is_first), None)
    if twin is not None and (game.moves, game.score) != (twin.moves, twin.score):
        return [Problem("profit", f"another game than the harmless agent's: {game.score:g}, not {twin.score:g}")]
    return []


def _of_notes(notes: Sequence[dict[str, Any]], longest: float, harms: frozenset[str]) -> list[Problem]:
    """The faults in the notes of the honest agent."""
    found = []
    running = [one for note in notes for one in note["running"]]
    if running and "time" not in harms:
        found.append(Problem("time", f"it ran in its opponent's turn: process {running[0]}"))
    if not all(note["memory"] for note in notes) and "loss" not in harms:
        found.append(Problem("opponent", "the memory of the honest agent was lost"))
    gaps = [later["begun"] - note["ended"] for note, later in pairwise(notes) if note["game"] == later["game"]]
    if gaps and max(gaps) > longest:
        found.append(Problem(CLOCK, f"a turn of {max(gaps):.1f} s, not at most {longest:.1f} s"))
    return found


def told(match: Match) -> str:
    """The observations of a match, in a few words."""
    lost = [
        str(game.record["turns"][-1].get("reason"))
        for game in match.games
        if game.record["turns"] and game.record["turns"][-1]["outcome"] == "lost"
    ]
    words = f"played on {len(match.games) - len(lost)}" if len(match.games) > len(lost) else ""
    if lost:
        words += f"{', ' if words else ''}lost {len(lost)}: {lost[0]}"
    return words or "no game"
