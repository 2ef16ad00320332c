"""The gate in several processes gives what it gives in one."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from ingest import workers
from ingest.pipeline import ingest
from ingest.read import Part, Piece, piece_of
from ingest.warehouse import WarehouseError
from tests.ingest.helping import contents, log, write


def test_the_number_of_processes_changes_nothing_in_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        write(tmp_path / f"{number}.jsonl", log(f"w.{number}"), log(f"bad.{number % 3}")[3:])
    ingest([tmp_path], tmp_path / "one.duckdb", processes=0)
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    monkeypatch.setattr(workers, "AHEAD", 1)
    ingest([tmp_path], tmp_path / "two.duckdb", processes=2)
    assert contents(tmp_path / "one.duckdb") == contents(tmp_path / "two.duckdb")


def test_processes_end_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    started: list[workers.Gatekeepers] = []
    start = workers.Gatekeepers._start

    def noted(self: workers.Gatekeepers) -> None:
        start(self)
        started.append(self)

    monkeypatch.setattr(workers.Gatekeepers, "_start", noted)
    ingest([write(tmp_path / "a.jsonl", log("a"))], tmp_path / "w.duckdb", processes=1)
    assert [worker.returncode for gate in started for worker in gate._workers] == [0]


def test_a_process_ended_from_outside_stops_the_run_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    start = workers.Gatekeepers._start

    def start_and_end(self: workers.Gatekeepers) -> None:
        start(self)
        for worker in self._workers:
            worker.kill()

    monkeypatch.setattr(workers.Gatekeepers, "_start", start_and_end)
    with pytest.raises(WarehouseError, match="ended from outside; run the same again"):
        ingest([write(tmp_path / "a.jsonl", log("a"))], tmp_path / "w.duckdb", processes=2)


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

    with workers.Gatekeepers(1) as gate:
        piece, checked = next(gate.check(endless()))
    assert ([match.match for match in checked.matches], piece.data) == (["a"], b"")
    assert made <= 400_000 + 2 * len(data)


def test_a_fault_in_a_process_is_told_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    impossible = Piece((cast(Part, None),), b"".join(log("a")))
    with workers.Gatekeepers(1) as gate, pytest.raises(RuntimeError, match=r"(?s)fault of the program.*AttributeError"):
        next(gate.check([impossible]))
