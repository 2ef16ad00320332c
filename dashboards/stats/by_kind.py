"""Rows for each kind of an action, including kinds that never happened, in the order of the kinds."""

from collections.abc import Collection, Sequence

import polars as pl

from dashboards.stats.intervals import COUNT, means

__all__ = ["in_order", "means_of_seats", "with_all_kinds"]


def with_all_kinds(found: pl.DataFrame, key: str, kinds: Collection[str], over: str = "player") -> pl.DataFrame:
    """Return sums (`intervals.sums`) with a row for each kind of each player, including kinds that never happened."""
    every = found.group_by(over).agg(pl.col("trials", "groups").first()).filter(pl.col("trials") > 0).sort(over)
    every = every.join(pl.DataFrame({key: list(kinds)}, schema={key: pl.String}), how="cross")
    sums = found.select(over, key, "total", "residual")
    return every.join(sums, on=[over, key], how="left", maintain_order="left").with_columns(
        pl.col("total", "residual").fill_null(0.0)
    )


def means_of_seats(
    found: pl.DataFrame, by: Sequence[str], name: str, within: tuple[float, float] = COUNT
) -> pl.DataFrame:
    """Return `*by, played, groups, {name}` and its bounds: the mean over seats."""
    played = found["trials"].cast(pl.Int64).alias("played")
    ends = [f"{name}{end}" for end in ("", "_low", "_high")]
    return means(found, by, name, within).with_columns(played).select(*by, "played", "groups", *ends)


def in_order(frame: pl.DataFrame, key: str, kinds: Collection[str], over: str = "player") -> pl.DataFrame:
    """Return rows by player, with the kinds of each player in order."""
    places = {kind: place for place, kind in enumerate(kinds)}
    return frame.sort(over, pl.col(key).replace_strict(places, return_dtype=pl.Int64))
