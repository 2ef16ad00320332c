"""Every valid match is loaded exactly once, even if logs are sent repeatedly, in any order."""

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard

from ingest import pipeline
from ingest.load import load
from ingest.pipeline import ingest
from ingest.validate import pool as workers
from ingest.validate.decode import Events
from ingest.validate.line_prefix import Numbers
from tests.core.log.damage import resign, rewrite
from tests.ingest.helping import begun, climbers_log, contents, each_alone, quarantined_texts, rows, short, write


def test_the_same_files_again_change_nothing(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    write(tmp_path / "a.jsonl", begun("a"), begun("b")[:30], begun("c")[1:])
    first = ingest([tmp_path], database)
    before = contents(database)
    again = ingest([tmp_path], database)
    assert (first.matches, len(first.quarantined)) == (2, 1)
    assert (again.matches, again.events, again.skipped, again.known, again.quarantined) == (0, 0, 2, 1, ())
    assert contents(database) == before
    assert "2 matches skipped: already loaded" in str(again)


def test_an_identical_match_in_another_file_is_skipped(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", begun("a"))
    write(tmp_path / "b.jsonl", begun("b"), begun("a"))
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.files, summary.matches, summary.skipped) == (2, 2, 1)
    assert rows(tmp_path / "w.duckdb", "SELECT match FROM raw_matches ORDER BY match_id") == ["a", "b"]


def test_other_bytes_under_the_same_name_are_a_conflict_and_both_are_kept(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", begun("a"))], database)
    other = rewrite(begun("a"), 0, data__luck="other")
    summary = ingest([write(tmp_path / "b.jsonl", begun("b"), other)], database)
    (problem,) = summary.quarantined
    assert (summary.matches, problem.reason, problem.line, problem.match) == (1, "conflict", len(begun("b")) + 1, "a")
    assert quarantined_texts(database) == [b"".join(other)]
    assert f"{tmp_path}/b.jsonl:{problem.line}: match: expected the same log as in {tmp_path}/a.jsonl:1" in str(summary)
    assert rows(database, "SELECT luck FROM dim_matches WHERE match = 'a'") == ["a"]


def test_a_conflict_within_a_run_keeps_the_first(tmp_path: Path) -> None:
    other = resign(rewrite(short("a"), 0, data__luck="other"))
    summary = ingest([write(tmp_path / "a.jsonl", short("a"), other)], tmp_path / "w.duckdb")
    assert [problem.reason for problem in summary.quarantined] == ["conflict"]
    assert rows(tmp_path / "w.duckdb", "SELECT luck FROM dim_matches") == ["a"]


def shuffled(tmp_path: Path) -> list[Path]:
    """Return shuffled files: a conflict, an unfinished match and its rest, a duplicate, a bad log, a renamed one."""
    parts = (
        [begun("a"), begun("b")[:30], short("c")],
        [begun("b"), begun("a", luck="other")],
        [short("c"), begun("bad")[2:], begun("d")],
    )
    files = [write(tmp_path / f"{number}.jsonl", *logs) for number, logs in enumerate(parts)]
    (tmp_path / "00.jsonl").symlink_to(files[2])
    return [*files, tmp_path / "00.jsonl"]


@pytest.mark.slow("another order")
def test_the_order_in_which_files_are_named_changes_nothing(tmp_path: Path) -> None:
    files = shuffled(tmp_path)
    ways = [files, files[::-1], [files[3], tmp_path, *files[1:]]]
    found = []
    for number, paths in enumerate(ways):
        ingest(paths, tmp_path / f"{number}.duckdb")
        found.append(contents(tmp_path / f"{number}.duckdb"))
    assert found[0] == found[1] == found[2]
    assert rows(tmp_path / "0.duckdb", "SELECT file FROM raw_matches WHERE match = 'd'") == [str(files[3])]


@pytest.mark.slow("starts processes")
def test_the_number_of_processes_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    monkeypatch.setattr(workers, "AHEAD_BYTES", 1)
    monkeypatch.setattr(pipeline, "grouped", each_alone)
    shuffled(tmp_path)
    for processes in (0, 2):
        ingest([tmp_path], tmp_path / f"{processes}.duckdb", processes=processes)
    assert contents(tmp_path / "0.duckdb") == contents(tmp_path / "2.duckdb")


def test_runs_in_any_order_give_the_same_matches(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{name}.jsonl", begun(name), begun("z"), begun(f"{name}{name}")[3:9]) for name in "abc"]
    found = []
    for number, order in enumerate(([0, 1, 2], [2, 0, 1])):
        for place in order:
            ingest([files[place]], tmp_path / f"{number}.duckdb")
        which_file = ("raw_matches", "dim_matches", "ingested_files", "ingest_runs", "quarantine")
        found.append(contents(tmp_path / f"{number}.duckdb", *which_file, by_match=True))
    assert found[0] == found[1]
    assert {row[0] for row in found[0]["stg_match_started"]} == set("abcz")


def test_the_same_bytes_under_another_name_are_known_by_their_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", begun("a"), begun("b")[1:])], database)
    before = contents(database)
    monkeypatch.setattr(pipeline, "chunks", lambda *_, **__: pytest.fail("it was read"))
    summary = ingest([write(tmp_path / "copy.jsonl", begun("a"), begun("b")[1:])], database)
    assert (summary.matches, summary.skipped) == (0, 1)
    assert contents(database) == before


@pytest.mark.slow("every compression")
def test_compression_changes_only_the_record_of_the_file(tmp_path: Path) -> None:
    data = b"".join([*begun("a"), *begun("b")])
    for name, bytes_ in {
        "plain/x.jsonl": data,
        "gz/x.jsonl.gz": gzip.compress(data[:9000]) + gzip.compress(data[9000:]),
        "zst/x.jsonl.zst": zstandard.compress(data[:9000]) + zstandard.compress(data[9000:]),
    }.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(bytes_)
        ingest([tmp_path / name], tmp_path / f"{name[:2]}.duckdb")
    found = [
        contents(tmp_path / f"{name}.duckdb", "ingested_files", "ingest_runs", "raw_matches", "dim_matches")
        for name in ("pl", "gz", "zs")
    ]
    assert found[0] == found[1] == found[2]
    assert len(found[0]["stg_match_started"]) == 2


@pytest.mark.slow("another order")
def test_a_later_run_adds_its_matches_to_every_table(tmp_path: Path) -> None:
    logs = {"a": short("a"), "b": climbers_log("b", ("random", "random"))}
    files = [write(tmp_path / f"{name}.jsonl", lines) for name, lines in logs.items()]
    ingest(files, tmp_path / "once.duckdb")
    for file in files:
        ingest([file], tmp_path / "twice.duckdb")
    assert contents(tmp_path / "once.duckdb", "ingested_files", "ingest_runs") == contents(
        tmp_path / "twice.duckdb", "ingested_files", "ingest_runs"
    )


def test_a_batch_with_a_lost_event_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = load.by_table

    def lossy(chunks: Sequence[tuple[Events, Numbers]]) -> Iterator[tuple[str, pa.Table]]:
        return ((name, rows.slice(1) if name == "stg_climbers_turn_ended" else rows) for name, rows in tables(chunks))

    monkeypatch.setattr(load, "by_table", lossy)
    with pytest.raises(AssertionError, match="reached their tables"):
        ingest([write(tmp_path / "a.jsonl", short("a"))], tmp_path / "w.duckdb")
    assert rows(tmp_path / "w.duckdb", "SELECT count(*) FROM raw_matches") == [0]
