"""The application: the page, its files, and the routes of its questions and games.

    GET  /                                  the page; /static/NAME are its files
    GET  /api/about                         players, boards, modes and stores
    POST /api/read, solve, count, explain, hint, generate          of a puzzle
    POST /api/start, draw, map, value, move                of a position
    POST /api/record, review                                       of a recorded game
    GET  /api/games                         the games of the server; POST begins one
    GET  /api/games/ID                      a game; /events follows it, /record is its record; DELETE gives it up
    POST /api/games/ID/move, hint, map, go  a move of a person, advice, and pausing
    GET  /api/stores/N                      the tables of a store; /games/K is the record of a game

A question may be answered as a stream of events, with its progress, if its Accept header names text/event-stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from csp_sudoku.drawing.subjects import candidates_of
from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.game.rules import PlayMode
from csp_sudoku.web import analysing, exploring, tournament
from csp_sudoku.web.answers import (
    Answer,
    RequestError,
    answer_of,
    content_answer,
    event_text,
    json_answer,
    status_of,
    stream,
)
from csp_sudoku.web.fields import Fields
from csp_sudoku.web.games import MAX_PACE_S, MAX_TURN_S, PERSON, Game, GameRequest, Games
from csp_sudoku.web.guard import Guard
from csp_sudoku.web.positions import move_in
from csp_sudoku.web.preparation import Preparation
from csp_sudoku.web.puzzles import board_in
from csp_sudoku.web.workers import Job, JobPool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from csp_sudoku.players.spec import Spec

MAX_BODY = 1 << 20
"""Upper bound for the size of a question, in bytes."""
MAX_RECORD_BODY = 1 << 24
"""The same for a question with a record."""
KINDS = {"js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml"}
"""The content types of files, by their endings."""
SHARED = ("board.js", "zoom.js", "page.css")
"""The files that the page shares with `csp_sudoku.pages`."""


@dataclass(frozen=True)
class Settings:
    """The settings from the command line."""

    players: Mapping[str, Spec]
    """The programs that may play, by their names on the page."""
    boards: Mapping[str, Path]
    """The boards that ship with the program: their files by name."""
    stores: Sequence[str] = field(default=())
    """The files of stores of games."""
    threads: int = 2
    """The number of threads that answer questions."""
    compiles_ahead: bool = False
    """Whether missing kernels are compiled when the server starts, before the first question."""


class PageQuestion(NamedTuple):
    """A kind of question: the function that answers it, and its time limits in seconds."""

    answer: Callable[[Fields, Mapping[str, Path], Job], dict[str, Any]]
    default: float = 10.0
    most: float = 60.0
    is_heavy: bool = False
    """Whether it takes much memory, so that only one is answered at a time."""
    body: int = MAX_BODY
    """Upper bound for the size of the request, in bytes."""
    needs: tuple[str, ...] = ()
    """The kernels that must be compiled before its time begins, as `csp_sudoku.warm_up.NEEDS` names them."""


SOLVES = ("auto",)
MAPS = ("auto", "moves")
VALUES = ("auto", "moves", "value")
"""The kernels that questions about values need."""

QUESTIONS: Mapping[str, PageQuestion] = {
    "read": PageQuestion(exploring.read),
    "solve": PageQuestion(exploring.solve, needs=SOLVES),
    "count": PageQuestion(exploring.count, needs=SOLVES),
    "explain": PageQuestion(exploring.explain, needs=SOLVES),
    "hint": PageQuestion(exploring.hint, needs=SOLVES),
    "generate": PageQuestion(exploring.generate, default=30.0, needs=SOLVES),
    "start": PageQuestion(analysing.start),
    "draw": PageQuestion(analysing.draw),
    "map": PageQuestion(analysing.map_moves, needs=MAPS),
    "value": PageQuestion(analysing.value, default=5.0, is_heavy=True, needs=VALUES),
    "move": PageQuestion(analysing.move, needs=MAPS),
    "review": PageQuestion(
        analysing.review, default=60.0, most=600.0, is_heavy=True, body=MAX_RECORD_BODY, needs=VALUES
    ),
    "record": PageQuestion(analysing.record, default=60.0, most=120.0, body=MAX_RECORD_BODY, needs=MAPS),
}
"""The questions by the names of their routes."""


class Application:
    """The routes, with their common settings, workers and games."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.games = Games(settings.players)
        self.workers = JobPool(settings.threads)
        self.preparation = Preparation()
        self.heavy_workers = JobPool(1, waiting=16)
        self.files = {**files_of("csp_sudoku.web", "static"), **files_of("csp_sudoku.pages", "", SHARED)}

    def routes(self) -> list[Any]:
        """Return the routes."""
        game = "/api/games/{id}"
        return [
            Route("/", self.page),
            Route("/static/{name}", self.file),
            Route("/api/about", self.about),
            *[Route(f"/api/{name}", partial(self.ask, one), methods=["POST"]) for name, one in QUESTIONS.items()],
            Route("/api/games", self.list_games),
            Route("/api/games", self.begin_game, methods=["POST"]),
            Route(game, self.game),
            Route(game, self.abandon_game, methods=["DELETE"]),
            Route(f"{game}/events", self.follow_game),
            Route(f"{game}/record", self.game_record),
            Route(f"{game}/move", self.move, methods=["POST"]),
            Route(f"{game}/hint", self.advise, methods=["POST"]),
            Route(f"{game}/map", self.map_game, methods=["POST"]),
            Route(f"{game}/go", self.go, methods=["POST"]),
            Route("/api/stores/{store:int}", self.store),
            Route("/api/stores/{store:int}/games/{number:int}", self.stored_game),
        ]  # fmt: skip

    async def page(self, request: Any) -> Answer:  # noqa: ARG002 - starlette's signature
        """The page."""
        return content_answer(*self.files["index.html"])

    async def file(self, request: Any) -> Answer:
        """A file of the page."""
        name = request.path_params["name"]
        if name not in self.files:
            raise RequestError(404, "expected a file of the page; found no such file")
        return content_answer(*self.files[name])

    async def about(self, request: Any) -> Answer:  # noqa: ARG002
        """The choices that the page offers."""
        return json_answer(
            {
                "players": list(self.settings.players),
                "person": PERSON,
                "boards": sorted(self.settings.boards),
                "modes": [mode.value for mode in PlayMode],
                "stores": [Path(path).name for path in self.settings.stores],
            }
        )

    async def ask(self, question: PageQuestion, request: Any) -> Answer:
        """Answer a question."""
        fields = Fields.read(await body_of(request, question.body))
        seconds = fields.number("seconds", 0, question.most, question.default)
        workers = self.heavy_workers if question.is_heavy else self.workers
        work = partial(question.answer, fields, self.settings.boards)
        return await answer_of(workers.start(work, seconds, prepare=self._prepare(question.needs)), request)

    async def list_games(self, request: Any) -> Answer:  # noqa: ARG002
        """The games of the server, without their boards."""
        return json_answer({"games": [_without_board(game) for game in self.games.all()]})

    async def begin_game(self, request: Any) -> Answer:
        """Begin a game."""
        fields = Fields.read(await body_of(request))
        first, second = (fields.text(name, most=500) for name in ("first", "second"))
        asked = GameRequest(
            players=(self.games.spec(first), self.games.spec(second)),
            names=(first, second),
            board=board_in(fields.part("board"), self.settings.boards),
            mode=fields.choice("mode", [mode.value for mode in PlayMode], PlayMode.CLASSIC.value),
            seconds=fields.number("seconds", 0.01, MAX_TURN_S, 0.5),
            seed=fields.whole("seed", 0, exploring.MAX_SEED, None),
            paused=fields.flag("paused", default=False),
            pace=fields.number("pace", 0, MAX_PACE_S, 0.0),
        )
        return json_answer(self.games.begin(asked).as_object())

    async def game(self, request: Any) -> Answer:
        """A game without its turns."""
        return json_answer(self._game(request).as_object())

    async def abandon_game(self, request: Any) -> Answer:
        """Abandon a game."""
        self._game(request).abandon()
        return json_answer({})

    async def follow_game(self, request: Any) -> Answer:
        """The events of a game after the last one that the client has."""
        game = self._game(request)
        last = request.headers.get("last-event-id", request.query_params.get("after", "-1"))
        if not (last.lstrip("-").isascii() and last.lstrip("-").isdecimal() and len(last) < 10):
            raise RequestError(400, "expected the number of an event; found something else")

        async def events() -> AsyncIterator[bytes]:
            async for number, event in game.follow(max(0, int(last) + 1)):
                yield event_text(event["kind"], event, number)

        return stream(events())

    async def game_record(self, request: Any) -> Answer:
        """The record of a game, as far as it has been played."""
        return json_answer(self._game(request).record().as_object())

    async def move(self, request: Any) -> Answer:
        """Play a move of a person, or resign."""
        game, fields = self._game(request), Fields.read(await body_of(request))
        person = game.people.get(fields.whole("player", 1, 2))
        if person is None:
            raise SudokuError("expected the number of a player who is a person; found that of a program")
        move = None if fields.flag("resign", default=False) else move_in(fields, game.request.board.size)
        return json_answer({"objection": person.play(move) or None})

    async def advise(self, request: Any) -> Answer:
        """A hint for the person to move."""
        game = self._game(request)
        await body_of(request)

        def work(job: Job) -> dict[str, Any]:  # noqa: ARG001 - the advice bounds itself
            with game.advising:
                return {"told": game.adviser.hint(_asked(game))}

        return await answer_of(self.workers.start(work, 15.0, prepare=self._prepare(MAPS)), request)

    async def map_game(self, request: Any) -> Answer:
        """The moves of the position in which a person is to move."""
        game = self._game(request)
        await body_of(request)

        def work(job: Job) -> dict[str, Any]:  # noqa: ARG001
            with game.advising:
                shown = candidates_of(game.adviser.map(_asked(game).board))
            return {"safe": shown.safe, "bombs": shown.bombs, "unknown": shown.unknown}

        return await answer_of(self.workers.start(work, 15.0, prepare=self._prepare(MAPS)), request)

    async def go(self, request: Any) -> Answer:
        """Pause a game, continue it, or let it play some turns."""
        game, fields = self._game(request), Fields.read(await body_of(request))
        turns = fields.whole("turns", 0, 10_000, None)
        game.let_go_on(turns)
        return json_answer({"paused": turns == 0})

    async def store(self, request: Any) -> Answer:
        """The tables of a store."""
        return await answer_of(self.workers.start(partial(tournament.tables, self._store(request)), 60.0), request)

    async def stored_game(self, request: Any) -> Answer:
        """The record of a game of a store."""
        number = min(request.path_params["number"], 2**31)
        if number < 1:
            raise RequestError(404, "expected the number of a game, from 1 on; found 0")
        work = partial(tournament.record, self._store(request), number)
        return await answer_of(self.workers.start(work, 60.0), request)

    def _prepare(self, needs: tuple[str, ...]) -> Callable[[Job], object]:
        """Return the function that a job calls before its time begins."""
        return partial(self.preparation.wait, needs)

    def _game(self, request: Any) -> Game:
        try:
            return self.games.get(request.path_params["id"])
        except SudokuError as error:
            raise RequestError(404, str(error)) from None

    def _store(self, request: Any) -> str:
        number: int = request.path_params["store"]
        if not 0 <= number < len(self.settings.stores):
            raise RequestError(404, "expected the number of a store of the command line; found another")
        return self.settings.stores[number]

    def close(self) -> None:
        """End all games and all work."""
        self.games.close()
        self.workers.close()
        self.heavy_workers.close()


def application(settings: Settings, port: int) -> Guard:
    """Return the application for a server on `port`, as an ASGI application."""
    shared = Application(settings)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        if settings.compiles_ahead:
            shared.preparation.begin()
        yield
        shared.close()

    handlers: dict[Any, Any] = {
        SudokuError: _refuse,
        UndecidedError: _refuse,
        HTTPException: _refuse_http,
        Exception: _fail,
    }
    return Guard(Starlette(routes=shared.routes(), exception_handlers=handlers, lifespan=lifespan), port)


async def body_of(request: Any, most: int = MAX_BODY) -> bytes:
    """Return the body of a request; RequestError if it has more than `most` bytes."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise RequestError(413, f"expected a request of at most {most} bytes; found more")
        parts.append(part)
    return b"".join(parts)


def _asked(game: Game) -> Any:
    """Return the position in which a person is to move."""
    for person in game.people.values():
        state = person.state
        if state is not None:
            return state
    raise SudokuError("expected a question on your turn; found that it is not your turn")


def _without_board(game: Game) -> dict[str, Any]:
    found = game.as_object()
    board = found.pop("board")
    return found | {"shape": board["shape"]}


def files_of(package: str, folder: str, names: Sequence[str] | None = None) -> dict[str, tuple[bytes, str]]:
    """Return the contents of files and their content types, by name."""
    place = files(package).joinpath(folder) if folder else files(package)
    found = {}
    for entry in place.iterdir():
        kind = KINDS.get(entry.name.rpartition(".")[2])
        if kind is not None and (names is None or entry.name in names):
            found[entry.name] = entry.read_bytes(), f"{kind}; charset=utf-8"
    return found


async def _refuse(request: Any, error: Any) -> Answer:  # noqa: ARG001 - starlette's signature
    return json_answer({"error": str(error)}, status_of(error))


async def _refuse_http(request: Any, error: Any) -> Answer:
    what = {404: "a route of this server", 405: "a method of this route"}.get(error.status_code, "another request")
    found = f"{request.method} {request.url.path}"
    return json_answer({"error": f"expected {what}; found {found[:100]}"}, error.status_code)


async def _fail(request: Any, error: Any) -> Answer:  # noqa: ARG001
    return json_answer({"error": "the server failed to answer; its output says why"}, 500)
