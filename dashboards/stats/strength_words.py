"""Findings of the figures of strength, in sentences that claim only what was tested (`claims.py`)."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from dashboards.stats.claims import HEAD_TO_HEAD, PLACES, RATINGS, RISK, Lead, lead
from dashboards.stats.lineups import Lineups
from dashboards.stats.pools import joints, one_sided
from dashboards.stats.power import are_too_few
from dashboards.stats.words import (
    NOTHING,
    Row,
    interval,
    mean,
    opponents,
    percent,
    share,
    signed,
    significant,
    some,
    whole,
)

__all__ = [
    "apart",
    "head_to_head_finding",
    "paired_finding",
    "placement_finding",
    "ratings_finding",
    "seat_finding",
    "weakness",
    "win_finding",
]

MOST_NAMED: Final = 3
WHOLE_TABLE: Final = 1e-6
"""Tolerance for the size of a table to count as a whole number: the rest is rounding."""


def apart(pools: Sequence[Sequence[str]]) -> str:
    """Name pools of players that never met; nothing if there is one."""
    if len(pools) < 2:
        return ""
    more = f" · {whole(len(pools) - MOST_NAMED, 'more pool')}" if len(pools) > MOST_NAMED else ""
    return f"{len(pools)} pools of players never met: {' · '.join(map(some, pools[:MOST_NAMED]))}{more}."


def weakness(lineups: Lineups) -> list[str]:
    """Say which halves of a pool few matches join, and which ratings have no limit as one half was always ahead."""
    sentences = [
        f"Only {whole(joint.matches, 'match joins', 'matches join')} {_and(joint.one)} to {_and(joint.other)},"
        " which is too little to compare their ratings."
        for joint in joints(lineups)
    ]
    for joint in one_sided(lineups)[:MOST_NAMED]:
        met = "the one match" if joint.matches == 1 else f"all {joint.matches:,} matches"
        sentences.append(
            f"{_and(joint.one)} finished ahead of {_and(joint.other)} in {met} they shared, so nothing limits the"
            " distance between their ratings."
        )
    return sentences


def _and(names: Sequence[str]) -> str:
    return _listed(names, "and")


def win_finding(frame: pl.DataFrame) -> str:
    """Name the player that wins most, if significant, else the players it beats and those it is level with.

    Ends with the share that equal players would win. Rows are of one pool. A row without a p-value never met the first.
    """
    if frame.is_empty():
        return NOTHING
    best = frame.row(0, named=True)
    won, equal = f"{share(best, 'win_share')} of its {_matches(best)}", _equal(frame)
    if best.get("against") and best["against"] != opponents(frame["player"][1:]):
        won += f" against {best['against']}"
    if frame.height == 1:
        return f"{best['player']} wins {won}. {equal}"
    others = frame.tail(-1).drop_nulls("win_share_holm")
    never = frame.tail(-1).filter(pl.col("win_share_holm").is_null())["player"].to_list()
    if never:
        equal = f"It never met {_listed(never, 'or')}, so there is no comparison. {equal}"
    if others.is_empty():
        return f"{best['player']} wins {won}. {equal}"
    level, behind = others.filter(pl.col("win_share_holm") > RISK), others.filter(pl.col("win_share_holm") <= RISK)
    if level.is_empty():
        after = others.row(0, named=True)
        second = f"Next is {after['player']} with {percent(after['win_share'])}."
        rivals = "any other that it met" if never else "any other shown"
        return f"{best['player']} wins most, significantly more than {rivals}: {won}. {second} {equal}"
    pairs = frame.height * (frame.height - 1) / 2
    named = _listed([_with_reason(row, pairs) for row in level.iter_rows(named=True)], "or")
    if behind.is_empty():
        return f"{best['player']} wins {won}, but not significantly more than {named}. {equal}"
    more = f"significantly more than {_listed(behind['player'].to_list(), 'and')}"
    return f"{best['player']} wins {won}, {more}; no significant difference from {named}. {equal}"


def _with_reason(row: Row, pairs: float) -> str:
    """Name a player with its share, and its number of compared seeds if these are too few for a difference.

    `pairs` are those of players shown; the test was corrected for at least as many.
    """
    shared = row["shared_seeds"]
    reason = "; on different seeds"
    if shared:
        reason = f"; only {whole(shared, 'seed')} in common" if are_too_few(shared, pairs) else ""
    return f"{row['player']} ({percent(row['win_share'])}{reason})"


def _listed(names: Sequence[str], joint: str) -> str:
    """Name the first few, and count the others."""
    more = len(names) - MOST_NAMED
    shown = [*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {joint} {shown[-1]}"


def _matches(row: Row) -> str:
    return whole(row["played"], "match", "matches")


def _equal(frame: pl.DataFrame) -> str:
    """Say how much equally strong players would win, and that this is an average if tables differ in size."""
    shares = sorted(frame["expected_share"].to_list())
    least, most = percent(shares[0]), percent(shares[-1])
    if least != most:
        return f"Equally strong players would win {least} to {most}, depending on the size of their tables."
    is_of_one_size = abs(1 / shares[0] - round(1 / shares[0])) < WHOLE_TABLE
    averaged = "" if is_of_one_size else ", averaged over the sizes of their tables"
    return f"Equally strong players would win {least}{averaged}."


def ratings_finding(frame: pl.DataFrame) -> str:
    """Name the players rated highest and lowest, and say whether that is significant."""
    if frame.is_empty():
        return NOTHING
    frame = frame.drop_nulls("rating") if frame["rating"].count() else frame.head(1)
    if frame.height == 1:
        (only,) = frame.iter_rows(named=True)
        if only["rating_low"] is None:
            return f"{only['player']} cannot be rated yet: that takes another player, or more seeds."
        return f"{only['player']} is rated {_rating(only)} Elo; 0 is the mean of all who played."
    best, last = (lead(frame, "rating", least=least, level=RATINGS) for least in (False, True))
    pairs = frame.height * (frame.height - 1) / 2
    sentences = [_rated("highest", "above", best, pairs)]
    sentences += [_rated("lowest", "below", last, pairs)] if frame.height > 2 else []
    return " ".join([*sentences, "Ratings use all places taken, not only wins."])


def _rated(word: str, side: str, found: Lead, pairs: float) -> str:
    player, rating = found.first["player"], f"{_rating(found.first)} Elo"
    if found.rival is None:
        return f"Rated {word}: {player}, at {rating}."
    rival = f"{found.rival['player']} ({signed(found.rival['rating'], 0)}{_few(found, pairs, RATINGS)})"
    return f"{player} has the {word} rating found, {rating}, but not significantly {side} {rival}."


def _few(found: Lead, pairs: float, share: float) -> str:
    """Return the number of seeds behind a lead, if these are too few for one."""
    assert found.rival, "who leads all others has seeds enough"
    seeds = min(found.first["groups"], found.rival["groups"])
    return f"; only {whole(seeds, 'seed')}" if are_too_few(seeds, pairs, share) else ""


def head_to_head_finding(frame: pl.DataFrame) -> str:
    """Say between how many pairs the difference is significant, and which pair is furthest from equal."""
    count = _pairs(frame)
    if not count:
        return "No two players sat at the same table."
    most = _clearest(_better_first(frame, "better_share", of=1.0), "better_share")
    sentence = (
        f"{most['player']} finishes ahead of {most['other']} in {share(most, 'better_share')} of their"
        f" {whole(most['pairs'], 'meeting')}."
    )
    apart = _pairs(frame.filter(pl.col("better_share_holm") <= RISK))
    if not apart:
        few = are_too_few(most["groups"], count, HEAD_TO_HEAD)
        sentence = f"{sentence[:-1]}, on only {whole(most['groups'], 'seed')}." if few else sentence
        closest = f" Closest to significance: {sentence}" if most["better_share_holm"] < 1 else ""
        return f"Head to head, no two players differ significantly.{closest}"
    differ = f"{whole(count, 'pair')} of players {'differs' if apart == 1 else 'differ'} significantly"
    return f"Head to head, {apart} of {differ}. Furthest apart: {sentence}"


def placement_finding(frame: pl.DataFrame) -> str:
    """Name the player that is last most often at the size of table most played, and say whether that is significant."""
    if frame.is_empty():
        return NOTHING
    sizes = frame.filter(pl.col("place") == 1).group_by("players").agg(pl.col("played").sum())
    size = sizes.sort("played", "players", descending=True)["players"][0]
    last = frame.filter((pl.col("players") == size) & (pl.col("place") == size))
    last = last.sort("place_share", "player", descending=[True, False])
    worst = lead(last, "place_share", level=PLACES)
    amount = f"{share(worst.first, 'place_share')} of its {_matches(worst.first)}"
    if last.height == 1:
        return f"At tables of {size}, {worst.first['player']} comes last in {amount}."
    if worst.rival is None:
        return f"At tables of {size}, {worst.first['player']} comes last most often: in {amount}."
    few = _few(worst, last.height * (last.height - 1) / 2, PLACES)
    rival = f"{worst.rival['player']} ({percent(worst.rival['place_share'])}{few})"
    return (
        f"At tables of {size}, {worst.first['player']} comes last in {amount}, the highest share found, but not"
        f" significantly more often than {rival}."
    )


def seat_finding(frame: pl.DataFrame) -> str:
    """Say whether any seat wins more or less than its players usually do."""
    if frame.is_empty():
        return NOTHING
    most = _clearest(frame, "seat_effect", distance=pl.col("seat_effect").abs())
    seat = (
        f"seat {most['seat'] + 1} of {most['players']}, {interval(most, 'seat_effect')} versus what its players"
        " usually win"
    )
    apart = frame.filter(pl.col("seat_effect_holm") <= RISK).height
    if not apart:
        closest = f" Closest to significance: {seat}." if most["seat_effect_holm"] < 1 else ""
        return f"No seat has a significant effect.{closest}"
    have = "has" if apart == 1 else "have"
    return f"{apart} of {whole(frame.height, 'seat')} {have} a significant effect. The strongest: {seat}."


def paired_finding(frame: pl.DataFrame) -> str:
    """Name the two players that differ most in wins with the same seed, and the effect of pairing on the interval."""
    count = _pairs(frame)
    if not count:
        return "No two players played the same seed."
    most = _clearest(_better_first(frame, "paired_difference", of=0.0), "paired_difference")
    bounds = interval(most, "paired_difference")
    if significant(most, "paired_difference"):
        sentence = f"On the same seeds, {most['player']} wins more of its matches than {most['other']}: {bounds}."
    else:
        sentence = "On the same seeds, no two players differ significantly in wins."
        if most["paired_difference_holm"] >= 1:
            return sentence
        few = f", only {whole(most['groups'], 'seed')} in common" if are_too_few(most["groups"], count) else ""
        sentence = f"{sentence} Closest to significance: {most['player']} over {most['other']}, {bounds}{few}."
    if most["narrowing"] is None:
        return sentence
    helped = "helped" if most["narrowing"] > 1 else "did not help here"
    independent = f"counting matches as independent, the interval would be {most['narrowing']:.2f} times as wide"
    return f"{sentence} Sharing seeds {helped}: {independent}."


def _pairs(frame: pl.DataFrame) -> int:
    """Return the number of comparisons in a frame of pairs, each in one or both directions."""
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
    """Return the significant row furthest from equal; if none is significant, the one of least p."""
    rows = frame.with_columns((pl.col(name) if distance is None else distance).alias("distance"))
    apart = rows.filter(pl.col(f"{name}_holm") <= RISK)
    if apart.height:
        return apart.sort("distance", descending=True, maintain_order=True).row(0, named=True)
    return rows.sort(f"{name}_p", "distance", descending=[False, True], maintain_order=True).row(0, named=True)


def _rating(row: Row) -> str:
    return f"{row['rating']:+.0f}".replace("-", "−") if row["rating_low"] is None else mean(row, "rating", 0, sign=True)
