"""The input frame of every figure of strength: places of players, one row per match and seat.

`match` and `luck` (names or numbers; without a seed a match is a separate group), `tournament`, `seat` (from 0),
`player`, `version`, `place` (1 is best; seats that share a place have the same, and the next follows all of them: 1, 2,
2, 4). Optional `kept`: whether a figure is about the seat; without it all are. The other seats are there because places
are taken from all. Optional `weight`: weight of the seat when sides are compared (`alike.py`); without it 1. Finished
matches only. `luck`, `tournament` and `version` may be left out.
"""

from typing import Final

import polars as pl

__all__ = ["RESULTS", "by_version", "complete", "scored"]

RESULTS: Final = ("match", "luck", "tournament", "seat", "player", "version", "place")
OPTIONAL: Final = {"luck": pl.String, "tournament": pl.String, "version": pl.String}


def complete(results: pl.DataFrame) -> pl.DataFrame:
    """Return results with every column that figures use; columns that were left out have unknown values."""
    missing = {name: kind for name, kind in OPTIONAL.items() if name not in results.columns}
    usual = {"kept": pl.lit(value=True), "weight": pl.lit(1.0)}
    added = [value.alias(name) for name, value in usual.items() if name not in results.columns]
    return results.with_columns(*(pl.lit(None, kind).alias(name) for name, kind in missing.items()), *added)


def by_version(results: pl.DataFrame) -> pl.DataFrame:
    """Return results in which each version of a player is a separate player, called `player version`."""
    return results.with_columns(pl.concat_str("player", "version", separator=" ").alias("player"))


def scored(results: pl.DataFrame) -> pl.DataFrame:
    """Return results in a fixed order, with the score of each seat.

    `group`: the seed group. `players`: seats at the table. `sharing`: seats on that place. `win`: 1 for the winner, 1/k
    for each of k that share the first place, else 0, so that each match has one win to give. `beaten`: the share of its
    opponents that it finished ahead of, a shared place counting half. It is 1 for the sole winner, 0 for the sole last,
    ½ on average over any table.
    """
    if results.is_empty():
        results = results.cast({"place": pl.Int64})
    return (
        complete(results)
        .sort("match", "seat")
        .with_columns(
            pl.coalesce(
                pl.col("luck").cast(pl.String), pl.concat_str(pl.lit("match "), pl.col("match").cast(pl.String))
            ).alias("group"),
            pl.len().over("match").cast(pl.Int64).alias("players"),
            pl.len().over("match", "place").cast(pl.Int64).alias("sharing"),
        )
        .with_columns(
            pl.when(pl.col("place") == 1).then(1 / pl.col("sharing")).otherwise(0.0).alias("win"),
            (
                (pl.col("players") - pl.col("place") - (pl.col("sharing") - 1) / 2)
                / pl.max_horizontal(pl.col("players") - 1, 1)
            ).alias("beaten"),
        )
    )
