"""Seats and status of a match, the same in the scene of every game."""

from dashboards.boards.scene import NOBODY, Seat
from himalaya_core.log.codec import Header
from himalaya_core.names import shown_name, visible
from himalaya_core.replay import Replay

__all__ = ["check_view", "names_of", "seats_of", "status_of"]


def check_view(header: Header, view: int | None) -> None:
    """Raise `ValueError` if the viewing seat is not in the match.

    `None` sees all; `NOBODY` sees only what every seat sees.
    """
    if view not in (None, NOBODY, *range(len(header.seats))):
        raise ValueError(f"expected a seat from 0 to {len(header.seats) - 1}, found {view}")


def names_of(header: Header) -> list[str]:
    """Return the name of each seat."""
    return [shown_name(info.label) or f"Seat {info.seat + 1}" for info in header.seats]


def seats_of(header: Header) -> list[Seat]:
    """Return the seats for a scene."""
    return [
        Seat(name=name, player=shown_name(info.player), version=visible(info.version))
        for name, info in zip(names_of(header), header.seats, strict=True)
    ]


def status_of(replay: Replay) -> str:
    """Return why a match ended, or that it did not."""
    if replay.header.branch:
        return "branch"
    return str(replay.ended.reason) if replay.ended else "unfinished"
