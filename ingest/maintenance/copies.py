"""Known copies of a warehouse: backups and lakes that the audit or their names show, and files named after it."""

import glob
import os
from datetime import datetime
from pathlib import Path
from typing import Final

from ingest.app_store import AppStore, as_moment
from ingest.maintenance.last_backup import last_backup
from ingest.maintenance.retention import backups_in

__all__ = ["files_beside", "last_forgetting", "written_before"]

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
