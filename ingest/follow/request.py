"""Request and result of `ingest.follow.follow`, also as JSON; and rotation of followed files."""

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
"""Processes that validate in addition to this one."""


@dataclass(frozen=True, slots=True)
class FollowRequest:
    """Files to follow and `gone` files; with the first request also `folders`: other known files in them are gone.

    Requests with the same `started` (UTC) are one run; `tournament` is for logs that name none. With `stopped` the
    folders are no longer followed, so no match in them is live.
    """

    files: tuple[Path, ...] = ()
    gone: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    started: datetime | None = None
    tournament: str | None = None
    stopped: bool = False
    jobs: int = JOBS

    def as_json(self) -> dict[str, Any]:
        """Return the request as arguments of the operation."""
        written: dict[str, Any] = _requests.dump_python(self, mode="json")
        return written

    @staticmethod
    def read(arguments: dict[str, Any]) -> "FollowRequest":
        """Parse the request that `as_json` wrote."""
        return _requests.validate_python(arguments)


@dataclass(frozen=True, slots=True)
class Growth:
    """The new lines of one file, the matches that ended in them, and the `live` match that continues."""

    file: Path
    lines: int
    matches: int
    skipped: int
    live: str | None = None


@dataclass(frozen=True, slots=True)
class Followed:
    """The result of a request; `again` maps a file to the seconds after which it is due even without a change."""

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
        """Parse the result that `as_json` wrote."""
        return _results.validate_python(followed)

    def as_json(self) -> dict[str, Any]:
        """Return the result as the operation returns it."""
        written: dict[str, Any] = _results.dump_python(self, mode="json")
        return written


_requests = TypeAdapter(FollowRequest)
_results = TypeAdapter(Followed)


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
