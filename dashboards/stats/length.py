"""How long matches are. Of any game."""

from typing import Final

import polars as pl

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.stats.intervals import means
from dashboards.stats.quartiles import quartiles
from dashboards.stats.table import Table, interval
from dashboards.stats.words import NOTHING, mean

__all__ = ["LENGTH"]

KINDS: Final = ("rounds", "plies", "events")


def length(queries: Queries, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, length`, its bounds and quartiles, each in rounds, plies, events."""
    by = ["kind", "players"]
    found = queries.length_sums(where)
    rows = means(found, by, "length").drop("length_p").with_columns(found["trials"].cast(pl.Int64).alias("matches"))
    spread = quartiles(queries.length_histogram(where), by, "value", "matches", "length")
    order = pl.col("kind").replace_strict({kind: place for place, kind in enumerate(KINDS)}, return_dtype=pl.Int64)
    ends = [f"length{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return rows.join(spread, on=by, how="left").sort(order, "players").select(*by, "matches", "groups", *ends)


def finding(frame: pl.DataFrame) -> str:
    """Say how long a match of the size most played is."""
    if frame.is_empty():
        return NOTHING
    size = frame.sort("matches", "players", descending=[True, False])["players"][0]
    rounds, plies, events = (
        frame.filter((pl.col("kind") == kind) & (pl.col("players") == size)).row(0, named=True) for kind in KINDS
    )
    return (
        f"A match of {size} players has {mean(plies, 'length')} plies and {mean(events, 'length')} events on average,"
        f" in {rounds['length']:g} rounds."
    )


LENGTH: Final = Table(
    "length",
    "Length of matches",
    "when",
    length,
    {
        "kind": "In",
        "players": "At a table of",
        "matches": "Matches",
        "groups": "Lucks",
        **interval("length", "Mean"),
        "length_lower": "Lower quartile",
        "length_median": "Median",
        "length_upper": "Upper quartile",
    },
    finding,
)
