"""Selecting the files to read, and handling unreadable ones."""

import builtins
import gzip
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ingest.errors import WarehouseError
from ingest.load.summary import Summary
from ingest.pipeline import Progress, ingest
from ingest.read import source
from ingest.read import split as read
from ingest.read.discover import Found, discover, named
from ingest.read.split import chunk_of, chunks
from ingest.validate.validation import check
from tests.ingest.helping import live, log, quarantined_texts, rows, write


def test_folders_are_searched_to_any_depth_for_logs(tmp_path: Path) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    write(tmp_path / "x" / "y" / "a.jsonl", live("a"))
    (tmp_path / "x" / "a.tournament.json").write_text("{}")
    assert ingest([tmp_path], tmp_path / "w.duckdb").matches == 1


def test_rotated_logs_in_a_folder_or_a_pattern_are_read_as_well(tmp_path: Path) -> None:
    lines = live("m")
    write(tmp_path / "x.jsonl.1", live("a"), lines[:9])
    write(tmp_path / "x.jsonl", lines[9:])
    (tmp_path / "x.jsonl-20261121.gz").write_bytes(gzip.compress(b"".join(live("b"))))
    (tmp_path / "x.jsonl.bak").write_text("no log")
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches, summary.in_quarantine) == (3, 3, 0)
    assert {path.name for path in named([f"{tmp_path}/*"])} == {"x.jsonl", "x.jsonl-20261121.gz", "x.jsonl.1"}


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", live("a"))
    (tmp_path / "link.jsonl").symlink_to(file)
    summary = ingest([file, tmp_path, file], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches, summary.skipped) == (1, 1, 0)


def test_a_file_still_being_written_is_named_and_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", live("a"))
    partial = write(tmp_path / "b.jsonl.zst.partial", live("b"))
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches, summary.unfinished) == (1, 1, (partial,))
    assert f"{partial}: not complete, so not read; if its tournament was stopped, run that again" in str(summary)


@pytest.mark.parametrize("name", ["b.jsonl.xz", "b.bz2", "b.zip", "b.tar", "b.tar.gz"])
def test_an_archive_among_logs_is_named_with_what_to_do(tmp_path: Path, name: str) -> None:
    write(tmp_path / "a.jsonl", live("a"))
    (tmp_path / name).touch()
    found = discover([tmp_path])
    assert (found.logs, found.archives) == ((tmp_path / "a.jsonl",), (tmp_path / name,))
    (tmp_path / "a.jsonl").unlink()
    with pytest.raises(WarehouseError, match=f"no logs in this folder; their names end in .*; unpack {name} first$"):
        named([str(tmp_path)])
    summary = Summary(1, 1, 0, 60, 0, 0, (), 0, (), archives=found.archives)
    assert f"{tmp_path / name}: an archive, not read; unpack it first" in str(summary)


@pytest.mark.parametrize("name", ["", "nowhere", "nowhere.jsonl"])
def test_a_folder_without_logs_or_a_path_that_is_not_there_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(WarehouseError, match=r"no logs in this folder|no such file") as error:
        ingest([tmp_path / name], tmp_path / "w.duckdb")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "w.duckdb").exists()


def test_an_unreadable_file_is_named_and_stops_no_other(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", live("a"))
    os.mkfifo(tmp_path / "b.jsonl")
    (tmp_path / "c.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "d.jsonl").symlink_to(tmp_path / "d.jsonl")
    write(tmp_path / "e.jsonl", live("e"))
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches) == (2, 2)
    assert [(failure.file.name, failure.reason) for failure in summary.failed] == [
        ("b.jsonl", "it is a named pipe, not a file"),
        ("c.jsonl", "no such file or folder"),
        ("d.jsonl", "a link that leads back to itself"),
    ]


def test_an_inaccessible_folder_is_named_and_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shut").mkdir()
    write(tmp_path / "a.jsonl", live("a"))
    scan = os.scandir

    def refuse(path: Path) -> object:
        if path.name == "shut":
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert summary.matches == 1
    assert [(failure.file, failure.reason) for failure in summary.failed] == [(tmp_path / "shut", "no permission")]


def test_links_are_followed_and_their_targets_read_once(tmp_path: Path) -> None:
    (tmp_path / "logs" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    file = write(tmp_path / "elsewhere" / "a.jsonl", live("a"))
    (tmp_path / "logs" / "deep" / "back").symlink_to(tmp_path / "logs")
    (tmp_path / "logs" / "folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "logs" / "file.jsonl").symlink_to(file)
    (tmp_path / "logs" / "nowhere").symlink_to(tmp_path / "nowhere")
    assert discover([tmp_path / "logs"]) == Found((tmp_path / "logs" / "file.jsonl",), ())


@pytest.mark.parametrize("thousands", [10, pytest.param(100, marks=pytest.mark.soak("100,000 files"))])
def test_files_are_found_without_opening_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thousands: int) -> None:
    for folder in range(thousands):
        (tmp_path / str(folder)).mkdir()
        for name in range(1_000):
            os.close(os.open(f"{tmp_path}/{folder}/{name}.jsonl", os.O_CREAT, mode=0))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened")

    with monkeypatch.context() as shut:
        for holder in (os, io, builtins):
            shut.setattr(holder, "open", refuse)
        assert len(discover([tmp_path]).logs) == thousands * 1_000
    shutil.rmtree(tmp_path)


def test_a_file_that_changes_while_it_is_read_is_read_again_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "a.jsonl", log("a"), log("b")[:200])
    ending = source.Source.ending

    def grow(self: source.Source) -> source.Ending:
        write(file, log("a"), log("b"))
        return ending(self)

    with monkeypatch.context() as patched:
        patched.setattr(source.Source, "ending", grow)
        summary = ingest([file], tmp_path / "w.duckdb")
    assert [failure.reason for failure in summary.failed] == [
        "it changed while it was read; run the same command again"
    ]
    assert rows(tmp_path / "w.duckdb", "FROM ingested_files") == []
    again = ingest([file], tmp_path / "w.duckdb")
    assert (again.matches + again.completed, again.failed) == (1, ())
    assert rows(tmp_path / "w.duckdb", "SELECT match, status FROM dim_matches ORDER BY 1") == [
        ("a", "finished"),
        ("b", "finished"),
    ]
    assert rows(tmp_path / "w.duckdb", "SELECT count(*) FROM quarantine WHERE resolved_in IS NULL") == [0]


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
    (text,) = quarantined_texts(tmp_path / "w.duckdb")
    return text


def test_a_file_that_breaks_off_between_two_matches_is_recorded(tmp_path: Path) -> None:
    frame = zstandard.ZstdCompressor().compressobj()
    data = frame.compress(b"".join(log("a"))) + frame.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    (tmp_path / "x.jsonl.zst").write_bytes(data)
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.matches, [problem.reason for problem in summary.quarantined]) == (1, ["file_cut"])


def test_a_binary_file_is_quarantined_whole(tmp_path: Path) -> None:
    noise = bytes(range(256)) * 500
    (tmp_path / "x.jsonl").write_bytes(noise)
    write(tmp_path / "y.jsonl", live("a"))
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert summary.matches == 1
    assert b"".join(quarantined_texts(tmp_path / "w.duckdb")).startswith(noise[:-1])


def test_an_empty_file_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").touch()
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches, summary.quarantined) == (1, 0, ())


@pytest.mark.parametrize("size", [700, 30_000, 200_000])
def test_chunks_end_between_matches_wherever_they_are_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(source, "BLOCK", size)
    monkeypatch.setattr(read, "CHUNK_BYTES", size)
    parts = [log("a"), [b"x\n"], log("b")[:90], log("b")[:90], log("c")[5:], log("d"), log("e")]
    file = write(tmp_path / "x.jsonl", *parts)
    found = list(chunks(file))
    at_once = check(chunk_of(file, file.read_bytes()))
    checked = [check(chunk) for chunk in found]
    assert len(found) > 1
    assert [match for each in checked for match in each.matches] == at_once.matches
    assert [rejection for each in checked for rejection in each.rejections] == at_once.rejections
    assert [part.end is not None for chunk in found for part in chunk.spans] == [False] * (len(found) - 1) + [True]


def test_progress_ends_at_the_last_byte(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", live("a"))
    write(tmp_path / "b.jsonl", live("b"))
    seen: list[Progress] = []
    ingest([tmp_path], tmp_path / "w.duckdb", progress=seen.append)
    size = sum(file.stat().st_size for file in tmp_path.glob("*.jsonl"))
    assert seen[-1] == Progress(size, size, len(live("a")) + len(live("b")), matches=2)
