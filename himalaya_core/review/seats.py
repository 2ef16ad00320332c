"""Names of participants in texts: `trader (Bhotia)` in lists, `Bhotia` in sentences."""

from himalaya_core.log.envelope import Header, SeatInfo
from himalaya_core.names import shown_name

__all__ = ["label_of", "labels_of", "participant"]


def label_of(info: SeatInfo) -> str:
    """Return the label of a seat, its short name in sentences; without a label `seat 3` for seat 2."""
    return shown_name(info.label) or f"seat {info.seat + 1}"


def labels_of(header: Header) -> list[str]:
    """Return the label of each seat of a match."""
    return [label_of(info) for info in header.seats]


def participant(info: SeatInfo) -> str:
    """Return the name of a participant: `trader (Bhotia)`."""
    return f"{shown_name(info.player)} ({label_of(info)})"
