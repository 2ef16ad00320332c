"""Rotation of followed files: the rows of a rotated file in quarantine get its new name.

A file is identified by device and inode. Once it is deleted, another file may get its inode, so its bytes are compared.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import duckdb

from ingest.errors import ReadError
from ingest.packed import unpack
from ingest.read.checkpoints import Checkpoint
from ingest.read.tail import Tail

__all__ = ["rename_quarantined"]

OPEN: Final = """
SELECT quarantine_id, text FROM quarantine WHERE file = $file AND line >= $line AND resolved_in IS NULL
"""
RENAMED: Final = "UPDATE quarantine SET file = $name WHERE list_contains($ids, quarantine_id)"


def rename_quarantined(connection: duckdb.DuckDBPyConnection, renamed: Iterable[tuple[Path, Checkpoint]]) -> None:
    """Rename open rows of the match at the end of a rotated file, so that they can continue to grow."""
    names: dict[str, list[int]] = {}
    for path, before in renamed:
        found = connection.execute(OPEN, {"file": before.file, "line": before.line}).fetchall()
        if found and _is_same(path, before, [unpack(packed) for _, packed in found]):
            names[str(path)] = [number for number, _ in found]
    for name, ids in names.items():  # only after all were found, as each file may have taken the former name of another
        connection.execute(RENAMED, {"name": name, "ids": ids})


def _is_same(path: Path, before: Checkpoint, texts: list[bytes]) -> bool:
    """Return whether a file still starts with the bytes read from it: the settled ones, then one of the texts."""
    seen = before.size - before.position
    try:
        with Tail(path) as tail:
            if not tail.starts_with(before):
                return False
            return any(
                tail.between(before.position, before.position + len(text[:seen])) == text[:seen] for text in texts
            )
    except ReadError:
        return False  # reading the file will give the reason
