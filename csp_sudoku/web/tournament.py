"""A store of games, which is read repeatedly while a tournament adds games to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from csp_sudoku.arena.standings import StoredGames
from csp_sudoku.arena.store import Store
from csp_sudoku.errors import SudokuError
from csp_sudoku.players.spec import player_names

if TYPE_CHECKING:
    from csp_sudoku.web.workers import Job

LISTED = 300
"""Maximum number of games in an answer: the last ones."""


def tables(path: str, job: Job) -> dict[str, Any]:  # noqa: ARG001 - all work has a job
    """Return the standings, the crosstable and the last games of the store at `path`."""
    with Store(path, create=False) as store:
        games = list(store.games())
    names = player_names(sorted({player for game in games for player in (game.first, game.second)}))
    played = StoredGames(games, names, path)
    listed = [
        {
            "number": number,
            "first": names[game.first],
            "second": names[game.second],
            "board": game.board,
            "time": game.time,
            "mode": game.mode,
            "score": game.summary.score,
            "points": list(game.summary.points),
        }
        for number, game in enumerate(games, 1)
    ]
    found = played.tables() if played.players else {"standings": [], "crosstable": []}
    order = played.order if played.players else []
    table = found["crosstable"]
    return {
        "count": len(games),
        "names": [played.names[player] for player in order],
        "standings": found["standings"],
        "crosstable": [[table[one][other] for other in order] for one in order],
        "games": listed[-LISTED:][::-1],
    }


def record(path: str, number: int, job: Job) -> dict[str, Any]:  # noqa: ARG001 - all work has a job
    """Return the record of a game of the store, by its number from 1 on in the order in which the games finished."""
    with Store(path, create=False) as store:
        text = store.record_text(number)
    if text is None:
        raise SudokuError(f"expected the number of a game of the store; found {number}")
    return {"text": text}
