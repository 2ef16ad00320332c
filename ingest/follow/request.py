"""Request and result of `ingest.follow.follow`, with their JSON forms; and renaming after log rotation."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import duckdb
from pydantic import TypeAdapter

from ingest.errors import ReadError
from ingest.load.summary import Failure, Problem
from ingest.read.tail import Checkpoint, Tail
from ingest.values import unpack

__all__ = ["FollowRequest", "Followed", "Growth", "rename_quarantined"]


JOBS: Final = min(2, os.cpu_count() or 1)
"""Default number of additional processes that validate lines."""


@dataclass(frozen=True, slots=True)
class FollowRequest:
    """Request to load new lines of `files`; files in `gone` were deleted.

    The first request also names the `folders`: any other known file in these folders counts as deleted. Requests with
    the same `started` (UTC) belong to one run. `tournament` applies to logs that name none. With `stopped`, the folders
    are no longer followed, so no match in them is live.
    """

    files: tuple[Path, ...] = ()
    gone: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    started: datetime | None = None
    tournament: str | None = None
    stopped: bool = False
    jobs: int = JOBS

    def as_json(self) -> dict[str, Any]:
        """Return the request as JSON arguments of the operation."""
        written: dict[str, Any] = _requests.dump_python(self, mode="json")
        return written

    @staticmethod
    def read(arguments: dict[str, Any]) -> "FollowRequest":
        """Parse a request written by `as_json`."""
        return _requests.validate_python(arguments)


@dataclass(frozen=True, slots=True)
class Growth:
    """Growth of one file: its new lines, the matches that ended in them, and the unfinished `live` match."""

    file: Path
    lines: int
    matches: int
    skipped: int
    live: str | None = None


@dataclass(frozen=True, slots=True)
class Followed:
    """Result of a follow request.

    `again` maps a file to the seconds after which it must be read again even if it does not change.
    """

    growth: tuple[Growth, ...] = ()
    files: int = 0
    matches: int = 0
    events: int = 0
    put_aside: int = 0
    problems: tuple[Problem, ...] = ()
    failed: tuple[Failure, ...] = ()
    again: dict[Path, float] = field(default_factory=dict)

    @staticmethod
    def read(followed: dict[str, Any]) -> "Followed":
        """Parse a result written by `as_json`."""
        return _results.validate_python(followed)

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON."""
        written: dict[str, Any] = _results.dump_python(self, mode="json")
        return written


_requests = TypeAdapter(FollowRequest)
_results = TypeAdapter(Followed)


OPEN: Final = """
SELECT quarantine_id, text FROM quarantine WHERE file = $file AND line >= $line AND resolved_in IS NULL
"""
RENAMED: Final = "UPDATE quarantine SET file = $name WHERE list_contains($ids, quarantine_id)"


def rename_quarantined(connection: duckdb.DuckDBPyConnection, renamed: Iterable[tuple[Path, Checkpoint]]) -> None:
    """Give quarantine entries the new name of their rotated file, if they hold the unfinished match at its end.

    The entries can then continue to grow under the new name.
    """
    names: dict[str, list[int]] = {}
    for path, before in renamed:
        found = connection.execute(OPEN, {"file": before.file, "line": before.line}).fetchall()
        if found and _is_same(path, before, [unpack(packed) for _, packed in found]):
            names[str(path)] = [number for number, _ in found]
    # Rename only after all lookups: the new name of one file may be the former name of another.
    for name, ids in names.items():
        connection.execute(RENAMED, {"name": name, "ids": ids})


def _is_same(path: Path, before: Checkpoint, texts: list[bytes]) -> bool:
    """Return whether a file still starts with the same bytes: those before the position, then one of `texts`."""
    seen = before.size - before.position
    try:
        with Tail(path) as tail:
            if not tail.starts_with(before):
                return False
            return any(
                tail.between(before.position, before.position + len(text[:seen])) == text[:seen] for text in texts
            )
    except ReadError:
        return False  # the error is reported when the file is read
