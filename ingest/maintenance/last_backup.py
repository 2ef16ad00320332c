"""A note beside a database of when it was backed up last, `FILE.backup.json`: a backup may have been moved since."""

import json
import logging
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

__all__ = ["LastBackup", "last_backup", "note_backup"]

SUFFIX: Final = ".backup.json"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LastBackup:
    """When a backup was complete (UTC), where it was written to, and how large it was in bytes."""

    at: datetime
    file: str
    size: int


_notes = TypeAdapter(LastBackup)


def note_backup(database: Path, target: Path) -> None:
    """Note a backup that is complete; where no note can be written, as on a read-only disk, the log says so."""
    noted = LastBackup(datetime.now(UTC), str(target), target.stat().st_size)
    note = _note(database)
    partial = note.with_name(f".{note.name}.partial")
    try:
        partial.write_text(json.dumps(asdict(noted), default=str))
        partial.chmod(0o600)
        partial.replace(note)
    except OSError as error:
        log.warning("the backup is complete, but was not noted: %s", error.strerror or error)


def last_backup(database: Path) -> LastBackup | None:
    """Return the last backup that was noted."""
    try:
        return _notes.validate_json(_note(database).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _note(database: Path) -> Path:
    file = database.resolve()
    return file.with_name(f"{file.name}{SUFFIX}")
