"""Request and result of `ingest.follow.follow`, also as JSON."""

import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from ingest.load.records import Problem
from ingest.load.summary import Failure

__all__ = ["FollowRequest", "Followed", "Growth"]

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
