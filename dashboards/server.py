"""Serving the app over HTTP with waitress."""

import logging
import socket
from collections.abc import Callable
from pathlib import Path

from waitress.server import create_server

from dashboards.app import create_app
from dashboards.queries import DatabaseError

__all__ = ["ServeError", "serve"]

THREADS = 6


class ServeError(Exception):
    """The app cannot be served; the message is one line and says what to do."""


def serve(database: Path, host: str, port: int, ready: Callable[[str], None] | None = None) -> None:
    """Serve the app over a database until interrupted; `ready` is told the address once connections are accepted.

    Port 0 takes a free one. Raises `ServeError` for a database that cannot be read or an address that is taken.
    """
    try:
        app = create_app(database)
    except DatabaseError as error:
        raise ServeError(str(error)) from error
    logging.getLogger("waitress.queue").setLevel(
        logging.ERROR
    )  # a page asks for more files at once than there are threads
    listener = _listen(host, port)
    server = create_server(app.server, sockets=[listener], threads=THREADS)
    try:
        if ready is not None:
            shown = f"[{host}]" if ":" in host else host
            ready(f"http://{shown}:{listener.getsockname()[1]}/")
        server.run()
    finally:
        server.close()
        listener.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise ServeError(f"cannot listen on {host}:{port} ({reason}); choose another with --port") from error
