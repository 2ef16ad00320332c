"""Findings of the strength statistics as sentences, claiming only what was tested (see `claims.py`)."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from dashboards.stats.claims import HEAD_TO_HEAD, PLACES, RATINGS, RISK, Lead, are_too_few, lead
from dashboards.stats.ratings import joints, one_sided
from dashboards.stats.results import Lineups
from dashboards.stats.words import (
    NOTHING,
    SAYS_LITTLE,
    Row,
    bounds,
    interval,
    opponents,
    percent,
    signed,
    significant,
    some,
    whole,
)

__all__ = [
    "TURN_ORDER",
    "apart",
    "head_to_head_finding",
    "paired_finding",
    "placement_finding",
    "ratings_finding",
    "seat_called",
    "seat_finding",
    "weakness",
    "win_finding",
]

MOST_NAMED: Final = 3
TURN_ORDER: Final = "turn_order"
"""Column that replaces `seat` if seats are compared by turn order; 1 starts."""
ORDINALS: Final = ("starter", "second", "third", "fourth", "fifth", "sixth")


def apart(pools: Sequence[Sequence[str]]) -> str:
    """Return a sentence naming the pools of players that never met; empty if there is one pool."""
    if len(pools) < 2:
        return ""
    more = f" · {whole(len(pools) - MOST_NAMED, 'more pool')}" if len(pools) > MOST_NAMED else ""
    return f"{len(pools)} pools of players never met: {' · '.join(map(some, pools[:MOST_NAMED]))}{more}."


def weakness(lineups: Lineups) -> list[str]:
    """Return warnings: halves of a pool that few matches connect, and unbounded ratings (one half never lost)."""
    sentences = [
        f"Only {whole(joint.matches, 'match joins', 'matches join')} {_and(joint.one)} to {_and(joint.other)},"
        " which is too little to compare their ratings."
        for joint in joints(lineups)
    ]
    for joint in one_sided(lineups)[:MOST_NAMED]:
        met = "the one match" if joint.matches == 1 else f"all {joint.matches:,} matches"
        sentences.append(
            f"{_and(joint.one)} finished ahead of {_and(joint.other)} in {met} they shared, so nothing limits the"
            " distance between their ratings. Only more seeds can narrow its interval."
        )
    return sentences


def _and(names: Sequence[str]) -> str:
    return _listed(names, "and")


def win_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on who wins most often, whom that player beats significantly, and who is level or not judged.

    Rows are of one pool. A player without a p-value never met the first; one with too few shared seeds is not judged. A
    player is level with the first if its share is within the first one's interval.
    """
    if frame.is_empty():
        return NOTHING
    best = frame.row(0, named=True)
    against = best.get("against")
    against = f" against {against}" if against and against != opponents(frame["player"][1:]) else ""
    won = f"{percent(best['win_share'])} of {_matches(best)}{against}{bounds(best, 'win_share', percent)}"
    others = frame.tail(-1)
    never = others.filter(pl.col("win_share_holm").is_null())["player"].to_list()
    unmet = f" It never met {_listed(never, 'or')}, so there is no comparison." if never else ""
    others = others.drop_nulls("win_share_holm")
    if others.is_empty():
        return f"{best['player']} wins {won}.{unmet}"
    pairs = frame.height * (frame.height - 1) / 2
    behind, level, ahead, few = list[str](), list[str](), list[str](), list[Row]()
    for row in others.iter_rows(named=True):
        if row["win_share_holm"] <= RISK:
            behind.append(row["player"])
        elif row["shared_seeds"] and are_too_few(row["shared_seeds"], pairs):
            few.append(row)
        else:
            seeds = "" if row["shared_seeds"] else ", on different seeds"
            named = f"{row['player']} ({percent(row['win_share'])}{seeds})"
            (level if row["win_share"] >= best["win_share_low"] else ahead).append(named)
    sentence = f"{best['player']} wins most often: {won}"
    if len(behind) == others.height:
        after = others.row(0, named=True)
        rivals = "any other that it met" if never else "any other shown"
        sentence += f", significantly more than {rivals} (next: {after['player']}, {percent(after['win_share'])})"
    elif behind:
        sentence += f", significantly more than {_listed(behind, 'and')}"
    elif not ahead:
        sentence += "; lead not significant"
    if ahead:
        sentence += f"; lead over {_listed(ahead, 'and')} not significant"
    if level:
        sentence += f"; level with {_listed(level, 'and')}"
    return f"{sentence}.{_unjudged(few)}{unmet}"


def _unjudged(rows: Sequence[Row]) -> str:
    """Name the players that share too few seeds with the leader for a verdict, with the number of shared seeds."""
    if not rows:
        return ""
    if len({row["shared_seeds"] for row in rows}) == 1:
        named = _listed([row["player"] for row in rows], "and")
        return f" Too few shared seeds ({rows[0]['shared_seeds']}) to judge {named}."
    named = _listed([f"{row['player']} ({row['shared_seeds']})" for row in rows], "and")
    return f" Too few shared seeds to judge {named}."


def _listed(names: Sequence[str], joint: str) -> str:
    """Return a list of the first few names and a count of the rest."""
    more = len(names) - MOST_NAMED
    shown = [*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {joint} {shown[-1]}"


def _matches(row: Row) -> str:
    return whole(row["played"], "match", "matches")


def ratings_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the highest and lowest rated players, and whether the difference is significant."""
    if frame.is_empty():
        return NOTHING
    frame = frame.drop_nulls("rating") if frame["rating"].count() else frame.head(1)
    if frame.height == 1:
        (only,) = frame.iter_rows(named=True)
        if only["rating_low"] is None:
            return f"{only['player']} cannot be rated yet: that takes another player, or more seeds."
        return f"{only['player']} is rated {_rating(only)} by places taken; 0 is the mean of all who played."
    best, last = (lead(frame, "rating", least=least, level=RATINGS) for least in (False, True))
    pairs = frame.height * (frame.height - 1) / 2
    sentences = [_rated("highest", best, pairs)]
    sentences += [_rated("lowest", last, pairs)] if frame.height > 2 else []
    return " ".join(sentences)


def _rated(word: str, found: Lead, pairs: float) -> str:
    player, rating = found.first["player"], _rating(found.first)
    if found.rival is None:
        return f"Rated {word} by places taken: {player}, {rating}."
    rival = f"{found.rival['player']} ({signed(found.rival['rating'], 0)})"
    return f"{word.capitalize()} rating by places taken: {player}, {rating}; {_unproven(found, pairs, RATINGS, rival)}."


def _unproven(found: Lead, pairs: float, share: float, rival: str) -> str:
    """Return the note that a lead over a rival is not significant, or that there are too few seeds to judge it."""
    assert found.rival, "a leader over all others has enough seeds"
    seeds = min(found.first["groups"], found.rival["groups"])
    if are_too_few(seeds, pairs, share):
        return f"too few seeds ({seeds}) to compare it with {rival}"
    return f"difference from {rival} not significant"


def head_to_head_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on how many pairs differ significantly, and which pair is furthest from equal."""
    count = _pairs(frame)
    if not count:
        return "No two players sat at the same table."
    most = _clearest(_better_first(frame, "better_share", of=1.0), "better_share")
    sentence = (
        f"{most['player']} finishes ahead of {most['other']} in {percent(most['better_share'])} of"
        f" {whole(most['pairs'], 'meeting')}{bounds(most, 'better_share', percent)}."
    )
    apart = _pairs(frame.filter(pl.col("better_share_holm") <= RISK))
    if apart:
        differ = f"{whole(count, 'pair')} of players {'differs' if apart == 1 else 'differ'} significantly"
        return f"Head to head, {apart} of {differ} in finishing ahead. Furthest apart: {sentence}"
    seeds = int(frame["groups"].max())  # type: ignore[arg-type]  # a column of integers
    if are_too_few(seeds, count, HEAD_TO_HEAD):
        return f"Head to head, too few shared seeds ({seeds}) to judge who finishes ahead. {sentence}"
    closest = f" Closest to significance: {sentence}" if most["better_share_holm"] < 1 else ""
    return f"Head to head, no two players differ significantly in finishing ahead.{closest}"


def placement_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the player most often last at the most common table size, and its significance."""
    if frame.is_empty():
        return NOTHING
    sizes = frame.filter(pl.col("place") == 1).group_by("players").agg(pl.col("played").sum())
    size = sizes.sort("played", "players", descending=True)["players"][0]
    last = frame.filter((pl.col("players") == size) & (pl.col("place") == size))
    last = last.sort("place_share", "player", descending=[True, False])
    worst = lead(last, "place_share", level=PLACES)
    player = f"At tables of {size}, {worst.first['player']} comes last"
    often = f"{percent(worst.first['place_share'])} of {_matches(worst.first)}"
    often += bounds(worst.first, "place_share", percent)
    if last.height == 1:
        return f"{player} in {often}."
    if worst.rival is None:
        return f"{player} most often: in {often}."
    rival = f"{worst.rival['player']} ({percent(worst.rival['place_share'])})"
    return f"{player} in {often}; {_unproven(worst, last.height * (last.height - 1) / 2, PLACES, rival)}."


def seat_called(row: Row) -> str:
    """Return the name of a seat, or of a position in turn order: `seat 1 of 4`, `starter of 4`."""
    if TURN_ORDER not in row:
        return f"seat {row['seat'] + 1} of {row['players']}"
    number = row[TURN_ORDER]
    return f"{ORDINALS[number - 1] if number <= len(ORDINALS) else f'{number}th'} of {row['players']}"


def seat_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on whether any seat, or turn-order position, wins more or less than its players usually do."""
    if frame.is_empty():
        return NOTHING
    most = _clearest(frame, "seat_effect", distance=pl.col("seat_effect").abs())
    seat = f"{seat_called(most)}, {interval(most, 'seat_effect')} compared with what its players usually win"
    apart = frame.filter(pl.col("seat_effect_holm") <= RISK).height
    if not apart:
        closest = f" Closest to significance: {seat}." if most["seat_effect_holm"] < 1 else ""
        return f"{_no_seat(frame)}{closest}"
    have = "has" if apart == 1 else "have"
    return f"{apart} of {whole(frame.height, *_kinds(frame))} {have} a significant effect. The strongest: {seat}."


def _kinds(frame: pl.DataFrame) -> tuple[str, str]:
    """Return what the rows are, in singular and plural."""
    return ("position in turn order", "positions in turn order") if TURN_ORDER in frame.columns else ("seat", "seats")


def _no_seat(frame: pl.DataFrame) -> str:
    """Return that no row has a significant effect, or that this cannot be told, and the largest possible effect."""
    ends = frame.select("seat_effect_low", "seat_effect_high").to_numpy()
    is_unknown = np.ptp(ends, axis=1).max() > SAYS_LITTLE
    one, many = _kinds(frame)
    verdict = f"Too few seeds to judge the {many}" if is_unknown else f"No {one} has a significant effect"
    largest = float(np.abs(ends).max())
    left = f": effects of up to {100 * largest:.1f} points remain possible" if np.isfinite(largest) else ""
    return f"{verdict}{left}."


def paired_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the largest difference in wins on the same seeds, and its significance."""
    count = _pairs(frame)
    if not count:
        return "No two players played the same seed."
    most = _clearest(_better_first(frame, "paired_difference", of=0.0), "paired_difference")
    apart = interval(most, "paired_difference")
    if significant(most, "paired_difference"):
        return f"On the same seeds, {most['player']} wins more of its matches than {most['other']}: {apart}."
    seeds = int(frame["groups"].max())  # type: ignore[arg-type]  # a column of integers
    if are_too_few(seeds, count):
        return f"Too few shared seeds ({seeds}) to judge any two players. Largest difference: {_over(most)}, {apart}."
    sentence = "On the same seeds, no two players differ significantly in wins."
    if most["paired_difference_holm"] >= 1:
        return sentence
    few = ""
    if are_too_few(most["groups"], count):
        few = f"; too few shared seeds ({most['groups']}) to judge"
    return f"{sentence} Closest to significance: {_over(most)}, {apart}{few}."


def _over(row: Row) -> str:
    return f"{row['player']} over {row['other']}"


def _pairs(frame: pl.DataFrame) -> int:
    """Return the number of comparisons in a frame of pairs, in which each pair may appear in both directions."""
    ends = pl.concat_list("player", "other").list.sort()
    return int(frame.select(ends.n_unique()).item()) if frame.height else 0


def _better_first(frame: pl.DataFrame, name: str, of: float) -> pl.DataFrame:
    """Return pairs with the better player as `player`; if a pair is swapped, its value x becomes `of` − x."""
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
    """Return the significant row furthest from equal; if none is significant, the row with the smallest p-value."""
    rows = frame.with_columns((pl.col(name) if distance is None else distance).alias("distance"))
    apart = rows.filter(pl.col(f"{name}_holm") <= RISK)
    if apart.height:
        return apart.sort("distance", descending=True, maintain_order=True).row(0, named=True)
    return rows.sort(f"{name}_p", "distance", descending=[False, True], maintain_order=True).row(0, named=True)


def _rating(row: Row) -> str:
    if row["rating_low"] is None:
        return f"{row['rating']:+z.0f} Elo".replace("-", "−")
    return f"{signed(row['rating'], 0)} Elo{bounds(row, 'rating', lambda value: signed(value, 0))}"
