"""The server: a socket on 127.0.0.1, and a loop that answers until Ctrl-C."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import uvicorn

from csp_sudoku.errors import OptionError
from csp_sudoku.web.application import application

if TYPE_CHECKING:
    from csp_sudoku.web.application import Settings

ADDRESS = "127.0.0.1"
"""The only address that the server listens on."""
MAX_CONNECTIONS = 256
"""Maximum number of connections at the same time; the server refuses further ones."""
KEEP_ALIVE_S = 20
"""Time after which a silent connection is closed, in seconds."""


def listening(port: int) -> socket.socket:
    """Return a socket on a port, or on a free one if it is 0; OptionError if the port is taken."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((ADDRESS, port))
    except OSError as error:
        found.close()
        reason = (error.strerror or str(error)).lower()
        raise OptionError(f"expected a free port (--port 0 finds one); found {port}: {reason}") from None
    found.listen(128)
    return found


def serve(settings: Settings, port: int, *, on_start: Callable[[str], object], is_opened: bool = False) -> None:
    """Answer requests until the process ends.

    `port` is the port, or 0 for a free one. `on_start` is called with the address of the page. With `is_opened`
    (default False), the page is opened in the browser of the system.
    """
    with listening(port) as place:
        address = f"http://{ADDRESS}:{place.getsockname()[1]}/"
        config = uvicorn.Config(
            application(settings, place.getsockname()[1]),
            log_level="warning",
            access_log=False,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=1,
            ws="none",
        )
        server: Any = uvicorn.Server(config)
        server.capture_signals = nullcontext  # Ctrl-C belongs to the command line
        on_start(address)
        if is_opened:
            webbrowser.open(address)
        asyncio.run(server.serve(sockets=[place]))
