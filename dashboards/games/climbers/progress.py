"""The Climbers: the course of matches: how long, when they were decided, wins from behind, what happens in a match."""

from typing import Final

import polars as pl

from dashboards.games.shared.progress import came_back, came_back_finding, decided, decided_finding, happened
from dashboards.stats.words import NOTHING, mean
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "behind_finding",
    "decisive_finding",
    "decisive_turn",
    "from_last",
    "happening_finding",
    "happenings",
    "turns_finding",
    "turns_taken",
]

TABLE: Final = "fct_climbers_courses"
HAPPENINGS: Final = {
    kind: f"f.{kind}" for kind in ("lead_changes", "steps", "rises", "ladders", "blocks_moved", "discs", "hindrances")
}
BEHIND: Final = "come last, had the match ended after some turn in its second half"


def turns_taken(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, matches, groups, turns_taken`, its bounds and quartiles: how many turns matches take."""
    return happened(reader, where, TABLE, {"turns": "f.turns"}, "turns_taken").drop("kind")


def turns_finding(frame: pl.DataFrame) -> str:
    """Say how many turns matches of each size take."""
    if frame.is_empty():
        return NOTHING
    said = [f"with {row['players']} players {mean(row, 'turns_taken')}" for row in frame.iter_rows(named=True)]
    return f"Turns of a match, all players' together: {'; '.join(said)}."


def happenings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, happens`, its bounds and quartiles: what happened in a match."""
    return happened(reader, where, TABLE, HAPPENINGS, "happens")


def happening_finding(frame: pl.DataFrame) -> str:
    """Say what happens in a match of the size most played."""
    if frame.is_empty():
        return NOTHING
    size = frame.sort("matches", "players", descending=[True, False])["players"][0]
    of_size = {row["kind"]: row for row in frame.filter(players=size).iter_rows(named=True)}
    lead, rises, ladders, blocks, hindrances = (
        mean(of_size[kind], "happens") for kind in ("lead_changes", "rises", "ladders", "blocks_moved", "hindrances")
    )
    return (
        f"In a match of {size} players the lead changes {lead} times; climbers rise {rises} times, with {ladders}"
        f" ladders; {blocks} blocks are moved, and a step is taken away {hindrances} times."
    )


def decisive_turn(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return by which turn matches were decided, see `courses.decided`."""
    return decided(reader, where, TABLE)


def decisive_finding(frame: pl.DataFrame) -> str:
    """Say by which turn most matches are decided, and by when half of them are."""
    return decided_finding(frame, "turn")


def from_last(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, from_last_share` and its bounds, the highest first."""
    return came_back(reader, where, TABLE, "from_last_share")


def behind_finding(frame: pl.DataFrame) -> str:
    """Say whose wins are from behind most often."""
    return came_back_finding(frame, "from_last_share", "wins from behind", "from behind", BEHIND)
