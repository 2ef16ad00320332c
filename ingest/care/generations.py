"""Generations of backups in a folder: a new one under its time, and of the old ones so many by day and by week.

Only files with names as `backup_name` makes them are ever removed, and those of a backup that was killed.
"""

import glob
import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

__all__ = ["Keep", "backup_name", "backups_in", "drop_old", "kept"]

TIME: Final = "%Y%m%dT%H%M%SZ"
KILLED: Final = timedelta(days=1)
"""A part of a backup this old is of one that was killed."""


@dataclass(frozen=True, slots=True)
class Keep:
    """How many days and weeks have a backup each: the last of it. The newest of all stays in any case."""

    daily: int = 0
    weekly: int = 0


def backup_name(database: Path, now: datetime) -> str:
    """Return the name of a backup that is made now, in UTC: `himalaya-20261125T030000Z.duckdb`."""
    return f"{database.stem}-{now.astimezone(UTC).strftime(TIME)}.duckdb"


def backups_in(folder: Path, database: Path) -> dict[datetime, Path]:
    """Return the backups of a database in a folder by their times, the oldest first."""
    name = re.compile(rf"{re.escape(database.stem)}-(\d{{8}}T\d{{6}}Z)\.duckdb")
    found = {path: name.fullmatch(path.name) for path in folder.iterdir()}
    times = {_time(match[1]): path for path, match in found.items() if match}
    return dict(sorted(times.items()))


def kept(times: Iterable[datetime], keep: Keep) -> set[datetime]:
    """Return the times whose backups stay: the last of each of the latest days and weeks that have any."""
    newest_first = sorted(times, reverse=True)
    stay = set(newest_first[:1])
    for number, period in ((keep.daily, datetime.date), (keep.weekly, _week)):
        stay |= set(_last_of_each(newest_first, period)[:number])
    return stay


def drop_old(folder: Path, database: Path, keep: Keep, now: datetime) -> list[Path]:
    """Remove the backups that do not stay, and parts of killed ones; return the backups removed."""
    there = backups_in(folder, database)
    stay = kept(there, keep)
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
