"""Receipts are stored for as long as promised; without a receipt, nothing is counted twice."""

import io
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ingest.inbox import loading
from ingest.inbox.inbox import Arrival
from ingest.inbox.loading import DAYS, drop_old, recorded, write_down
from ingest.inbox.receive import Intake, Receipt, Status
from ingest.load.summary import Summary
from ingest.opening import open_warehouse
from ingest.warehouse import Warehouse
from tests.ingest.helping import begun

NOW = datetime.fromisoformat("2026-11-25T12:00:00")
NOTHING = Summary(1, 0, 0, 0, 0, 0, (), 0, ())


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


def written(warehouse: Warehouse, *times: datetime) -> list[str]:
    arrivals = {f"{number:064}": Arrival(f"{number:064}", 1, at, "laptop") for number, at in enumerate(times)}
    with warehouse.writing() as connection:
        write_down(connection, arrivals, dict.fromkeys(arrivals, NOTHING))
    return list(arrivals)


def left(warehouse: Warehouse, names: list[str]) -> list[str]:
    with warehouse.writing() as connection:
        drop_old(connection, NOW)
        there = recorded(connection, names)
    return [name for name in names if name in there]


def test_receipts_expire_after_some_days(warehouse: Warehouse) -> None:
    names = written(warehouse, NOW - timedelta(days=DAYS, seconds=1), NOW - timedelta(days=DAYS - 1), NOW)
    assert left(warehouse, names) == names[1:]


def test_the_number_of_receipts_is_limited(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "MOST", 4)
    monkeypatch.setattr(loading, "MORE", 2)
    names = written(warehouse, *(NOW - timedelta(hours=number) for number in range(6)))
    assert left(warehouse, names) == names
    seventh = [*names, "7" * 64]
    with warehouse.writing() as connection:
        write_down(connection, {seventh[-1]: Arrival(seventh[-1], 1, NOW, "laptop")}, {seventh[-1]: NOTHING})
    assert left(warehouse, seventh) == [*names[:3], seventh[-1]]


def loaded(intake: Intake, receipt: str) -> Receipt:
    """Wait until a body is loaded and removed from the inbox."""
    while not (found := intake.receipt(receipt)) or found.status is not Status.TAKEN or intake.depth.bodies:
        threading.Event().wait(0.005)
    return found


def test_a_body_with_an_expired_receipt_is_accepted_again_and_adds_nothing(warehouse: Warehouse) -> None:
    lines = list(begun())
    lines[40:41] = [b"{broken\n"]
    body = b"".join(lines) + b"".join(begun("m.2"))
    with Intake(warehouse) as intake:
        receipt = intake.receive(io.BytesIO(body)).receipt
        first = loaded(intake, receipt).summary
        with warehouse.writing() as connection:
            drop_old(connection, NOW + timedelta(days=36_500))
        assert intake.receipt(receipt) is None
        assert intake.receive(io.BytesIO(body)).status is Status.ACCEPTED
        again = loaded(intake, receipt).summary
        with warehouse.reading() as connection:
            counts = connection.execute(
                "SELECT (SELECT count(*) FROM raw_matches), (SELECT count(*) FROM quarantine), count(*) FROM receipts"
            ).fetchall()
    assert first
    assert again
    assert (first.matches, first.put_aside) == (1, 1)
    assert (again.matches, again.events, again.skipped, again.put_aside, again.known) == (0, 0, 1, 0, 1)
    assert counts == [(1, 1, 1)]
