"""Exceptions that this package raises for its callers. The module imports nothing else of the package.

HimalayaError             shown by a command in one line
├── WarehouseError        a warehouse cannot do what was asked
│   ├── WarehouseInUse    another process has the file open
│   └── WarehouseStopped  the warehouse is being closed
└── PushError             a server cannot be reached, or refuses everything
Exception
├── ReadError             one log file cannot be read; others may be readable
├── NotAccepted           a server refuses the body of a request
├── Stopped               following of logs must stop
├── Unfit (ValueError)    an invalid field of a bookmark or a study
│   └── TooMany           the maximum number is reached
├── ChangedMeanwhile      another change came first
├── NoMatch (LookupError)
├── NoBookmark (LookupError)
├── NoBranch (LookupError)
├── NoStudy (LookupError)
└── NoDraft (LookupError)
"""

import errno
from enum import StrEnum
from pathlib import Path
from typing import Final

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
    "plain_reason",
]

PLAIN: Final = {
    errno.ENOENT: "no such file or folder",
    errno.ENOTDIR: "no such file or folder",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.EROFS: "the disk is read-only",
    errno.ELOOP: "a link that leads back to itself",
    errno.EISDIR: "it is a folder",
    errno.EEXIST: "it exists already",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk is full",
    errno.EFBIG: "the disk is full",
    errno.EIO: "the disk is damaged",
    errno.ESTALE: "no such file or folder",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
}
"""Plain words for the operating system's reasons to refuse a file."""


def plain_reason(error: OSError) -> str:
    """Return the operating system's reason to refuse a file, in plain words and without the file name."""
    reason = error.strerror or str(error)
    return PLAIN.get(error.errno or 0, f"{reason[:1].lower()}{reason[1:]}")


class WarehouseError(HimalayaError):
    """A warehouse cannot do what was asked; the message is one line with the reason and the next step."""


class WarehouseInUse(WarehouseError):
    """Another process has the database file open: `process`, if DuckDB can identify it."""

    def __init__(self, message: str, process: int | None = None) -> None:
        super().__init__(message)
        self.process = process


class WarehouseStopped(WarehouseError):
    """The warehouse is being closed, so work in progress must stop; data loaded so far stays."""


class ReadError(Exception):
    """A file that cannot be read at all, or not to its end. Other files may still be readable."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(path, reason)

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class Reason(StrEnum):
    """Reason why a server does not accept a request body."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    BROKEN = "broken"
    NO_SPACE = "no_space"
    NOT_WRITABLE = "not_writable"
    READ_ONLY = "read_only"
    BUSY = "busy"


class NotAccepted(Exception):
    """A request body that a server refuses, with the reason; for an exceeded limit, also the limit and the value found.

    `retry_after` is the number of seconds to wait before sending it again, if known.
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
    """No more files can be sent to a server; the message is the reason."""


class Stopped(Exception):
    """Following of logs must stop; data loaded so far stays."""


class Unfit(ValueError):
    """An invalid field of a bookmark or a study, with what was expected and found.

    If a text is too long, the maximum and actual lengths are also given as numbers.
    """

    def __init__(self, message: str, limit: int | None = None, found: int | None = None) -> None:
        super().__init__(message)
        self.limit = limit
        self.found = found


class TooMany(Unfit):
    """A match has the maximum number of bookmarks, or the store has the maximum number of studies or drafts."""


class ChangedMeanwhile(Exception):
    """The object to change has changed since the caller last read it."""


class NoMatch(LookupError):
    """There is no match with this name."""


class NoBookmark(LookupError):
    """There is no bookmark with this id."""


class NoBranch(LookupError):
    """There is no branch with this id."""


class NoStudy(LookupError):
    """There is no study with this id."""


class NoDraft(LookupError):
    """There is no recording with this id."""
