"""When a followed file is rotated, its rows in quarantine get its new name.

A file is known by device and inode; but once it is deleted, another file may get its inode, so its bytes are compared.
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
    """Give open rows of the match at the end of a rotated file the file's new name, so that they can grow on."""
    names: dict[str, list[int]] = {}
    for path, before in renamed:
        found = connection.execute(OPEN, {"file": before.file, "line": before.line}).fetchall()
        if found and _is_same(path, before, [unpack(packed) for _, packed in found]):
            names[str(path)] = [number for number, _ in found]
    for name, ids in names.items():  # not before all were found, as each file may have got the former name of another
        connection.execute(RENAMED, {"name": name, "ids": ids})


def _is_same(path: Path, before: Checkpoint, texts: list[bytes]) -> bool:
    """Return whether a file holds the bytes read of it: the settled ones, and one of the texts behind them."""
    seen = before.size - before.position
    try:
        with Tail(path) as tail:
            if not tail.starts_with(before):
                return False
            return any(
                tail.between(before.position, before.position + len(text[:seen])) == text[:seen] for text in texts
            )
    except ReadError:
        return False  # reading it will say why
