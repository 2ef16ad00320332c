"""How sentences of a review name a seat."""

from himalaya_core.names import shown_name
from himalaya_core.replay import Replay

__all__ = ["seat_in_words"]


def seat_in_words(replay: Replay, seat: int) -> str:
    """Return `seat 3 (greedy)` for seat 2: people count from 1."""
    return f"seat {seat + 1} ({shown_name(replay.header.seats[seat].player)})"
