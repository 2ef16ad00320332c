"""Where files lie, as readers are told it: nothing of the folders of the server's disk.

The operator's commands tell whole paths.
"""

from pathlib import Path

__all__ = ["told", "without_folder"]


def without_folder(column: str) -> str:
    """Return the SQL for a column of paths as readers see it: a path that was named from the root is its last part."""
    return f"case when starts_with({column}, '/') then parse_filename({column}) else {column} end"


def told(path: Path) -> str:
    """Return a path as readers see it."""
    return path.name if path.is_absolute() else str(path)
