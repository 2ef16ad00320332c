"""Comparison of sides (players, versions or kinds of matches), and the verdict on which side wins more."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isfinite
from typing import Final, Literal

import polars as pl

from dashboards.stats.claims import COMPARED, RISK, are_too_few, found_in_wins
from dashboards.stats.differences import Pair, differences, paired, with_holm_over_pairs
from dashboards.stats.results import Lineups, by_version, lineups_of
from dashboards.stats.words import FEW, Row, confidence, points, signed, whole

__all__ = [
    "AHEAD",
    "BETWEEN",
    "BY",
    "OF_MATCHES",
    "WON",
    "By",
    "by_sides",
    "compared",
    "pairs_of",
    "short_versions",
    "verdict",
]


By = Literal["player", "version", "tournament", "option", "board"]
BY: Final[tuple[By, ...]] = ("player", "version", "tournament", "option", "board")
OF_MATCHES: Final = frozenset[By]({"tournament", "option", "board"})
"""Kinds of comparisons with sides that are kinds of matches, not players."""
BETWEEN: Final = " · "
"""Separator between a player and its tournament, option or board in the name of a side."""
VERSION: Final = re.compile(r"(.*? [^ :]+)((?::[^:=]+=.*)?)")
"""Pattern for `player version` followed by its settings; the name of a player may contain a colon."""
WON, AHEAD = "side_difference", "ahead_difference"
"""Columns of the two differences between sides: in share of wins, and in share of opponents beaten."""


def by_sides(results: pl.DataFrame, by: By, sides: Sequence[str]) -> pl.DataFrame:
    """Return results in which each side counts as a player; only seats of sides are `kept`, the rest define the places.

    If the sides are kinds of matches, each player in each kind is a side, called `player · tournament`. The results
    then have a column of that name (`tournament`, `option` or `board`).
    """
    kept = pl.col("kept") if "kept" in results.columns else pl.lit(value=True)
    if by in OF_MATCHES:
        in_one = results.filter(pl.col(by).is_in(list(sides)))
        called = pl.concat_str("player", pl.lit(BETWEEN), by)
        return in_one.with_columns(called.alias("player"), kept.alias("kept"))
    named = by_version(results) if by == "version" else results
    return named.with_columns((kept & pl.col("player").is_in(list(sides))).alias("kept"))


def compared(results: pl.DataFrame | Lineups | Sequence[Lineups], by: By) -> pl.DataFrame:
    """Return one row for each pair of sides, with the side that wins more as `player`; largest difference first.

    Columns: `player, other, ground, groups, side_difference` and `ahead_difference`; each difference has bounds, `_p`,
    and `_holm`, which is corrected over all rows. `side_difference` is the share of its seats that `player` wins, minus
    that of `other`. `ahead_difference` compares the shares of opponents at the table that each side beat. `ground` is
    the basis of both differences (`differences.Ground`). `narrowing` measures how much playing on the same seed narrows
    the interval (`differences.paired`).

    If sides are kinds of matches, a player is compared with itself. If several results are given, each has the matched
    results of one pair. Sides without any connection have no row.
    """
    parts = results if isinstance(results, Sequence) else [lineups_of(results)]
    held = pl.concat(_differences(part, by) for part in parts)
    for name in (WON, AHEAD):
        held = with_holm_over_pairs(held, name, COMPARED)
    return held.sort(WON, "player", "other", descending=[True, False, False])


def _differences(lineups: Lineups, by: By) -> pl.DataFrame:
    """Return the rows of `compared` for one set of results, without the correction over all rows."""
    pairs, of_matches = pairs_of(lineups, by), by in OF_MATCHES
    found = differences(lineups, pairs, "win", WON, of_matches=of_matches).drop_nulls("ground")
    ahead = differences(lineups, pairs, "beaten", AHEAD, of_matches=of_matches).drop("ground", "groups")
    narrowed = paired(lineups, of_matches=of_matches).select("player", "other", "narrowing")
    found = found.join(ahead, on=["player", "other"]).join(narrowed, on=["player", "other"], how="left")
    narrowing = pl.when(pl.col("ground") == "luck").then("narrowing")
    return _better_first(found.with_columns(narrowing.alias("narrowing")))


def pairs_of(lineups: Lineups, by: By) -> list[Pair]:
    """Return the pairs of sides that are compared."""
    sides = lineups.seats.filter("kept")["player"].unique().sort().to_list()
    return [(a, b) for a, b in combinations(sides, 2) if by not in OF_MATCHES or _player(a) == _player(b)]


def _better_first(frame: pl.DataFrame) -> pl.DataFrame:
    """Return pairs ordered so that `player` wins more than `other`; a swap flips the signs of all differences."""
    behind = pl.col(WON) < 0

    def turned(name: str, other: str) -> pl.Expr:
        return pl.when(behind).then(-pl.col(other)).otherwise(name).alias(name)

    ends = [
        turned(f"{name}{end}", f"{name}{other}")
        for name in (WON, AHEAD)
        for end, other in (("", ""), ("_low", "_high"), ("_high", "_low"))
    ]
    names = [pl.when(behind).then(b).otherwise(a).alias(a) for a, b in (("player", "other"), ("other", "player"))]
    return frame.with_columns(*ends, *names)


def short_versions(names: Sequence[str]) -> dict[str, str]:
    """Map each version, such as `trader 1:horizon=2:playouts=80`, to a short name with the settings that differ."""
    parts = {}
    for name in names:
        found = VERSION.fullmatch(name)
        parts[name] = [found[1], *found[2].split(":")[1:]] if found else [name]
    settings: dict[str, set[str]] = {}
    for first, *rest in parts.values():
        player = first.rpartition(" ")[0]
        settings[player] = settings.get(player, set(rest)) & set(rest)
    short = {}
    for name, (first, *rest) in parts.items():
        differing = [setting for setting in rest if setting not in settings[first.rpartition(" ")[0]]]
        short[name] = " ".join([first, *differing])
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def _player(side: str) -> str:
    return side.rpartition(BETWEEN)[0]


GROUNDS: Final = {
    "luck": "On the same seeds",
    "table": "At the same tables",
    "matches": "In different matches on different seeds",
}
MOST_LINE_UPS: Final = 2


def verdict(frame: pl.DataFrame, line_ups: pl.DataFrame | None = None, sizes: Sequence[int] = ()) -> list[str]:
    """Return sentences on a frame of `compared`, the verdict first; `line_ups` is from `opponent_interaction`.

    After the verdict: the difference between the first two sides, pairs for which the two metrics disagree, and pairs
    with a result that depends on the other players. Last come a note if several table `sizes` are averaged, and the
    smallest difference that the test can detect.
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
    """Return the sentence that names which side wins more than which, or that none does."""
    family = f" (corrected for {whole(frame.height, 'pair')})" if frame.height > 1 else ""
    two = "any two sides" if frame.height > 1 else "the two sides"
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
        return f"No significant difference in wins between {two}{family}."
    if few == frame.height:
        return f"Too few seeds to judge {two}{family}."
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
    return f"{sentence if better else sentence[0].upper() + sentence[1:]}{family}."


def _more(players: int, *, apart: bool) -> str:
    """Return the verb phrase of the verdict; it must not imply strength if opponents differed (`apart`)."""
    if apart:
        return f"won more of {'its' if players == 1 else 'their'} matches than"
    return "wins more than" if players == 1 else "win more than"


def _furthest(row: Row) -> str:
    """Return a sentence with the size of the difference between the two sides of a row."""
    low, high = row[f"{WON}_low"], row[f"{WON}_high"]
    bounds = _bounds(low, high)
    more = f"{100 * row[WON]:.1f} percentage points more of its matches"
    return (
        f"{GROUNDS[row['ground']]}, {row['player']} won {more} than {row['other']} ({bounds};"
        f" {whole(row['groups'], 'seed')})."
    )


def _not_significant(frame: pl.DataFrame) -> Iterator[str]:
    """If the interval of the first difference excludes zero but the difference is not significant, yield the reason."""
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
    """Yield a sentence for each pair that differs in opponents beaten, but not in wins or in the other direction."""
    for row in frame.filter(pl.col(f"{AHEAD}_holm") <= RISK).iter_rows(named=True):
        first, second = (row["player"], row["other"]) if row[AHEAD] > 0 else (row["other"], row["player"])
        ahead = f"{first} finishes ahead of a larger share of its opponents than {second} does"
        if row[f"{WON}_holm"] > RISK:
            yield f"{ahead} ({_points_ahead(row)}); the difference in wins is not significant."
        elif row[AHEAD] < 0:
            yield f"{ahead} ({_points_ahead(row)}), though {second} wins more: the two measures disagree."


def _points_ahead(row: Row) -> str:
    """Return the difference in the share of opponents beaten, with its interval, in percentage points."""
    difference, low, high = (row[f"{AHEAD}{end}"] for end in ("", "_low", "_high"))
    low, high = (low, high) if difference > 0 else (-high, -low)
    return f"{points(abs(difference))}, {_bounds(low, high)}"


def _bounds(low: float, high: float) -> str:
    is_known = isfinite(low) and isfinite(high)
    return confidence(signed(100 * low), signed(100 * high)) if is_known else FEW


def _averaged(frame: pl.DataFrame, sizes: Sequence[int]) -> Iterator[str]:
    """Yield a note if tables of several sizes are averaged, because every player wins more often at a smaller table."""
    if len(sizes) > 1:
        apart = (frame["ground"] == "matches").any()
        unlike = ", and not all sides sat at each size equally often" if apart else ""
        tables = f"tables of {_list([*map(str, sizes)])} players"
        yield f"This averages over {tables}, counting every match of a player equally{unlike}."


def _depending(line_ups: pl.DataFrame | None) -> list[Row]:
    """Return one row for each pair with a difference that depends on the line-up, largest spread first."""
    if line_ups is None or line_ups.is_empty():
        return []
    depends = line_ups.group_by("player", "other", maintain_order=True).agg(pl.col("interaction_holm").min())
    pairs = depends.filter(pl.col("interaction_holm") <= RISK).select("player", "other")
    return [
        {"player": player, "other": other, "rows": line_ups.filter(player=player, other=other).sort(WON)}
        for player, other in pairs.iter_rows()
    ]


def _by_line_up(depends: Sequence[Row]) -> Iterator[str]:
    """If a pair's difference depends on the line-up, yield its results in the two most extreme line-ups."""
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
