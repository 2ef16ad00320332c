"""Counts by place: the events to count, and the table with their sums."""

from dataclasses import dataclass

__all__ = ["Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """An event in places: its rows (`match_id, seat, round`, keys, `x`), and the table with their sums.

    Events may query `sampled` (`match_id, seat, unit`) for the sampled seats. `by` are the keys of a place; `column` of
    the aggregate `table` has the sum. `noun` is the name of a place, by default its first key. Places that are
    `is_sparse` are so many that those without events have no row.
    """

    events: str
    table: str
    column: str
    by: tuple[str, ...]
    noun: str = ""
    is_sparse: bool = False

    @property
    def called(self) -> str:
        """Return the name of one place."""
        return self.noun or self.by[0]
