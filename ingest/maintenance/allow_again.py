"""Allows forgotten logs to be loaded again."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ingest.errors import ReadError, WarehouseError, plain_reason
from ingest.load.tombstones import first_line_of
from ingest.packed import unpack
from ingest.read.discover import discover
from ingest.read.source import Parts
from ingest.read.split import chunks
from ingest.validate.pool import ValidationPool
from ingest.warehouse import Report, Warehouse

__all__ = ["allow_again"]


def allow_again(warehouse: Warehouse, arguments: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Remove the tombstones of logs, so that they can be loaded again: the operation `allow_again`.

    Arguments: `paths` of the logs, or of their beginnings. Returns the number of `matches`. The files count as never
    read.
    """
    found = discover(tuple(map(Path, arguments["paths"])))
    if found.failed:
        raise WarehouseError(f"cannot read {found.failed[0]}; nothing was changed")
    digests, first_lines = set[str](), set[str]()
    files, parts = list[str](), Parts(warehouse.database)
    with ValidationPool(0, judges=False) as pool, _readable():
        for done, path in enumerate(found.logs):
            report({"what": "reading", "done": done, "total": len(found.logs)})
            parts.refuse(path)
            for text in _texts(pool, path):
                digests.add(hashlib.sha256(text).hexdigest())
                first_lines.add(first_line_of(text))
            with path.open("rb") as file:
                files.append(hashlib.file_digest(file, "sha256").hexdigest())
    with warehouse.writing() as connection:
        connection.begin()
        allowed = connection.execute(
            ALLOWED, {"digests": sorted(digests), "first_lines": sorted(first_lines)}
        ).fetchall()
        connection.execute("DELETE FROM ingested_files WHERE list_contains($files, sha256)", {"files": files})
        connection.commit()
    return {"matches": len(allowed)}


ALLOWED: Final = """
DELETE FROM forgotten_matches
WHERE list_contains($digests, bytes_sha256) OR list_contains($first_lines, first_line_sha256) RETURNING 1
"""


@contextmanager
def _readable() -> Iterator[None]:
    """Turn errors from an unreadable log into a `WarehouseError`."""
    try:
        yield
    except ReadError as error:
        raise WarehouseError(f"cannot read {error}; nothing was changed") from None
    except OSError as error:
        raise WarehouseError(f"cannot read {error.filename}: {plain_reason(error)}; nothing was changed") from None


def _texts(pool: ValidationPool, path: Path) -> Iterator[bytes]:
    for _, checked in pool.check(chunks(path)):
        yield from (unpack(match.lines) for match in checked.matches)
        yield from (each.text for each in checked.rejections)
