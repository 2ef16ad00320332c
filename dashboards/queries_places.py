"""What is counted by place: in which events it happens, and where it is added up."""

from dataclasses import dataclass

__all__ = ["Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """Something that happens in places: its events (`match_id, seat, round`, keys, `x`), and where it is added up.

    Events may ask `sampled` (`match_id, seat, unit`) for the seats that are wanted. `by` are the keys of a place, and
    `column` of the aggregate `table` has the sum.
    """

    events: str
    table: str
    column: str
    by: tuple[str, ...]
