"""The Climbers: how high climbers got, at the end and turn by turn, and how matches were won."""

from typing import Final

import polars as pl

from dashboards.games.climbers.queries import way_sums
from dashboards.games.shared.by_round import figures_by_round, highest_finding
from dashboards.stats.by_kind import in_order, with_all_kinds
from dashboards.stats.intervals import means, shares
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, mean, rivals, share, whole
from dashboards.warehouse.actions import seat_histogram, seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "WAYS",
    "level_finding",
    "levels",
    "levels_by_turn",
    "turn_level_finding",
    "way_finding",
    "ways",
]

TABLE: Final = "fct_climbers_seats"
WAYS: Final = ("highest", "earlier", "table")
"""Won as the only one on the highest level, as the first who came there, or shared with nobody off the table."""


def levels(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, seats, groups, level_reached`, its bounds and quartiles, the highest first."""
    columns = {"level": "f.level"}
    found = seat_sums(reader, TABLE, where, columns)
    rows = means(found, ["player"], "level_reached").drop("level_reached_p")
    rows = rows.with_columns(found["trials"].cast(pl.Int64).alias("seats"))
    counted = seat_histogram(reader, TABLE, where, columns)
    rows = rows.join(quartiles(counted, ["player"], "value", "seats", "level_reached"), on="player", how="left")
    ends = [f"level_reached{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return rows.select("player", "seats", "groups", *ends).sort("level_reached", "player", descending=[True, False])


def level_finding(frame: pl.DataFrame) -> str:
    """Say whose climber gets highest on average, and whose least."""
    if frame.is_empty():
        return NOTHING
    best, least = frame.row(0, named=True), frame.row(-1, named=True)
    said = f"{best['player']} gets highest, to level {mean(best, 'level_reached')} on average"
    said += rivals(frame, "level_reached", "player")
    if frame.height == 1:
        return f"{said}."
    return f"{said}; least high {least['player']}: {mean(least, 'level_reached')}."


def levels_by_turn(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `figure, player, round, seats, level_after` and its quartiles after each turn of the filter."""
    return figures_by_round(reader, "agg_climbers_standings", where, "level_after")


def turn_level_finding(frame: pl.DataFrame) -> str:
    """Say whose climber has the highest median half-way through the turns that are shown, and after the last."""
    return highest_finding(frame.filter(figure="level"), "level_after", "turn", "level")


def ways(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, matches, of_matches, groups, way_share` and its bounds: of tables of each size."""
    found = with_all_kinds(way_sums(reader, where), "ending", WAYS, "players")
    rows = shares(found, ["players", "ending"], "way_share", "of_matches").with_columns(
        pl.col("of_matches").cast(pl.Int64), found["total"].cast(pl.Int64).alias("matches")
    )
    ends = [f"way_share{end}" for end in ("", "_low", "_high")]
    return in_order(rows, "ending", WAYS, "players").select(
        "players", "ending", "matches", "of_matches", "groups", *ends
    )


def way_finding(frame: pl.DataFrame) -> str:
    """Say how often a tie is broken at tables of each size."""
    rows = frame.filter(ending="earlier")
    if rows.is_empty():
        return NOTHING
    said = [
        f"{share(row, 'way_share')} of {whole(row['of_matches'], 'match', 'matches')} of {row['players']} players"
        for row in rows.iter_rows(named=True)
    ]
    shared = int(frame.filter(ending="table")["matches"].sum())
    last = f" In {whole(shared, 'match', 'matches')} nobody left the table." if shared else ""
    return f"Another is as high as the winner, and came there later, in {'; '.join(said)}.{last}"
