"""How seats stood after each round, of any game that adds it up: means and quartiles of figures."""

from typing import Final

import polars as pl

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.stats.quartiles import quartiles

__all__ = ["figures_by_round"]

LEAST: Final = 0.1
"""Part of a player's seats that must have met a round: what is left of a few late matches says little of it."""


def figures_by_round(queries: Queries, table: str, where: Filter, name: str) -> pl.DataFrame:
    """Return `figure, player, round, seats, {name}` and its quartiles after each round of the filter.

    Rounds that fewer than a tenth of the player's seats met are left out: matches that are over have none any more.
    """
    by = ["figure", "player", "round"]
    counted = queries.standing_histogram(table, where)
    total = pl.col("seats").sum()
    average = counted.group_by(by).agg(
        total.alias("seats"), ((pl.col("value") * pl.col("seats")).sum() / total).alias(name)
    )
    found = average.join(quartiles(counted, by, "value", "seats", name), on=by).sort(by)
    return found.filter(pl.col("seats") >= LEAST * pl.col("seats").max().over("figure", "player"))
