"""Replays the players of a match to compare their choices with its log: each is queried at every decision of its seat.

Only installed players are queried, so no code that a log names is run.
"""

import hashlib
import json
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from himalaya_core.arena.asking import PlayersVerdict, SeatAnswer, ask
from himalaya_core.replay import ReplayError
from ingest.read.split import Chunk, FileSpan
from ingest.validate.judged import shortened

__all__ = ["Asked", "asked"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers of a match by seat, its place in the files, and the digest of its lines, which identifies the log."""

    match: str
    sha256: str
    seats: tuple[SeatAnswer, ...]
    span: FileSpan


def asked(chunk: Chunk) -> Asked:
    """Replay the players of the one match in a chunk; if one cannot be queried, its answer is the reason."""
    lines = BytesIO(chunk.data).readlines()
    header = json.loads(lines[0])
    try:
        seats = ask(lines)
    except ReplayError as error:
        seats = _nobody(header, error.reason)
    except Exception as error:  # noqa: BLE001  a fault in players from elsewhere must not stop the others
        seats = _nobody(header, shortened(f"the player fails: {error}"))
    return Asked(header["match"], hashlib.sha256(chunk.data).hexdigest(), seats, chunk.spans[0])


def _nobody(header: dict[str, Any], reason: str) -> tuple[SeatAnswer, ...]:
    """Return the answers for a match without any player that can be queried."""
    return tuple(
        SeatAnswer(info["seat"], info["player"], info["version"], PlayersVerdict.NOT_ASKED, reason=reason)
        for info in header["data"]["seats"]
    )
