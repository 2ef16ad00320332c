"""The last backup, noted next to a database in `FILE.backup.json`: the backup may have been moved since."""

import json
import logging
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from ingest.errors import plain_reason

__all__ = ["LastBackup", "last_backup", "note_backup"]

SUFFIX: Final = ".backup.json"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LastBackup:
    """Completion time (UTC) of a backup, the file it was written to, and its size in bytes."""

    at: datetime
    file: str
    size: int


_notes = TypeAdapter(LastBackup)


def note_backup(database: Path, target: Path) -> None:
    """Note a completed backup; if no note can be written, as on a read-only disk, log that."""
    noted = LastBackup(datetime.now(UTC), str(target), target.stat().st_size)
    note = _note(database)
    partial = note.with_name(f".{note.name}.partial")
    try:
        partial.write_text(json.dumps(asdict(noted), default=str))
        partial.chmod(0o600)
        partial.replace(note)
    except OSError as error:
        log.warning("the backup is complete, but its time could not be noted: %s", plain_reason(error))


def last_backup(database: Path) -> LastBackup | None:
    """Return the last backup in the note."""
    try:
        return _notes.validate_json(_note(database).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _note(database: Path) -> Path:
    file = database.resolve()
    return file.with_name(f"{file.name}{SUFFIX}")
