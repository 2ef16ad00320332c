"""Backup and vacuum, compaction after small loads, retention of backups, and the known copies of a warehouse."""

import glob
import json
import logging
import os
import re
import shutil
import time
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl
from pydantic import TypeAdapter, ValidationError

from ingest.app_store import AppStore, as_moment, store_file
from ingest.errors import WarehouseError, plain_reason
from ingest.files import sync
from ingest.maintenance.rewrite import Change, explained, one_at_a_time, remove, unlocked, write_again
from ingest.people.pairing import BEFORE_RESTORE, packed
from ingest.tables.definitions import SCHEMA_VERSION
from ingest.warehouse import ROW_GROUP, Report, Warehouse

__all__ = [
    "Compaction",
    "Keep",
    "LastBackup",
    "back_up",
    "backup_name",
    "backups_in",
    "beside",
    "drop_old",
    "files_beside",
    "last_backup",
    "last_forgetting",
    "note_backup",
    "retained",
    "swap",
    "take_place",
    "vacuum",
    "written_before",
]


SUFFIX: Final = ".backup.json"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LastBackup:
    """Completion time (UTC) of a backup, the file it was written to, and its size in bytes."""

    at: datetime
    file: str
    size: int


_notes = TypeAdapter(LastBackup)


def note_backup(database: Path, target: Path) -> None:
    """Note a completed backup; if no note can be written, as on a read-only disk, log that."""
    noted = LastBackup(datetime.now(UTC), str(target), target.stat().st_size)
    note = _note(database)
    partial = note.with_name(f".{note.name}.partial")
    try:
        partial.write_text(json.dumps(asdict(noted), default=str))
        partial.chmod(0o600)
        partial.replace(note)
    except OSError as error:
        log.warning("the backup is complete, but its time could not be noted: %s", plain_reason(error))


def last_backup(database: Path) -> LastBackup | None:
    """Return the last backup in the note."""
    try:
        return _notes.validate_json(_note(database).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _note(database: Path) -> Path:
    file = database.resolve()
    return file.with_name(f"{file.name}{SUFFIX}")


MODE: Final = 0o600
"""Mode of a copy: private, as it holds all data of the database."""


def back_up(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a copy of this moment to a file: the operation `backup`.

    Arguments: `file`, `force` to overwrite it. The copy includes the contents of the app store. Returns `file`, `size`
    in bytes, `schema`, `rows` by table.
    """
    target = Path(arguments["file"])
    _check_target(target, warehouse.database, force=bool(arguments.get("force")))
    partial = target.with_name(f".{target.name}.partial")
    if warehouse.app.problem:
        raise WarehouseError(warehouse.app.problem)
    with one_at_a_time, explained(target, warehouse.database):
        rows = write_again(warehouse, partial, report, _with_contents(packed(warehouse.app)))
        try:
            partial.chmod(MODE)
            if arguments.get("force"):
                partial.replace(target)
            else:
                _name_for_the_first_time(partial, target)
        except BaseException:
            remove(partial)
            raise
        sync(target.parent)
        note_backup(warehouse.database, target)
        return {"file": str(target), "size": target.stat().st_size, "schema": SCHEMA_VERSION, "rows": rows}


def _with_contents(contents: bytes) -> Change:
    """Return the change that puts the app store into a copy."""
    relation = "SELECT warehouse, frame.contents FROM app_store, packed_store AS frame"
    return Change({"app_store": relation}, {"packed_store": pl.DataFrame({"contents": [contents]})})


def _check_target(target: Path, database: Path, *, force: bool) -> None:
    if target.is_dir():
        raise WarehouseError(f"{target}: a folder; name a file in it, or add --keep-daily or --keep-weekly")
    if not target.parent.is_dir():
        raise WarehouseError(f"{target.parent}: no such folder; make it first")
    if target.exists():
        if target.samefile(database):
            raise WarehouseError(f"{target}: the database itself; name another file")
        if not force:
            raise WarehouseError(f"{target}: exists already; name another file, or overwrite it with --force")


def _name_for_the_first_time(partial: Path, target: Path) -> None:
    """Name a new file, unless the name was taken meanwhile."""
    try:
        os.link(partial, target)
    except FileExistsError:
        raise WarehouseError(f"{target}: another program has made it meanwhile; name another file") from None
    except OSError:  # a disk without hard links
        partial.rename(target)
    else:
        partial.unlink()


# --- Replacing the warehouse


def vacuum(warehouse: Warehouse, _: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write the warehouse again, compact and in order, and the app store: the operation `vacuum`.

    Returns the sizes `before` and `after` in bytes, and `rows` by table.
    """
    with one_at_a_time, warehouse.sole_writer():
        before = _size(warehouse.database)
        new = beside(warehouse.database)
        rows = write_again(warehouse, new, report)
        take_place(warehouse, new)
        if not warehouse.app.read_only:
            warehouse.app.compact()
        return {"before": before, "after": _size(warehouse.database), "rows": rows}


def beside(database: Path, why: str = "new") -> Path:
    """Return the name for a new file next to a database; remains of a killed process are overwritten."""
    database = database.resolve()
    return database.with_name(f".{database.name}.{why}")


def take_place(warehouse: Warehouse, new: Path, *, keep: bool = False) -> None:
    """Replace the warehouse in use by a file; with `keep` the old file stays next to it."""
    try:
        with explained(warehouse.database, warehouse.database), warehouse.put_away():
            swap(warehouse.database.resolve(), new, keep=keep)
    except BaseException:
        remove(new)
        raise


def swap(database: Path, new: Path, *, keep: bool) -> None:
    """Replace a database that no process has open by a file; `take_place` is for one that is open here."""
    with unlocked(database):
        if keep and database.exists():
            _keep(database)
        elif (wal := Path(f"{database}.wal")).exists():
            raise WarehouseError(f"{wal}: has data that is not in the database yet; make room and try again")
        new.replace(database)
        sync(database.parent)
        restored = beside(database, "restore")
        for left in {beside(database), restored, beside(restored)} - {new}:
            remove(left)
        shutil.rmtree(f"{database}.tmp", ignore_errors=True)  # DuckDB's temporary files, written when memory was short


def _keep(database: Path) -> None:
    """Give the file a second name, under which it is kept."""
    kept = Path(f"{database}{BEFORE_RESTORE}")
    remove(kept)
    store_file(kept).unlink(missing_ok=True)
    try:
        os.link(database, kept)
    except OSError:  # a disk without hard links
        shutil.copy2(database, kept)
        sync(kept)
    with suppress(FileNotFoundError):
        Path(f"{database}.wal").replace(f"{kept}.wal")


def _size(database: Path) -> int:
    return database.stat().st_size


INTERVAL: Final = 1800.0
"""Minimum seconds between two rewrites of the file."""
SMALL: Final = 256 << 20
"""Maximum size of a file that is rewritten, in bytes."""
LOOSE: Final = 4
"""A file is rewritten if one block in this many is free or holds a row group that is not full."""
BLOCKS: Final = """
SELECT block_size, total_blocks, free_blocks FROM pragma_database_size() WHERE database_name = current_database()
"""
TABLES: Final = """
SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary AND estimated_size > 0
"""
GROUPS: Final = "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('{table}')"
FULL: Final = f"SELECT ceil(count(*) / {ROW_GROUP}) FROM {{table}}"


class Compaction:
    """Compacts one warehouse, at most once in `INTERVAL`."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._rewritten = float("-inf")

    def when_quiet(self, go_on: Callable[[], None]) -> None:
        """Checkpoint the write-ahead log, and rewrite the file if much of it is unused.

        An exception from `go_on` stops the rewrite and leaves the file unchanged.
        """
        with self._warehouse.writing() as connection:
            try:
                connection.execute("CHECKPOINT")
            except duckdb.TransactionException:
                return  # another transaction is open; try next time
            is_loose = _is_loose(connection)
        due = time.monotonic() - self._rewritten >= INTERVAL
        if is_loose and due and not self._warehouse.backpressure.has_readers:
            try:
                vacuum(self._warehouse, {}, lambda _: go_on())
            except WarehouseError as error:
                log.warning("the database could not be compacted: %s", error)
            self._rewritten = time.monotonic()


def _is_loose(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the file is small and much of it unused."""
    ((size, total, free),) = connection.execute(BLOCKS).fetchall()
    if size * total > SMALL:
        return False
    tables = [name for (name,) in connection.execute(TABLES).fetchall()]
    spare = sum(max(_one(connection, GROUPS, table) - _one(connection, FULL, table), 0) for table in tables)
    return bool(LOOSE * (free + spare) > total)


def _one(connection: duckdb.DuckDBPyConnection, sql: str, table: str) -> Any:
    ((value,),) = connection.execute(sql.format(table=table)).fetchall()
    return value


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
    for moment in newest_first:
        last.setdefault(period(moment), moment)
    return list(last.values())


def _week(time: datetime) -> tuple[int, int]:
    return time.isocalendar()[:2]


def _time(text: str) -> datetime:
    return datetime.strptime(text, TIME).replace(tzinfo=UTC)


MADE: Final = """
SELECT what, max(last_at) FROM audit WHERE action IN ('backup', 'lake') AND outcome = 'done' GROUP BY what
"""
FORGOTTEN: Final = "SELECT max(last_at) FROM audit WHERE action = 'forget' AND outcome = 'done'"
BUCKET: Final = "s3://"


def files_beside(database: Path) -> list[Path]:
    """Return the files in the folder of a database that are named after it."""
    database = database.resolve()
    name = glob.escape(database.name)
    found = (path for pattern in (f"{name}.*", f".{name}.*") for path in database.parent.glob(pattern))
    return sorted(path for path in found if path.is_file())


def last_forgetting(store: AppStore) -> datetime | None:
    """Return the time of the last forgetting (UTC) that the audit shows."""
    with store.reading() as connection:
        ((at,),) = connection.execute(FORGOTTEN).fetchall()
    return None if at is None else as_moment(at)


def written_before(store: AppStore, database: Path, moment: datetime) -> list[str]:
    """Return the existing backups and lakes that were last written before a moment."""
    with store.reading() as connection:
        noted = {what: as_moment(at) for what, at in connection.execute(MADE).fetchall()}
    if last := last_backup(database):
        noted[last.file] = last.at
    folders = {database.resolve().parent, *(Path(what).parent for what in noted if not what.startswith(BUCKET))}
    readable = [folder for folder in folders if os.access(folder, os.R_OK | os.X_OK)]
    named = {str(path): at for folder in readable for at, path in backups_in(folder, database).items()}
    return sorted(
        what for what, at in (named | noted).items() if at < moment and (what.startswith(BUCKET) or Path(what).exists())
    )
