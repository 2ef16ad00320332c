"""Backup retention keeps the last backup of some days and weeks, and does not touch other files in the folder."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from himalaya_core.cli.main import main
from ingest.maintenance.backup import Keep, backup_name, backups_in, drop_old, retained
from ingest.opening import open_warehouse

NOW = datetime(2026, 11, 25, 3, tzinfo=UTC)  # a Wednesday
DATABASE = Path("himalaya.duckdb")


def nightly(nights: int) -> list[datetime]:
    return [NOW - timedelta(days=back) for back in range(nights)]


@pytest.mark.parametrize(
    ("keep", "days_back"),
    [
        (Keep(daily=3), [0, 1, 2]),
        (Keep(weekly=3), [0, 3, 10]),  # this Wednesday and two Sundays
        (Keep(daily=7, weekly=4), [0, 1, 2, 3, 4, 5, 6, 10, 17]),
        (Keep(), [0]),
    ],
    ids=str,
)
def test_the_last_backups_of_days_and_weeks_stay(keep: Keep, days_back: list[int]) -> None:
    assert retained(nightly(60), keep) == {NOW - timedelta(days=back) for back in days_back}


def test_the_last_backup_of_a_day_stays() -> None:
    hours = [NOW - timedelta(hours=back) for back in range(30)]
    assert retained(hours, Keep(daily=2)) == {NOW, NOW.replace(hour=0) - timedelta(hours=1)}


def test_days_without_a_backup_do_not_count() -> None:
    """A machine that was off for a month does not lose all its backups."""
    old = [NOW - timedelta(days=back) for back in (40, 41, 42)]
    assert retained([NOW, *old], Keep(daily=3)) == {NOW, *old[:2]}


def test_other_files_are_not_removed(tmp_path: Path) -> None:
    others = ("notes.txt", "other-20200101T000000Z.duckdb", "himalaya-monday.duckdb", "himalaya-20200101.duckdb")
    for name in (*others, *(backup_name(DATABASE, time) for time in nightly(4))):
        (tmp_path / name).touch()
    removed = drop_old(tmp_path, DATABASE, Keep(daily=2), NOW)
    assert [path.name for path in removed] == ["himalaya-20261122T030000Z.duckdb", "himalaya-20261123T030000Z.duckdb"]
    assert {path.name for path in tmp_path.iterdir()} >= set(others)
    assert list(backups_in(tmp_path, DATABASE)) == [NOW - timedelta(days=1), NOW]


def test_leftovers_of_a_killed_backup_are_removed_and_a_running_one_stays(tmp_path: Path) -> None:
    old, new = (tmp_path / f".himalaya-{day}T030000Z.duckdb.partial" for day in ("20261120", "20261125"))
    for part, time in ((old, NOW - timedelta(days=5)), (new, NOW)):
        part.touch()
        os.utime(part, (time.timestamp(), time.timestamp()))
    drop_old(tmp_path, DATABASE, Keep(daily=1), NOW)
    assert (old.exists(), new.exists()) == (False, True)


def test_brackets_in_a_name_are_brackets(tmp_path: Path) -> None:
    old, another = (tmp_path / f".himalaya{name}-20261120T030000Z.duckdb.partial" for name in ("[1]", "1"))
    for part in (old, another):
        part.touch()
        os.utime(part, (0, 0))
    drop_old(tmp_path, Path("himalaya[1].duckdb"), Keep(daily=1), NOW)
    assert (old.exists(), another.exists()) == (False, True)


def test_the_command_keeps_the_requested_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database, folder = tmp_path / "himalaya.duckdb", tmp_path / "backups"
    open_warehouse(database).close()
    assert main(["backup", str(folder), "--keep-daily", "2", "--db", str(database)]) == 2
    assert "no such folder; make it first" in capsys.readouterr().err
    folder.mkdir()
    for day in ("20010101", "20010102"):
        (folder / f"himalaya-{day}T030000Z.duckdb").touch()
    assert main(["backup", str(folder), "--keep-daily", "2", "--db", str(database)]) == 0
    assert "1 older backup removed, 2 kept" in capsys.readouterr().out
    newest = list(backups_in(folder, database).values())[-1]
    assert main(["check", "--db", str(newest)]) == 0
