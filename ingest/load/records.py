"""What became of files: of each, and of all of a run together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["FileRecord", "Problem", "Taken"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why lines were quarantined, and where they begin."""

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
    """Counts of what was loaded and what was not; `Summary` says what each means.

    `quarantined` counts what this run quarantined, `problems` are the first of it.
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
    """What became of one file; `tournament` is for matches of it whose log names none.

    `taken` counts as if the files before it had been a run of their own: what it completes was there, and what a later
    file resolves is still in quarantine.
    """

    path: Path
    size: int
    sha256: str
    matches: int = 0
    skipped: int = 0
    quarantined: int = 0
    tournament: str | None = None
    taken: Taken = field(default_factory=Taken)
