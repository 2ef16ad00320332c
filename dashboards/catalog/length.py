"""Length of matches, for any game."""

from typing import Final

import polars as pl

from dashboards.charts.builders import by_part, interval_panels, middle_half, number
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.analytics import terms_of
from dashboards.games.figure import Figure, interval, quartile_columns
from dashboards.queries.actions import length_histogram, length_sums
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.where import game_under
from dashboards.stats.intervals import means, quartiles
from dashboards.stats.words import NOTHING, bounds, plain

__all__ = ["LENGTH"]

KINDS: Final = ("rounds", "plies", "events")


def length(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, length` with its bounds and quartiles, in rounds, plies and events.

    `kind` is the unit of `length`; for rounds, it is the game's word.
    """
    by = ["kind", "players"]
    found = length_sums(reader, where)
    rows = means(found, by, "length").drop("length_p").with_columns(found["trials"].cast(pl.Int64).alias("matches"))
    spread = quartiles(length_histogram(reader, where), by, "value", "matches", "length")
    order = pl.col("kind").replace_strict({kind: place for place, kind in enumerate(KINDS)}, return_dtype=pl.Int64)
    ends = [f"length{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    rows = rows.join(spread, on=by, how="left").sort(order, "players").select(*by, "matches", "groups", *ends)
    return rows.with_columns(pl.col("kind").replace("rounds", terms_of(game_under(reader, where)).rounds))


def finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the length of a match at the most common table size."""
    if frame.is_empty():
        return NOTHING
    size = frame.sort("matches", "players", descending=[True, False])["players"][0]
    of_size = frame.filter(players=size)
    rounds, plies, events = (of_size.row(place, named=True) for place in range(len(KINDS)))
    said = f"A match of {size} players takes {plain(plies['length'])} plies on average{bounds(plies, 'length')}."
    also = f"Its log has {plain(events['length'])} events"
    if not rounds["length"]:
        return f"{said} {also}."
    always = rounds["length_low"] == rounds["length_high"]
    number = format(rounds["length"], "g") if always else plain(rounds["length"])
    return f"{said} {also} over {number} {rounds['kind']}."


def draw_length(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw the length of matches by table size: median and middle half of rounds, plies and events."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    parts = [middle_half(part, "length") for part in by_part(named, "kind", "length", number)]
    return interval_panels(parts, colours, rows="row")


LENGTH: Final = Figure(
    "length",
    "Match length",
    "when",
    length,
    {
        "kind": "Unit",
        "players": "Table size",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("length", "Mean"),
        **quartile_columns("length"),
    },
    finding,
    draw=draw_length,
)
