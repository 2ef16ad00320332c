"""Bodies loaded in one group: each gets its own result, and a body that fails does not block the others."""

import io
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ingest.errors import WarehouseError
from ingest.inbox import drain
from ingest.inbox.inbox import Limits
from ingest.inbox.loading import Body, load_bodies
from ingest.inbox.receive import Intake, Status
from ingest.load.summary import Summary
from ingest.opening import open_warehouse
from ingest.pipeline import Request, ingest, take_in
from ingest.validate.pool import ValidationPool
from ingest.warehouse import Warehouse
from tests.ingest.alike import unlike
from tests.ingest.helping import begun, rows, short, summit_log, write

MANY = 12
BODIES = [b"".join(begun(f"m.{number}")) for number in range(MANY)]


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


def receipt_of(body: bytes) -> str:
    return sha256(body).hexdigest()


def accept(warehouse: Warehouse, *bodies: bytes, tournaments: Sequence[str | None] = ()) -> list[str]:
    """Accept bodies without loading them."""
    closed = Intake(warehouse, Limits())
    names = [*tournaments, *[None] * len(bodies)]
    return [
        closed.receive(io.BytesIO(body), tournament=name).receipt for body, name in zip(bodies, names, strict=False)
    ]


@contextmanager
def loading(warehouse: Warehouse) -> Iterator[Intake]:
    with Intake(warehouse, Limits()) as intake:
        yield intake


def summary(intake: Intake, receipt: str) -> Summary:
    """Wait until a body is loaded, and return its result."""
    while not (found := intake.receipt(receipt)) or found.status is not Status.TAKEN:
        threading.Event().wait(0.005)
    assert found.summary
    return found.summary


def summaries(warehouse: Warehouse, receipts: Sequence[str]) -> list[Summary]:
    with loading(warehouse) as intake:
        return [summary(intake, receipt) for receipt in receipts]


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch, fails: Any = lambda _: None) -> Iterator[list[int]]:
    """Record the number of bodies in each group; `fails` raises an error for groups that should fail."""
    load, sizes = drain.load_bodies, list[int]()

    def watched(warehouse: Warehouse, bodies: Sequence[Body], *others: Any) -> dict[str, str]:
        sizes.append(len(bodies))
        fails([body.sha256 for body in bodies])
        return load(warehouse, bodies, *others)

    monkeypatch.setattr(drain, "load_bodies", watched)
    yield sizes
    monkeypatch.setattr(drain, "load_bodies", load)


@pytest.mark.slow("another sequence of bodies")
def test_waiting_bodies_are_loaded_together_as_by_one_ingest(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = [*BODIES[:4], b"".join(short("whole")), b"".join(summit_log("s.1")[:40])]
    receipts = accept(warehouse, *bodies)
    with counted(monkeypatch) as sizes:
        found = summaries(warehouse, receipts)
    assert sizes == [len(bodies)]
    assert [(each.files, each.matches, each.events) for each in found] == [(1, 1, each.count(b"\n")) for each in bodies]
    warehouse.close()
    files = [write(tmp_path / f"{number}.jsonl", [body]) for number, body in enumerate(bodies)]
    ingest(files, tmp_path / "bulk.duckdb", processes=0)
    assert unlike(warehouse.database, tmp_path / "bulk.duckdb") == {}
    assert rows(warehouse.database, "SELECT source, files, matches FROM ingest_runs") == [("received", 6, 6)]


@pytest.mark.slow("another sequence of bodies")
def test_a_group_is_bounded_by_bodies_and_bytes(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drain, "MOST_BODIES", 4)
    receipts = accept(warehouse, *BODIES[:6])
    with counted(monkeypatch) as sizes:
        summaries(warehouse, receipts)
        assert sizes == [4, 2]
        monkeypatch.setattr(drain, "MOST_BYTES", len(BODIES[6]) + len(BODIES[7]))
        summaries(warehouse, accept(warehouse, *BODIES[6:9]))
    assert sizes[2:] in ([2, 1], [1, 1, 1], [1, 2])


def test_each_body_gets_the_result_it_would_have_had_alone(warehouse: Warehouse, tmp_path: Path) -> None:
    lines = list(begun("m.2"))
    lines[5] = b"{broken\n"
    bodies = [
        b"".join(begun("m.1")),
        b"".join(short("m.1")),  # continues an unfinished match
        b"".join(lines),
        b"".join(begun("m.2")),  # resolves the quarantine of the body before
        b"".join(begun("m.1")) + b"\n",  # ends with an empty line
        b"".join(begun("m.3")),
        b"".join(begun("m.3", luck="another")),  # in conflict with a loaded match
    ]
    receipts = accept(warehouse, *bodies)
    at_once = summaries(warehouse, receipts)
    for number, body in enumerate(bodies):
        with open_warehouse(tmp_path / "alone.duckdb") as alone, ValidationPool(0) as pool:
            told = list[Summary]()
            path = write(tmp_path / f"{number}.jsonl", [body])
            load_bodies(
                alone,
                [Body(path, receipt_of(body))],
                pool,
                lambda _, found, told=told: told.extend(found.values()),  # type: ignore[misc]
                lambda: None,
            )
        assert told == [at_once[number]], number
    assert [(each.matches, each.completed, each.put_aside, each.resolved) for each in at_once] == [
        (1, 0, 0, 0),
        (0, 1, 0, 0),
        (0, 0, 1, 0),
        (1, 0, 0, 1),
        (0, 0, 1, 0),
        (1, 0, 0, 0),
        (0, 0, 1, 0),
    ]


def test_bodies_of_several_tournaments_share_a_transaction(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = BODIES[2] + BODIES[3]
    names = ["autumn", "winter", None, "spring"]
    receipts = accept(warehouse, *BODIES[:3], again, tournaments=names)
    with counted(monkeypatch) as sizes:
        found = summaries(warehouse, receipts)
    assert sizes == [4]
    assert [each.named for each in found] == [0, 0, 0, 1]
    warehouse.close()
    assert rows(warehouse.database, "SELECT match, tournament FROM dim_matches ORDER BY match") == [
        ("m.0", "autumn"),
        ("m.1", "winter"),
        ("m.2", "spring"),
        ("m.3", "spring"),
    ]


@pytest.mark.slow("another sequence of bodies")
def test_bodies_arriving_one_by_one_make_one_run_a_day(warehouse: Warehouse) -> None:
    with loading(warehouse) as intake:
        for body in BODIES[:3]:
            summary(intake, intake.receive(io.BytesIO(body)).receipt)
    take_in(warehouse, Request((write(warehouse.database.with_name("a.jsonl"), begun("a")),), jobs=0), lambda _: None)
    with loading(warehouse) as intake:
        summary(intake, intake.receive(io.BytesIO(BODIES[3])).receipt)
    warehouse.close()
    assert rows(warehouse.database, "SELECT run, source, files, matches FROM ingest_runs ORDER BY run") == [
        (1, "received", 3, 3),
        (2, "command", 1, 1),
        (3, "received", 1, 1),
    ]


def test_a_body_that_breaks_its_group_stays_and_delays_no_other(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    receipts = accept(warehouse, *BODIES)
    poison = receipts[5]

    def breaks(digests: Sequence[str]) -> None:
        if poison in digests:
            raise RuntimeError("a detail")

    with loading_broken(warehouse, monkeypatch, breaks) as (intake, sizes):
        for receipt in receipts:
            if receipt != poison:
                assert summary(intake, receipt).matches == 1
        while not (held := intake.receipt(poison)) or held.problem is None:
            threading.Event().wait(0.005)
        assert (held.status, held.problem) == (Status.PENDING, "it could not be loaded; see the server's log")
        assert "a detail" in caplog.text
        assert sizes[0] == MANY
        assert len(sizes) <= 12, "halves, not one by one"


@contextmanager
def loading_broken(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, fails: Any
) -> Iterator[tuple[Intake, list[int]]]:
    with counted(monkeypatch, fails) as sizes, loading(warehouse) as intake:
        yield intake, sizes


@pytest.mark.slow("another sequence of bodies")
def test_a_warehouse_that_cannot_load_is_not_tried_for_each_body(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipts = accept(warehouse, *BODIES)
    full, again = threading.Event(), threading.Event()

    def fails(_: Sequence[str]) -> None:
        if not again.is_set():
            full.set()
            raise WarehouseError("the disk is full")

    monkeypatch.setattr(drain, "ALL_WAIT", 0.2)
    with loading_broken(warehouse, monkeypatch, fails) as (intake, sizes):
        assert full.wait(30)
        while not all((held := intake.receipt(each)) and held.problem == "the disk is full" for each in receipts):
            threading.Event().wait(0.005)
        assert set(sizes) == {MANY, 1}
        again.set()
        assert [summary(intake, receipt).matches for receipt in receipts] == [1] * MANY
    assert sizes[-1] == MANY


def test_receipts_and_their_matches_are_stored_together_or_not_at_all(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipts = accept(warehouse, *BODIES[:2])
    write_down = drain.write_down

    def fail(*_: Any) -> None:
        raise RuntimeError("no receipt")

    monkeypatch.setattr(drain, "write_down", fail)
    with loading(warehouse) as intake:
        while not all((held := intake.receipt(each)) and held.problem for each in receipts):
            threading.Event().wait(0.005)
        with warehouse.reading() as connection:
            assert connection.execute("FROM raw_matches").fetchall() == []
        monkeypatch.setattr(drain, "write_down", write_down)
        assert [(each.matches, each.skipped) for each in (summary(intake, name) for name in receipts)] == [(1, 0)] * 2


def test_a_body_already_read_by_a_command_is_reported_as_known(warehouse: Warehouse, tmp_path: Path) -> None:
    take_in(warehouse, Request((write(tmp_path / "a.jsonl", begun("m.0")),), jobs=0), lambda _: None)
    found = summaries(warehouse, accept(warehouse, *BODIES[:2]))
    assert [(each.matches, each.skipped) for each in found] == [(0, 1), (1, 0)]
