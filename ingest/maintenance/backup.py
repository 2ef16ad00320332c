"""Backup, vacuum, compaction after small loads, backup retention, and the list of a warehouse's known copies."""

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
    """The last backup: its completion time (UTC), the file it was written to, and its size in bytes."""

    at: datetime
    file: str
    size: int


_notes = TypeAdapter(LastBackup)


def note_backup(database: Path, target: Path) -> None:
    """Record a completed backup in a note next to the database; if that fails, as on a read-only disk, log it."""
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
    """Return the last recorded backup, if any."""
    try:
        return _notes.validate_json(_note(database).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _note(database: Path) -> Path:
    file = database.resolve()
    return file.with_name(f"{file.name}{SUFFIX}")


MODE: Final = 0o600
"""Permissions of a copy: only for its owner, because it holds all data of the database."""


def back_up(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a consistent copy of the warehouse to a file: the operation `backup`.

    Arguments: `file`, and `force` to overwrite it. The copy includes the contents of the app store. Returns `file`,
    `size` in bytes, `schema` (the version), and the number of `rows` by table.
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
    """Return the change that stores the app store's contents in the copy."""
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
    """Give a new file its final name. Raises `WarehouseError` if another program has taken the name in the meantime."""
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
    """Rewrite the warehouse and the app store, compact and sorted: the operation `vacuum`.

    Returns the sizes `before` and `after` in bytes, and the number of `rows` by table.
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
    """Return the name of a temporary file next to a database.

    A file of that name left by a killed process is overwritten.
    """
    database = database.resolve()
    return database.with_name(f".{database.name}.{why}")


def take_place(warehouse: Warehouse, new: Path, *, keep: bool = False) -> None:
    """Replace the file of an open warehouse by a new one; with `keep`, the old file stays next to it."""
    try:
        with explained(warehouse.database, warehouse.database), warehouse.put_away():
            swap(warehouse.database.resolve(), new, keep=keep)
    except BaseException:
        remove(new)
        raise


def swap(database: Path, new: Path, *, keep: bool) -> None:
    """Replace a database file that no process has open; see `take_place` for one that this process has open."""
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
        shutil.rmtree(f"{database}.tmp", ignore_errors=True)  # temporary files that DuckDB writes when memory is short


def _keep(database: Path) -> None:
    """Keep the database under a second name, as a hard link or a copy."""
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
"""Minimum seconds between two compactions of the file."""
SMALL: Final = 256 << 20
"""Maximum size in bytes of a file that is compacted."""
LOOSE: Final = 4
"""A file is compacted if at least one block in this many is free or holds a row group that is not full."""
BLOCKS: Final = """
SELECT block_size, total_blocks, free_blocks FROM pragma_database_size() WHERE database_name = current_database()
"""
TABLES: Final = """
SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary AND estimated_size > 0
"""
GROUPS: Final = "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('{table}')"
FULL: Final = f"SELECT ceil(count(*) / {ROW_GROUP}) FROM {{table}}"


class Compaction:
    """Compacts a warehouse, at most once per `INTERVAL`."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._rewritten = float("-inf")

    def when_quiet(self, go_on: Callable[[], None]) -> None:
        """Checkpoint the write-ahead log, and compact the file if much of it is unused.

        An exception from `go_on` stops the compaction and leaves the file unchanged.
        """
        with self._warehouse.writing() as connection:
            try:
                connection.execute("CHECKPOINT")
            except duckdb.TransactionException:
                return  # another transaction is open; the next call tries again
            is_loose = _is_loose(connection)
        due = time.monotonic() - self._rewritten >= INTERVAL
        if is_loose and due and not self._warehouse.backpressure.has_readers:
            try:
                vacuum(self._warehouse, {}, lambda _: go_on())
            except WarehouseError as error:
                log.warning("the database could not be compacted: %s", error)
            self._rewritten = time.monotonic()


def _is_loose(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the file is small enough to be compacted and much of it is unused."""
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
"""Age from which an unfinished backup file counts as left over from a killed backup."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Backup retention: how many of the last backups of a day, and of the last backups of a week, are kept."""

    daily: int = 0
    weekly: int = 0


def backup_name(database: Path, now: datetime) -> str:
    """Return the file name of a backup made at this time, in UTC: `himalaya-20261125T030000Z.duckdb`."""
    return f"{database.stem}-{now.astimezone(UTC).strftime(TIME)}.duckdb"


def backups_in(folder: Path, database: Path) -> dict[datetime, Path]:
    """Return the database's backups in a folder by time, oldest first."""
    name = re.compile(rf"{re.escape(database.stem)}-(\d{{8}}T\d{{6}}Z)\.duckdb")
    found = {path: name.fullmatch(path.name) for path in folder.iterdir()}
    times = {_time(match[1]): path for path, match in found.items() if match}
    return dict(sorted(times.items()))


def retained(times: Iterable[datetime], keep: Keep) -> set[datetime]:
    """Return the times of the backups to keep: the last one of each of the most recent days and weeks."""
    newest_first = sorted(times, reverse=True)
    stay = set(newest_first[:1])
    for number, period in ((keep.daily, datetime.date), (keep.weekly, _week)):
        stay |= set(_last_of_each(newest_first, period)[:number])
    return stay


def drop_old(folder: Path, database: Path, keep: Keep, now: datetime) -> list[Path]:
    """Remove expired backups and unfinished files of killed ones; return the removed backups."""
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
    """Return the files next to a database with names that begin with its name."""
    database = database.resolve()
    name = glob.escape(database.name)
    found = (path for pattern in (f"{name}.*", f".{name}.*") for path in database.parent.glob(pattern))
    return sorted(path for path in found if path.is_file())


def last_forgetting(store: AppStore) -> datetime | None:
    """Return the time (UTC) when data was last forgotten, from the audit log; `None` if never."""
    with store.reading() as connection:
        ((at,),) = connection.execute(FORGOTTEN).fetchall()
    return None if at is None else as_moment(at)


def written_before(store: AppStore, database: Path, moment: datetime) -> list[str]:
    """Return the existing backups and lakes that were last written before a given time."""
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
