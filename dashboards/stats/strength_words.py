"""What the figures of strength show, in sentences that claim no more than their intervals allow."""

from typing import Any, Final

import polars as pl

from dashboards.stats.words import NOTHING, interval, mean, rivals, share, significant, whole

__all__ = [
    "head_to_head_finding",
    "paired_finding",
    "placement_finding",
    "ratings_finding",
    "seat_finding",
    "win_finding",
]

LEVEL: Final = 0.05


def win_finding(frame: pl.DataFrame) -> str:
    """Say who wins most, what equal seats would, and who is next."""
    if frame.is_empty():
        return NOTHING
    best, others = frame.row(0, named=True), rivals(frame, "win_share", "player")
    said = (
        f"{best['player']} wins most: {share(best, 'win_share')} of {whole(best['played'], 'seat')}{others};"
        f" equal seats would win {best['expected_share']:.1%}."
    )
    if frame.height == 1:
        return said
    after = frame.row(1, named=True)
    return f"{said} Next is {after['player']} with {share(after, 'win_share')}."


def ratings_finding(frame: pl.DataFrame) -> str:
    """Say who is rated highest and lowest."""
    if frame.is_empty():
        return NOTHING
    best, last = frame.row(0, named=True), frame.row(-1, named=True)
    if frame.height == 1:
        return f"{best['player']} is the only player, so there is nothing to rate it against."
    return (
        f"Rated highest is {best['player']} with {_rating(best)} Elo{rivals(frame, 'rating', 'player')}; lowest"
        f" {last['player']} with {_rating(last)}{rivals(frame, 'rating', 'player', least=True)}."
    )


def head_to_head_finding(frame: pl.DataFrame) -> str:
    """Say between how many pairs the difference is significant, and which pair is furthest from equal."""
    count = _pairs(frame)
    if not count:
        return "No two players met at a table."
    most = _clearest(_better_first(frame, "better_share", of=1.0), "better_share")
    said = (
        f"{most['player']} finishes ahead of {most['other']} in {share(most, 'better_share')} of"
        f" {whole(most['pairs'], 'pair')} of seats."
    )
    apart = _pairs(frame.filter(pl.col("better_share_holm") <= LEVEL))
    if not apart:
        over = whole(count, "pair")
        return f"No significant difference between any two players (Holm over {over}, 5%). Closest to one: {said}"
    return f"Significant difference in {apart} of {whole(count, 'pair')} of players (Holm, 5%). Furthest apart: {said}"


def placement_finding(frame: pl.DataFrame) -> str:
    """Say who comes last most often at the size of table most played."""
    if frame.is_empty():
        return NOTHING
    sizes = frame.filter(pl.col("place") == 1).group_by("players").agg(pl.col("played").sum())
    size = sizes.sort("played", "players", descending=True)["players"][0]
    rows = frame.filter(pl.col("players") == size)
    first, last = (
        rows.filter(pl.col("place") == place).sort("place_share", "player", descending=[True, False])
        for place in (1, size)
    )
    most, worst = first.row(0, named=True), last.row(0, named=True)
    return (
        f"At tables of {size}, {most['player']} comes first most often: {share(most, 'place_share')}"
        f"{rivals(first, 'place_share', 'player')}; last most often comes {worst['player']}:"
        f" {share(worst, 'place_share')}{rivals(last, 'place_share', 'player')}."
    )


def seat_finding(frame: pl.DataFrame) -> str:
    """Say whether any seat wins more or less than those who sat there usually do."""
    if frame.is_empty():
        return NOTHING
    most = _clearest(frame, "seat_effect", distance=pl.col("seat_effect").abs())
    seat = f"seat {most['seat'] + 1} of {most['players']}, {interval(most, 'seat_effect')}"
    apart = frame.filter(pl.col("seat_effect_holm") <= LEVEL).height
    if not apart:
        return f"No seat has a significant effect (Holm, 5%). Closest to one: {seat}."
    return f"The strongest effect of a seat is that of {seat}; {apart} of {frame.height} are significant (Holm, 5%)."


def paired_finding(frame: pl.DataFrame) -> str:
    """Say which two players differ most with the same seed, and what pairing has done for the interval."""
    count = _pairs(frame)
    if not count:
        return "No two players met the same seed."
    most = _clearest(_better_first(frame, "paired_difference", of=0.0), "paired_difference")
    said = (
        f"With the same seed {most['player']} finishes ahead of more of its opponents than {most['other']} does, by"
        f" {interval(most, 'paired_difference')}"
    )
    apart = "" if significant(most, "paired_difference") else ", no significant difference (Holm, 5%)"
    narrowing = most["narrowing"]
    if narrowing is None:
        return f"{said}{apart}."
    than = f"{narrowing:.2f} times as wide"
    return f"{said}{apart}. Had each match had a seed of its own, the interval would be {than}."


def _pairs(frame: pl.DataFrame) -> int:
    """Return how many comparisons a frame of pairs holds, each in one or both directions."""
    ends = pl.concat_list("player", "other").list.sort()
    return int(frame.select(ends.n_unique()).item()) if frame.height else 0


def _better_first(frame: pl.DataFrame, name: str, of: float) -> pl.DataFrame:
    """Return pairs with the better of the two as `player`; a value x of one way is `of` − x of the other."""
    behind = pl.col(name) < of / 2

    def turned(column: str, other: str) -> pl.Expr:
        return pl.when(behind).then(of - pl.col(other)).otherwise(column).alias(column)

    return frame.with_columns(
        pl.when(behind).then("other").otherwise("player").alias("player"),
        pl.when(behind).then("player").otherwise("other").alias("other"),
        turned(name, name),
        turned(f"{name}_low", f"{name}_high"),
        turned(f"{name}_high", f"{name}_low"),
    )


def _clearest(frame: pl.DataFrame, name: str, distance: pl.Expr | None = None) -> dict[str, Any]:
    """Return the row furthest from equal of those that are significant; if none is, the one of least p."""
    rows = frame.with_columns((pl.col(name) if distance is None else distance).alias("distance"))
    apart = rows.filter(pl.col(f"{name}_holm") <= LEVEL)
    if apart.height:
        return apart.sort("distance", descending=True, maintain_order=True).row(0, named=True)
    return rows.sort(f"{name}_p", "distance", descending=[False, True], maintain_order=True).row(0, named=True)


def _rating(row: dict[str, Any]) -> str:
    return f"{row['rating']:+.0f}".replace("-", "−") if row["rating_low"] is None else mean(row, "rating", 0, sign=True)
