"""Paths of files as shown to readers: they reveal no folders of the server's disk.

The operator's commands show whole paths.
"""

from pathlib import Path

__all__ = ["shown_path", "without_folder", "without_folder_of"]


def without_folder(column: str) -> str:
    """Return the SQL for a column of paths as readers see it: an absolute path is reduced to its last part."""
    return f"case when starts_with({column}, '/') then parse_filename({column}) else {column} end"


def without_folder_of(database: Path, text: str) -> str:
    """Return a text as readers see it; it may name a database and the files next to it."""
    for folder in (database.resolve().parent, database.parent):
        text = text.replace(f"{folder}/", "") if folder.is_absolute() else text
    return text


def shown_path(path: Path) -> str:
    """Return a path as readers see it."""
    return path.name if path.is_absolute() else str(path)
