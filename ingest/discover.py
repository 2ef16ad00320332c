"""Which files to ingest: files as named, folders searched to any depth for logs."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from himalaya_core.files import LOG_SUFFIXES, PARTIAL
from ingest.warehouse import WarehouseError

__all__ = ["Found", "discover"]


@dataclass(frozen=True, slots=True)
class Found:
    """The logs to read, in order of their paths, and the files that are still being written."""

    logs: tuple[Path, ...]
    unfinished: tuple[Path, ...]


def discover(paths: Iterable[Path]) -> Found:
    """Return every log among paths once; `WarehouseError` for a path that is not there or a folder without logs."""
    logs: dict[Path, Path] = {}
    unfinished: dict[Path, Path] = {}
    for path in paths:
        try:
            inside = list(_walk(path)) if path.is_dir() else [_readable(path)]
        except OSError as error:
            raise WarehouseError(f"{error.filename or path}: {error.strerror}") from None
        if not inside:
            raise WarehouseError(f"{path}: no logs in this folder; expected files named {' or '.join(LOG_SUFFIXES)}")
        for file in inside:
            (unfinished if file.name.endswith(PARTIAL) else logs)[file.resolve()] = file
    return Found(tuple(sorted(logs.values())), tuple(sorted(unfinished.values())))


def _readable(path: Path) -> Path:
    with path.open("rb"):
        return path


def _walk(folder: Path) -> Iterator[Path]:
    for root, _, names in os.walk(folder, onerror=_raise):
        yield from (_readable(Path(root, name)) for name in names if name.endswith((*LOG_SUFFIXES, PARTIAL)))


def _raise(error: OSError) -> None:
    raise error
