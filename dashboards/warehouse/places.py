"""What is counted by place: in which events it happens, and where it is added up."""

from dataclasses import dataclass

__all__ = ["Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """Something that happens in places: its events (`match_id, seat, round`, keys, `x`), and where it is added up.

    Events may ask `sampled` (`match_id, seat, unit`) for the seats that are wanted. `by` are the keys of a place, and
    `column` of the aggregate `table` has the sum. `noun` is what a place is called, by itself its first key; of
    `is_sparse` ones there are so many that those where nothing happened have no row.
    """

    events: str
    table: str
    column: str
    by: tuple[str, ...]
    noun: str = ""
    is_sparse: bool = False

    @property
    def called(self) -> str:
        """Return what one place is called."""
        return self.noun or self.by[0]
