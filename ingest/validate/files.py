"""Validates what is read already, and small files that are read for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.errors import ReadError
from ingest.read.lines import Piece, joined
from ingest.read.small_files import Named, SmallFiles, read
from ingest.validate.validation import Checked, check

__all__ = ["CheckedFiles", "check_any"]


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    """Pieces validated, without their text; of small files also those that could not be read, and those left."""

    pieces: Sequence[tuple[Piece, Checked]]
    failed: Sequence[ReadError]
    left: Sequence[Named]


def check_any(asked: Piece | SmallFiles, *, judges: bool = True) -> CheckedFiles:
    """Validate a piece, or files that are read for it; without `judges` matches wait for the judgement of the rules."""
    failed: list[ReadError] = []
    left: list[Named] = []
    pieces = [asked] if isinstance(asked, Piece) else joined(read(asked, failed, left))
    return CheckedFiles([(piece.without_text(), check(piece, judges=judges)) for piece in pieces], failed, left)
