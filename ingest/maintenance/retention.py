"""Retention of backups in a folder: new ones are named by their time, old ones kept by day and by week.

Removes only files named as `backup_name` names them, and parts of killed backups.
"""

import glob
import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

__all__ = ["Keep", "backup_name", "backups_in", "drop_old", "retained"]

TIME: Final = "%Y%m%dT%H%M%SZ"
KILLED: Final = timedelta(days=1)
"""Age at which an unfinished part belongs to a killed backup."""


@dataclass(frozen=True, slots=True)
class Keep:
    """How many days and weeks keep their last backup. The newest backup is always kept."""

    daily: int = 0
    weekly: int = 0


def backup_name(database: Path, now: datetime) -> str:
    """Return the file name of a backup made now, in UTC: `himalaya-20261125T030000Z.duckdb`."""
    return f"{database.stem}-{now.astimezone(UTC).strftime(TIME)}.duckdb"


def backups_in(folder: Path, database: Path) -> dict[datetime, Path]:
    """Return the database's backups in a folder by time, oldest first."""
    name = re.compile(rf"{re.escape(database.stem)}-(\d{{8}}T\d{{6}}Z)\.duckdb")
    found = {path: name.fullmatch(path.name) for path in folder.iterdir()}
    times = {_time(match[1]): path for path, match in found.items() if match}
    return dict(sorted(times.items()))


def retained(times: Iterable[datetime], keep: Keep) -> set[datetime]:
    """Return the times of backups to keep: the last one of each of the latest days and weeks."""
    newest_first = sorted(times, reverse=True)
    stay = set(newest_first[:1])
    for number, period in ((keep.daily, datetime.date), (keep.weekly, _week)):
        stay |= set(_last_of_each(newest_first, period)[:number])
    return stay


def drop_old(folder: Path, database: Path, keep: Keep, now: datetime) -> list[Path]:
    """Remove expired backups and parts of killed ones; return the removed backups."""
    there = backups_in(folder, database)
    stay = retained(there, keep)
    removed = [path for time, path in there.items() if time not in stay]
    for path in removed:
        path.unlink(missing_ok=True)
    for part in folder.glob(f".{glob.escape(database.stem)}-*.duckdb.partial*"):
        if now.timestamp() - part.stat().st_mtime > KILLED.total_seconds():
            part.unlink(missing_ok=True)
    return removed


def _last_of_each(newest_first: Iterable[datetime], period: Callable[[datetime], Hashable]) -> list[datetime]:
    last: dict[Hashable, datetime] = {}
    for time in newest_first:
        last.setdefault(period(time), time)
    return list(last.values())


def _week(time: datetime) -> tuple[int, int]:
    return time.isocalendar()[:2]


def _time(text: str) -> datetime:
    return datetime.strptime(text, TIME).replace(tzinfo=UTC)
