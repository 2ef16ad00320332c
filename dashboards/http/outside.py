"""What a server shows of itself to those who run it: health, readiness, numbers, and a log of requests."""

from collections.abc import Mapping

from flask import Flask

from dashboards.http.access_log import write_down
from dashboards.http.health import HEALTH, READY, checks_of, register_health
from dashboards.http.metrics import METRICS, AtWork, Metrics, Sources, register_metrics
from dashboards.http.seen import watch_requests
from dashboards.warehouse.reader import Reader
from ingest.receive.receive import Intake
from ingest.warehouse import Warehouse

__all__ = ["WATCHED_AT", "show_outside"]

WATCHED_AT = (HEALTH, READY, METRICS)
"""Asked every few seconds, by programs: whoever asks is no reader to whom work yields."""


def show_outside(server: Flask, warehouse: Warehouse, intake: Intake, jobs: Mapping[str, AtWork]) -> None:
    """Add the addresses, and watch every request; to be called once all else is added."""
    reader = Reader(warehouse)
    register_health(server, checks_of(reader, intake))
    metrics = Metrics(Sources(reader, intake, jobs))
    register_metrics(server, metrics)
    watch_requests(server, (metrics.count, write_down))
