"""Summit: which fields of the route pawns come to, and where Sherpas are sent back."""

from typing import Final

import polars as pl

from dashboards.games.shared.board_context import ground_of
from dashboards.games.shared.by_place import numbered, parts_of_all, per_match
from dashboards.stats.intervals import means
from dashboards.stats.words import mean, rivals, share, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_totals

__all__ = ["field_finding", "fields", "lost_fields", "lost_finding"]

TABLE: Final = "agg_summit_fields"
PAWNS: Final = ("climbers", "sherpas", "alongs")
WAYS: Final = ("slid", "chased")


def fields(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `field, terrain, visits, groups, visit_share`, its bounds, `climbers, sherpas, alongs`, along the route.

    A trial of the share is an arrival anywhere.
    """
    ground = ground_of(reader, where)
    counted = parts_of_all(reader, where, ground, "visits", "visit_share")
    pawns = numbered(place_totals(reader, PAWNS, TABLE, ["field"], where, ground.digest), ["field"])
    return counted.join(pawns, on="field", how="left").with_columns(pl.col(PAWNS).fill_null(0)).sort("field")


def field_finding(frame: pl.DataFrame) -> str:
    """Say which field is visited most, and which of those that any pawn came to least."""
    total = int(frame["visits"].sum())
    if not total:
        return "No pawn came to any field under these filters."
    ranked = frame.filter(pl.col("visits") > 0).sort("visits", "field", descending=[True, False])
    named = ranked.with_columns(pl.format("field {}", "field").alias("place"))
    most, least = named.row(0, named=True), named.row(-1, named=True)
    others = rivals(named, "visit_share", "place", least=True)
    return (
        f"Field {most['field']} ({most['terrain']}) is visited most: {share(most, 'visit_share')} of"
        f" {whole(total, 'arrival')}{rivals(named, 'visit_share', 'place')}; field {least['field']}"
        f" ({least['terrain']}) least: {share(least, 'visit_share')}{others}."
    )


def lost_fields(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `field, terrain, lost, matches, groups, lost_per_match`, its bounds, `slid, chased`, most first.

    Fields from which no Sherpa was sent back have no row.
    """
    found = per_match(reader, where, "lost")
    rows = found.with_counts(means(found.sums, ["field"], "lost_per_match"), "lost", "lost_per_match")
    ways = numbered(place_totals(reader, WAYS, TABLE, ["field"], where, found.ground.digest), ["field"])
    rows = rows.filter(pl.col("lost") > 0).join(ways, on="field", how="left").with_columns(pl.col(WAYS).fill_null(0))
    return rows.sort("lost", "field", descending=[True, False])


def lost_finding(frame: pl.DataFrame) -> str:
    """Say where most Sherpas are sent back, and how many by slides and by the Yeti."""
    if frame.is_empty():
        return "No Sherpa was sent back under these filters."
    named = frame.with_columns(pl.format("field {}", "field").alias("place"))
    most = named.row(0, named=True)
    slid, chased = (int(frame[way].sum()) for way in WAYS)
    return (
        f"Most Sherpas are sent back from field {most['field']} ({most['terrain']}):"
        f" {mean(most, 'lost_per_match', 2)} a match{rivals(named, 'lost_per_match', 'place')}. In all,"
        f" {whole(slid, 'Sherpa')} slid and the Yeti chased {whole(chased, 'Sherpa')}."
    )
