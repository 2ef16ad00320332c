"""Serving the app over HTTP with waitress, by the one process that has the warehouse open."""

import importlib
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn

from flask import Flask
from waitress.server import create_server

from dashboards.app import create_app
from dashboards.http import logs as api
from dashboards.http import operations
from dashboards.http.access import Door, Header, Policy
from dashboards.http.openapi.document import LOGS
from dashboards.http.openness import what_is_open, why_closed
from dashboards.http.playouts import register_playouts
from dashboards.http.upload import DROP
from dashboards.http.upload import LIMITS as LIMITS_OF_DROP
from dashboards.http.waitress_channel import LEAST_BODY, Channel, Most
from dashboards.report.operations import REPORT_OPERATIONS
from dashboards.report.routes import register_reports
from himalaya_core.errors import HimalayaError
from ingest.errors import WarehouseError
from ingest.follow.watch import watching
from ingest.load.background import BackgroundWork
from ingest.opening import open_as_allowed
from ingest.operations import OPERATIONS
from ingest.owner import OPERATIONS_PATH, Owner
from ingest.receive.inbox import Limits
from ingest.receive.receive import Intake
from ingest.receive.tokens import all_tokens
from ingest.warehouse import Warehouse

__all__ = ["ServeError", "let_readers_go_first", "opened", "serve"]

THREADS: Final = 8
TURN: Final = 0.0005
"""Seconds that a thread may keep others waiting for the interpreter; an answer waits so long some ten times."""
AHEAD: Final = ("scipy.special", "scipy.sparse")
"""What figures import where they need it, for the sake of commands; it takes longer than most figures do."""
LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104  where to reach a server on all


LOCAL_POLICY: Final = Policy()


class ServeError(HimalayaError):
    """The app cannot be served; the message is one line and says what to do."""


def serve(
    database: Path,
    host: str,
    port: int,
    ready: Callable[[str], None] | None = None,
    limits: Limits | None = None,
    watch: Sequence[Path] = (),
    say: Callable[[str], None] = lambda _: None,
    trusted_proxies: tuple[str, ...] = (),
    policy: Policy = LOCAL_POLICY,
) -> None:
    """Serve the app over a database until interrupted; `ready` is told the address once connections are accepted.

    Logs sent to it are accepted within the limits. Logs in the folders to `watch` are followed, and `say` hears of what
    comes in. Port 0 takes a free one. Who may what is as `policy` says, whose host and reach are those of the address;
    what comes from `trusted_proxies`, addresses or networks, says itself for whom it comes. Raises `ServeError` for a
    database that cannot be read, an address that is taken, or one that others reach though nobody said what they may.
    """
    logging.getLogger("waitress.queue").setLevel(
        logging.ERROR
    )  # a page asks for more files at once than there are threads
    sys.setswitchinterval(TURN)
    with (
        _stopped_by_signals(),
        closing(_listen(host, port)) as listener,
        opened(database) as warehouse,
        suppress(KeyboardInterrupt),
    ):
        if watch and warehouse.read_only:
            raise ServeError(f"{database}: can only be read, so no logs can be followed into it")
        policy = _policy_of(policy, host, listener, trusted_proxies)
        if problem := why_closed(policy, all_tokens(warehouse)):
            raise ServeError(problem)
        address = _address(host, listener)
        owner = Owner.here(_address(LOOPBACK.get(host, host), listener))
        app = create_app(warehouse)
        intake = Intake(warehouse, limits)
        door = api.register_intake(app.server, warehouse, intake, policy)
        reports = register_reports(app.server, warehouse)
        playouts = register_playouts(app.server, warehouse)
        operations.register(app.server, warehouse, owner, {**OPERATIONS, **REPORT_OPERATIONS}, door.look_again)
        let_readers_go_first(app.server, warehouse)
        most = _most_of_body(door, owner, max(intake.limits.body, LEAST_BODY))
        following = watching(warehouse, watch, say) if watch else nullcontext()
        with (
            door.ledger,
            intake,
            BackgroundWork(warehouse),
            closing(_server(app.server, listener, most)) as server,
            following,
        ):
            if not warehouse.read_only:
                owner.leave_note(database)
            try:
                if ready is not None:
                    ready(f"{address}/")
                say(what_is_open(policy, all_tokens(warehouse)))
                threading.Thread(target=import_ahead, name="import-ahead").start()
                server.run()
            finally:
                reports.close()
                if playouts is not None:
                    playouts.close()
                owner.remove_note(database)


def _policy_of(policy: Policy, host: str, listener: socket.socket, trusted_proxies: tuple[str, ...]) -> Policy:
    """Return a policy with what follows from the address."""
    if policy.user_header is not None and not trusted_proxies:
        raise ServeError("--user-header takes the word of a proxy: name its address with --trusted-proxy")
    return replace(policy, is_public=not ip_address(listener.getsockname()[0]).is_loopback, host=host)


def import_ahead() -> None:
    """Import what the first figure would wait for; it waits no longer if it comes meanwhile."""
    for name in AHEAD:
        importlib.import_module(name)


def let_readers_go_first(app: Flask, warehouse: Warehouse) -> None:
    """Have the answering of each request go before work on the warehouse, but of those that bring such work."""
    answer = app.wsgi_app

    def answer_first(environ: dict[str, Any], start_response: Any) -> Any:
        if environ["PATH_INFO"].startswith((OPERATIONS_PATH, LOGS)):
            return answer(environ, start_response)
        with warehouse.backpressure.reading():
            return answer(environ, start_response)

    app.wsgi_app = answer_first  # type: ignore[method-assign]


def _most_of_body(door: Door, owner: Owner, log: int) -> Most:
    """Return what says how much of a large body is read: a `log` only of who may send one."""

    def most(path: str, header: Header) -> int | None:
        if path.startswith(OPERATIONS_PATH):
            return log if owner.is_shown(header("Authorization") or "") else None
        if path.startswith(LOGS):
            return log if door.may_bring(header) else None
        return LIMITS_OF_DROP.body if path == DROP else LEAST_BODY

    return most


def _server(app: Flask, listener: socket.socket, most: Most) -> Any:
    server: Any = create_server(
        app,
        sockets=[listener],
        threads=THREADS,
        clear_untrusted_proxy_headers=False,  # they show that a request came through a proxy, and are used for no more
    )
    server.channel_class = partial(Channel, most=most)
    return server


def opened(database: Path) -> Warehouse:
    """Open a warehouse; one that may not be written to is served as it is."""
    try:
        return open_as_allowed(database)
    except WarehouseError as error:
        raise ServeError(str(error)) from error


def _address(host: str, listener: socket.socket) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise ServeError(f"cannot listen on {host}:{port} ({reason}); choose another with --port") from error


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Let SIGTERM end the server as Ctrl-C does, so that the file is closed in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
