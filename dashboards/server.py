"""Serve the app with uvicorn. The first stop signal shuts down cleanly, a second one exits immediately."""

import gc
import importlib
import logging
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from dashboards.app import add_callbacks_of_pages, create_app
from dashboards.web.application import Settings, create_web
from dashboards.web.middleware import hashes_of_scripts
from dashboards.web.policy import Policy, what_is_open, why_closed
from dashboards.web.routing import Services
from himalaya_core.errors import HimalayaError
from ingest.errors import WarehouseError
from ingest.follow.watch import watching
from ingest.inbox.inbox import Limits
from ingest.inbox.receive import Intake
from ingest.load.background import BackgroundWork
from ingest.maintenance.backup import Compaction
from ingest.maintenance.lake.contents import kept_up_to_date, served_file
from ingest.maintenance.lake.tables import is_lake
from ingest.opening import open_as_allowed, open_for_reading
from ingest.owner import Owner
from ingest.people.tokens import all_tokens
from ingest.replica import Replica
from ingest.warehouse import Warehouse

__all__ = ["GRACE", "ServeError", "Stop", "config_of", "opened", "serve", "whole_web"]


GRACE: Final = 10.0
"""Seconds allowed for a clean shutdown; then the process exits. Data on disk survive an exit at any moment."""
MOMENT: Final = 1.0
"""Seconds to wait for other threads to end at shutdown."""


class Stop:
    """Handles SIGTERM and Ctrl-C, if the server runs in the main thread."""

    def __init__(self) -> None:
        self.last: Callable[[], None] = lambda: None
        """Called just before the process exits without waiting for threads."""
        self._watch: threading.Timer | None = None

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Handle stop signals within the block; after the block the process exits, even if a thread is still busy."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._hear) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
            if self._watch is not None and self._is_work_left():
                self._leave()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _hear(self, _number: int, _frame: FrameType | None) -> NoReturn:
        if self._watch is not None:
            self._leave()
        self._watch = threading.Timer(GRACE, self._leave)
        self._watch.daemon = True
        self._watch.start()
        raise KeyboardInterrupt

    def _is_work_left(self) -> bool:
        """Return whether any other thread is still busy after `MOMENT` seconds."""
        until = time.monotonic() + MOMENT
        others = [each for each in threading.enumerate() if each not in {threading.current_thread(), self._watch}]
        for thread in others:
            thread.join(max(until - time.monotonic(), 0))
        return any(thread.is_alive() for thread in others)

    def _leave(self) -> NoReturn:
        """Exit without waiting for threads; a normal exit would fail while a thread is inside DuckDB."""
        try:
            self.last()
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(0)


OPEN_FILES: Final = 4_000
"""Requested limit of open files. Each connection needs one, and the usual limit of 1,024 is too low."""
MOST_HEAD: Final = 64 << 10
"""Maximum size of a request's start line and headers, in bytes."""
IDLE: Final = 75
"""Maximum seconds that an idle connection stays open."""
FINISH: Final = 3
"""Seconds allowed for running responses when the server stops."""
TURN: Final = 0.0005
"""Seconds after which a running thread must let another one run; a response waits for about ten such switches."""
AHEAD: Final = ("scipy.special", "scipy.sparse")
"""Modules that figures import lazily, to keep commands fast. The server imports them at start for the first figure."""
LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104  where to reach a server on all


LOCAL_POLICY: Final = Policy()


class ServeError(HimalayaError):
    """Error for an app that cannot be served; the message is one line with the remedy."""


def serve(
    database: Path,
    host: str,
    port: int,
    ready: Callable[[str], None] | None = None,
    limits: Limits | None = None,
    watch: Sequence[Path] = (),
    say: Callable[[str], None] = lambda _: None,
    *,
    trusted_proxies: tuple[str, ...] = (),
    prefix: str = "",
    policy: Policy = LOCAL_POLICY,
    is_replica: bool = False,
) -> None:
    """Serve the app over a database until interrupted; `ready` gets the address once connections are accepted.

    Posted logs are accepted within the limits. Logs in the folders to `watch` are followed, and `say` receives messages
    about loaded ones. Port 0 selects a free port. `policy` sets the permissions; its host and reachability are taken
    from the address. `trusted_proxies` are addresses or networks whose requests are trusted to name client, scheme and
    host. Links begin with `prefix`, such as `/himalaya`. A replica (a backup or a lake) is read-only, and is replaced
    once a newer one is available. Raises `ServeError` for an unreadable database, an address in use, or an address that
    other machines can reach while no permissions are set.
    """
    sys.setswitchinterval(TURN)
    allow_open_files()
    stop = Stop()
    with (
        stop.heard(),
        suppress(KeyboardInterrupt),
        closing(_listen(host, port)) as listener,
        opened(database, is_replica=is_replica) as warehouse,
    ):
        if watch and warehouse.read_only:
            raise ServeError(f"{database}: can only be read, so no logs can be followed into it")
        if warehouse.app.problem:
            say(f"{warehouse.app.problem}; until then the database is only read")
        policy = _policy_of(policy, host, listener, trusted_proxies)
        if problem := why_closed(policy, all_tokens(warehouse.app)):
            raise ServeError(problem)
        address = _address(host, listener)
        owner = Owner.here(_address(LOOPBACK.get(host, host), listener))
        intake = Intake(warehouse, limits, Compaction(warehouse).when_quiet)
        is_open = what_is_open(policy, all_tokens(warehouse.app), read_only=warehouse.read_only, prefix=prefix)
        begin = partial(_begin, ready, f"{address}{prefix}/", say, is_open)
        services = Services.of(warehouse, intake)
        web = whole_web(services, Settings(policy, trusted_proxies, prefix, owner, begin))
        following = watching(warehouse, watch, say) if watch else nullcontext()
        lake = kept_up_to_date(database, warehouse) if is_lake(database) else nullcontext()
        background = BackgroundWork(warehouse, lambda: intake.depth.seconds > 0)
        with intake, background, following, lake:
            if not warehouse.read_only:
                owner.leave_note(database)
            stop.last = partial(owner.remove_note, database)
            try:
                uvicorn.Server(config_of(web)).run([listener])
            finally:
                warehouse.close_soon()  # interrupts work that has no safe point to stop at
                services.close()
                owner.remove_note(database)


def whole_web(services: Services, settings: Settings) -> FastAPI:
    """Return the application with its pages."""
    pages = create_app(services.warehouse, settings.prefix)
    add_callbacks_of_pages(pages)
    return create_web(services, pages.server, partial(hashes_of_scripts, pages), settings)


def config_of(app: ASGIApp) -> uvicorn.Config:
    """Return the uvicorn settings for an app."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # reports errors of clients; we log our own
    return uvicorn.Config(
        app,
        http="h11",  # can limit the size of headers
        h11_max_incomplete_event_size=MOST_HEAD,
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=FINISH,
    )


def _begin(ready: Callable[[str], None] | None, address: str, say: Callable[[str], None], open_to_whom: str) -> None:
    if ready is not None:
        ready(address)
    say(open_to_whom)
    threading.Thread(target=import_ahead, name="import-ahead").start()


def _policy_of(policy: Policy, host: str, listener: socket.socket, trusted_proxies: tuple[str, ...]) -> Policy:
    """Return the policy with `host` and `is_public` set from the listening address."""
    if policy.user_header is not None and not trusted_proxies:
        raise ServeError("--user-header is read from trusted proxies only: name your proxy with --trusted-proxy")
    return replace(policy, is_public=not ip_address(listener.getsockname()[0]).is_loopback, host=host)


def import_ahead() -> None:
    """Import the modules that figures need; a figure requested meanwhile waits no longer than it would otherwise.

    Then freeze all existing objects. The garbage collector would otherwise scan them for 0.2 s while users wait.
    """
    for name in AHEAD:
        importlib.import_module(name)
    gc.freeze()


def allow_open_files() -> None:
    """Raise the process's limit of open files to `OPEN_FILES` if possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def opened(database: Path, *, is_replica: bool = False) -> Warehouse:
    """Open a warehouse; read-only files and replicas (a backup or a lake) are opened for reading."""
    try:
        if is_replica and is_lake(database):
            return Replica(served_file(database), of_lake=True)
        warehouse = Replica(database) if is_replica else open_as_allowed(database)
        if not (warehouse.app.problem and not warehouse.read_only):
            return warehouse
        warehouse.close()
        return open_for_reading(database)
    except WarehouseError as error:
        raise ServeError(str(error)) from error


def _address(host: str, listener: socket.socket) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"


def _listen(host: str, port: int) -> socket.socket:
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise ServeError(f"cannot listen on {host}:{port} ({reason}); choose another with --port") from error
    # asyncio sets TCP_NODELAY only if a socket names its protocol. Without the option, responses wait 40 ms for the
    # client's acknowledgement
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
