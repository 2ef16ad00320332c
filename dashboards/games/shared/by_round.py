"""Family of figures that follow seats round by round: medians with the middle half.

A figure of it is a `ByRound`: what is drawn of it (`Course`), the table that adds it up, the sentence about it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import polars as pl

from dashboards.charts.lines import Course
from dashboards.games.figure import BY_ROUND, Defined, Figure, quartile_columns
from dashboards.stats.metric import TYPE_7
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, whole
from dashboards.warehouse.actions import standing_histogram
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["ByRound", "height_finding", "medians_told"]

HALF: Final = 0.5
LEAST: Final = 0.1
"""Part of a player's seats that must have met a round: what is left of a few late matches says little of it."""


@dataclass(frozen=True, slots=True)
class ByRound:
    """A figure of the family.

    `table` has a row per `cohort, round`, kind (the key of `course`, called `heading`) and value. `metric` defines the
    mean where no other figure does.
    """

    name: str
    title: str
    course: Course
    table: str
    heading: str
    finding: Callable[[pl.DataFrame], str]
    metric: Defined | None = None

    def count(self, reader: Reader, where: Filter) -> pl.DataFrame:
        """Return `{key}, player, round, seats`, the mean and its quartiles after each round of the filter.

        Rounds that fewer than a tenth of the player's seats met are left out: matches that are over have none any more.
        """
        key, name = self.course.key, self.course.value
        by = [key, "player", "round"]
        counted = standing_histogram(reader, self.table, where, key)
        total = pl.col("seats").sum()
        average = counted.group_by(by).agg(
            total.alias("seats"), ((pl.col("value") * pl.col("seats")).sum() / total).alias(name)
        )
        found = average.join(quartiles(counted, by, "value", "seats", name), on=by).sort(by)
        return found.filter(pl.col("seats") >= LEAST * pl.col("seats").max().over(key, "player"))

    @property
    def figure(self) -> Figure:
        """The figure, to be listed with others."""
        key, grain = self.course.key, f"{self.course.key}, player, round"
        return Figure(
            name=self.name,
            title=self.title,
            section="why",
            count=self.count,
            columns={
                key: self.heading,
                "player": "Player",
                "round": self.course.word.capitalize(),
                "seats": "Matches",
                self.course.value: "Mean",
                **quartile_columns(self.course.value),
            },
            finding=self.finding,
            ignores=BY_ROUND,
            is_wide=True,
            draw=self.course.by_round,
            overlaid=self.course.overlaid,
            metrics=(self.metric.metric(ByRound.count, grain, TYPE_7),) if self.metric else (),
        )


def height_finding(frame: pl.DataFrame, *, figure: str, name: str, what: str, word: str) -> str:
    """Say between which players' medians all others are, after the last round that counts and half-way there.

    `figure` is what the height of a climber is called in the frame, `name` the column of means; `what` is what has the
    median, `word` what the game calls a round. A round counts if at least half of each player's matches met it: after
    it, those that are not over yet are compared with each other.
    """
    frame = frame.filter(figure=figure)
    if frame.is_empty():
        return NOTHING
    at_first = frame.group_by("player").agg(pl.col("seats").max().alias("at_first"))
    left = frame.join(at_first, on="player").filter(pl.col("seats") >= HALF * pl.col("at_first"))
    players = left.group_by("round").agg(pl.len().alias("players"))
    counts = players.filter(pl.col("players") == pl.col("players").max())["round"]
    reached = frame.filter(pl.col("round").is_in(counts.implode()))
    rounds = reached["round"].unique().sort().to_list()
    middle, last = rounds[(len(rounds) - 1) // 2], rounds[-1]
    counted = whole(reached.filter(round=last)["seats"].sum(), "climber")
    return (
        f"{medians_told(reached, name, what, word, dict.fromkeys((middle, last)))}. Counts only matches not over by"
        f" then: {counted} at {word} {last}."
    )


def medians_told(frame: pl.DataFrame, name: str, what: str, word: str, rounds: Iterable[int]) -> str:
    """Say from which player's median to which they range after each of some rounds.

    `After round 6 the median … ranges from 3 (b) to 5 (a), after round 12 from …`. Medians have no interval, so
    no player is called the highest.
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
            now, text = "ranges ", f"from {low} to {high}"
        subject = f"the median {what} " if not said else ""
        said.append(f"after {word} {number} {subject}{now if now != verb else ''}{text}")
        verb = now
    text = ", ".join(said)
    return f"{text[:1].upper()}{text[1:]}"
