"""What is asked of `ingest.follow.follow`, and what comes of it, also as JSON."""

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
"""Processes that validate besides this one."""


@dataclass(frozen=True, slots=True)
class FollowRequest:
    """Files to follow and files that are `gone`; with the first request `folders`: other files known in them are gone.

    Requests with the same `started` (UTC) are one run; `tournament` is for logs that name none. With `stopped` nobody
    follows the folders any more, so no match in them is live.
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
        """Return the request that `as_json` wrote."""
        return _requests.validate_python(arguments)


@dataclass(frozen=True, slots=True)
class Growth:
    """The new lines of one file, the matches that ended in them, and the `live` one that goes on."""

    file: Path
    lines: int
    matches: int
    skipped: int
    live: str | None = None


@dataclass(frozen=True, slots=True)
class Followed:
    """The result of a request; `again` says after how many seconds a file is due even if it does not change."""

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
        """Return the result that `as_json` wrote."""
        return _results.validate_python(followed)

    def as_json(self) -> dict[str, Any]:
        """Return the result as the operation returns it."""
        written: dict[str, Any] = _results.dump_python(self, mode="json")
        return written


_requests = TypeAdapter(FollowRequest)
_results = TypeAdapter(Followed)
