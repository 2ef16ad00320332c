"""Caravan: the course of matches: when they were decided, comebacks, how often lead and regions passed on."""

from typing import Final

import polars as pl

from dashboards.games.shared.progress import came_back, came_back_finding, decided, decided_finding, happened
from dashboards.stats.words import NOTHING, mean
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "comeback_finding",
    "comebacks",
    "course_finding",
    "courses",
    "decisive_finding",
    "decisive_round",
]

TABLE: Final = "fct_courses"
WOULD: Final = "been eliminated, had the match been scored at the end of round 6 or later"
COURSES: Final = {kind: f"f.{kind}" for kind in ("lead_changes", "contested_villages", "region_flips")}


def courses(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, per_match`, its bounds and quartiles: what happened in a match.

    Kinds: the lead changed, a village was contested (counted round by round), a region passed to another leader.
    """
    return happened(reader, where, TABLE, COURSES, "per_match")


def course_finding(frame: pl.DataFrame) -> str:
    """Say what happens in a match of the size most played."""
    if frame.is_empty():
        return NOTHING
    size = frame.sort("matches", "players", descending=[True, False])["players"][0]
    lead, contested, flips = (
        frame.filter((pl.col("kind") == kind) & (pl.col("players") == size)).row(0, named=True) for kind in COURSES
    )
    return (
        f"In a match of {size} players the lead changes {mean(lead, 'per_match')} times, {mean(contested, 'per_match')}"
        f" villages are contested and {mean(flips, 'per_match')} regions pass to another leader."
    )


def decisive_round(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return in which round matches were decided, see `courses.decided`."""
    return decided(reader, where, TABLE)


def decisive_finding(frame: pl.DataFrame) -> str:
    """Say in which round most matches are decided, and when half of them are."""
    return decided_finding(frame, "round")


def comebacks(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, comeback_share` and its bounds, the highest first.

    Of the seats that won, those in matches a winner of which would have been eliminated, had it been scored so late.
    """
    return came_back(reader, where, TABLE, "comeback_share")


def comeback_finding(frame: pl.DataFrame) -> str:
    """Say whose wins are comebacks most often."""
    return came_back_finding(frame, "comeback_share", "comes back", "a comeback", WOULD)
