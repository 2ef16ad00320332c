"""A run of ingest: its progress, stopping, and dry runs."""

import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from ingest import pipeline, transactions
from ingest.errors import WarehouseError
from ingest.load import load
from ingest.load import rejected as rejection
from ingest.load.summary import Progress, Summary
from ingest.opening import open_warehouse
from ingest.pipeline import Request, ingest, ingest_logs, take_in
from tests.ingest.helping import begun, contents, each_alone, rows, short, write

NAMES = "abcde"


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put every file into a separate batch."""
    monkeypatch.setattr(load, "BATCH_EVENTS", 1)
    monkeypatch.setattr(pipeline, "grouped", each_alone)


def filled(folder: Path) -> Path:
    """Return a folder with five logs and another file."""
    folder.mkdir()
    for name in NAMES:
        write(folder / f"{name}.jsonl", begun(name))
    write(folder / "x.jsonl", short("x")[1:])
    return folder


def nothing(_: Progress) -> None:
    return None


@pytest.mark.parametrize("portion", [1, 1_000_000])
def test_a_large_batch_is_committed_to_the_file_and_a_small_one_to_the_log(
    portion: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "PORTION_EVENTS", portion)
    monkeypatch.setattr(transactions, "LARGE", "1KB")
    setting = "SELECT current_setting('checkpoint_threshold')"
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        with warehouse.reading() as connection:
            before = connection.execute(setting).fetchall()
        take_in(warehouse, Request((filled(tmp_path / "logs"),)), nothing)
        log_of_file = tmp_path / "w.duckdb.wal"
        assert (not log_of_file.exists() or log_of_file.stat().st_size == 0) == (portion == 1)
        with warehouse.reading() as connection:
            assert connection.execute(setting).fetchall() == before


def test_only_the_last_of_several_batches_bypasses_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    past: list[object] = []
    monkeypatch.setattr(pipeline, "grouped", each_alone)
    monkeypatch.setattr(load, "written_once", lambda _: nullcontext(past.append(len(loads))))
    monkeypatch.setattr(load, "PORTION_EVENTS", 1)
    monkeypatch.setattr(load, "BATCH_EVENTS", 2 * (len(begun("a")) + load.MATCH_EVENTS))
    loads: list[object] = []
    work = load.Loader.load
    monkeypatch.setattr(load.Loader, "load", lambda self, **how: (loads.append(self), work(self, **how)))
    ingest([filled(tmp_path / "logs")], tmp_path / "w.duckdb")
    assert len(loads) == 3
    assert past == [3]


# --- A dry run


@pytest.mark.slow("many batches")
@pytest.mark.usefixtures("one_by_one")
def test_a_dry_run_of_many_batches_predicts_the_run_and_changes_nothing(tmp_path: Path) -> None:
    logs, database = filled(tmp_path / "logs"), tmp_path / "w.duckdb"
    write(logs / "y.jsonl", begun("a"), short("b", luck="other"), short("f")[:100])
    write(logs / "z.jsonl", short("f"), short("x"))
    ingest([logs / "a.jsonl"], database)
    before = contents(database)
    with open_warehouse(database) as warehouse:
        tried = take_in(warehouse, Request((logs,), dry_run=True), nothing)
    assert contents(database) == before
    with open_warehouse(database) as warehouse:
        done = take_in(warehouse, Request((logs,)), nothing)
    assert tried.as_json() == done.as_json() | {"dry_run": True}
    assert (done.matches, done.completed, done.skipped, done.put_aside, done.resolved) == (6, 1, 2, 1, 1)


@pytest.mark.slow("stopped by a person, as by a kill")
@pytest.mark.usefixtures("one_by_one")
def test_a_dry_run_that_fails_changes_nothing_either(tmp_path: Path) -> None:
    logs, database = filled(tmp_path / "logs"), tmp_path / "w.duckdb"
    ingest([logs / "a.jsonl"], database)
    before = contents(database)
    seen: list[Progress] = []

    def stop(progress: Progress) -> None:
        seen.append(progress)
        if progress.matches == 3:
            raise KeyboardInterrupt

    with open_warehouse(database) as warehouse, pytest.raises(KeyboardInterrupt):
        take_in(warehouse, Request((logs,), dry_run=True), stop)
    assert [progress.matches for progress in seen] == [1, 2, 3]
    assert contents(database) == before


# --- A stopped run


@pytest.mark.slow("stopped by a person, as by a kill")
@pytest.mark.usefixtures("one_by_one")
def test_a_stopped_run_keeps_its_batches_and_the_next_loads_the_rest(tmp_path: Path) -> None:
    logs = filled(tmp_path / "logs")

    def stop(progress: Progress) -> None:
        if progress.matches == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest([logs], tmp_path / "stopped.duckdb", progress=stop)
    assert rows(tmp_path / "stopped.duckdb", "SELECT match FROM dim_matches ORDER BY 1") == ["a", "b"]
    summary = ingest([logs], tmp_path / "stopped.duckdb")
    assert (summary.matches, summary.skipped, summary.put_aside) == (3, 2, 1)
    ingest([logs], tmp_path / "at-once.duckdb")
    stopped, at_once = (contents(tmp_path / f"{name}.duckdb", "ingest_runs") for name in ("stopped", "at-once"))
    assert stopped == at_once


# --- Messages of a run


@pytest.mark.usefixtures("one_by_one")
def test_progress_counts_committed_bytes_and_ends_at_the_last(tmp_path: Path) -> None:
    logs = filled(tmp_path / "logs")
    seen: list[Progress] = []
    ingest([logs], tmp_path / "w.duckdb", progress=seen.append)
    assert [progress.matches for progress in seen] == [1, 2, 3, 4, 5, 5, 5]
    assert (seen[-1].put_aside, seen[-1].bytes_read) == (1, seen[-1].bytes_total)
    again: list[Progress] = []
    ingest([logs], tmp_path / "w.duckdb", progress=again.append)
    assert again[-1].bytes_read == again[-1].bytes_total == seen[-1].bytes_total


def test_a_run_names_a_limited_number_of_problems_and_counts_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rejection, "MOST_NAMED", 3)
    bad = [short(name)[1:9] for name in NAMES]
    summary = ingest([write(tmp_path / "x.jsonl", *bad)], tmp_path / "w.duckdb")
    assert (summary.put_aside, len(summary.quarantined)) == (5, 3)
    assert rows(tmp_path / "w.duckdb", "SELECT count(*) FROM quarantine") == [5]


def test_a_summary_fits_one_screen(tmp_path: Path) -> None:
    bad = [[b'{"match":"x.%d"}\n' % number] for number in range(25)]
    lines = str(ingest([write(tmp_path / "x.jsonl", *bad)], tmp_path / "w.duckdb")).splitlines()
    assert len(lines) == 23
    assert lines[1] == "25 quarantined:"
    assert lines[-1] == "  and 5 more; `himalaya quarantine list` shows all"


def test_a_summary_comes_back_from_json_as_it_was(tmp_path: Path) -> None:
    logs = filled(tmp_path / "logs")
    (logs / "nowhere.jsonl").symlink_to("nothing")
    write(logs / "g.jsonl.partial", begun("g"))
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        written = ingest_logs(warehouse, {"paths": [str(logs)]}, lambda _: None)
    summary = Summary.read(written)
    assert summary.as_json() == written
    assert (summary.files, summary.matches, summary.put_aside) == (6, 5, 1)
    assert [path.name for path in summary.unfinished] == ["g.jsonl.partial"]
    assert [failure.file.name for failure in summary.failed] == ["nowhere.jsonl"]


def test_a_file_is_kept_under_the_name_that_it_is_given(tmp_path: Path) -> None:
    spooled, database = write(tmp_path / "spooled", short("a"), short("b")[1:]), tmp_path / "w.duckdb"
    request = Request((spooled,), names={spooled: "standard input"})
    with open_warehouse(database) as warehouse:
        summary = take_in(warehouse, request, nothing)
        again = take_in(warehouse, request, nothing)
    assert str(summary.quarantined[0]).startswith(f"standard input:{len(short('a')) + 1}: ")
    assert (again.skipped, again.known) == (1, 1)
    assert rows(database, "SELECT file FROM raw_matches") == ["standard input"]


def test_nothing_to_read_makes_no_database(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match="no such file"):
        ingest([tmp_path / "nowhere.jsonl"], tmp_path / "w.duckdb")
    assert list(tmp_path.iterdir()) == []


# --- Several runs with the same files


def test_a_copied_file_in_a_later_run_is_counted_once(tmp_path: Path) -> None:
    logs, database = filled(tmp_path / "logs"), tmp_path / "w.duckdb"
    ingest([logs], database)
    shutil.copytree(logs, tmp_path / "copies")
    before = contents(database)
    summary = ingest([tmp_path / "copies", logs], database)
    assert (summary.files, summary.matches, summary.skipped) == (12, 0, 10)
    assert contents(database) == before
