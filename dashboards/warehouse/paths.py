"""Where logs lie, as readers are told it: nothing of the folders of the server's disk.

The operator's commands tell whole paths.
"""

__all__ = ["without_folder"]


def without_folder(column: str) -> str:
    """Return the SQL for a column of paths as readers see it: a path that was named from the root is its last part."""
    return f"case when starts_with({column}, '/') then parse_filename({column}) else {column} end"
