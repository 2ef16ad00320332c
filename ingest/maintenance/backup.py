"""Backup and vacuum, and replacing a warehouse in use (which `ingest.maintenance.restore` does too).

A backup is the state of one moment, written while other threads read and load. A rewritten warehouse is complete and on
the disk before it takes the name of the one in use, in one step. After a kill at any time, the name refers to one of
the two.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import polars as pl

from ingest.app_store import store_file
from ingest.errors import WarehouseError
from ingest.fsync import sync
from ingest.maintenance.last_backup import note_backup
from ingest.maintenance.rewrite import Change, explained, one_at_a_time, remove, unlocked, write_again
from ingest.people.pairing import BEFORE_RESTORE, packed
from ingest.tables.definitions import SCHEMA_VERSION
from ingest.warehouse import Report, Warehouse

__all__ = ["back_up", "beside", "swap", "take_place", "vacuum"]

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
