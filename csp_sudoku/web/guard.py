"""The guard in front of the page: it refuses requests from other pages, and sets the headers of all answers.

The server listens on 127.0.0.1 only, but any page that a browser shows can send requests there. So a request must name
this server as its host (a foreign name that resolves to 127.0.0.1 does not), and its origin, if a browser names one,
must be this server as well. A question must be JSON by its content type, which a form of a foreign page cannot send.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from hashlib import sha256
from typing import Any

from csp_sudoku.drawing.live import LIVE_STYLE
from csp_sudoku.drawing.palette import style
from csp_sudoku.web.answers import json_answer

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY = 1 << 24
"""Upper bound for the size of a request, in bytes; most questions have a smaller one of their own."""

_STYLES = [style() + LIVE_STYLE, style()]
"""The style sheets that are part of drawings."""


def policy() -> str:
    """Return the Content-Security-Policy: scripts and styles of this server, the styles of drawings, nothing else."""
    hashes = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in _STYLES]
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            f"style-src 'self' {' '.join(hashes)}",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )


HEADERS = [
    (b"content-security-policy", policy().encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
"""The headers of every answer."""


class Guard:
    """The application `app` behind a guard; `port` is the port of the server."""

    def __init__(self, app: App, port: int) -> None:
        self._app = app
        self.hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))
        """The hosts that a request may name."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # the server closes a web socket that is not accepted

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        wrong = self._objection(scope)
        if wrong is not None:
            await json_answer({"error": wrong[1]}, wrong[0])(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _objection(self, scope: Scope) -> tuple[int, str] | None:
        """Return the reason why a request is refused, with the status of the answer; None if it is accepted."""
        headers = _single(scope["headers"])
        if headers is None:
            return 400, "expected each of the headers host, origin and content-length once; found one again"
        host = headers.get("host", "")
        if host.lower() not in self.hosts:
            return 403, f"expected one of {', '.join(sorted(self.hosts))} as host; found {_quoted(host)}"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{one}" for one in self.hosts}:
            return 403, f"expected this page as the origin of the request; found {_quoted(origin)}"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "expected this page as the origin of the request; found another site"
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal() and len(length) <= 15):
            return 400, f"expected a number of bytes as content-length; found {_quoted(length)}"
        if int(length) > MAX_BODY:
            return 413, f"expected a request of at most {MAX_BODY} bytes; found {length}"
        if scope["method"] in ("POST", "PUT", "PATCH") and not headers.get("content-type", "").lower().startswith(
            "application/json"
        ):
            return 415, "expected application/json as content-type; found another"
        return None


def _single(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str] | None:
    """Return the headers as texts; None if a relevant one is there twice."""
    found: dict[str, str] = {}
    for name, value in headers:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "content-length", "content-type", "sec-fetch-site"):
            return None
        found[key] = value.decode("latin-1")
    return found


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
