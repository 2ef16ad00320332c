"""Which matches stand behind a row, a bar or a cell: the filter of its figure, narrowed to it.

A point of a figure says so in `meta["narrow"]` of its trace, a list by the point's number or, for a matrix, a mapping
by "y, line break, x"; assets/figures.js puts that into the address of the page and goes to Matches. Drawings may leave
rows of their frame there; `led` makes addresses of them, by what the figure says of its rows.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import plotly.graph_objects as go

from dashboards.charts.plotly.graph import Narrows, Row, of_all_alike
from dashboards.warehouse.participants import Participant

__all__ = ["led", "narrowing", "of_participants", "of_row"]

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


def narrowing(**keys: Any) -> str:
    """Return the part of an address that narrows a filter: `narrowing(player="trader", result="won")`."""
    return urlencode([(key, str(value)) for key, value in keys.items() if value is not None])


def of_row(row: Row, narrows: Narrows = of_all_alike) -> str:
    """Return the part of an address that narrows a filter to a row; `narrows` is what its figure knows besides."""
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


def led(
    figure: go.Figure, narrows: Narrows = of_all_alike, translated: Callable[[str], str] = lambda text: text
) -> go.Figure:
    """Return the figure with points that lead to their matches; `translated` may make that others."""

    def address(narrow: str | Row) -> str:
        return translated(narrow if isinstance(narrow, str) else of_row(narrow, narrows))

    traces: Any = figure.data  # whose attributes Plotly's types do not know
    for trace in traces:
        match (trace.meta or {}).get("narrow"):
            case list() | tuple() as points:
                trace.meta = {"narrow": [address(each) for each in points]}
            case dict() as cells:
                trace.meta = {"narrow": {cell: address(each) for cell, each in cells.items()}}
    return figure
