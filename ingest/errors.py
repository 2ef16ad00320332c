"""What ingest raises for others to catch; it imports nothing of this package, so every room may raise them.

HimalayaError             what a command says in one line
├── WarehouseError        the warehouse cannot do what was asked
│   ├── WarehouseInUse    another process has the file open
│   └── WarehouseStopped  this process closes it
└── PushError             a server cannot be reached, or refuses everything
Exception
├── ReadError             one log file cannot be read; others can
├── NotAccepted           a server refuses the body of a request
├── Stopped               whoever follows logs is asked to stop
├── Unfit (ValueError)    a bookmark or a study cannot say this
│   └── TooMany           there are as many as there may be
├── ChangedMeanwhile      somebody else was faster
├── NoMatch (LookupError)
├── NoBookmark (LookupError)
├── NoStudy (LookupError)
└── NoDraft (LookupError)
"""

from enum import StrEnum
from pathlib import Path

from himalaya_core.errors import HimalayaError

__all__ = [
    "ChangedMeanwhile",
    "NoBookmark",
    "NoBranch",
    "NoDraft",
    "NoMatch",
    "NoStudy",
    "NotAccepted",
    "PushError",
    "ReadError",
    "Reason",
    "Stopped",
    "TooMany",
    "Unfit",
    "WarehouseError",
    "WarehouseInUse",
    "WarehouseStopped",
]


class WarehouseError(HimalayaError):
    """Why a warehouse cannot do what was asked, in one line that says what to do."""


class WarehouseInUse(WarehouseError):
    """Another process has the file open: `process`, if DuckDB can tell which."""

    def __init__(self, message: str, process: int | None = None) -> None:
        super().__init__(message)
        self.process = process


class WarehouseStopped(WarehouseError):
    """The warehouse is being closed: what was under way is stopped, and what was loaded stays."""


class ReadError(Exception):
    """A file that cannot be read, or not any further; the others can."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(path, reason)

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class Reason(StrEnum):
    """Why a body is not accepted."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    BROKEN = "broken"
    NO_SPACE = "no_space"
    NOT_WRITABLE = "not_writable"
    READ_ONLY = "read_only"
    BUSY = "busy"


class NotAccepted(Exception):
    """A body that is not kept, and why; where a limit was passed, which, and what was found.

    `retry_after` says in how many seconds it is worth sending it again, if that can be told.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        limit: int | None = None,
        found: int | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.limit = limit
        self.found = found
        self.retry_after = retry_after


class PushError(HimalayaError):
    """Why nothing more can be sent to a server."""


class Stopped(Exception):
    """Whoever follows logs is to stop; what was loaded stays."""


class Unfit(ValueError):
    """A field that a bookmark or a study cannot have: what was expected and found, in numbers if it is too long."""

    def __init__(self, message: str, limit: int | None = None, found: int | None = None) -> None:
        super().__init__(message)
        self.limit = limit
        self.found = found


class TooMany(Unfit):
    """A match that has as many bookmarks as it may have, or as many studies or drafts as there may be."""


class ChangedMeanwhile(Exception):
    """What was to be changed is not what whoever changes it has seen."""


class NoMatch(LookupError):
    """There is no match of the name."""


class NoBookmark(LookupError):
    """There is no bookmark of the id."""


class NoBranch(LookupError):
    """No branch of the id is kept."""


class NoStudy(LookupError):
    """There is no study of the id."""


class NoDraft(LookupError):
    """There is no match of the id that is being recorded."""
