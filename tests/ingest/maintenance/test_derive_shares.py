"""Logs that name the same matches are loaded together, in order; ids of different shares do not overlap."""

from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import WarehouseError
from ingest.maintenance.derive import task as shares_module
from ingest.maintenance.derive.logs import DIGEST, Log, names_in
from ingest.maintenance.derive.task import Share, shares_of
from tests.ingest.helping import log, write


def logs_of(count: int) -> list[Log]:
    return [Log(f"/logs/{number:03}.jsonl", number, 0) for number in range(count)]


def digests(names: set[int]) -> tuple[bytes, bytes]:
    """Return the digests of match names in a log without an end."""
    return b"".join(number.to_bytes(DIGEST, "big") for number in sorted(names)), b""


def number_of(each: Log) -> int:
    return each.size


@given(st.lists(st.sets(st.integers(0, 30), max_size=6), max_size=40), st.integers(1, 5))
def test_shares_have_all_logs_once_and_no_name_twice(names: list[set[int]], workers: int) -> None:
    logs = logs_of(len(names))
    shares = shares_of(logs, [digests(each) for each in names], workers)
    assert sorted((each for share in shares for each in share.logs), key=number_of) == logs
    named = [set().union(*(names[number_of(each)] for each in share.logs)) for share in shares]
    assert sum(map(len, named)) == len(set().union(*named))
    free = 1
    for share, its in zip(shares, named, strict=True):
        assert list(share.logs) == sorted(share.logs, key=number_of)
        assert share.first == free
        assert share.names >= len(its)
        free += share.names


def test_there_are_enough_shares_to_keep_all_workers_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = [digests({number}) for number in range(40)]
    assert [len(share.logs) for share in shares_of(logs_of(40), apart, 2)] == [10, 10, 10, 10]
    monkeypatch.setattr(shares_module, "MOST", 8)
    assert [len(share.logs) for share in shares_of(logs_of(40), apart, 2)] == [8, 8, 8, 8, 8]


def test_logs_that_name_nothing_are_in_a_share_too() -> None:
    assert [share.names for share in shares_of(logs_of(3), [digests(set())] * 3, 2)] == [0]
    assert shares_of([], [], 2) == []


def test_more_names_than_ids_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares_module, "MOST_IDS", 3)
    with pytest.raises(WarehouseError, match="the logs name 4 matches, more than 3; derive them in several lakes"):
        shares_of(logs_of(2), [digests({1, 2}), digests({2, 3})], 1)


def test_a_share_gets_another_name_once_anything_in_it_changes() -> None:
    one, other = logs_of(2)
    share = Share(1, 5, (one,))
    others = [Share(2, 5, (one,)), Share(1, 5, (other,)), Share(1, 5, (one, other)), Share(1, 6, (one,))]
    assert len({share.key("rules"), *(each.key("rules") for each in others), share.key("other rules")}) == 6


def names_of(*paths: Path) -> list[bytes]:
    return [names for names, _ in names_in([Log.found(path) for path in paths])]


def test_logs_with_copies_of_a_match_are_loaded_together(tmp_path: Path) -> None:
    logs = [("a", log("a.1")), ("b", log("b.1", luck="a.1")), ("c", log("c.1"))]
    found = [Log.found(write(tmp_path / f"{name}.jsonl", lines)) for name, lines in logs]
    assert [share.logs for share in shares_of(found, names_in(found), 2)] == [(found[0], found[1]), (found[2],)]


def names(tmp_path: Path, *lines: bytes) -> int:
    """Return the number of match names in a log."""
    (found,) = names_of(write(tmp_path / "log.jsonl", lines))
    return len(found) // DIGEST


def test_all_names_are_found_however_they_are_written(tmp_path: Path) -> None:
    (one,) = names_of(write(tmp_path / "a.jsonl", log("a.1"), log("b.1")))
    assert len(one) == 2 * DIGEST
    packed = tmp_path / "c.jsonl"
    packed.write_bytes(zstandard.compress((tmp_path / "a.jsonl").read_bytes()))
    written = write(
        tmp_path / "d.jsonl", [b'{"m\\u0061tch" : "a\\u002e1"}\n', b"no log", b'\n{"seq":1, "match":\t"b.1"']
    )
    assert names_of(packed, written) == [one, one]


def test_a_name_that_spans_blocks_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = names_of(write(tmp_path / "a.jsonl", log("a.1"), log("b.1")))
    monkeypatch.setattr("ingest.read.source.BLOCK", 50)
    assert names_of(tmp_path / "a.jsonl") == whole


def test_an_unreadable_file_names_its_matches_up_to_the_error(tmp_path: Path) -> None:
    broken = tmp_path / "b.jsonl.zst"
    broken.write_bytes(zstandard.compress(b"".join(log("a.1")))[:-10])
    assert names_of(tmp_path / "missing.jsonl", broken)[0] == b""


def test_an_endless_line_is_not_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.read.source.BLOCK", 1 << 10)
    monkeypatch.setattr("ingest.maintenance.derive.logs.MOST_KEPT", 1 << 12)
    assert names(tmp_path, b'{"match":"a.1",' + b" " * 20_000, b'\n{"match":"b.1"}') == 2
