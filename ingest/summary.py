"""What a run of ingest tells: how far it is, and what it came to, for people and as JSON."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from pydantic import TypeAdapter

from ingest.load import Problem

__all__ = ["Failure", "Progress", "Summary"]

MOST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come; bytes are those on the disk, events those that passed the gate."""

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

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run took in, and what it did not.

    `matches` are new, `completed` were unfinished and go on now, `skipped` were there already with the same bytes;
    `put_aside` counts what went into quarantine in this run, of which `quarantined` are the first, and `known` what was
    put aside before; `forgotten` matches are kept out for good; `unfinished` files are still being written; `failed`
    ones could not be read.
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

    def __str__(self) -> str:
        taken = "would be taken" if self.dry_run else "taken"
        lines = [f"{self.matches:,} matches, {self.events:,} events {taken} from {_count(self.files, 'file')}"]
        if self.completed:
            lines.append(f"{_count(self.completed, 'unfinished match', 'es')} completed")
        if self.skipped:
            lines.append(f"{_count(self.skipped, 'match', 'es')} skipped: there already, with the same bytes")
        if self.forgotten:
            lines.append(f"{_count(self.forgotten, 'match', 'es')} left out: forgotten before")
        if self.known:
            lines.append(f"{self.known:,} put aside before, still in quarantine")
        if self.put_aside:
            lines.append(f"{self.put_aside:,} put aside in quarantine:")
            lines += [f"  {problem}" for problem in self.quarantined[:MOST_SHOWN]]
            if self.put_aside > MOST_SHOWN:
                lines.append(f"  and {self.put_aside - MOST_SHOWN:,} more; `himalaya quarantine list` shows them")
        lines += [f"{path}: still being written, left alone" for path in self.unfinished]
        lines += [f"failed: {failure}" for failure in self.failed]
        return "\n".join(lines)


def _count(number: int, what: str, plural: str = "s") -> str:
    return f"{number:,} {what}{'' if number == 1 else plural}"
