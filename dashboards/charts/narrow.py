"""Links from rows, bars and cells of figures to their matches: the filter of the figure, narrowed."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from dashboards.warehouse.participants import Participant

__all__ = ["Narrows", "Row", "narrowing", "of_all_alike", "of_participants", "of_row"]

Row = Mapping[str, Any]
Narrows = Callable[[Row], Mapping[str, str]]
"""The keys of an address, and their values, that leave only the matches of a row of a figure."""
KEYS: Final = {
    "player": "player",
    "other": "with",
    "version": "version",
    "tournament": "tournament",
    "players": "players",
    "seat": "seat",
    "match": "find",
}
"""Columns that mean the same in the frames of all figures, and the key of an address that chooses their value."""


def of_all_alike(_: Row) -> dict[str, str]:
    """Say that only player, table and seat narrow a filter to the matches of a row."""
    return {}


def narrowing(**keys: Any) -> str:
    """Return the part of an address that narrows a filter: `narrowing(player="trader", result="won")`."""
    return urlencode([(key, str(value)) for key, value in keys.items() if value is not None])


def of_row(row: Row | str, narrows: Narrows = of_all_alike) -> str:
    """Return the part of an address that narrows a filter to a row; `narrows` is what its figure knows besides.

    What is such a part already stays as it is.
    """
    if isinstance(row, str):
        return row
    pairs = {key: row[column] for column, key in KEYS.items() if row.get(column) is not None}
    if "seat" in pairs:
        pairs["seat"] += 1
    return narrowing(**pairs, **narrows(row))


def of_participants(participants: Iterable[Participant]) -> Callable[[str], str]:
    """Return what makes of a row's part of an address one that filters know: what leaves the participants it names.

    Matches are found by which players sat together, not by their settings, so such others are left out.
    """
    keys = {each.name: (each.key, each.value) for each in participants}

    def translated(narrow: str) -> str:
        pairs = [
            keys.get(value, (key, value)) if key == "player" else (key, value)
            for key, value in parse_qsl(narrow)
            if key != "with" or value not in keys
        ]
        return urlencode(pairs)

    return translated if keys else str
