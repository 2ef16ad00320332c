"""How seats stood after each round, of any game that adds it up: means and quartiles of figures."""

from collections.abc import Iterable
from typing import Final

import polars as pl

from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, whole
from dashboards.warehouse.actions import standing_histogram
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["figures_by_round", "height_finding", "medians_told"]

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


def height_finding(frame: pl.DataFrame, *, figure: str, name: str, what: str, word: str) -> str:
    """Say between which players' medians all others are, half-way through the rounds that are shown and after the last.

    `figure` is what the height of a climber is called in the frame, `name` the column of means; `what` is what has the
    median, `word` what the game calls a round.
    """
    frame = frame.filter(figure=figure)
    if frame.is_empty():
        return NOTHING
    rounds = frame["round"].unique().sort().to_list()
    middle, last = rounds[(len(rounds) - 1) // 2], rounds[-1]
    left = int(frame.filter(round=last)["seats"].sum())
    return (
        f"The median {what} {medians_told(frame, name, word, dict.fromkeys((middle, last)))}. Counts only matches"
        f" not over by then: {whole(left, 'seat')} at {word} {last}."
    )


def medians_told(frame: pl.DataFrame, name: str, word: str, rounds: Iterable[int]) -> str:
    """Say from which player's median to which it runs after each of some rounds: `runs from 3 (b) to 5 (a) after …`.

    Medians have no interval, so nobody's is called the highest.
    """
    said: list[str] = []
    verb = ""
    for number in rounds:
        rows = frame.filter(round=number).sort(f"{name}_median", "player")
        least, most = (rows.row(place, named=True) for place in (0, -1))
        low, high = (f"{row[f'{name}_median']:g} ({row['player']})" for row in (least, most))
        if rows.height == 1:
            now, text = "is ", low
        elif least[f"{name}_median"] == most[f"{name}_median"]:
            now, text = "is ", f"{least[f'{name}_median']:g} for every player"
        else:
            now, text = "runs ", f"from {low} to {high}"
        said.append(f"{now if now != verb else ''}{text} after {word} {number}")
        verb = now
    return ", and ".join(said)
