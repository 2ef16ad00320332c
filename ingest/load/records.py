"""Results of loading: of each file, and of all files of a run together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["FileRecord", "Problem", "Taken"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Reason why lines were quarantined, and the place where they begin."""

    file: Path
    line: int
    match: str | None
    reason: str
    message: str

    def __str__(self) -> str:
        return self.text()

    def text(self, show: Callable[[Path], str] = str) -> str:
        """Return the problem in one line; `show` names the file."""
        about = f" (match {self.match})" if self.match else ""
        return f"{show(self.file)}:{self.line}: {self.message}{about}"


@dataclass(slots=True)
class Taken:
    """Counts of loaded and rejected items; `Summary` describes each count.

    `quarantined` counts entries quarantined by this run, `problems` are the first of them.
    """

    matches: int = 0
    completed: int = 0
    events: int = 0
    skipped: int = 0
    forgotten: int = 0
    known: int = 0
    dropped: int = 0
    resolved: int = 0
    named: int = 0
    quarantined: int = 0
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class FileRecord:
    """Result of one file; `tournament` is for matches without one in their log.

    `taken` counts as if the files before it had been a separate run. So a match that the file completes was there
    before, and an entry that a later file resolves is still in quarantine.
    """

    path: Path
    size: int
    sha256: str
    matches: int = 0
    skipped: int = 0
    quarantined: int = 0
    tournament: str | None = None
    taken: Taken = field(default_factory=Taken)
