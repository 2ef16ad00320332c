"""Verdict on which sides win more, in words that claim only what was tested."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Final

import polars as pl

from dashboards.stats.claims import COMPARED, RISK
from dashboards.stats.compare import AHEAD, WON
from dashboards.stats.power import are_too_few, found_in_wins
from dashboards.stats.words import FEW, Row, confidence, points, signed, whole

__all__ = ["verdict"]

GROUNDS: Final = {
    "luck": "On the same seeds",
    "table": "At the same tables",
    "matches": "In different matches on different seeds",
}
MOST_LINE_UPS: Final = 2


def verdict(frame: pl.DataFrame, line_ups: pl.DataFrame | None = None, sizes: Sequence[int] = ()) -> list[str]:
    """Return sentences on a frame of `compare.compared`, the verdict first; `line_ups` is from `opponent_interaction`.

    The others follow: the distance of the first two; disagreements of another yardstick; pairs that depend on the
    others at the table; averaged `sizes` of tables; the difference that could have been found.
    """
    if frame.is_empty():
        return ["There is nothing to compare: choose two sides that have played."]
    depends = _depending(line_ups)
    sentences = [_head(frame, {(row["player"], row["other"]) for row in depends})]
    sentences += _by_line_up(depends)
    sentences += [_furthest(row) for row in frame.head(1).iter_rows(named=True)]
    sentences += _not_significant(frame)
    sentences += _by_opponents_beaten(frame)
    sentences += _averaged(frame, sizes)
    return [*sentences, *found_in_wins(frame, COMPARED, WON)]


def _head(frame: pl.DataFrame, depends: set[tuple[str, str]]) -> str:
    """Say which side wins more than which, or that none does."""
    family = f"corrected for {whole(frame.height, 'pair')}"
    better: dict[tuple[str, bool], list[str]] = {}
    left = few = 0
    for row in frame.iter_rows(named=True):
        if depends & {(row["player"], row["other"]), (row["other"], row["player"])}:
            continue
        if row[f"{WON}_holm"] > RISK:
            is_unjudged = are_too_few(row["groups"], frame.height, COMPARED)
            few, left = few + is_unjudged, left + (not is_unjudged)
            continue
        better.setdefault((row["player"], row["ground"] == "matches"), []).append(row["other"])
    if not better and not depends and not few:
        return f"No significant difference in wins between any two sides ({family})."
    if few == frame.height:
        return f"Too few seeds to judge any two sides ({family})."
    alike: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    for (player, apart), others in better.items():
        alike.setdefault((tuple(sorted(others)), apart), []).append(player)
    parts = [
        f"{_list(players)} {_more(len(players), apart=apart)} {_list(others)}"
        for (others, apart), players in alike.items()
    ]
    if depends:
        parts.append(f"for {whole(len(depends), 'pair')} it depends on the opponents")
    if left:
        parts.append(f"no significant difference in {whole(left, 'pair')}")
    if few:
        parts.append(f"too few seeds to judge {whole(few, 'pair')}")
    sentence = "; ".join(parts)
    return f"{sentence if better else sentence[0].upper() + sentence[1:]} ({family})."


def _more(players: int, *, apart: bool) -> str:
    """Return the verb for so many; if `apart`, the matches had other opponents, so strength need not be the cause."""
    if apart:
        return f"won more of {'its' if players == 1 else 'their'} matches than"
    return "wins more than" if players == 1 else "win more than"


def _furthest(row: Row) -> str:
    """Say how far apart two sides are."""
    low, high = row[f"{WON}_low"], row[f"{WON}_high"]
    bounds = _bounds(low, high)
    more = f"{100 * row[WON]:.1f} percentage points more of its matches"
    return (
        f"{GROUNDS[row['ground']]}, {row['player']} won {more} than {row['other']} ({bounds};"
        f" {whole(row['groups'], 'seed')})."
    )


def _not_significant(frame: pl.DataFrame) -> Iterator[str]:
    """Say why the first difference is not significant although its interval does not contain zero."""
    for row in frame.head(1).iter_rows(named=True):
        if row[f"{WON}_holm"] <= RISK or not row[f"{WON}_low"] > 0 or not isfinite(row[f"{WON}_high"]):
            continue
        family = whole(frame.height, "pair")
        least, level = 2.0 ** (1 - row["groups"]), COMPARED / frame.height
        if least > level:
            needs = "needs" if frame.height == 1 else "need"
            test = (
                f"with {whole(row['groups'], 'seed')} p cannot be below {least:.3f}, and {family} {needs} {level:.3f}"
            )
        else:
            test = f"after correction for {family}, p is {row[f'{WON}_holm']:.3f}"
        yield f"The interval excludes zero, but it is for this pair alone: {test}."


def _by_opponents_beaten(frame: pl.DataFrame) -> Iterator[str]:
    """Name pairs for which the opponents finished ahead of show a difference that wins do not, or reverse it."""
    for row in frame.filter(pl.col(f"{AHEAD}_holm") <= RISK).iter_rows(named=True):
        first, second = (row["player"], row["other"]) if row[AHEAD] > 0 else (row["other"], row["player"])
        ahead = f"{first} finishes ahead of a larger share of its opponents than {second} does"
        if row[f"{WON}_holm"] > RISK:
            yield f"{ahead} ({_points_ahead(row)}); the difference in wins is not significant."
        elif row[AHEAD] < 0:
            yield f"{ahead} ({_points_ahead(row)}), though {second} wins more: the two measures disagree."


def _points_ahead(row: Row) -> str:
    """Return how much larger the larger share of opponents is, with its interval."""
    difference, low, high = (row[f"{AHEAD}{end}"] for end in ("", "_low", "_high"))
    low, high = (low, high) if difference > 0 else (-high, -low)
    return f"{points(abs(difference))}, {_bounds(low, high)}"


def _bounds(low: float, high: float) -> str:
    is_known = isfinite(low) and isfinite(high)
    return confidence(signed(100 * low), signed(100 * high)) if is_known else FEW


def _averaged(frame: pl.DataFrame, sizes: Sequence[int]) -> Iterator[str]:
    """Say that tables of several sizes are averaged: at a smaller table every player wins more often."""
    if len(sizes) > 1:
        apart = (frame["ground"] == "matches").any()
        unlike = ", and not all sides sat at each size equally often" if apart else ""
        tables = f"tables of {_list([*map(str, sizes)])} players"
        yield f"This averages over {tables}, counting every match of a player equally{unlike}."


def _depending(line_ups: pl.DataFrame | None) -> list[Row]:
    """Return a row for each pair that depends on the line-up, with its line-ups, furthest apart first."""
    if line_ups is None or line_ups.is_empty():
        return []
    depends = line_ups.group_by("player", "other", maintain_order=True).agg(pl.col("interaction_holm").min())
    pairs = depends.filter(pl.col("interaction_holm") <= RISK).select("player", "other")
    return [
        {"player": player, "other": other, "rows": line_ups.filter(player=player, other=other).sort(WON)}
        for player, other in pairs.iter_rows()
    ]


def _by_line_up(depends: Sequence[Row]) -> Iterator[str]:
    """Give for each pair that depends on the line-up the results of the line-ups at both ends of the scale."""
    for pair in depends:
        rows: pl.DataFrame = pair["rows"]
        ends = pl.concat([rows.tail(1), rows.head(1)]) if rows.height > 1 else rows
        parts = "; ".join(
            f"{points(row[WON])} with {row['line_up'] or 'no others'}"
            f"{'' if row[f'{WON}_p'] * rows.height <= RISK else ', not significant'}"
            for row in ends.iter_rows(named=True)
        )
        yield (
            f"How much more {pair['player']} wins than {pair['other']} depends on the opponents,"
            f" over {whole(rows.height, 'set')} of them: {parts}."
        )


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
