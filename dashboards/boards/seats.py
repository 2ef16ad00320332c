"""Who sits at a match, and how it stands: the same in the scene of every game."""

from dashboards.boards.scene import NOBODY, Seat
from himalaya_core.log.codec import Header
from himalaya_core.names import shown_name, visible
from himalaya_core.replay import Replay

__all__ = ["check_view", "names_of", "seats_of", "status_of"]


def check_view(header: Header, view: int | None) -> None:
    """Raise `ValueError` if a seat to look from does not sit at the match.

    `None` sees all; `NOBODY` sees what everybody does.
    """
    if view not in (None, NOBODY, *range(len(header.seats))):
        raise ValueError(f"expected a seat from 0 to {len(header.seats) - 1}, found {view}")


def names_of(header: Header) -> list[str]:
    """Return what each seat is called."""
    return [shown_name(info.label) or f"Seat {info.seat + 1}" for info in header.seats]


def seats_of(header: Header) -> list[Seat]:
    """Return the seats as a scene has them."""
    return [
        Seat(name=name, player=shown_name(info.player), version=visible(info.version))
        for name, info in zip(names_of(header), header.seats, strict=True)
    ]


def status_of(replay: Replay) -> str:
    """Return why a match ended, or that it did not."""
    if replay.header.branch:
        return "branch"
    return str(replay.ended.reason) if replay.ended else "unfinished"
