"""Answers: JSON, and streams of events for work that reports its progress.

Every error is a JSON object {"error": "expected …; found …"} with a status of 4xx. A stream consists of server-sent
events, whose names are those of `workers.Event`; its comments show that the server is still at work.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from csp_sudoku.errors import SudokuError, UndecidedError
from csp_sudoku.web.workers import LAST, Job, OverloadedError

HEARTBEAT_S = 5.0
"""Time after which a silent stream sends a comment, in seconds."""

Answer = Callable[[Any, Any, Any], Awaitable[None]]
"""An answer, as an ASGI application."""


class RequestError(SudokuError):
    """A request that is refused; `status` is that of the answer."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


def status_of(error: SudokuError | UndecidedError) -> int:
    """Return the status of the answer to a request that ended with an error.

    >>> status_of(SudokuError("")), status_of(UndecidedError("")), status_of(RequestError(413, ""))
    (400, 422, 413)
    """
    if isinstance(error, RequestError):
        return error.status
    if isinstance(error, OverloadedError):
        return 429
    return 422 if isinstance(error, UndecidedError) else 400


def json_answer(data: Any, status: int = 200) -> Answer:
    """Return an answer with a JSON value."""
    return content_answer(as_json(data), "application/json", status)


def content_answer(content: bytes, kind: str, status: int = 200) -> Answer:
    """Return an answer with some content; `kind` is its content type."""
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(content)).encode())]

    async def answer(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001 - the signature of an application
        await send({"type": "http.response.start", "status": status, "headers": headers})
        body = b"" if scope.get("method") == "HEAD" else content
        await send({"type": "http.response.body", "body": body})

    return answer


def as_json(data: Any) -> bytes:
    """Return a value as JSON; half of a surrogate pair, which a request may contain, stays an escape."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).encode()


async def answer_of(job: Job, request: Any) -> Answer:
    """Return the answer of a job: a stream if the request asks for one, else the result when it is there.

    The job is cancelled if the client goes away.
    """
    if "text/event-stream" in request.headers.get("accept", ""):
        return stream(_events_of(job), job.cancel)
    gone = asyncio.ensure_future(_disconnected(request.receive))
    result = asyncio.ensure_future(_result(job))
    try:
        await asyncio.wait({gone, result}, return_when=asyncio.FIRST_COMPLETED)
        if not result.done():
            raise RequestError(499, "expected the client to wait for the answer; found it gone")
        return json_answer(await result)
    finally:
        job.cancel()
        for task in (gone, result):
            await _ended(task)


async def _result(job: Job) -> Any:
    """Return the result of a job; raise its error."""
    while True:
        event = await job.event()
        if event.kind == "result":
            return event.data
        if event.kind == "error":
            raise event.data


async def _events_of(job: Job) -> AsyncIterator[bytes]:
    while True:
        event = await job.event()
        if event.kind != "error":
            yield event_text(event.kind, event.data)
        elif isinstance(event.data, SudokuError | UndecidedError):
            yield event_text("error", {"error": str(event.data), "status": status_of(event.data)})
        else:
            yield event_text("error", {"error": "the server failed to answer; its output says why", "status": 500})
            raise event.data
        if event.kind in LAST:
            return


def event_text(kind: str, data: Any, number: int | None = None) -> bytes:
    """Return an event of a stream; `number` is its id, after which a client can go on (default None: no id).

    >>> event_text("turn", {"a": 1}, 7)
    b'id: 7\\nevent: turn\\ndata: {"a":1}\\n\\n'
    """
    number_line = b"" if number is None else f"id: {number}\n".encode()
    return number_line + f"event: {kind}\ndata: ".encode() + as_json(data) + b"\n\n"


def stream(events: AsyncIterator[bytes], on_close: Callable[[], object] = lambda: None) -> Answer:
    """Return an answer that sends events as they come; `on_close` is called at its end, or when the client is gone."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001 - the signature of an application
        headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        gone = asyncio.ensure_future(_disconnected(receive))
        sending = asyncio.ensure_future(_send_all(events, send))
        try:
            await asyncio.wait({gone, sending}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            on_close()
            gone.cancel()
            if not sending.done():
                await _ended(sending)
        if not sending.cancelled() and sending.exception() is not None:
            await sending

    return answer


async def _send_all(events: AsyncIterator[bytes], send: Callable[[MutableMapping[str, Any]], Awaitable[None]]) -> None:
    """Send all events, and comments while there are none."""
    following = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            done, _ = await asyncio.wait({following}, timeout=HEARTBEAT_S)
            chunk = b": still here\n\n" if not done else following.result()
            if chunk is None:
                break
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            if done:
                following = asyncio.ensure_future(anext(events, None))
        await send({"type": "http.response.body", "body": b""})
    finally:
        await _ended(following)
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()


async def _disconnected(receive: Callable[[], Awaitable[MutableMapping[str, Any]]]) -> None:
    """Return when the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _ended(task: asyncio.Future[Any]) -> None:
    """Cancel a task, and wait until it has ended."""
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task
