"""How seats stood after each round, of any game that adds it up: means and quartiles of figures."""

from typing import Final

import polars as pl

from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, whole
from dashboards.warehouse.actions import standing_histogram
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["figures_by_round", "highest_finding"]

LEAST: Final = 0.1
"""Part of a player's seats that must have met a round: what is left of a few late matches says little of it."""


def figures_by_round(reader: Reader, table: str, where: Filter, name: str) -> pl.DataFrame:
    """Return `figure, player, round, seats, {name}` and its quartiles after each round of the filter.

    Rounds that fewer than a tenth of the player's seats met are left out: matches that are over have none any more.
    """
    by = ["figure", "player", "round"]
    counted = standing_histogram(reader, table, where)
    total = pl.col("seats").sum()
    average = counted.group_by(by).agg(
        total.alias("seats"), ((pl.col("value") * pl.col("seats")).sum() / total).alias(name)
    )
    found = average.join(quartiles(counted, by, "value", "seats", name), on=by).sort(by)
    return found.filter(pl.col("seats") >= LEAST * pl.col("seats").max().over("figure", "player"))


def highest_finding(frame: pl.DataFrame, *, figure: str, name: str, word: str, unit: str) -> str:
    """Say whose climber has the highest median half-way through the rounds that are shown, and after the last.

    `figure` is what the height of a climber is called in the frame, `name` the column of means; `word` is what the game
    calls a round, `unit` what it climbs by.
    """
    frame = frame.filter(figure=figure)
    if frame.is_empty():
        return NOTHING
    rounds = frame["round"].unique().sort().to_list()
    middle, last = rounds[(len(rounds) - 1) // 2], rounds[-1]
    said = []
    for number in dict.fromkeys((middle, last)):
        rows = frame.filter(round=number).sort(f"{name}_median", name, "player", descending=[True, True, False])
        best = rows.row(0, named=True)
        spread = f"middle half {best[f'{name}_lower']:g} to {best[f'{name}_upper']:g}"
        said.append(f"after {word} {number} {best['player']}'s, {unit} {best[f'{name}_median']:g} ({spread})")
    left = int(frame.filter(round=last)["seats"].sum())
    return (
        f"The highest median of climbers: {'; '.join(said)}. Only matches that are not over by then count:"
        f" {whole(left, 'seat')} at {word} {last}."
    )
