"""Which matches stand behind a row, a bar or a cell: the filter of its figure, narrowed to it.

A point of a figure says so in `meta["narrow"]` of its trace, a list by the point's number or, for a matrix, a mapping
by "y, line break, x"; assets/figures.js puts that into the address of the page and goes to Matches.
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

__all__ = ["narrowing", "of_row"]

KEYS: Final = {
    "player": "player",
    "other": "with",
    "version": "version",
    "tournament": "tournament",
    "players": "players",
    "seat": "seat",
    "match": "find",
}
"""Columns of frames, and the key of an address that chooses their value."""


def narrowing(**keys: Any) -> str:
    """Return the part of an address that narrows a filter: `narrowing(player="trader", result="won")`."""
    return urlencode([(key, str(value)) for key, value in keys.items() if value is not None])


def of_row(row: Mapping[str, Any]) -> str:
    """Return the part of an address that narrows a filter to a row, by the columns that are known to filters."""
    pairs = [
        (key, str(row[column] + 1 if column == "seat" else row[column]))
        for column, key in KEYS.items()
        if row.get(column) is not None
    ]
    return urlencode(pairs)
