"""Each player against each other one, wherever they sat at one table."""

import polars as pl

from dashboards.stats.intervals import corrected_by_holm, mean_intervals, share_intervals
from dashboards.stats.results import scored

__all__ = ["head_to_head", "with_holm_over_pairs"]


def head_to_head(results: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each two players that met, in both directions, sorted by them.

    `player, other, pairs, groups, better_share` and its bounds: in which share of the pairs of their seats at one
    table `player` came before `other`; a shared place counts half. `better_share_p`: how likely so large a difference
    from ½ is between equals; `better_share_holm`: the same, corrected for all the pairs of players in the table.
    """
    rows = scored(results).select("match", "group", "player", "place", "kept")
    met = (
        rows.filter("kept")
        .join(rows.select("match", other="player", behind="place"), on="match")
        .filter(pl.col("player") != pl.col("other"))
    )
    better = (pl.col("place") < pl.col("behind")) + (pl.col("place") == pl.col("behind")) / 2
    met = met.select(
        "player", "other", "group", better.cast(pl.Float64).alias("better"), (better - 0.5).alias("beyond")
    )
    by = ["player", "other"]
    shares = share_intervals(met, by, "better", "better_share", "pairs")
    tests = mean_intervals(met, by, "beyond", "better_share").select(*by, "better_share_p")
    return with_holm_over_pairs(shares.join(tests, on=by).sort(by), "better_share")


def with_holm_over_pairs(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Add `{name}_holm` to a frame that has each pair in both directions, which are one comparison."""
    pairs = frame.filter(pl.col("player") < pl.col("other")).select("player", "other", f"{name}_p")
    pairs = pairs.with_columns(pl.Series(f"{name}_holm", corrected_by_holm(pairs[f"{name}_p"].to_list()), pl.Float64))
    both = pl.concat([pairs, pairs.rename({"player": "other", "other": "player"}).select(pairs.columns)])
    return frame.join(both.drop(f"{name}_p"), on=["player", "other"], how="left", maintain_order="left")
