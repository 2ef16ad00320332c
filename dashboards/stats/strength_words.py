"""What the figures of strength show, in sentences that claim what was tested and no more (`claims.py`)."""

from typing import Any, Final

import polars as pl

from dashboards.stats.claims import PLACES, RATINGS, RISK, Lead, lead
from dashboards.stats.words import NOTHING, Row, interval, mean, percent, share, significant, whole

__all__ = [
    "head_to_head_finding",
    "paired_finding",
    "placement_finding",
    "ratings_finding",
    "seat_finding",
    "win_finding",
]

MOST_NAMED: Final = 3
WHOLE_TABLE: Final = 1e-6
"""By how much the size of a table may miss a whole number: the rest is rounding."""


def win_finding(frame: pl.DataFrame) -> str:
    """Say who wins most, if that is significant, else more than whom; and what equal seats would."""
    if frame.is_empty():
        return NOTHING
    best = frame.row(0, named=True)
    equal = _equal(frame)
    won = f"{share(best, 'win_share')} of {whole(best['played'], 'seat')}"
    if frame.height == 1:
        return f"{best['player']} wins {won}; {equal}."
    others = frame.tail(-1)
    level = others.filter(pl.col("win_share_holm") > RISK)
    after = others.row(0, named=True)
    if level.is_empty():
        second = f"{after['player']} is next with {percent(after['win_share'])}"
        return f"{best['player']} wins most, significantly more than any other: {won}. {_capital(equal)}; {second}."
    behind = others.filter(pl.col("win_share_holm") <= RISK)
    beaten = f" That is significantly more than {_named(behind)}." if behind.height else ""
    return (
        f"Nobody wins significantly more than all others: {best['player']} wins {won}, {_named(level)}.{beaten}"
        f" {_capital(equal)}."
    )


def _named(frame: pl.DataFrame) -> str:
    """Name the first few players with what they win, and how many more there are."""
    named = [f"{row['player']} {percent(row['win_share'])}" for row in frame.head(MOST_NAMED).iter_rows(named=True)]
    return ", ".join(named) + (f" and {frame.height - MOST_NAMED} more" if frame.height > MOST_NAMED else "")


def _equal(frame: pl.DataFrame) -> str:
    """Say what equal seats would win; that this is an average if tables differ in size."""
    shares = sorted(frame["expected_share"].to_list())
    least, most = percent(shares[0]), percent(shares[-1])
    if least == most and abs(1 / shares[0] - round(1 / shares[0])) < WHOLE_TABLE:
        return f"equal seats would win {least}"
    between = least if least == most else f"{least} to {most}, depending on who sat at which"
    return f"averaged over tables of different sizes, equal seats would win {between}"


def ratings_finding(frame: pl.DataFrame) -> str:
    """Say who is rated highest and lowest, where that is significant."""
    if frame.is_empty():
        return NOTHING
    if frame.height == 1:
        (only,) = frame.iter_rows(named=True)
        if only["rating_low"] is None:
            return f"{only['player']} cannot be rated yet: that takes another player, or more seeds."
        return f"{only['player']} is rated {_rating(only)} Elo; 0 is the mean of all who played."
    best, last = (lead(frame, "rating", least=least, level=RATINGS) for least in (False, True))
    said = _rated("highest", best)
    return f"{said} {_rated('lowest', last)}" if frame.height > 2 else said


def _rated(word: str, found: Lead) -> str:
    player, rating = found.first["player"], f"{_rating(found.first)} Elo"
    if found.rival is None:
        return f"Rated {word}: {player}, at {rating}."
    return (
        f"No rating is significantly the {word}: {player}, at {rating}, does not differ significantly from"
        f" {found.rival['player']}."
    )


def head_to_head_finding(frame: pl.DataFrame) -> str:
    """Say between how many pairs the difference is significant, and which pair is furthest from equal."""
    count = _pairs(frame)
    if not count:
        return "No two players sat at the same table."
    most = _clearest(_better_first(frame, "better_share", of=1.0), "better_share")
    said = (
        f"{most['player']} finishes ahead of {most['other']} in {share(most, 'better_share')} of"
        f" {whole(most['pairs'], 'pair')} of seats."
    )
    apart = _pairs(frame.filter(pl.col("better_share_holm") <= RISK))
    if not apart:
        return f"Head to head, no two players differ significantly. Nearest to significance: {said}"
    differ = f"{whole(count, 'pair')} of players {'differs' if apart == 1 else 'differ'} significantly"
    return f"Head to head, {apart} of {differ}. Furthest apart: {said}"


def placement_finding(frame: pl.DataFrame) -> str:
    """Say who comes last most often at the size of table most played, if that is significant."""
    if frame.is_empty():
        return NOTHING
    sizes = frame.filter(pl.col("place") == 1).group_by("players").agg(pl.col("played").sum())
    size = sizes.sort("played", "players", descending=True)["players"][0]
    last = frame.filter((pl.col("players") == size) & (pl.col("place") == size))
    last = last.sort("place_share", "player", descending=[True, False])
    worst = lead(last, "place_share", level=PLACES)
    told = f"{share(worst.first, 'place_share')} of {whole(worst.first['played'], 'seat')}"
    if last.height == 1:
        return f"At tables of {size}, {worst.first['player']} comes last in {told}."
    if worst.rival is None:
        return f"At tables of {size}, {worst.first['player']} comes last most often: in {told}."
    return (
        f"At tables of {size}, nobody comes last significantly more often than all others: {worst.first['player']} does"
        f" in {told}, {worst.rival['player']} in {percent(worst.rival['place_share'])}."
    )


def seat_finding(frame: pl.DataFrame) -> str:
    """Say whether any seat wins more or less than those who sat there usually do."""
    if frame.is_empty():
        return NOTHING
    most = _clearest(frame, "seat_effect", distance=pl.col("seat_effect").abs())
    seat = (
        f"seat {most['seat'] + 1} of {most['players']}, {interval(most, 'seat_effect')} versus what its players"
        " usually win"
    )
    apart = frame.filter(pl.col("seat_effect_holm") <= RISK).height
    if not apart:
        return f"No seat has a significant effect; the nearest is {seat}."
    have = "has" if apart == 1 else "have"
    return f"{apart} of {whole(frame.height, 'seat')} {have} a significant effect. The strongest: {seat}."


def paired_finding(frame: pl.DataFrame) -> str:
    """Say which two players differ most in wins with the same seed, and what pairing has done for the interval."""
    count = _pairs(frame)
    if not count:
        return "No two players played the same seed."
    most = _clearest(_better_first(frame, "paired_difference", of=0.0), "paired_difference")
    told = interval(most, "paired_difference")
    said = (
        f"On the same seeds, {most['player']} wins more of its seats than {most['other']}: {told}."
        if significant(most, "paired_difference")
        else "On the same seeds, no two players differ significantly in wins; the nearest are"
        f" {most['player']} and {most['other']}: {told}."
    )
    if most["narrowing"] is None:
        return said
    narrowing = f"{most['narrowing']:.2f}"
    if most["narrowing"] <= 1:
        return f"{said} Sharing seeds did not narrow the interval: without, it would be {narrowing} times as wide."
    return f"{said} Without shared seeds, that interval would be {narrowing} times as wide."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


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
    apart = rows.filter(pl.col(f"{name}_holm") <= RISK)
    if apart.height:
        return apart.sort("distance", descending=True, maintain_order=True).row(0, named=True)
    return rows.sort(f"{name}_p", "distance", descending=[False, True], maintain_order=True).row(0, named=True)


def _rating(row: Row) -> str:
    return f"{row['rating']:+.0f}".replace("-", "−") if row["rating_low"] is None else mean(row, "rating", 0, sign=True)
