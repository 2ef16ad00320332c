"""Globbing: files, folders and patterns like `logs/**/*.jsonl`, as on a command line."""

import os
from collections.abc import Iterable, Iterator
from glob import has_magic, iglob
from pathlib import Path

from ingest.errors import WarehouseError
from ingest.read.discover import is_log, no_logs

__all__ = ["named"]


def named(words: Iterable[str]) -> list[Path]:
    """Return the absolute paths that the arguments stand for, each once.

    A pattern stands for the logs that it matches, and the matching folders with logs. Raises `WarehouseError` for a
    pattern without a match and a folder without logs, and if no path exists, so that no database is made. A missing
    path among others is returned: reading it will give the reason.
    """
    found: dict[Path, None] = {}
    missing: list[str] = []
    for word in words:
        path = _absolute(word)
        is_missing = _is_missing(path)
        if has_magic(word) and is_missing:
            matching = list(_matching(word))
            if not matching:
                raise WarehouseError(f"{word}: no log matches this pattern")
            found.update(dict.fromkeys(matching))
            continue
        if not is_missing and os.path.isdir(path) and not _holds_logs(path):  # noqa: PTH112  raises no error
            raise no_logs(path, word)
        missing += [word] * is_missing
        found[path] = None
    if missing and len(missing) == len(found):
        raise WarehouseError(f"cannot read {missing[0]}: no such file or folder")
    return list(found)


def _is_missing(path: Path) -> bool:
    """Return whether a path does not exist; one that may not be looked at counts as existing."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False


def _matching(pattern: str) -> Iterator[Path]:
    """Yield the matches of a pattern; files in a yielded folder are included in that folder."""
    folders: set[Path] = set()
    for match in iglob(pattern, recursive=True):  # noqa: PTH207  a Path's takes no pattern that starts at the root
        path = _absolute(match)
        is_inside = path.parent in folders
        if path.is_dir():
            if is_inside or _holds_logs(path):
                folders.add(path)
                if not is_inside:
                    yield path
        elif not is_inside and is_log(path.name):
            yield path


def _holds_logs(folder: Path) -> bool:
    """Return whether a folder holds a log at any depth, or something that cannot be read."""
    refused: list[OSError] = []
    for _, _, names in os.walk(folder, onerror=refused.append):
        if refused or any(map(is_log, names)):
            return True
    return bool(refused)


def _absolute(word: str) -> Path:
    """Return the absolute path of an argument, without `..` if that leads to the same place."""
    plain = Path(os.path.abspath(word))  # noqa: PTH100  resolve() would follow links
    if os.pardir not in Path(word).parts:
        return plain
    path = Path(word).absolute()
    return plain if not path.exists() or (plain.exists() and plain.samefile(path)) else path
