"""A lake derived from logs has the same figures as a warehouse, with any workers and after any interruption."""

import re
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import polars as pl
import pytest

from ingest.errors import WarehouseError
from ingest.maintenance.derive.run import derive
from ingest.maintenance.derive.task import derive_share
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from tests.forked import run
from tests.ingest.helping import begun, short, write
from tests.ingest.maintenance.deriving import Here, differing, write_logs
from tests.ingest.maintenance.lakes import brought

TOURNAMENT = "autumn"
QUARANTINE = "SELECT file, line, match, reason, message FROM quarantine WHERE resolved_in IS NULL"
DIES = """
import sys
from pathlib import Path
from ingest.maintenance.derive import run, task
from ingest.maintenance.lake import folder
from tests.ingest.maintenance.deriving import Here
from tests.ingest.maintenance.dying import die, dying

moment, logs, lake = sys.argv[1:]
if moment == "while a share is written":
    task.sync = dying(task.sync, 40)
elif moment == "before a share has its name":
    task.Done.write = dying(task.Done.write, 2)
elif moment == "while files are taken over":
    folder._give_second_name = dying(folder._give_second_name, 30)
elif moment == "before the next state is shown":
    folder.LakeFolder._turn = die
elif moment == "between the next state and its link":
    folder._link = die
elif moment == "before there are links to its tables":
    folder.LakeFolder._link = die
elif moment == "before the work is removed":
    folder.LakeFolder.tidy = die
run.derive([Path(logs)], Path(lake), Here(), tournament="autumn")
"""
BEFORE = [
    pytest.param("before a share has its name", marks=pytest.mark.soak("another moment of a kill")),
    pytest.param("while a share is written", marks=pytest.mark.soak("every moment of a kill")),
    pytest.param("while files are taken over", marks=pytest.mark.soak("every moment of a kill")),
    pytest.param("before the next state is shown", marks=pytest.mark.soak("every moment of a kill")),
    "between the next state and its link",
]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def warehouse(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A warehouse with all logs, its lake, and its summary."""
    folder = tmp_path_factory.mktemp("warehouse")
    with open_warehouse(folder / "w.duckdb") as opened:
        summary = take_in(opened, Request((logs,), tournament=TOURNAMENT, jobs=0), lambda _: None)
        with opened.reading() as connection:
            rows = connection.execute(
                "SELECT file, line, match, reason, message FROM quarantine WHERE resolved_in IS NULL ORDER BY ALL"
            )
            quarantine = rows.fetchall()
    brought(folder / "w.duckdb", folder / "lake")
    return {"lake": folder / "lake", "summary": summary, "quarantine": quarantine}


@pytest.fixture
def two_logs(tmp_path: Path) -> Path:
    """Logs that form two shares."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in "ab":
        write(folder / f"{name}.jsonl", begun(f"{name}.1"))
    return folder


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return tmp_path / "lake"


def derived(logs: Path, lake: Path, workers: Any = None, **more: Any) -> Any:
    return derive([logs], lake, workers or Here(), **{"tournament": TOURNAMENT, **more})


@pytest.mark.slow("every figure")
def test_a_derived_lake_has_the_figures_of_one_warehouse(logs: Path, lake: Path, warehouse: dict[str, Any]) -> None:
    done = derived(logs, lake, Here(2))
    assert done.shares > 3
    assert differing(lake, warehouse["lake"]) == {}
    found = pl.read_parquet(lake / "quarantine").select("file", "line", "match", "reason", "message")
    assert sorted(found.rows(), key=repr) == sorted(warehouse["quarantine"], key=repr)
    expected = warehouse["summary"]
    assert replace(done.summary, quarantined=()) == replace(expected, quarantined=())
    assert set(done.summary.quarantined) == set(expected.quarantined)


def test_the_same_logs_change_nothing_and_other_logs_rebuild_the_lake(lake: Path, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    write(folder / "a.jsonl", begun("a.1"))
    assert derived(folder, lake).is_new
    files = {path: path.stat().st_mtime_ns for path in lake.rglob("*")}
    again = Here()
    assert not derived(folder, lake, again).is_new
    assert again.given == []
    assert {path: path.stat().st_mtime_ns for path in lake.rglob("*")} == files
    next((lake / "dim_seats").iterdir()).unlink()
    assert derived(folder, lake).is_new
    write(folder / "b.jsonl", short("b.1"))
    (folder / "a.jsonl").unlink()
    done = derived(folder, lake)
    assert (done.is_new, done.matches) == (True, 1)
    assert pl.read_parquet(lake / "dim_matches")["match"].to_list() == ["b.1"]
    assert pl.read_parquet(lake / "dim_cohorts").height == 3


@pytest.mark.slow("another reason to derive")
def test_logs_without_a_match_do_not_empty_a_lake(lake: Path, tmp_path: Path) -> None:
    derived(write(tmp_path / "a.jsonl", begun("a.1")), lake)
    with pytest.raises(
        WarehouseError, match="the logs have no valid match, and the lake has 1 match; nothing was changed"
    ):
        derived(write(tmp_path / "b.jsonl", [b"no log\n"]), lake)
    assert pl.read_parquet(lake / "dim_matches")["match"].to_list() == ["a.1"]
    assert derived(tmp_path / "b.jsonl", tmp_path / "new").matches == 0


@pytest.mark.slow("another kill")
@pytest.mark.parametrize("moment", BEFORE)
def test_a_killed_run_shows_nothing_and_is_resumed(
    moment: str, logs: Path, lake: Path, warehouse: dict[str, Any]
) -> None:
    killed = run([sys.executable, "-c", DIES, moment, str(logs), str(lake)], text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not (lake / "dim_matches").exists()
    derived(logs, lake, again := Here())
    assert differing(lake, warehouse["lake"]) == {}
    assert not (lake / "_writing").exists()
    assert [each for each in again.given if hasattr(each, "share")]


AFTER = [
    pytest.param("before there are links to its tables", marks=pytest.mark.soak("another moment of a kill")),
    pytest.param("before the work is removed", marks=pytest.mark.soak("another moment of a kill")),
]


@pytest.mark.parametrize("moment", AFTER)
def test_a_run_killed_after_its_last_step_is_finished_by_the_next(moment: str, lake: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", begun("a.1"))
    killed = run([sys.executable, "-c", DIES, moment, str(path), str(lake)], text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert derived(path, lake).matches == 1
    assert pl.read_parquet(lake / "dim_matches")["match"].to_list() == ["a.1"]
    assert not (lake / "_writing").exists()


@pytest.mark.slow("another kill")
def test_finished_shares_are_not_repeated(two_logs: Path, lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def noted(job: Any) -> str | None:
        if made:
            return "the machine was needed elsewhere"
        made.append(job.to)
        return derive_share(job)

    monkeypatch.setattr("ingest.maintenance.derive.run.derive_share", noted)
    with pytest.raises(WarehouseError, match="needed elsewhere"):
        derived(two_logs, lake, Here(2))
    monkeypatch.setattr("ingest.maintenance.derive.run.derive_share", derive_share)
    monkeypatch.setattr("ingest.maintenance.derive.task.open_warehouse", opening := Mock(wraps=open_warehouse))
    done = derived(two_logs, lake, Here(2))
    assert opening.call_count == done.shares - 1 > 0


@pytest.mark.slow("another kill")
def test_half_finished_work_of_a_worker_is_not_used(two_logs: Path, lake: Path) -> None:
    class Forgetful(Here):
        """A pool that loses a file of the first share before the other shares are created."""

        def answers(self, function: Any, given: Any) -> Any:
            for place, answer in super().answers(function, given):
                if hasattr(given[0], "share") and place == len(given) - 1:
                    next((given[place].to / "raw_matches").iterdir()).unlink()
                yield place, answer

    with pytest.raises(WarehouseError, match="missing, though a worker wrote it"):
        derived(two_logs, lake, Forgetful(2))
    assert not (lake / "dim_matches").exists()
    assert derived(two_logs, lake, Here(2)).matches == 2
    assert sorted(pl.read_parquet(lake / "raw_matches")["match"]) == ["a.1", "b.1"]


@pytest.mark.slow("a log that changes meanwhile")
def test_a_log_that_changes_meanwhile_stops_the_run(lake: Path, tmp_path: Path) -> None:
    class Slow(Here):
        """A pool that delays the step between reading names and loading matches."""

        def answers(self, function: Any, given: Any) -> Any:
            if hasattr(given[0], "share"):
                write(tmp_path / "a.jsonl", begun("a.1"), begun("b.1"))
            yield from super().answers(function, given)

    write(tmp_path / "a.jsonl", begun("a.1"))
    expected = f"{tmp_path / 'a.jsonl'}: it changed while the logs were derived; run the same command again"
    with pytest.raises(WarehouseError, match=re.escape(expected)):
        derived(tmp_path / "a.jsonl", lake, Slow())
    assert not (lake / "dim_matches").exists()
    assert derived(tmp_path / "a.jsonl", lake).matches == 2


@pytest.mark.slow("another reason to derive")
def test_a_changed_manifest_rebuilds_the_lake(lake: Path, tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", begun("a.1"))
    manifest = tmp_path / "cup.tournament.json"
    manifest.write_text("{}")
    assert derived(tmp_path / "a.jsonl", lake).is_new
    assert not derived(tmp_path / "a.jsonl", lake).is_new
    manifest.write_text("{ }")
    assert derived(tmp_path / "a.jsonl", lake).is_new


@pytest.mark.slow("another reason to derive")
def test_lakes_from_a_database_and_from_logs_do_not_replace_each_other(
    lake: Path, warehouse: dict[str, Any], tmp_path: Path
) -> None:
    path = write(tmp_path / "a.jsonl", begun("a.1"))
    with pytest.raises(WarehouseError, match="a lake written by `himalaya lake` from a database; name another"):
        derived(path, warehouse["lake"])
    derived(path, lake)
    with pytest.raises(WarehouseError, match="a lake written by `himalaya derive` from logs; name another"):
        brought(warehouse["lake"].parent / "w.duckdb", lake)
    with pytest.raises(WarehouseError, match="has files, but is not a lake"):
        derived(path, tmp_path)
