"""What a run of ingest tells: how far it is, and what it came to, for people and as JSON."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from pydantic import TypeAdapter

from ingest.load.load import Problem

__all__ = ["Failure", "Progress", "Summary", "counted"]

MOST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come; bytes are those on the disk, events those that passed the gate.

    `matches` and `put_aside` count what is in the warehouse, and stays there whatever happens.
    """

    bytes_read: int
    bytes_total: int
    events: int
    matches: int = 0
    put_aside: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read, or not in peace, and why."""

    file: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run took in, and what it did not.

    `matches` are new, `completed` were unfinished and go on now, `skipped` were there already with the same bytes,
    `resolved` left the quarantine, `named` were there without a tournament and are given one; `put_aside` counts what
    went into quarantine in this run, of which `quarantined` are the first, and `known` what was put aside before,
    `dropped` what of that was let go of; `forgotten` matches are kept out for good; `unfinished` files are still being
    written; `failed` ones could not be read.
    """

    files: int
    matches: int
    completed: int
    events: int
    skipped: int
    put_aside: int
    quarantined: tuple[Problem, ...]
    known: int
    unfinished: tuple[Path, ...]
    forgotten: int = 0
    dropped: int = 0
    resolved: int = 0
    named: int = 0
    failed: tuple[Failure, ...] = ()
    dry_run: bool = False

    @classmethod
    def read(cls, summary: dict[str, Any]) -> Self:
        """Return the summary that `as_json` wrote."""
        return TypeAdapter(cls).validate_python(summary)

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON."""
        written: dict[str, Any] = TypeAdapter(Summary).dump_python(self, mode="json")
        return written

    @property
    def in_quarantine(self) -> int:
        """How much of these files is in quarantine."""
        return self.put_aside + self.known

    def __str__(self) -> str:
        return self.text()

    def text(self, show: Callable[[Path], str] = str) -> str:
        """Return the summary for people; `show` names the files."""
        return "\n".join([*self._taken(), *self._aside(show), *self._left(show)])

    def _taken(self) -> Iterator[str]:
        would = "would be " if self.dry_run else ""
        taken = f"{counted(self.matches, 'match', 'es')}, {counted(self.events, 'event')}"
        yield f"{taken} {would}taken from {counted(self.files, 'file')}"
        if self.completed:
            yield f"{counted(self.completed, 'unfinished match', 'es')} {would}completed"
        if self.resolved:
            yield f"{self.resolved:,} {would}taken out of quarantine: what they lacked is there"
        if self.skipped:
            yield f"{counted(self.skipped, 'match', 'es')} {would}skipped: there already, with the same bytes"
        if self.named:
            yield f"{counted(self.named, 'match', 'es')} {would}given the tournament: there already, without one"
        if self.forgotten:
            yield f"{counted(self.forgotten, 'match', 'es')} {would}left out: forgotten before"

    def _aside(self, show: Callable[[Path], str]) -> Iterator[str]:
        would = "would be " if self.dry_run else ""
        if self.known:
            yield f"{self.known:,} put aside before, still in quarantine"
        if self.dropped:
            yield f"{self.dropped:,} left out: dropped from quarantine before"
        if self.put_aside:
            yield f"{self.put_aside:,} {would}put aside in quarantine:"
            yield from (f"  {problem.text(show)}" for problem in self.quarantined[:MOST_SHOWN])
        if self.put_aside > MOST_SHOWN:
            more = f"  and {self.put_aside - MOST_SHOWN:,} more"
            yield more if self.dry_run else f"{more}; `himalaya quarantine list` shows them"

    def _left(self, show: Callable[[Path], str]) -> Iterator[str]:
        yield from (f"{show(path)}: still being written, left alone" for path in self.unfinished)
        yield from (f"{show(failure.file)}: not read: {failure.reason}" for failure in self.failed[:MOST_SHOWN])
        if len(self.failed) > MOST_SHOWN:
            yield f"and {len(self.failed) - MOST_SHOWN:,} more files that could not be read"
        if self.dry_run:
            yield "nothing was changed: this was a dry run"


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return a number with what it counts, one or many: `plural` is what many of them end in."""
    return f"{number:,} {what}{'' if number == 1 else plural}"
