"""Copies of a closed database together with its app store."""

import shutil
from pathlib import Path

from ingest.app_store import store_file

__all__ = ["copied"]


def copied(database: Path, to: Path) -> Path:
    """Copy a database and its app store to a file or into a folder; return the path of the copy."""
    copy = Path(shutil.copy(database, to))
    store = store_file(database)
    if store.exists():
        shutil.copy(store, store_file(copy))
    return copy
