"""A growing log is followed: new lines are loaded, whatever happens to its file."""

import gzip
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.follow import follow
from ingest.pipeline import ingest
from ingest.read import tail
from ingest.read import tail as checkpoints
from tests.ingest.follow.following import LONG_AGO, Folder, tables
from tests.ingest.helping import begun, quarantined_texts, short

WHOLE = short("a")
CUT = len(WHOLE) // 2
OTHER = pytest.mark.slow("another name of a file")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    yield Folder(tmp_path)
    tail.forget()


def test_an_unfinished_match_is_live_and_completed_later(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE[:CUT])
    first = folder.follow()
    assert folder.rows("SELECT live, position, line FROM watched_files") == [("a", 0, 1)]
    folder.write("x.jsonl", WHOLE[CUT:])
    last = folder.follow()
    assert [(result["events"], result["matches"]) for result in (first, last)] == [(CUT, 0), (len(WHOLE) - CUT, 1)]
    assert folder.matches() == [("a", "finished", len(WHOLE))]
    size = sum(map(len, WHOLE))
    assert folder.rows("SELECT live, position, line, size FROM watched_files") == [(None, size, len(WHOLE) + 1, size)]


@pytest.mark.slow("more steps")
def test_a_match_that_grows_four_times_is_counted_once_in_its_run(folder: Folder) -> None:
    for start in range(0, len(WHOLE), len(WHOLE) // 4 + 1):
        folder.write("x.jsonl", WHOLE[start : start + len(WHOLE) // 4 + 1])
        folder.follow()
    assert folder.rows("SELECT run, source, matches, events FROM ingest_runs") == [(1, "watch", 1, len(WHOLE))]


def test_matches_written_line_by_line_into_one_file_grow_together(folder: Folder) -> None:
    other = short("b")
    pairs = [line for pair in zip(WHOLE, other, strict=False) for line in pair]
    rest = [*WHOLE[len(pairs) // 2 :], *other[len(pairs) // 2 :]]
    for part in (pairs[:80], pairs[80:161], [*pairs[161:], *rest]):
        folder.write("x.jsonl", tuple(part))
        folder.follow()
    assert folder.matches() == [("a", "finished", len(WHOLE)), ("b", "finished", len(other))]
    assert quarantined_texts(folder.database) == []


def test_half_a_line_waits_for_the_rest_of_it(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE[:CUT], WHOLE[CUT][:20])
    result = folder.follow()
    assert (result["put_aside"], list(result["again"])) == (0, [str(folder / "x.jsonl")])
    assert folder.matches() == [("a", "unfinished", CUT)]
    folder.write("x.jsonl", WHOLE[CUT][20:])
    folder.follow()
    assert folder.matches() == [("a", "unfinished", CUT + 1)]
    assert quarantined_texts(folder.database) == []


def test_a_growing_bad_match_is_quarantined_once(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE[:CUT], b"not json\n", WHOLE[CUT : CUT + 9])
    assert folder.follow()["put_aside"] == 1
    folder.write("x.jsonl", WHOLE[CUT + 9 :], short("b")[:9])
    assert folder.follow()["put_aside"] == 0
    [text] = quarantined_texts(folder.database)
    assert text == b"".join([*WHOLE[:CUT], b"not json\n", *WHOLE[CUT:]])
    assert folder.matches() == [("b", "unfinished", 9)]
    assert folder.rows("SELECT line FROM watched_files") == [len(WHOLE) + 2]


def test_a_match_that_turns_bad_keeps_its_valid_part(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE[:CUT])
    folder.follow()
    folder.write("x.jsonl", b"{}\n", WHOLE[CUT:])
    folder.follow()
    assert folder.matches() == [("a", "unfinished", CUT)]
    assert len(quarantined_texts(folder.database)) == 1


@pytest.mark.slow("another way in which a file changes")
@pytest.mark.parametrize("settled", [(), begun("c")], ids=["nothing settled", "a match settled"])
@pytest.mark.parametrize("restarted", [True, False])
def test_quarantine_entries_stay_with_their_file_when_its_inode_is_reused(
    folder: Folder, settled: tuple[bytes, ...], restarted: bool
) -> None:
    folder.write("x.jsonl", settled, WHOLE[:9], b"{}\n")
    folder.follow()
    (folder / "x.jsonl").rename(folder / "y.jsonl").write_bytes(b"".join([*short("b")[:9], b"[]\n", *short("b")[9:]]))
    if restarted:
        tail.forget()
    folder.follow()
    texts = {Path(file).name: match for file, match in folder.rows("SELECT file, match FROM quarantine")}
    assert texts == {"x.jsonl": "a", "y.jsonl": "b"}


def test_quarantine_entries_of_a_renamed_file_keep_growing(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE[:CUT], b"{}\n")
    folder.follow()
    (folder / "x.jsonl").rename(folder / "y.jsonl")
    folder.write("y.jsonl", WHOLE[CUT:])
    folder.follow()
    assert folder.rows("SELECT file FROM quarantine") == [str(folder / "y.jsonl")]
    assert quarantined_texts(folder.database) == [b"".join([*WHOLE[:CUT], b"{}\n", *WHOLE[CUT:]])]


def test_quarantine_entries_follow_their_files_through_rotation(folder: Folder) -> None:
    folder.write("x.jsonl.1", WHOLE[:CUT], b"{}\n")
    folder.write("x.jsonl", short("b")[:CUT], b"{}\n")
    folder.follow()
    (folder / "x.jsonl.1").rename(folder / "x.jsonl.2")
    (folder / "x.jsonl").rename(folder / "x.jsonl.1")
    folder.follow()
    found = {Path(file).name: match for file, match in folder.rows("SELECT file, match FROM quarantine")}
    assert found == {"x.jsonl.2": "a", "x.jsonl.1": "b"}


@pytest.mark.slow("another way in which a file changes")
@pytest.mark.parametrize("at_once", [True, False])
def test_a_renamed_file_is_read_to_its_end_and_the_new_one_from_its_start(folder: Folder, at_once: bool) -> None:
    folder.write("x.jsonl", begun("a"), short("b")[:CUT])
    folder.follow()
    folder.write("x.jsonl", short("b")[CUT:-5])
    (folder / "x.jsonl").rename(folder / "x.jsonl.1")
    read = 0
    if not at_once:
        read = folder.follow()["events"]
        assert folder.rows("SELECT file, live FROM watched_files") == [(str(folder / "x.jsonl.1"), None)]
    folder.write("x.jsonl", short("b")[-5:], short("c"))
    read += folder.follow()["events"]
    assert read == len(short("b")[CUT:]) + len(short("c")), "no line is new twice"
    assert tables(folder.database) == folder.at_once(begun("a"), short("b"), short("c"))
    assert folder.rows("SELECT count(*) FROM watched_files WHERE live IS NULL") == [2]


@pytest.mark.slow("another way in which a file changes")
def test_the_rest_of_a_match_in_a_new_file_grows_live(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE[:CUT])
    folder.follow()
    (folder / "x.jsonl").rename(folder / "x.jsonl-20261121")
    for upto in (CUT + 5, CUT + 9):
        folder.write("x.jsonl", WHOLE[upto - 5 if upto == CUT + 5 else CUT + 5 : upto])
        folder.follow()
        assert folder.matches() == [("a", "unfinished", upto)]
    assert folder.rows("SELECT live FROM watched_files WHERE live IS NOT NULL") == ["a"]
    assert folder.rows("SELECT file, first_line FROM raw_matches") == [(str(folder / "x.jsonl-20261121"), 1)]
    assert quarantined_texts(folder.database) == []


def test_a_file_that_is_copied_and_truncated_loses_nothing(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE, short("b")[:CUT])
    folder.follow()
    (folder / "x.jsonl.1").write_bytes((folder / "x.jsonl").read_bytes())
    os.truncate(folder / "x.jsonl", 0)
    folder.write("x.jsonl", short("b")[CUT:])
    folder.follow()
    assert tables(folder.database) == folder.at_once(WHOLE, short("b"))


@pytest.mark.slow("another way in which a file changes")
@pytest.mark.parametrize("restarted", [True, False])
def test_a_file_with_other_content_is_read_from_its_start(folder: Folder, restarted: bool) -> None:
    folder.write("x.jsonl", begun("a"))
    folder.follow()
    if restarted:
        tail.forget()
    (folder / "x.jsonl").write_bytes(b"".join([*begun("b"), *begun("c"), *begun("d")]))
    folder.follow()
    assert [name for name, *_ in folder.matches()] == ["a", "b", "c", "d"]


@pytest.mark.slow("another way in which a file changes")
def test_a_longer_copy_in_place_of_a_file_is_read_from_the_last_position(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE)
    folder.follow()
    folder.write("y.part", WHOLE, short("b")).rename(folder / "x.jsonl")
    assert folder.follow()["events"] == len(short("b"))


def test_a_file_that_is_gone_is_forgotten_and_its_matches_stay(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE[:CUT])
    folder.follow()
    (folder / "x.jsonl").unlink()
    folder.follow()
    assert folder.rows("FROM watched_files") == []
    assert folder.matches() == [("a", "unfinished", CUT)]


def test_a_file_is_followed_while_it_is_partial_and_when_it_has_its_name(folder: Folder) -> None:
    folder.write("x.jsonl.partial", WHOLE[:CUT], b"?\n")
    folder.follow()
    folder.write("x.jsonl.partial", WHOLE[CUT:]).rename(folder / "x.jsonl")
    assert folder.follow()["put_aside"] == 0
    assert folder.rows("SELECT file FROM quarantine UNION FROM (SELECT file FROM watched_files)") == [
        str(folder / "x.jsonl")
    ]


@pytest.mark.parametrize(
    "name",
    [
        "x.jsonl.gz",
        *(pytest.param(name, marks=pytest.mark.slow("other names")) for name in ("x.jsonl.1.gz", "x.jsonl")),
    ],
)
def test_a_compressed_file_is_read_once_it_is_complete(folder: Folder, name: str) -> None:
    packed = gzip.compress(b"".join(WHOLE))
    folder.write(name, packed[:-900])
    result = folder.follow()
    assert (result["files"], list(result["again"])) == (0, [str(folder / name)])
    folder.write(name, packed[-900:])
    assert folder.follow()["matches"] == 1
    assert folder.rows("SELECT count(*) FROM ingested_files JOIN watched_files USING (file, size, sha256)") == [1]


@pytest.mark.slow("another way in which a file changes")
def test_a_compressed_file_ingested_before_is_listed_once(folder: Folder) -> None:
    file = folder.write("x.jsonl.gz", gzip.compress(b"".join(WHOLE)))
    ingest([file], folder.database, processes=0)
    folder.follow()
    assert folder.rows("SELECT file, matches FROM ingested_files") == [(str(file), 1)]


def test_an_incomplete_compressed_file_is_loaded_as_far_as_it_goes(folder: Folder) -> None:
    packed = gzip.compress(b"".join(WHOLE)) + gzip.compress(b"".join(short("b")))
    folder.write("x.jsonl.gz", packed[:-900], old=True)
    assert folder.follow()["again"] == {}
    assert folder.matches() == [("a", "finished", len(WHOLE))]
    assert folder.rows("SELECT match, reason FROM quarantine") == [("b", "file_cut")]


@pytest.mark.slow("another way in which a file changes")
def test_the_last_line_of_an_idle_file_needs_no_line_end(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("x.jsonl", b"".join(WHOLE)[:-1], old=True)
    folder.follow()
    assert tables(folder.database) == folder.at_once(WHOLE)
    monkeypatch.setattr(checkpoints, "SLACK", -60.0)
    assert folder.follow()["files"] == 0


def test_a_file_dated_in_the_future_counts_as_idle(folder: Folder) -> None:
    file = folder.write("x.jsonl", b"".join(WHOLE)[:-1])
    later = time.time() + 10_000_000
    os.utime(file, (later, later))
    folder.follow()
    assert folder.matches() == [("a", "finished", len(WHOLE))]


@pytest.mark.slow("another way in which a file changes")
def test_half_a_line_is_quarantined_only_when_the_log_continues_in_another_file(folder: Folder) -> None:
    for name in ("x.jsonl", "x.jsonl.1"):
        folder.write(name, short(name)[:CUT], short(name)[CUT][:20], old=True)
    folder.follow()
    assert folder.rows("SELECT match, reason FROM quarantine") == [("x.jsonl.1", "truncated_line")]
    assert folder.matches() == [("x.jsonl", "unfinished", CUT), ("x.jsonl.1", "unfinished", CUT)]
    folder.write("x.jsonl.1", short("x.jsonl.1")[CUT][20:], short("x.jsonl.1")[CUT + 1 :])
    folder.follow()
    assert folder.matches()[1] == ("x.jsonl.1", "finished", len(short("x.jsonl.1")))
    assert folder.rows("SELECT count(*) FROM quarantine WHERE resolved_in IS NULL") == [0]


def test_unchanged_files_are_not_opened_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("x.jsonl", WHOLE, old=True)
    folder.write("y.jsonl", short("b")[:CUT], old=True)
    folder.follow()
    tail.forget()
    monkeypatch.setattr(follow, "Tail", None)
    monkeypatch.setattr(checkpoints, "SLACK", -60.0)  # as if the file had been written a minute ago
    assert folder.follow()["files"] == 0


@pytest.mark.slow("another way in which a file changes")
def test_a_file_replaced_by_an_older_one_of_the_same_size_is_read(folder: Folder) -> None:
    file = folder.write("x.jsonl", WHOLE, old=True)
    folder.follow()
    file.write_bytes(b"".join(short("b")).ljust(file.stat().st_size, b"\n")[: file.stat().st_size])
    os.utime(file, (LONG_AGO, LONG_AGO))
    folder.follow()
    assert [name for name, *_ in folder.matches()] == ["a", "b"]


@pytest.mark.slow("another way in which a file changes")
def test_a_match_is_live_for_an_hour_and_while_it_is_followed(folder: Folder) -> None:
    folder.write("x.jsonl", WHOLE[:CUT])
    live = "SELECT live FROM watched_files"
    for arguments, expected in (({}, "a"), ({"stopped": True}, None), ({}, "a")):
        folder.follow(**arguments)
        assert folder.rows(live) == [expected]
    an_hour_ago = time.time() - 3700
    os.utime(folder / "x.jsonl", (an_hour_ago, an_hour_ago))
    folder.follow()
    assert folder.rows(live) == [None]


def test_unreadable_files_are_named_and_the_rest_is_read(folder: Folder) -> None:
    os.mkfifo(folder / "pipe.jsonl")
    folder.write("x.jsonl", WHOLE)
    result = folder.follow()
    assert result["failed"] == [{"file": str(folder / "pipe.jsonl"), "reason": "it is not a regular file"}]
    assert result["matches"] == 1
