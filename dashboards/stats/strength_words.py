"""What the figures of strength show, in sentences that claim no more than their intervals allow."""

import polars as pl

from dashboards.stats.words import NOTHING, interval, mean, share, told_apart, whole

__all__ = [
    "head_to_head_finding",
    "paired_finding",
    "placement_finding",
    "ratings_finding",
    "seat_finding",
    "win_finding",
]


def win_finding(frame: pl.DataFrame) -> str:
    """Say who wins most, what equal seats would, and who is next."""
    if frame.is_empty():
        return NOTHING
    best = frame.row(0, named=True)
    said = (
        f"{best['player']} wins most: {share(best, 'win_share')} of {whole(best['played'], 'seat')};"
        f" equal seats would win {best['expected_share']:.1%}."
    )
    if frame.height == 1:
        return said
    after = frame.row(1, named=True)
    apart = best["win_share_low"] > after["win_share_high"]
    return f"{said} Next is {after['player']} with {share(after, 'win_share')}; the intervals " + (
        "do not overlap." if apart else "overlap."
    )


def ratings_finding(frame: pl.DataFrame) -> str:
    """Say who is rated highest and lowest."""
    if frame.is_empty():
        return NOTHING
    best, last = frame.row(0, named=True), frame.row(-1, named=True)
    if frame.height == 1:
        return f"{best['player']} is the only player, so there is nothing to rate it against."
    return f"Rated highest is {best['player']} with {_rating(best)} Elo, lowest {last['player']} with {_rating(last)}."


def head_to_head_finding(frame: pl.DataFrame) -> str:
    """Say how many pairs are told apart, and which is furthest from equal."""
    pairs = frame.filter(pl.col("better_share") > 0.5)
    count = _pairs(frame)
    if not count:
        return "No two players met at a table." if frame.is_empty() else _no_pair_apart(1)
    apart = pairs.filter(pl.col("better_share_holm") <= 0.05)
    if apart.is_empty():
        return _no_pair_apart(count)
    most = apart.sort("better_share", "player", "other", descending=[True, False, False]).row(0, named=True)
    return (
        f"{apart.height} of {whole(count, 'pair')} of players are told apart (Holm, 5%). Furthest apart:"
        f" {most['player']} comes before {most['other']} in {share(most, 'better_share')} of"
        f" {whole(most['pairs'], 'pair')} of seats."
    )


def placement_finding(frame: pl.DataFrame) -> str:
    """Say who comes last most often at the size of table most played."""
    if frame.is_empty():
        return NOTHING
    sizes = frame.filter(pl.col("place") == 1).group_by("players").agg(pl.col("played").sum())
    size = sizes.sort("played", "players", descending=True)["players"][0]
    rows = frame.filter(pl.col("players") == size)
    first, last = (
        rows.filter(pl.col("place") == place).sort("place_share", "player", descending=[True, False]).row(0, named=True)
        for place in (1, size)
    )
    return (
        f"At tables of {size}, {first['player']} comes first most often: {share(first, 'place_share')};"
        f" last most often comes {last['player']}: {share(last, 'place_share')}."
    )


def seat_finding(frame: pl.DataFrame) -> str:
    """Say whether any seat wins more or less than those who sat there usually do."""
    if frame.is_empty():
        return NOTHING
    apart = frame.filter(pl.col("seat_effect_holm") <= 0.05)
    most = (frame if apart.is_empty() else apart).sort(pl.col("seat_effect").abs(), descending=True).row(0, named=True)
    seat = f"seat {most['seat'] + 1} of {most['players']}, {interval(most, 'seat_effect')}"
    if apart.is_empty():
        return f"No seat's effect is told apart from none (Holm, 5%). The furthest from it is {seat}."
    return (
        f"The strongest effect of a seat is that of {seat}; {apart.height} of {frame.height} are told apart from none."
    )


def paired_finding(frame: pl.DataFrame) -> str:
    """Say which two players differ most with the same luck, and what pairing has done for the interval."""
    count = _pairs(frame)
    if not count:
        return "No two players met the same luck."
    ahead = frame.filter(pl.col("paired_difference") >= 0)
    most = ahead.sort("paired_difference", "player", "other", descending=[True, False, False]).row(0, named=True)
    said = (
        f"With the same luck {most['player']} comes before more of the others than {most['other']} does, by"
        f" {interval(most, 'paired_difference')}"
    )
    apart = "" if told_apart(most, "paired_difference") else ", which does not tell the two apart (Holm, 5%)"
    narrowing = most["narrowing"]
    if narrowing is None:
        return f"{said}{apart}."
    than = f"{narrowing:.2f} times as wide"
    return f"{said}{apart}. Had each match had a luck of its own, the interval would be {than}."


def _pairs(frame: pl.DataFrame) -> int:
    """Return how many comparisons a frame of pairs holds, each in one or both directions."""
    ends = pl.concat_list("player", "other").list.sort()
    return int(frame.select(ends.n_unique()).item()) if frame.height else 0


def _no_pair_apart(count: int) -> str:
    return f"No two players are told apart (Holm over {whole(count, 'pair')}, 5%)."


def _rating(row: dict[str, float]) -> str:
    return f"{row['rating']:+.0f}".replace("-", "−") if row["rating_low"] is None else mean(row, "rating", 0, sign=True)
