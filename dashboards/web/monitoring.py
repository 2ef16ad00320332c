"""Health (`/healthz`, `/readyz`) and metrics in Prometheus's format (`/metrics`)."""

import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from dashboards.queries.imports import State, answers, state_of
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.web.access import caller, needs
from dashboards.web.policy import Credential
from dashboards.web.refusals import Refused
from dashboards.web.request_log import Exchange
from dashboards.web.routing import NO_STORE, Services
from ingest.inbox.receive import Intake
from ingest.maintenance.backup import last_backup
from ingest.people.tokens import Scope

__all__ = ["HEALTH", "METRICS", "READY", "Late", "Metrics", "SharedQuery", "metric_routes", "routes"]


HEALTH: Final = "/healthz"
READY: Final = "/readyz"
PATIENCE: Final = 1.0
"""Maximum seconds to wait for the warehouse to answer."""
OK: Final = "ok"

Check = Callable[[], str]
"""Function that returns `OK`, or a text that describes the problem."""
T = TypeVar("T")


class Late(Exception):
    """Error for an answer that took too long."""


class SharedQuery(Generic[T]):
    """A query that runs once at a time; callers share its answer. Each caller sets a separate time limit."""

    def __init__(self, query: Callable[[], T]) -> None:
        self._query = query
        self._lock = threading.Lock()
        self._running: _Running[T] | None = None

    def answer(self, seconds: float = PATIENCE) -> T:
        """Return the answer of the query, or raise its error. Raises `Late` if it takes longer than `seconds`."""
        with self._lock:
            running = self._running
            if running is None or running.done.is_set():
                running = self._running = _Running(self._query)
                threading.Thread(target=running.run, name="health", daemon=True).start()
        if not running.done.wait(seconds):
            raise Late
        return running.answer()


class _Running(Generic[T]):
    """A running query, and its outcome."""

    def __init__(self, query: Callable[[], T]) -> None:
        self.done = threading.Event()
        self._query = query
        self._found: list[T] = []
        self._problem: Exception | None = None

    def run(self) -> None:
        try:
            self._found.append(self._query())
        except Exception as error:  # noqa: BLE001  it is raised again for each caller
            self._problem = error
        finally:
            self.done.set()

    def answer(self) -> T:
        if self._problem is not None:
            raise self._problem
        return self._found[0]


def routes(services: Services) -> APIRouter:
    """Return the routes `/healthz` and `/readyz`. A server is ready if every check returns `OK`."""
    api, checks = (
        APIRouter(dependencies=[NO_STORE], include_in_schema=False),
        checks_of(services.reader, services.intake),
    )

    @api.get(HEALTH)
    @needs()
    def healthz() -> dict[str, str]:
        return {"status": OK}

    @api.get(READY)
    @needs()
    def readyz(answer: Response) -> dict[str, Any]:
        found = {name: check() for name, check in checks.items()}
        failed = [name for name, result in found.items() if result != OK]
        if failed:
            answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
            return {"status": "not ready", "failed": failed, "checks": found}
        return {"status": OK, "checks": found}

    return api


def checks_of(reader: Reader, intake: Intake) -> dict[str, Check]:
    """Return the checks: that the warehouse answers and, unless it is read-only, that it and the inbox are writable."""
    query = SharedQuery(lambda: answers(reader))

    def readable() -> str:
        try:
            query.answer()
        except Late:
            return f"no answer within {PATIENCE:g} s"
        except DatabaseError:
            return "it cannot be read"
        return OK

    if reader.warehouse.read_only:
        return {"warehouse": readable}
    file = reader.database.resolve()
    return {
        "warehouse": readable,
        "writable": lambda: _writable(file),
        "disk": lambda: _room(file.parent, intake.limits.body),
        "intake": lambda: OK if intake.is_running else "loading has stopped; restart the server",
    }


def _writable(file: Path) -> str:
    """Check write access to the file and its folder without writing; this also finds disks that became read-only."""
    return OK if os.access(file, os.W_OK) and os.access(file.parent, os.W_OK) else "the database cannot be written to"


def _room(folder: Path, least: int) -> str:
    free = shutil.disk_usage(folder).free
    return OK if free >= least else f"{free} bytes are free; the largest body needs {least}"


METRICS: Final = "/metrics"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The metrics of a server."""

    def __init__(self, services: Services) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(_Collected(services))
        self._requests = Counter(
            "himalaya_http_requests_total",
            "Requests answered.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "himalaya_http_request_duration_seconds",
            "Seconds from the start of a request to the last byte of its answer.",
            ["method", "route"],
            buckets=SECONDS,
            registry=self.registry,
        )

    def count(self, exchange: Exchange) -> None:
        """Count a request."""
        method = exchange.method if exchange.method in METHODS else "other"
        self._requests.labels(method, exchange.route, str(exchange.status)).inc()
        self._seconds.labels(method, exchange.route).observe(exchange.seconds)


def metric_routes(metrics: Metrics) -> APIRouter:
    """Return the route of the metrics."""
    api = APIRouter(include_in_schema=False)

    @api.get(METRICS)
    @needs()
    def numbers(request: Request) -> Response:
        who = caller()
        if not (who.credential is Credential.HERE or Scope.OPERATE in who.scopes):
            raise Refused(
                HTTPStatus.FORBIDDEN,
                "metrics need a token with the role operator; only a server open to its own machine answers without"
                " one, and a request through a proxy counts as one from elsewhere",
            )
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        headers = {"Content-Type": content_type, "Cache-Control": "no-store"}
        return Response(encode(metrics.registry), headers=headers)

    return api


class _Collected(Collector):
    """Metrics read on each scrape; those of the warehouse are left out if it does not answer in time."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._state = SharedQuery(lambda: state_of(services.reader))

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that registering does not query the warehouse."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        yield from self._inbox()
        yield from self._files()
        jobs = GaugeMetricFamily("himalaya_jobs", "Jobs that are waiting or running.", labels=["kind", "state"])
        for kind, work in (("report", self._services.reports), ("playout", self._services.playouts)):
            for state, number in zip(("waiting", "running"), work.jobs.at_work() if work else (), strict=bool(work)):
                jobs.add_metric([kind, state], number)
        yield jobs
        yield from self._warehouse()

    def _inbox(self) -> Iterator[Metric]:
        depth = self._services.intake.depth
        yield GaugeMetricFamily("himalaya_inbox_bodies", "Bodies accepted and not loaded yet.", depth.bodies)
        yield GaugeMetricFamily("himalaya_inbox_bytes", "Bytes of these bodies, as sent.", depth.size)
        yield GaugeMetricFamily(
            "himalaya_inbox_oldest_age_seconds", "Age of the oldest body that can be loaded.", depth.seconds
        )
        yield CounterMetricFamily(
            "himalaya_inbox_bodies_loaded", "Bodies loaded since the start.", self._services.intake.bodies_loaded
        )

    def _files(self) -> Iterator[Metric]:
        file = self._services.reader.database.resolve()
        yield GaugeMetricFamily("himalaya_database_bytes", "Size of the database file.", _size(file))
        wal = _size(Path(f"{file}.wal"))
        yield GaugeMetricFamily("himalaya_database_wal_bytes", "Size of the write-ahead log of the database.", wal)
        free = shutil.disk_usage(file.parent).free
        yield GaugeMetricFamily(
            "himalaya_disk_free_bytes", "Free space on the disk of the database and the inbox.", free
        )
        if backup := last_backup(file):
            done = "Time of the last complete backup; absent before the first."
            yield GaugeMetricFamily("himalaya_last_backup_timestamp_seconds", done, backup.at.timestamp())
            yield GaugeMetricFamily("himalaya_last_backup_bytes", "Size of the last backup.", backup.size)

    def _warehouse(self) -> Iterator[Metric]:
        state: State | None = None
        with suppress(Late, DatabaseError):  # the metric himalaya_database_up is 0 then
            state = self._state.answer()
        up = "1 if the database answered within a second; otherwise 0, and its metrics are left out."
        yield GaugeMetricFamily("himalaya_database_up", up, state is not None)
        if state is None:
            return
        yield GaugeMetricFamily("himalaya_quarantine_open", "Open entries in quarantine.", state.quarantined)
        loaded = CounterMetricFamily("himalaya_matches_loaded", "Matches loaded, ever.", labels=["source"])
        for source, matches in sorted(state.loaded.items()):
            loaded.add_metric([source], matches)
        yield loaded
        waiting = GaugeMetricFamily(
            "himalaya_matches_waiting", "Matches that wait for background work.", labels=["for"]
        )
        for work, matches in sorted(state.waiting.items()):
            waiting.add_metric([work], matches)
        yield waiting


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
