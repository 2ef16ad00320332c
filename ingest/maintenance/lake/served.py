"""A lake as a read-only warehouse: a DuckDB file with its contents, made next to it once for each state.

Queries of pages scan whole tables or fetch the one row of a match. A DuckDB file answers both like the warehouse from
which the lake was written. It keeps a digest of the manifest that it was made from, and is made again once the lake has
another. Tables that are not about matches are empty: quarantine, runs, tokens, bookmarks, studies.
"""

import fcntl
import hashlib
import logging
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import duckdb

from ingest.errors import WarehouseError, WarehouseStopped
from ingest.fsync import sync
from ingest.maintenance.lake.contents import LakeContents, tables_of_this_version
from ingest.maintenance.lake.tables import shape_of
from ingest.maintenance.rewrite import explained, one_at_a_time, write_again
from ingest.quoting import quoted
from ingest.tables.definitions import create_tables
from ingest.warehouse import IN_MEMORY, Report, Warehouse, attach

__all__ = ["kept_up_to_date", "served_file"]

MARK: Final = "made from a lake: "
"""Prefix of the comment on a table of the file that identifies the state of the lake."""
MARKED: Final = """
SELECT comment FROM duckdb_tables() WHERE database_name = current_database() AND table_name = 'raw_matches'
"""
ATTEMPTS: Final = 5
"""Maximum new starts of a file because a run of `himalaya lake` ended meanwhile."""
LOOK: Final = 30.0
"""Seconds between two checks for a changed lake."""
LEAVE: Final = 2.0
"""Seconds that the end of a server waits for an unfinished file, which is then left unfinished."""

log = logging.getLogger(__name__)


def served_file(lake: Path, report: Report = lambda _: None) -> Path:
    """Return the file with the contents of a lake, `LAKE.duckdb` next to it; it is made unless it is up to date.

    It takes its name when it is complete and on the disk. Raises `WarehouseError` for a lake that is damaged or not of
    this version, and if the file cannot be written.
    """
    file = _file_of(lake)
    with explained(file, file), _alone(file.parent):
        contents, mark = LakeContents(lake), _mark_of(file)
        if mark != _mark(contents):
            if mark is None and file.exists():
                raise WarehouseError(f"{file}: not made from this lake, which needs its name; rename the lake")
            _make(lake, file, report)
    return file


@contextmanager
def kept_up_to_date(lake: Path, warehouse: Warehouse, seconds: float = LOOK) -> Iterator[None]:
    """Remake the file of a lake, which a warehouse has open, whenever the lake has changed, within the block."""
    with warehouse.reading() as connection:
        mark = _mark_in(connection)
    is_over = threading.Event()
    thread = threading.Thread(target=_keep_up, args=(lake, mark, is_over, seconds), name="lake", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join(LEAVE)


def _keep_up(lake: Path, seen: str | None, is_over: threading.Event, seconds: float) -> None:
    """Check a lake regularly, last `seen` in one state; a read error is reported once, and the file stays."""

    def stop(_: object) -> None:
        if is_over.is_set():
            raise WarehouseStopped(f"{lake}: closed")

    file, told_of = _file_of(lake), ""
    while not is_over.wait(seconds):
        try:
            mark = _mark(LakeContents(lake))
            if mark != seen:
                seen = mark
                with explained(file, file), _alone(file.parent):
                    _make(lake, file, stop)
        except WarehouseError as error:
            if not is_over.is_set() and told_of != (told_of := str(error)):
                log.warning("the new state of the lake cannot be read, the former one is still served: %s", error)


def _file_of(lake: Path) -> Path:
    lake = lake.resolve()
    return lake.with_name(f"{lake.name}.duckdb")


def _mark(contents: LakeContents) -> str:
    """Return the mark of a file that this version makes from these contents."""
    return MARK + hashlib.sha256(f"{shape_of(tables_of_this_version())}\n{contents.text}".encode()).hexdigest()


def _mark_of(file: Path) -> str | None:
    """Return the mark of a file that is not open here; `None` if there is none, or it is another kind of file."""
    if not file.is_file():
        return None
    with duckdb.connect() as connection, suppress(duckdb.Error):
        attach(connection, file, "made", read_only=True)
        connection.execute("USE made")
        return _mark_in(connection)
    return None


def _mark_in(connection: duckdb.DuckDBPyConnection) -> str | None:
    found = connection.execute(MARKED).fetchall()
    return next((mark for (mark,) in found if mark and mark.startswith(MARK)), None)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time make such files in a folder; others wait, and then find them."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with one_at_a_time:
            yield
    finally:
        os.close(descriptor)


def _make(lake: Path, file: Path, report: Report) -> None:
    """Make the file of a lake, from one state of it: a run may remove files of a former one during reading."""
    if not os.access(file.parent, os.W_OK):
        raise WarehouseError(
            f"{file.parent}: cannot be written to, and the database made of a lake goes there; copy the lake"
        )
    for attempt in range(ATTEMPTS):
        contents = LakeContents(lake)
        try:
            with explained(file, file):
                _write(contents, file, report)
                return
        except WarehouseStopped:
            raise
        except (WarehouseError, duckdb.Error):
            if attempt == ATTEMPTS - 1 or LakeContents(lake).text == contents.text:
                contents.read_through()
                raise


def _write(contents: LakeContents, file: Path, report: Report) -> None:
    """Write these contents as a file: like a backup of a warehouse, but with other rows in its tables."""
    partial = file.with_name(f".{file.name}.partial")
    spilled = Path(f"{partial}.tmp")
    with Warehouse(IN_MEMORY) as empty:
        with empty.writing() as connection:
            connection.execute(f"SET temp_directory = {quoted(spilled)}")
            create_tables(connection)
            connection.execute(f"COMMENT ON TABLE raw_matches IS '{_mark(contents)}'")
            change = contents.as_rows(connection)
        try:
            write_again(empty, partial, report, change)
        finally:
            shutil.rmtree(spilled, ignore_errors=True)
    os.utime(partial, ns=(contents.written_at, contents.written_at))  # pages show the time of the lake, not of the file
    partial.replace(file)
    sync(file.parent)
