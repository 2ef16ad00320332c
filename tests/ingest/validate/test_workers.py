"""Validation in several processes gives what it gives in one."""

import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest

from ingest.errors import WarehouseError
from ingest.pipeline import ingest
from ingest.read.lines import Part, Piece, piece_of
from ingest.read.small_files import SmallFiles
from ingest.validate import pool as workers
from ingest.validate.files import CheckedFiles
from ingest.validate.validation import Checked
from tests.ingest.helping import live, log, write

Answer = Checked | CheckedFiles
Waiting = workers._Waiting[Piece | SmallFiles, Answer]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[workers.ValidationPool]:
    """Have anything be worth a process, and return who started some."""
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    found: list[workers.ValidationPool] = []
    start = workers.ValidationPool._start

    def noted(self: workers.ValidationPool) -> None:
        start(self)
        found.append(self)

    monkeypatch.setattr(workers.ValidationPool, "_start", noted)
    return found


@pytest.mark.slow("more processes")
def test_processes_end_with_the_run_and_import_nothing_from_where_they_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[workers.ValidationPool]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "msgspec.py").write_text("raise SystemExit")
    ingest([write(tmp_path / "a.jsonl", live("a"))], tmp_path / "w.duckdb", processes=1)
    assert [worker.process.returncode for gate in started for worker in gate._workers] == [0]


@pytest.mark.slow("starts processes")
def test_no_process_is_started_for_files_that_were_read_before(
    tmp_path: Path, started: list[workers.ValidationPool]
) -> None:
    file = write(tmp_path / "a.jsonl", log("a"))
    ingest([file], tmp_path / "w.duckdb", processes=1)
    assert len(started) == 1
    assert ingest([file], tmp_path / "w.duckdb", processes=1).skipped == 1
    assert len(started) == 1


def test_a_process_ended_from_outside_stops_the_run_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    start = workers.ValidationPool._start

    def start_and_end(self: workers.ValidationPool) -> None:
        start(self)
        for worker in self._workers:
            worker.process.kill()

    monkeypatch.setattr(workers.ValidationPool, "_start", start_and_end)
    with pytest.raises(WarehouseError, match="ended from outside; run the same again"):
        ingest([write(tmp_path / "a.jsonl", log("a"))], tmp_path / "w.duckdb", processes=2)


@pytest.mark.slow("starts processes")
def test_text_on_its_way_is_bounded_however_long_the_pieces_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    monkeypatch.setattr(workers, "AHEAD_BYTES", 400_000)
    data = b"".join(log("a"))
    made = 0

    def endless() -> Iterator[Piece]:
        nonlocal made
        while True:
            made += len(data)
            yield piece_of(Path("a.jsonl"), data)

    with workers.ValidationPool(1) as gate:
        piece, checked = next(gate.check(endless()))
    assert ([match.match for match in checked.matches], piece.data) == (["a"], b"")
    assert made <= 400_000 + 2 * len(data)


def test_what_is_expected_is_shared_with_processes_from_the_first_piece_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_not_begun", lambda _: None)
    pieces = [piece_of(Path("a.jsonl"), b"".join(log(f"w.{number}"))) for number in range(2)]
    with workers.ValidationPool(1) as gate:
        assert not list(gate.check([], expected=workers.WORTHWHILE - 1))
        assert not gate._workers
        answers = gate.check(iter(pieces), expected=workers.WORTHWHILE)
        assert [each.match for each in next(answers)[1].matches] == ["w.0"]
        assert len(gate._workers) == 1


@pytest.mark.slow("more processes")
def test_a_piece_that_a_process_has_begun_keeps_no_text() -> None:
    with workers.PiecePool(1, count) as gate:
        gate._start()
        waiting = workers._Waiting[Piece, int](piece_of(Path("a.jsonl"), b"any"), 3)
        assert gate._ask(waiting) == 3
    assert waiting.piece.data == b""


def count(piece: Piece) -> int:
    return len(piece.data)


@pytest.mark.slow("more processes")
def test_a_fault_in_a_process_is_told_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    impossible = Piece((cast(Part, None),), b"".join(log("a")))
    monkeypatch.setattr(workers, "_not_begun", lambda _: None)
    with (
        workers.ValidationPool(1) as gate,
        pytest.raises(RuntimeError, match=r"(?s)fault of the program.*AttributeError"),
    ):
        next(gate.check([impossible]))


def test_a_process_does_not_go_on_with_what_nobody_wants(tmp_path: Path) -> None:
    gate = workers.PiecePool(1, asleep)
    with suppress(KeyboardInterrupt), gate:
        gate._start()
        gate._threads.submit(gate._ask, workers._Waiting(piece_of(tmp_path / "a.jsonl", b"any"), 3))
        raise KeyboardInterrupt
    assert [worker.process.returncode for worker in gate._workers] == [-signal.SIGKILL]


def asleep(_: Piece) -> None:
    time.sleep(20)


@pytest.mark.slow("starts processes")
@pytest.mark.parametrize("in_a_server", [False, True])
def test_a_command_checks_what_no_process_has_begun_and_a_server_does_not(
    monkeypatch: pytest.MonkeyPatch, *, in_a_server: bool
) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    helped = threading.Event()
    check, ask = workers.ValidationPool._answer_here, workers.ValidationPool._ask

    def noted(self: workers.ValidationPool, piece: Piece | SmallFiles) -> Answer:
        helped.set()
        return check(self, piece)

    def slow(self: workers.ValidationPool, waiting: Waiting) -> Answer:
        assert in_a_server or helped.wait(60)
        return ask(self, waiting)

    def names() -> list[str]:
        with workers.ValidationPool(1) as gate:
            asked = [piece_of(Path("a.jsonl"), b"".join(log(f"w.{number}"))) for number in range(4)]
            return [match.match for _, checked in gate.check(asked) for match in checked.matches]

    monkeypatch.setattr(workers.ValidationPool, "_answer_here", noted)
    monkeypatch.setattr(workers.ValidationPool, "_ask", slow)
    with ThreadPoolExecutor(1) as pool:
        assert (pool.submit(names).result() if in_a_server else names()) == [f"w.{number}" for number in range(4)]
    assert helped.is_set() != in_a_server
