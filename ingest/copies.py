"""Copies of a warehouse: backup, restore and vacuum.

A backup is the state of one moment, written while others read and take logs in. A restored or rewritten warehouse is
whole and on the disk before it takes the name of the one in use, in one step; killed at any time, the name stands for
one or the other.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from ingest.durable import sync
from ingest.owner import Owner
from ingest.rewrite import one_at_a_time, read_through, remove, told, unlocked, write_again
from ingest.tables import SCHEMA_VERSION
from ingest.warehouse import Report, Warehouse, WarehouseError, WarehouseInUse, open_warehouse

__all__ = ["BEFORE_RESTORE", "back_up", "beside", "restore", "restore_database", "take_place", "vacuum"]

BEFORE_RESTORE: Final = ".before-restore"
BLOCK: Final = 8 << 20


def back_up(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a copy of this moment to a file: the operation `backup`. Arguments: `file`, `force` to replace one.

    Returns `file`, `size` in bytes, `schema`, `rows` by table.
    """
    target = Path(arguments["file"])
    _check_target(target, warehouse.database, force=bool(arguments.get("force")))
    partial = target.with_name(f".{target.name}.partial")
    with one_at_a_time, told(target, warehouse.database):
        rows = write_again(warehouse, partial, report)
        try:
            if arguments.get("force"):
                partial.replace(target)
            else:
                _name_for_the_first_time(partial, target)
        except BaseException:
            remove(partial)
            raise
        sync(target.parent)
        return {"file": str(target), "size": target.stat().st_size, "schema": SCHEMA_VERSION, "rows": rows}


def _check_target(target: Path, database: Path, *, force: bool) -> None:
    if target.is_dir():
        raise WarehouseError(f"{target}: is a folder; name a file")
    if not target.parent.is_dir():
        raise WarehouseError(f"{target.parent}: no such folder; make it first")
    if target.exists():
        if target.samefile(database):
            raise WarehouseError(f"{target}: is the database itself; name another file")
        if not force:
            raise WarehouseError(f"{target}: is there already; name another file, or replace it with --force")


def _name_for_the_first_time(partial: Path, target: Path) -> None:
    """Give a file its name unless another has taken it meanwhile."""
    try:
        os.link(partial, target)
    except FileExistsError:
        raise WarehouseError(f"{target}: was made by somebody else meanwhile; name another file") from None
    except OSError:  # a disk on which a file can't have two names
        partial.rename(target)
    else:
        partial.unlink()


# --- Another file takes the warehouse's place


def vacuum(warehouse: Warehouse, _: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write the warehouse again, compact and in order: the operation `vacuum`.

    Returns the sizes `before` and `after` in bytes, and `rows` by table.
    """
    with one_at_a_time, warehouse.sole_writer():
        before = _size(warehouse.database)
        new = beside(warehouse.database)
        rows = write_again(warehouse, new, report)
        take_place(warehouse, new)
        return {"before": before, "after": _size(warehouse.database), "rows": rows}


def beside(database: Path, why: str = "new") -> Path:
    """Return the name of a file in the making; one that a killed process left is overwritten by the next try."""
    database = database.resolve()
    return database.with_name(f".{database.name}.{why}")


def take_place(warehouse: Warehouse, new: Path, *, keep: bool = False) -> None:
    """Let a file take the place of the warehouse in use, which stays beside it if it is to be kept."""
    try:
        with told(warehouse.database, warehouse.database), warehouse.put_away():
            _swap(warehouse.database.resolve(), new, keep=keep)
    except BaseException:
        remove(new)
        raise


def _swap(database: Path, new: Path, *, keep: bool) -> None:
    with unlocked(database):
        if keep and database.exists():
            _keep(database)
        elif (wal := Path(f"{database}.wal")).exists():
            raise WarehouseError(f"{wal}: holds what could not be written into the database; make room and try again")
        new.replace(database)
        sync(database.parent)
        for left in {beside(database), beside(database, "restore")} - {new}:
            remove(left)
        shutil.rmtree(f"{database}.tmp", ignore_errors=True)  # what DuckDB put on the disk when memory was short


def _keep(database: Path) -> None:
    """Give the file a second name, under which it stays."""
    kept = Path(f"{database}{BEFORE_RESTORE}")
    remove(kept)
    try:
        os.link(database, kept)
    except OSError:  # a disk on which a file can't have two names
        shutil.copy2(database, kept)
        sync(kept)
    with suppress(FileNotFoundError):
        Path(f"{database}.wal").replace(f"{kept}.wal")


# --- Restore


def restore(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Put a copy in the place of the warehouse: the operation `restore`. Arguments: `file`.

    The warehouse in use stays as `FILE.before-restore`. Returns `kept`, where it is, `rows` by table, `schema`.
    """
    file = Path(arguments["file"])
    with one_at_a_time, _checked_copy(file, warehouse.database, report) as (new, rows):
        take_place(warehouse, new, keep=True)
    return _restored(warehouse.database, rows)


def restore_database(
    database: Path, file: Path, report: Report, say: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Put a copy in the place of a database that may be damaged or missing; `say` is told if its server does it.

    `WarehouseInUse` if another process has the database open.
    """
    try:
        with told(database, database), unlocked(database):
            pass
    except WarehouseInUse:
        owner = Owner.of(database)
        if owner is None:
            raise
        say(f"{database} is open in the server at {owner.address}, which does the work")
        return owner.ask("restore", {"file": str(file.absolute())}, report)
    with _checked_copy(file, database, report) as (new, rows), told(database, database):
        _swap(database.resolve(), new, keep=True)
    return _restored(database, rows)


def _restored(database: Path, rows: dict[str, int]) -> dict[str, Any]:
    kept = Path(f"{database.resolve()}{BEFORE_RESTORE}")
    return {"kept": str(kept) if kept.exists() else None, "rows": rows, "schema": SCHEMA_VERSION}


@contextmanager
def _checked_copy(file: Path, database: Path, report: Report) -> Iterator[tuple[Path, dict[str, int]]]:
    """Yield a copy of a file, beside the database, of today's version and read to the last row; and rows by table."""
    new = beside(database, "restore")
    if not file.is_file():
        raise WarehouseError(f"{file}: no such file" if not file.exists() else f"{file}: not a file")
    if database.exists() and file.samefile(database):
        raise WarehouseError(f"{file}: is the database itself; name a copy of it")
    try:
        with told(new, file):
            _copy_file(file, new, report)
            shutil.copymode(database if database.exists() else file, new)
            try:
                rows = _checked(new, report)
            except WarehouseError as error:
                raise WarehouseError(str(error).replace(str(new), str(file))) from None
            _remove_versions(new)
            sync(new)
        yield new, rows
    finally:
        remove(new)
        _remove_versions(new)


def _copy_file(file: Path, new: Path, report: Report) -> None:
    """Copy a database file; what DuckDB keeps beside one that was not closed in order goes along."""
    remove(new)
    total, done = file.stat().st_size, 0  # in bytes
    with file.open("rb") as source, new.open("wb") as copy:
        while block := source.read(BLOCK):
            copy.write(block)
            done += len(block)
            report({"what": "copying", "done": done, "total": max(total, done)})
    with suppress(FileNotFoundError):
        shutil.copyfile(f"{file}.wal", f"{new}.wal")


def _checked(new: Path, report: Report) -> dict[str, int]:
    with Warehouse(new) as copy, told(new, new), copy.reading() as connection:
        if not connection.execute("FROM duckdb_tables() WHERE table_name = 'schema_version'").fetchall():
            raise WarehouseError(f"{new}: not a copy of a database of himalaya; name another file")
    with open_warehouse(new) as copy, told(new, new), copy.reading() as connection:
        rows = read_through(connection, report)
        ((kept, seen, missing),) = connection.execute(WHOLE).fetchall()
        if kept != seen or missing:
            raise WarehouseError(f"{new}: says of {kept} events that they are there, but {seen} are; use another copy")
    if Path(f"{new}.wal").exists():
        raise WarehouseError(f"{new}: could not be written to its end; make room and try again")
    return rows


WHOLE: Final = """
SELECT
    (SELECT coalesce(sum(events), 0) FROM raw_matches),
    (SELECT count(*) FROM events),
    (SELECT count(*) FROM raw_matches ANTI JOIN dim_matches USING (match_id))
"""


def _remove_versions(new: Path) -> None:
    """Remove the file of an earlier version that stays where one was brought up to date: it is the copy itself."""
    for version in new.parent.glob(f"{new.name}.*"):
        with suppress(OSError):
            version.unlink()


def _size(database: Path) -> int:
    return database.stat().st_size
