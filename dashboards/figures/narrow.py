"""Which matches stand behind a row, a bar or a cell: the filter of its figure, narrowed to it.

A point of a figure says so in `meta["narrow"]` of its trace, a list by the point's number or, for a matrix, a mapping
by "y, line break, x"; assets/figures.js puts that into the address of the page and goes to Matches.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import plotly.graph_objects as go

__all__ = ["led", "narrowing", "of_row", "of_versions"]

KEYS: Final = {
    "player": "player",
    "other": "with",
    "version": "version",
    "tournament": "tournament",
    "players": "players",
    "seat": "seat",
    "ending": "result",
    "match": "find",
}
"""Columns of frames, and the key of an address that chooses their value."""
OF_WINS: Final = {"comeback_share", "from_last_share", "behind_share"}
OF_ELIMINATIONS: Final = {"out_share", "tie_share"}
"""Columns of frames that count wins alone, or eliminations by the influence of the row."""


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
    if OF_WINS & row.keys() or (row.get("place") == 1 and "place_share" in row):
        pairs.append(("result", "won"))
    if OF_ELIMINATIONS & row.keys():
        pairs.append(("result", str(row["influence"])))
    return urlencode(pairs)


def of_versions(narrow: str) -> str:
    """Return what narrows a filter of versions, in whose figures each player is a version.

    Matches are found by who sat together, not by which of their versions did, so that is left out.
    """
    return urlencode(
        [("version" if key == "player" else key, value) for key, value in parse_qsl(narrow) if key != "with"]
    )


def led(figure: go.Figure, translated: Callable[[str], str]) -> go.Figure:
    """Return the figure with points that lead to other matches than they did."""
    traces: Any = figure.data  # whose attributes Plotly's types do not know
    for trace in traces:
        match (trace.meta or {}).get("narrow"):
            case list() | tuple() as texts:
                trace.meta = {"narrow": [translated(text) for text in texts]}
            case dict() as texts:
                trace.meta = {"narrow": {cell: translated(text) for cell, text in texts.items()}}
    return figure
