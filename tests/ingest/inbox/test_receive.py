"""The inbox: accepted bodies are safe and loaded exactly once; refused bodies leave no trace."""

import gzip
import io
import os
import random
import resource
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
import zstandard

from ingest.errors import NotAccepted, Reason
from ingest.inbox.inbox import Encoding, Limits
from ingest.inbox.receive import Intake, Receipt, Status, inbox_folder
from ingest.opening import open_for_reading, open_warehouse
from ingest.warehouse import Warehouse
from tests.ingest.helping import begun, rows

LIMITS = Limits(body=1 << 20, lines=1_000)
"""The decompressed text may have 16 MiB."""


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


@pytest.fixture
def closed(warehouse: Warehouse) -> Intake:
    """An inbox that accepts bodies without loading them."""
    return Intake(warehouse, LIMITS)


def body(match: str = "m.1") -> bytes:
    return b"".join(begun(match))


def names(warehouse: Warehouse) -> list[str]:
    folder = inbox_folder(warehouse.database)
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def taken(intake: Intake, receipt: str, *, at_last: bool = False) -> Receipt:
    """Wait until a body is loaded and return its receipt; problems are allowed only with `at_last`."""
    while True:
        found = intake.receipt(receipt)
        assert found
        assert at_last or found.problem is None
        if found.status is Status.TAKEN:
            return found
        threading.Event().wait(0.01)


def test_accepted_bodies_are_loaded_and_leave_the_inbox(warehouse: Warehouse, closed: Intake) -> None:
    first = closed.receive(io.BytesIO(body()))
    assert (first.receipt, first.status, first.size) == (sha256(body()).hexdigest(), Status.ACCEPTED, len(body()))
    assert names(warehouse) == [first.receipt, f"{first.receipt}.json"]
    with Intake(warehouse) as intake:
        found = taken(intake, first.receipt)
    assert found.summary
    assert (found.summary.matches, found.summary.events, found.summary.put_aside) == (1, len(begun()), 0)
    assert names(warehouse) == []


def test_accepted_bodies_are_synced_with_their_note_and_folder(
    warehouse: Warehouse, closed: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought: list[int] = []
    fsync = os.fsync

    def watched(descriptor: int) -> None:
        brought.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    receipt = closed.receive(io.BytesIO(body())).receipt
    folder = inbox_folder(warehouse.database)
    body_and_note = [(folder / name).stat().st_ino for name in (receipt, f"{receipt}.json")]
    assert brought == [folder.parent.stat().st_ino, *body_and_note, folder.stat().st_ino]


@pytest.mark.slow("every compression")
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, lambda text: text], ids=["gzip", "zstd", "plain"])
def test_a_body_is_stored_and_loaded_in_its_compressed_form(warehouse: Warehouse, pack: type[bytes]) -> None:
    sent = pack(body())
    with Intake(warehouse, LIMITS) as intake:
        receipt = intake.receive(io.BytesIO(sent)).receipt
        summary = taken(intake, receipt).summary
    assert receipt == sha256(sent).hexdigest()
    assert summary
    assert summary.matches == 1


def test_the_same_body_again_is_the_same_receipt_and_counted_once(warehouse: Warehouse, closed: Intake) -> None:
    first, again = closed.receive(io.BytesIO(body())), closed.receive(io.BytesIO(body()))
    assert (again.receipt, again.status) == (first.receipt, Status.PENDING)
    assert again.received_at == first.received_at
    with Intake(warehouse, LIMITS) as intake:
        taken(intake, first.receipt)
        assert intake.receive(io.BytesIO(body())).status is Status.TAKEN
    assert names(warehouse) == []
    warehouse.close()
    assert rows(warehouse.database, "SELECT match FROM raw_matches") == ["m.1"]
    assert len(rows(warehouse.database, "FROM receipts")) == 1


def test_the_same_body_from_concurrent_senders_is_accepted_once(warehouse: Warehouse, closed: Intake) -> None:
    start = threading.Barrier(8)

    def send(_: int) -> Status:
        start.wait()
        return closed.receive(io.BytesIO(body())).status

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(8)))
    assert sorted(answers) == [Status.ACCEPTED] + [Status.PENDING] * 7
    assert len(names(warehouse)) == 2


def test_quarantined_matches_are_named_by_the_receipt(warehouse: Warehouse) -> None:
    lines = list(begun())
    lines[5] = b"{broken\n"
    with Intake(warehouse, LIMITS) as intake:
        receipt = intake.receive(io.BytesIO(b"".join(lines) + body("m.2"))).receipt
        summary = taken(intake, receipt).summary
    assert summary
    assert (summary.matches, summary.put_aside) == (1, 1)
    (problem,) = summary.quarantined
    assert (str(problem.file), problem.line, problem.match) == (f"received {receipt[:12]}", 6, "m.1")


def test_a_tournament_is_assigned_to_matches_that_name_none(warehouse: Warehouse) -> None:
    with Intake(warehouse, LIMITS) as intake:
        taken(intake, intake.receive(io.BytesIO(body()), source="laptop", tournament="autumn").receipt)
    warehouse.close()
    assert rows(warehouse.database, "SELECT tournament FROM dim_matches") == ["autumn"]
    assert rows(warehouse.database, "SELECT source, status FROM receipts") == [("laptop", "taken")]
    assert rows(warehouse.database, "SELECT source, matches FROM ingest_runs") == [("received", 1)]


def many_lines(count: int) -> bytes:
    return b"{}\n" * count


REFUSED = {
    "empty": (b"", None, Reason.EMPTY, None, None),
    "empty inside": (gzip.compress(b""), None, Reason.EMPTY, None, None),
    "large as sent": (random.Random(1).randbytes((1 << 20) + 1), None, Reason.TOO_LARGE, 1 << 20, (1 << 20) + 1),
    "lines": (many_lines(1_001), None, Reason.TOO_LARGE, 1_000, 1_001),
    "lines, the last without an end": (many_lines(1_000) + b"{", None, Reason.TOO_LARGE, 1_000, 1_001),
    "cut off": (gzip.compress(body())[:-9], None, Reason.BROKEN, None, None),
    "cut off, zstd": (zstandard.compress(body())[:-9], None, Reason.BROKEN, None, None),
    "garbage behind": (gzip.compress(body()) + b"garbage", None, Reason.BROKEN, None, None),
    "twice": (gzip.compress(zstandard.compress(body())), None, Reason.BROKEN, None, None),
    "not as it says": (body(), Encoding.GZIP, Reason.BROKEN, None, None),
    "something else than it says": (gzip.compress(body()), Encoding.ZSTD, Reason.BROKEN, None, None),
}


@pytest.mark.parametrize(("sent", "encoding", "reason", "limit", "found"), REFUSED.values(), ids=REFUSED)
def test_refused_bodies_leave_nothing(
    warehouse: Warehouse,
    closed: Intake,
    sent: bytes,
    encoding: Encoding | None,
    reason: Reason,
    limit: int | None,
    found: int | None,
) -> None:
    with pytest.raises(NotAccepted) as refused:
        closed.receive(io.BytesIO(sent), encoding=encoding)
    assert (refused.value.reason, refused.value.limit, refused.value.found) == (reason, limit, found)
    assert names(warehouse) == []
    assert closed.receipt(sha256(sent).hexdigest()) is None


def test_a_body_with_the_maximum_of_lines_is_accepted(closed: Intake) -> None:
    assert closed.receive(io.BytesIO(many_lines(999) + b"{}")).status is Status.ACCEPTED


@pytest.mark.slow("a bomb")
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_decompression_bomb_is_abandoned_early(warehouse: Warehouse, closed: Intake, pack: type[bytes]) -> None:
    bomb = pack(bytes(256 << 20))
    assert len(bomb) < LIMITS.body
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(NotAccepted, match="at most 16777216 bytes without its compression") as refused:
        closed.receive(io.BytesIO(bomb))
    assert refused.value.found
    assert refused.value.found < 80 << 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 128 << 10
    assert names(warehouse) == []


def test_a_full_disk_keeps_nothing_and_says_so(warehouse: Warehouse, closed: Intake) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(NotAccepted, match="the disk of the server is full") as refused:
            closed.receive(io.BytesIO(body()))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert refused.value.reason is Reason.NO_SPACE
    assert names(warehouse) == []
    assert closed.receive(io.BytesIO(body())).status is Status.ACCEPTED


def test_an_inbox_that_cannot_be_created_is_reported(warehouse: Warehouse, closed: Intake) -> None:
    inbox_folder(warehouse.database).write_bytes(b"a file")
    with pytest.raises(NotAccepted, match="the server cannot store it: ") as refused:
        closed.receive(io.BytesIO(body()))
    assert refused.value.reason is Reason.NOT_WRITABLE


def test_partial_bodies_of_a_killed_process_are_removed_and_accepted_ones_kept(
    warehouse: Warehouse, closed: Intake
) -> None:
    receipt = closed.receive(io.BytesIO(body())).receipt
    folder = inbox_folder(warehouse.database)
    (folder / "incoming-0123").write_bytes(b"half")
    (folder / f"{'0' * 64}.json").write_bytes(b"{}")
    (folder / f"{receipt}.json").unlink()
    (folder / "not ours").write_bytes(body("m.2"))
    os.utime(folder / "not ours", (0, 0))  # the oldest file, so it would be loaded first
    with Intake(warehouse, LIMITS) as intake:
        assert taken(intake, receipt).size == len(body())
    assert names(warehouse) == ["not ours"]
    warehouse.close()
    assert rows(warehouse.database, "SELECT match FROM raw_matches") == ["m.1"]


def test_bodies_loaded_before_a_kill_are_not_loaded_again(warehouse: Warehouse, closed: Intake) -> None:
    receipt = closed.receive(io.BytesIO(body())).receipt
    path = inbox_folder(warehouse.database) / receipt
    with Intake(warehouse, LIMITS) as intake:
        before = taken(intake, receipt)
    path.write_bytes(body())  # as if the server had been killed before removing it
    with Intake(warehouse, LIMITS) as intake:
        assert taken(intake, receipt) == before
        taken(intake, intake.receive(io.BytesIO(body("m.2"))).receipt)
    assert names(warehouse) == []
    warehouse.close()
    assert rows(warehouse.database, "SELECT files, matches, skipped FROM ingest_runs") == [(2, 2, 0)]
    assert rows(warehouse.database, "SELECT count(*) FROM receipts") == [2]


def test_bodies_are_loaded_in_order_of_arrival(warehouse: Warehouse, closed: Intake) -> None:
    receipts = [closed.receive(io.BytesIO(body(f"m.{number}"))).receipt for number in range(4)]
    with Intake(warehouse, LIMITS) as intake:
        taken(intake, receipts[-1])
    warehouse.close()
    assert rows(warehouse.database, "SELECT match FROM raw_matches ORDER BY match_id") == [
        f"m.{number}" for number in range(4)
    ]


def test_a_stopped_intake_resumes_at_the_next_start(warehouse: Warehouse, closed: Intake) -> None:
    receipts = [closed.receive(io.BytesIO(body(f"m.{number}"))).receipt for number in range(3)]
    with Intake(warehouse, LIMITS):
        pass
    with Intake(warehouse, LIMITS) as intake:
        assert [taken(intake, receipt).size for receipt in receipts] == [
            len(body(f"m.{number}")) for number in range(3)
        ]


def test_a_database_that_may_not_be_written_to_accepts_nothing(warehouse: Warehouse) -> None:
    warehouse.close()
    with open_for_reading(warehouse.database) as opened, Intake(opened, LIMITS) as intake:
        with pytest.raises(NotAccepted, match="served for reading only"):
            intake.receive(io.BytesIO(body()))
        assert intake.receipt("0" * 64) is None


@pytest.mark.parametrize("name", ["", "..", "../w.duckdb", "A" * 64, "0" * 63, "0" * 64 + "\n", "incoming-0123"])
def test_an_unknown_name_has_no_receipt(closed: Intake, name: str) -> None:
    closed.receive(io.BytesIO(body()))
    assert closed.receipt(name) is None
