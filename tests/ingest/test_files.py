"""Which files are read, and what becomes of those that cannot be."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ingest import source
from ingest.pipeline import Progress, ingest
from ingest.read import piece_of, pieces
from ingest.validate import check
from ingest.warehouse import WarehouseError
from tests.ingest.helping import log, put_aside, write


def test_folders_are_searched_to_any_depth_for_logs(tmp_path: Path) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    write(tmp_path / "x" / "y" / "a.jsonl", log("a"))
    (tmp_path / "x" / "a.tournament.json").write_text("{}")
    assert ingest([tmp_path], tmp_path / "w.duckdb").matches == 1


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", log("a"))
    (tmp_path / "link.jsonl").symlink_to(file)
    summary = ingest([file, tmp_path, file], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches, summary.skipped) == (1, 1, 0)


def test_a_file_still_being_written_is_named_and_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", log("a"))
    partial = write(tmp_path / "b.jsonl.zst.partial", log("b"))
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches, summary.unfinished) == (1, 1, (partial,))
    assert f"{partial}: still being written, left alone" in str(summary)


@pytest.mark.parametrize("name", ["", "nowhere", "nowhere.jsonl"])
def test_a_folder_without_logs_or_a_path_that_is_not_there_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(WarehouseError, match=r"no logs in this folder|No such file") as error:
        ingest([tmp_path / name], tmp_path / "w.duckdb")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "w.duckdb").exists()


@pytest.mark.parametrize(("holder", "name"), [(os, "scandir"), (Path, "open")])
def test_what_may_not_be_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holder: object, name: str
) -> None:
    write(tmp_path / "a.jsonl", log("a"))

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "a path")

    monkeypatch.setattr(holder, name, refuse)
    with pytest.raises(WarehouseError, match="a path: Permission denied"):
        ingest([tmp_path], tmp_path / "w.duckdb")


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_compressed_file_that_breaks_off_keeps_its_whole_matches(
    tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    lines = [line for match in "abcdef" for line in log(match)]
    packed = compress(b"".join(lines))
    (tmp_path / "x.jsonl.gz").write_bytes(packed[: int(len(packed) * 0.9)])
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    (problem,) = summary.quarantined
    assert (problem.reason, problem.line) == ("file_cut", summary.events + len(problem_text(tmp_path).splitlines()))
    assert summary.matches >= 2
    assert b"".join(lines[summary.events :]).startswith(problem_text(tmp_path)[:-1])


def problem_text(tmp_path: Path) -> bytes:
    (text,) = put_aside(tmp_path / "w.duckdb")
    return text


def test_a_file_that_breaks_off_between_two_matches_is_on_record(tmp_path: Path) -> None:
    frame = zstandard.ZstdCompressor().compressobj()
    data = frame.compress(b"".join(log("a"))) + frame.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    (tmp_path / "x.jsonl.zst").write_bytes(data)
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.matches, [problem.reason for problem in summary.quarantined]) == (1, ["file_cut"])


def test_a_file_that_is_no_text_is_put_aside_whole(tmp_path: Path) -> None:
    noise = bytes(range(256)) * 500
    (tmp_path / "x.jsonl").write_bytes(noise)
    write(tmp_path / "y.jsonl", log("a"))
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert summary.matches == 1
    assert b"".join(put_aside(tmp_path / "w.duckdb")).startswith(noise[:-1])


def test_an_empty_file_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").touch()
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches, summary.quarantined) == (1, 0, ())


@pytest.mark.parametrize("size", [700, 30_000, 200_000])
def test_pieces_end_between_matches_wherever_they_are_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(source, "BLOCK", size)
    parts = [log("a"), [b"x\n"], log("b")[:90], log("b")[:90], log("c")[5:], log("d"), log("e")]
    file = write(tmp_path / "x.jsonl", *parts)
    found = list(pieces(file, piece_bytes=size))
    at_once = check(piece_of(file, file.read_bytes()))
    checked = [check(piece) for piece in found]
    assert len(found) > 1
    assert [match for each in checked for match in each.matches] == at_once.matches
    assert [aside for each in checked for aside in each.asides] == at_once.asides
    assert [part.end is not None for piece in found for part in piece.parts] == [False] * (len(found) - 1) + [True]


def test_progress_ends_at_the_last_byte(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", log("a"))
    write(tmp_path / "b.jsonl", log("b"))
    seen: list[Progress] = []
    ingest([tmp_path], tmp_path / "w.duckdb", progress=seen.append)
    size = sum(file.stat().st_size for file in tmp_path.glob("*.jsonl"))
    assert seen[-1] == Progress(size, size, len(log("a")) + len(log("b")), matches=2)
