"""Finds the files to ingest: named files, matches of patterns, and logs in folders at any depth."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from glob import has_magic, iglob
from pathlib import Path

from himalaya_core.files import ARCHIVES, LOG_SUFFIXES, PARTIAL
from ingest.errors import ReadError, WarehouseError, plain_reason
from ingest.read.tail import is_followed

__all__ = ["Found", "discover", "in_letters", "is_log", "named", "no_logs"]


@dataclass(frozen=True, slots=True)
class Found:
    """The logs to read, sorted by path; also files still being written, and paths that could not be searched.

    `archives` are files that may contain logs but are not opened.
    """

    logs: tuple[Path, ...]
    unfinished: tuple[Path, ...]
    failed: tuple[ReadError, ...] = ()
    archives: tuple[Path, ...] = ()


def discover(paths: Iterable[Path]) -> Found:
    """Return every log among the paths once; a missing path is listed in `failed`.

    Raises `WarehouseError` for a folder without logs, or if all paths are missing.
    """
    search = _Search()
    for path in paths:
        search.add(path)
    if search.is_all_missing:
        raise WarehouseError(f"cannot read {search.failed[0]}")
    logs = {real: path for real, path in search.files.items() if not path.name.endswith(PARTIAL)}
    unfinished = {real: path for real, path in search.files.items() if real not in logs}
    left = map(in_letters, _in_order(unfinished.values()))
    archives = map(in_letters, _in_order(search.archives))
    return Found(_in_order(logs.values()), tuple(left), tuple(search.failed), tuple(archives))


def is_log(name: str) -> bool:
    """Return whether the name of a file in a folder is that of a log: finished, rotated, or still being written."""
    return is_followed(name) or name.endswith(PARTIAL)


def no_logs(folder: Path, shown: str) -> WarehouseError:
    """Return the error for a folder without logs; if the folder has an archive, the message suggests to unpack it."""
    names = (name for _, _, names in os.walk(folder) for name in names)
    packed = next((f"; unpack {name} first" for name in names if name.endswith(ARCHIVES)), "")
    return WarehouseError(f"{shown}: no logs in this folder; their names end in {' or '.join(LOG_SUFFIXES)}{packed}")


def in_letters(path: Path) -> Path:
    r"""Return a path as valid Unicode: bytes of its name that are not UTF-8 are written as \xNN."""
    return Path(os.fsencode(path).decode(errors="backslashreplace"))


def _in_order(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(paths, key=lambda path: path.parts))


class _Search:
    """State of a search: the files found, by real path, and paths that could not be searched."""

    def __init__(self) -> None:
        self.files: dict[str, Path] = {}
        self.failed: list[ReadError] = []
        self._missing = 0
        self.archives: list[Path] = []

    @property
    def is_all_missing(self) -> bool:
        """Return whether none of the paths exists."""
        return not self.files and 0 < self._missing == len(self.failed)

    def add(self, path: Path) -> None:
        """Add a named file, or all logs in a named folder."""
        try:
            is_folder = path.is_dir()
            path.stat()
        except OSError as error:
            self._missing += isinstance(error, FileNotFoundError | NotADirectoryError)
            self._fail(path, error)
            return
        if not is_folder:
            self._keep(os.path.realpath(path), path)
            return
        before = len(self.failed)
        found = [*self._logs_in(path)]
        if not found and len(self.failed) == before:
            raise no_logs(path, str(path))
        for real, log in found:
            self._keep(real, log)

    def _keep(self, real: str, path: Path) -> None:
        """Keep a file once, under the first of its paths in sort order."""
        before = self.files.get(real)
        self.files[real] = path if before is None else min(before, path, key=lambda each: each.parts)

    def _logs_in(self, top: Path) -> Iterator[tuple[str, Path]]:
        """Yield the real path and the path of each log in a folder."""
        folders = [top]
        searched: set[str] = set()
        while folders:
            folder = folders.pop()
            real = os.path.realpath(folder)
            if real in searched:
                continue
            searched.add(real)
            try:
                with os.scandir(folder) as entries:
                    inside = sorted(entries, key=lambda entry: entry.name)
            except OSError as error:
                self._fail(folder, error)
                continue
            for entry in inside:
                if _is_folder(entry):
                    folders.append(Path(entry.path))
                elif is_log(entry.name):
                    is_link = entry.is_symlink()
                    yield os.path.realpath(entry.path) if is_link else f"{real}/{entry.name}", Path(entry.path)
                elif entry.name.endswith(ARCHIVES):
                    self.archives.append(Path(entry.path))

    def _fail(self, path: Path, error: OSError) -> None:
        self.failed.append(ReadError(in_letters(path), plain_reason(error)))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a symbolic link that points to itself
        return False


def named(words: Iterable[str]) -> list[Path]:
    """Return the absolute paths that the arguments name, without duplicates.

    A pattern is replaced by the logs and the folders with logs that it matches. Raises `WarehouseError` for a pattern
    without a match, for a folder without logs, or if no path exists, so that no database is created. If other paths
    exist, a missing path is returned too; reading it reports the error.
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
        if not is_missing and os.path.isdir(path) and not _holds_logs(path):  # noqa: PTH112  unlike Path.is_dir, it never raises
            raise no_logs(path, word)
        missing += [word] * is_missing
        found[path] = None
    if missing and len(missing) == len(found):
        raise WarehouseError(f"cannot read {missing[0]}: no such file or folder")
    return list(found)


def _is_missing(path: Path) -> bool:
    """Return whether a path does not exist; a path without access permission counts as existing."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False


def _matching(pattern: str) -> Iterator[Path]:
    """Yield the paths that match a pattern. Files inside a yielded folder are not yielded separately."""
    folders: set[Path] = set()
    for match in iglob(pattern, recursive=True):  # noqa: PTH207  Path.glob takes no absolute pattern
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
    """Return whether a folder contains a log at any depth, or a folder that cannot be read."""
    refused: list[OSError] = []
    for _, _, names in os.walk(folder, onerror=refused.append):
        if refused or any(map(is_log, names)):
            return True
    return bool(refused)


def _absolute(word: str) -> Path:
    """Return the absolute path of an argument, with `..` resolved if that leads to the same place."""
    plain = Path(os.path.abspath(word))  # noqa: PTH100  resolve() would follow symbolic links
    if os.pardir not in Path(word).parts:
        return plain
    path = Path(word).absolute()
    return plain if not path.exists() or (plain.exists() and plain.samefile(path)) else path
