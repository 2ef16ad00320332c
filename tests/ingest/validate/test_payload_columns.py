"""Events from several processes: each sends a distinct payload once, and the result equals that of one process."""

import pickle
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ingest.read.split import chunk_of
from ingest.validate import payload_cache
from ingest.validate.decode import Events, by_table
from ingest.validate.payload_cache import PayloadColumns
from ingest.validate.pool import ValidationPool
from ingest.validate.validation import check
from tests.ingest.helping import THREE, climbers_log, log, summit_log

LOGS = (log("a"), log("b", THREE), summit_log("s"), log("c"), climbers_log("k"), log("d", THREE))


def events(lines: Sequence[bytes]) -> Events:
    found = check(chunk_of(Path("a.jsonl"), b"".join(lines)), judges=False).events
    assert isinstance(found, Events)
    return found


def tables(chunks: Sequence[Events], ids: Sequence[int]) -> dict[str, pa.Table]:
    numbers = [np.array([number], np.int32) for number in ids]
    return dict(by_table([*zip(chunks, numbers, strict=True)]))


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload_cache, "_kept", {})
    monkeypatch.setattr(payload_cache, "_copies", {})


def sent(rows: PayloadColumns) -> PayloadColumns:
    """Return a value after sending it to another process."""
    copy = pickle.loads(pickle.dumps(rows))
    assert isinstance(copy, PayloadColumns)
    return copy


def test_a_copy_is_extended_with_missing_rows() -> None:
    rows = PayloadColumns("caravan", 2)
    rows.add(1, pa.table({"n": [1, 2]}))
    copy = sent(rows)
    assert (copy.heights, copy.of(1)["n"].to_pylist()) == ([0, 2], [1, 2])
    assert sent(rows) is copy
    rows.add(1, pa.table({"n": [3]}))
    assert rows.of(1)["n"].to_pylist() == [1, 2, 3]
    rows.add(1, pa.table({"n": [4]}))
    assert sent(rows) is copy
    assert (copy.heights, copy.of(1)["n"].to_pylist()) == ([0, 4], [1, 2, 3, 4])


def test_a_full_copy_is_replaced_and_none_outlives_its_process() -> None:
    first, second = PayloadColumns("caravan", 1), PayloadColumns("caravan", 1)
    first.add(0, pa.table({"n": [1]}))
    second.add(0, pa.table({"n": [2]}))
    copies = [sent(first), sent(second)]
    assert [copy.of(0)["n"].to_pylist() for copy in copies] == [[1], [2]]
    assert [copy for _, copy in payload_cache._copies.values()] == [copies[1]]
    payload_cache.drop_copies()  # keeps only the copies of child processes; this process is none
    assert not payload_cache._copies


def test_chunks_of_several_processes_give_the_tables_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [7, 3, -1, 5, 9, 2]
    whole = tables([events(lines) for lines in LOGS], ids)
    chunks = {number: pickle.loads(pickle.dumps(events(LOGS[number]))) for number in (4, 0, 2)}
    monkeypatch.setattr(payload_cache, "_kept", {})
    chunks |= {number: events(LOGS[number]) for number in (5, 3, 1)}
    found = tables([chunks[number] for number in range(len(LOGS))], ids)
    assert found.keys() == whole.keys()
    assert not any(name.startswith("stg_summit") and rows.num_rows for name, rows in found.items())
    for name, rows in whole.items():
        assert found[name].equals(rows), name
    assert whole["stg_match_started"]["match_id"].to_pylist() == [7, 3, 5, 9, 2]


@pytest.mark.slow("starts processes")
def test_answers_of_worker_processes_equal_those_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.validate.pool.WORTHWHILE", 1)
    order = random.Random(1).choices(range(len(LOGS)), k=12)
    asked = [chunk_of(Path("a.jsonl"), b"".join(LOGS[number])) for number in order]
    with ValidationPool(2, judges=False) as pool:
        answers = [checked.events for _, checked in pool.check(asked)]
        assert payload_cache._copies
    assert not payload_cache._copies
    for number, answer in zip(order, answers, strict=True):
        own = events(LOGS[number])
        assert answer.keys() == own.keys()
        for name, rows in own.items():
            assert answer[name].equals(rows), name
