"""Summit: the course of matches: when they were decided, wins from behind, what happens in a match."""

from typing import Final

import polars as pl

from dashboards.games.shared.progress import came_back, came_back_finding, decided, decided_finding, happened
from dashboards.stats.words import NOTHING, mean
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "behind_finding",
    "decisive_finding",
    "decisive_throw",
    "from_behind",
    "happening_finding",
    "happenings",
]

TABLE: Final = "fct_summit_courses"
HAPPENINGS: Final = {
    kind: f"f.{kind}" for kind in ("lead_changes", "take_alongs", "slides", "chases", "rerolls", "forfeits")
}
BEHIND: Final = "come last, scored before another throw in the second half of the match"


def happenings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, times_per_match`, its bounds and quartiles: what happened in a match."""
    return happened(reader, where, TABLE, HAPPENINGS, "times_per_match")


def happening_finding(frame: pl.DataFrame) -> str:
    """Say what happens in a match of the size most played."""
    if frame.is_empty():
        return NOTHING
    size = frame.sort("matches", "players", descending=[True, False])["players"][0]
    lead, along, slide, chase = (
        frame.filter(kind=kind, players=size).row(0, named=True) for kind in list(HAPPENINGS)[:4]
    )
    return (
        f"In a match of {size} players the lead changes {mean(lead, 'times_per_match')} times, Sherpas go along"
        f" {mean(along, 'times_per_match')} times and slide {mean(slide, 'times_per_match')} times, and the Yeti chases"
        f" {mean(chase, 'times_per_match')} of them."
    )


def decisive_throw(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return by which throw matches were decided, see `courses.decided`."""
    return decided(reader, where, TABLE)


def decisive_finding(frame: pl.DataFrame) -> str:
    """Say by which throw most matches are decided, and by when half of them are."""
    return decided_finding(frame, "throw")


def from_behind(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, behind_share` and its bounds, the highest first."""
    return came_back(reader, where, TABLE, "behind_share")


def behind_finding(frame: pl.DataFrame) -> str:
    """Say whose wins are from behind most often."""
    return came_back_finding(frame, "behind_share", "wins from behind", "from behind", BEHIND)
