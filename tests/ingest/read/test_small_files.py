"""Small files are read in the processes that validate them, with the same result as sequential reading."""

import gzip
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import zstandard

from ingest import pipeline
from ingest.pipeline import ingest
from ingest.read import source, split
from ingest.read import split as small_files
from ingest.read.split import Named, SmallFiles, grouped, is_small
from ingest.validate import pool as pools
from ingest.validate import validation
from ingest.validate.pool import ValidationPool
from ingest.validate.validation import ValidatedChunks, validate_any
from tests.ingest.helping import climbers_log, contents, live, log, summit_log, write


def of(*paths: Path) -> SmallFiles:
    return SmallFiles(tuple((path, path) for path in paths), 1)


def checked(*paths: Path) -> ValidatedChunks:
    return validate_any(of(*paths), judges=False)


def matches(chunks: Sequence[tuple[split.Chunk, pools.ValidatedChunk]]) -> list[str]:
    return [match.match for _, each in chunks for match in each.matches]


@pytest.mark.parametrize(("suffix", "most"), [("", 1), (".zst", small_files.GROWS), (".gz", small_files.GROWS)])
def test_a_small_log_is_recognised_by_name_and_size(suffix: str, most: int) -> None:
    name = Path(f"a.jsonl{suffix}")
    assert [is_small(name, size) for size in (0, split.CHUNK_BYTES // most, split.CHUNK_BYTES // most + 1)] == [
        True,
        True,
        False,
    ]
    assert not is_small(Path(f"a.jsonl{suffix}.1"), 1)
    assert not is_small(Path("a.txt"), 1)


def test_neighbouring_small_files_form_a_group_up_to_the_size_of_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "CHUNK_BYTES", 100 + 2 * small_files.SPAN_BYTES)
    files: list[tuple[Named, int]] = [
        ((Path(f"{name}.jsonl"), Path(name)), size) for name, size in (("a", 60), ("b", 40), ("c", 1))
    ]
    groups = [[str(shown) for _, shown in group.files] for group in grouped(files)]
    assert groups == [["a", "b"], ["c"]]
    assert [group.size - small_files.SPAN_BYTES * len(group.files) for group in grouped(files)] == [100, 1]


@pytest.mark.slow("all games")
def test_files_of_all_games_and_damaged_ones_give_the_same_result_as_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name, text in (("a", log("a")), ("b", log("b")[1:]), ("d", summit_log("d")), ("e", climbers_log("e"))):
        write(logs / f"{name}.jsonl", text)
    write(logs / "c.jsonl", live("c"), [b"\xff{"])
    (logs / "f.jsonl").touch()
    (logs / "g.jsonl.gz").write_bytes(gzip.compress(b"".join(live("g"))))
    write(logs / "h.jsonl", live("h"))
    small = ingest([logs], tmp_path / "small.duckdb")
    monkeypatch.setattr(pipeline, "is_small", lambda *_: False)
    assert ingest([logs], tmp_path / "in-order.duckdb") == small
    assert (small.matches, small.put_aside) == (5, 2)
    assert contents(tmp_path / "small.duckdb") == contents(tmp_path / "in-order.duckdb")


def test_a_file_that_cannot_be_read_is_named_and_the_others_are(tmp_path: Path) -> None:
    there = write(tmp_path / "b.jsonl", live("b"))
    found = checked(tmp_path / "a.jsonl", there)
    assert (matches(found.chunks), found.left) == (["b"], [])
    assert [str(error) for error in found.failed] == [f"{tmp_path / 'a.jsonl'}: no such file or folder"]
    with ValidationPool(0) as pool:
        assert matches([*pool.check([of(tmp_path / "a.jsonl", there)])]) == ["b"]
        assert list(map(str, pool.failed)) == [f"{tmp_path / 'a.jsonl'}: no such file or folder"]


@pytest.mark.parametrize("packed", [gzip.compress, zstandard.ZstdCompressor().compress])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_packed_files_are_read_with_their_neighbours_whatever_their_names(
    tmp_path: Path, packed: Callable[[bytes], bytes], suffix: str
) -> None:
    first, last = write(tmp_path / "a.jsonl", live("a")), write(tmp_path / "c.jsonl", live("c"))
    other, broken = tmp_path / f"b.jsonl{suffix}", tmp_path / f"d.jsonl{suffix}"
    other.write_bytes(packed(b"".join(live("b"))))
    broken.write_bytes(packed(b"".join(live("d")))[:-9])
    found = checked(first, other, last, broken)
    assert (matches(found.chunks), found.left) == (["a", "b", "c"], [])
    (rejection,) = (each for _, chunk in found.chunks for each in chunk.rejections)
    assert rejection.reason in {"file_cut", "file_broken"}


def test_a_file_larger_than_announced_is_read_in_order_with_all_files_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = write(tmp_path / "a.jsonl", live("a")), write(tmp_path / "c.jsonl", live("c"))
    other = tmp_path / "b.jsonl.gz"
    other.write_bytes(gzip.compress(b"".join(log("b"))))
    monkeypatch.setattr(split, "CHUNK_BYTES", first.stat().st_size)
    monkeypatch.setattr(source, "BLOCK", 1000)
    found = checked(first, other, last)
    assert (matches(found.chunks), found.left) == (["a"], [(other, other), (last, last)])
    with ValidationPool(0) as pool:
        assert matches([*pool.check([of(first, other, last)])]) == ["a", "b", "c"]


def test_a_postponed_file_that_vanished_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = write(tmp_path / "b.jsonl", live("b"))
    monkeypatch.setattr(split, "CHUNK_BYTES", 1)
    check = pools.validate_any

    def gone(*asked: object, **how: bool) -> object:
        found = check(*asked, **how)  # type: ignore[arg-type]
        other.unlink(missing_ok=True)
        return found

    monkeypatch.setattr(pools, "validate_any", gone)
    with ValidationPool(0) as pool:
        assert [*pool.check([of(other)])] == []
        assert [error.reason for error in pool.failed] == ["no such file or folder"]


def test_processes_read_small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "WORTHWHILE", 1)
    monkeypatch.setattr(validation, "read", None)  # otherwise this process would read the file
    for name in "ab":
        write(tmp_path / f"{name}.jsonl", live(name))
    with ValidationPool(1) as pool:
        assert matches([*pool.check([of(tmp_path / f"{name}.jsonl") for name in "abc"])]) == ["a", "b"]
        assert [error.path.name for error in pool.failed] == ["c.jsonl"]
