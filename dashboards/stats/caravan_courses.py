"""Caravan: the course of matches: when they were decided, comebacks, how often lead and regions passed on."""

from typing import Final

import polars as pl

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.stats.intervals import means, shares
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, mean, rivals, share, whole

__all__ = [
    "comeback_finding",
    "comebacks",
    "course_finding",
    "courses",
    "decisive_finding",
    "decisive_round",
]

WOULD: Final = "would have been eliminated, had it been scored at the end of round 6 or later"
COURSES: Final = ("lead_changes", "contested_villages", "region_flips")


def courses(queries: Queries, where: Filter) -> pl.DataFrame:
    """Return `kind, players, matches, groups, per_match`, its bounds and quartiles: what happened in a match.

    Kinds: the lead changed, a village was contested (counted round by round), a region passed to another leader.
    """
    by = ["kind", "players"]
    found = queries.course_sums(where, COURSES)
    rows = means(found, by, "per_match").drop("per_match_p")
    rows = rows.with_columns(found["trials"].cast(pl.Int64).alias("matches"))
    spread = quartiles(queries.course_histogram(where, COURSES), by, "value", "matches", "per_match")
    order = pl.col("kind").replace_strict({kind: place for place, kind in enumerate(COURSES)}, return_dtype=pl.Int64)
    ends = [f"per_match{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    return rows.join(spread, on=by, how="left").sort(order, "players").select(*by, "matches", "groups", *ends)


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


def decisive_round(queries: Queries, where: Filter) -> pl.DataFrame:
    """Return `round, matches, groups, decided_share`, its bounds, `decided_by`, its bounds: when the winner led from.

    Only rounds from the filter's first to its last have a row, and 0 one without a round for matches never decided;
    `decided_by` adds all rounds up to this one. Both are shares of all matches.
    """
    found = queries.decisive_sums(where)
    rows = shares(found, ["round"], "decided_share", "of").drop("of")
    rows = rows.with_columns(pl.col("round").cast(pl.Int64), found["total"].cast(pl.Int64).alias("matches"))
    never = pl.col("round") == 0
    by_then = shares(queries.decided_sums(where), ["round"], "decided_by", "of").drop("of", "groups")
    rows = rows.join(by_then.with_columns(pl.col("round").cast(pl.Int64)), on="round", how="left").sort(never, "round")
    inside = (pl.col("round") >= where.first) & (pl.col("round") <= where.last)
    rows = rows.filter(inside).with_columns(pl.when(~never).then("round").alias("round"))
    ends = [f"{name}{end}" for name in ("decided_share", "decided_by") for end in ("", "_low", "_high")]
    return rows.select("round", "matches", "groups", *ends)


def decisive_finding(frame: pl.DataFrame) -> str:
    """Say in which round most matches are decided, and when half of them are, if that is in a round that is shown."""
    known = frame.filter(pl.col("round").is_not_null())
    if known.is_empty():
        return NOTHING
    most = known.sort("decided_share", "round", descending=[True, False]).row(0, named=True)
    total = whole(round(most["matches"] / most["decided_share"]), "match", "matches")
    ranked = known.sort("decided_share", "round", descending=[True, False])
    others = rivals(ranked.with_columns(pl.format("round {}", "round").alias("called")), "decided_share", "called")
    return (
        f"The most common decisive round is {most['round']}: {share(most, 'decided_share')} of {total}{others}; from"
        f" its end on the later winner would have won at every count.{_half(known)}"
    )


def _half(known: pl.DataFrame) -> str:
    """Return by when half of the matches are decided; nothing if that is before the first round shown, or after all.

    The interval of that round goes from the first by whose end half may be decided to the first by whose end they are.
    """
    before = known["decided_by"][0] - known["decided_share"][0]
    half = known.filter(pl.col("decided_by") >= 0.5)
    if half.is_empty() or before >= 0.5:
        return ""
    may, surely = (known.filter(pl.col(f"decided_by_{end}") >= 0.5)["round"] for end in ("high", "low"))
    ends = f"round {may[0]} to {f'round {surely[0]}' if len(surely) else 'the end'}"
    return f" Half of all matches are decided by the end of round {half['round'][0]} (95% interval {ends})."


def comebacks(queries: Queries, where: Filter) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, comeback_share` and its bounds, the highest first.

    Of the seats that won, those in matches a winner of which would have been eliminated, had it been scored so late.
    """
    found = queries.comeback_sums(where)
    rows = shares(found, ["player"], "comeback_share", "wins").with_columns(
        pl.col("wins").cast(pl.Int64), found["total"].cast(pl.Int64).alias("comebacks")
    )
    ends = [f"comeback_share{end}" for end in ("", "_low", "_high")]
    return rows.select("player", "wins", "comebacks", "groups", *ends).sort(
        "comeback_share", "player", descending=[True, False]
    )


def comeback_finding(frame: pl.DataFrame) -> str:
    """Say whose wins are comebacks most often."""
    if frame.is_empty():
        return NOTHING
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    if not most["comebacks"]:
        total = whole(frame["wins"].sum(), "win")
        return f"No win (of {total}) was a comeback: in a match a winner of which {WOULD}."
    said = (
        f"{most['player']} comes back most often: {share(most, 'comeback_share')} of {whole(most['wins'], 'win')} were"
        f" in matches a winner of which {WOULD}"
        f"{rivals(frame, 'comeback_share', 'player')}"
    )
    if frame.height == 1:
        return f"{said}."
    return f"{said}; least often {least['player']}: {share(least, 'comeback_share')} of {whole(least['wins'], 'win')}."
