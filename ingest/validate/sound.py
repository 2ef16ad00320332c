"""How far a rejected log is sound: its lines before the first bad one, which can be played but count nowhere."""

from pathlib import Path

from ingest.read.lines import piece_of
from ingest.validate.validation import check

__all__ = ["sound_part"]

PLACE = Path("log")


def sound_part(text: bytes) -> bytes:
    """Return the first lines of a rejected match, as far as they are those of a valid, unfinished one; maybe none."""
    while text:
        rejections = check(piece_of(PLACE, text, 1)).rejections
        if not rejections:
            break
        bad = min(rejection.line for rejection in rejections)
        lines = text.split(b"\n")
        text = b"".join(line + b"\n" for line in lines[: min(bad, len(lines)) - 1])
    return text
