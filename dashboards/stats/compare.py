"""Sides beside each other: players, versions of players, or players of several tournaments, and what sets them apart.

Each side is made a player of its own, so that every figure of players shows sides. Which of two is better is told by
what they have in common, the most telling first: the same seed, else the same table, else nothing but the rules.
"""

import re
from collections.abc import Sequence
from itertools import combinations
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import polars as pl

from dashboards.stats.head_to_head import head_to_head, with_holm_over_pairs
from dashboards.stats.intervals import DIFFERENCE, clipped, mean_test
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.paired import paired
from dashboards.stats.results import by_version
from dashboards.stats.words import FEW, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BETWEEN", "BY", "By", "by_sides", "compared", "short_versions", "verdict"]

By = Literal["player", "version", "tournament"]
BY: Final[tuple[By, ...]] = ("player", "version", "tournament")
BETWEEN: Final = " · "
"""What stands between a player and its tournament."""
VERSION: Final = re.compile(r"(.*? [^ :]+)((?::[^:=]+=.*)?)")
"""`player version`, and its settings; the name of a player may have a colon of its own."""
LEVEL: Final = 0.05
GROUNDS: Final = {
    "luck": "With the same seed",
    "table": "At the same tables",
    "matches": "Over matches that have nothing in common",
}
SCHEMA: Final = {
    "player": pl.String,
    "other": pl.String,
    "ground": pl.String,
    "groups": pl.Int64,
    "side_difference": pl.Float64,
    "side_difference_low": pl.Float64,
    "side_difference_high": pl.Float64,
    "side_difference_p": pl.Float64,
    "narrowing": pl.Float64,
}


def by_sides(results: pl.DataFrame, by: By, sides: Sequence[str]) -> pl.DataFrame:
    """Return results in which each side is a player, and only its seats are `kept`; the others stay for their places.

    Of tournaments, each player in each of them is a side, called `player · tournament`.
    """
    kept = pl.col("kept") if "kept" in results.columns else pl.lit(value=True)
    if by == "tournament":
        in_one = results.filter(pl.col("tournament").is_in(list(sides)))
        called = pl.concat_str("player", pl.lit(BETWEEN), "tournament")
        return in_one.with_columns(called.alias("player"), kept.alias("kept"))
    named = by_version(results) if by == "version" else results
    return named.with_columns((kept & pl.col("player").is_in(list(sides))).alias("kept"))


def compared(results: pl.DataFrame | Lineups, by: By) -> pl.DataFrame:
    """Return one row for each two sides, the better one first, furthest apart first.

    `player, other, ground, groups, side_difference` with its bounds, `_p` and `_holm` (over all rows), `narrowing`.
    The difference is that of the share of the opponents at its table that each finished ahead of. `ground` says what
    it rests on: `luck` (the same seed, paired; `narrowing` as in `paired.py`), `table` (the same tables) or `matches`
    (means of matches that have nothing in common). Of tournaments, a player is compared with itself.
    """
    lineups = lineups_of(results)
    sides = lineups.seats.filter("kept")["player"].unique().sort().to_list()
    pairs = [(a, b) for a, b in combinations(sides, 2) if by != "tournament" or _player(a) == _player(b)]
    if not pairs:
        return pl.DataFrame(schema={**SCHEMA, "side_difference_holm": pl.Float64})
    wanted = pl.DataFrame(pairs, schema={"player": pl.String, "other": pl.String}, orient="row")
    grounds = [_with_luck(lineups, wanted), _at_tables(lineups, wanted), _apart(lineups, wanted)]
    found = pl.concat([frame.select([pl.col(name).cast(kind) for name, kind in SCHEMA.items()]) for frame in grounds])
    best = found.unique(["player", "other"], keep="first", maintain_order=True)
    held = with_holm_over_pairs(_both_ways(best), "side_difference")
    ahead = (pl.col("side_difference") > 0) | ((pl.col("side_difference") == 0) & (pl.col("player") < pl.col("other")))
    return held.filter(ahead).sort("side_difference", "player", "other", descending=[True, False, False])


def verdict(frame: pl.DataFrame) -> list[str]:
    """Say which sides are better than which, corrected for all comparisons, and how much the same seed has helped."""
    if frame.is_empty():
        return ["There is nothing to compare: choose two sides that were played."]
    apart = frame.filter(pl.col("side_difference_holm") <= LEVEL)
    count = whole(frame.height, "comparison")
    if apart.is_empty():
        head = f"No significant difference between any two sides (Holm over {count}, 5%)."
    else:
        better: dict[tuple[str, str], list[str]] = {}
        for row in apart.iter_rows(named=True):
            # who met others with other seeds fared better; that need not be strength
            verb = "fared better than" if row["ground"] == "matches" else "is better than"
            better.setdefault((row["player"], verb), []).append(row["other"])
        told = "; ".join(f"{player} {verb} {_list(others)}" for (player, verb), others in better.items())
        rest = frame.height - apart.height
        tail = f"; no significant difference in {whole(rest, 'pair')}" if rest else ""
        head = f"{told}{tail} (Holm over {count}, 5%)."
    said = [head, *(_difference(row) for row in frame.head(1).iter_rows(named=True))]
    helped = frame.filter(pl.col("narrowing").is_not_null())
    if helped.height:
        said.append(_helped(helped))
    return said


def _difference(row: dict[str, float | str]) -> str:
    on = GROUNDS[str(row["ground"])]
    low, high = (_signed(float(row[f"side_difference_{end}"])) for end in ("low", "high"))
    many = whole(float(row["groups"]), "seed")
    bounds = f"95% interval {low} to {high}" if isfinite(float(row["side_difference_low"])) else FEW
    return (
        f"The furthest apart are {row['player']} and {row['other']}. {on}, {row['player']} finishes ahead"
        f" of {100 * float(row['side_difference']):.1f} percentage points more of its opponents ({bounds}; {many})."
    )


def _helped(frame: pl.DataFrame) -> str:
    """Say how much narrower the intervals are because the sides met the same seed."""
    ratios = frame["narrowing"].sort().to_list()
    least, most = f"{ratios[0]:.2f}", f"{ratios[-1]:.2f}"
    wide = f"{most} times as wide" if least == most else f"{least} to {most} times as wide"
    if len(ratios) == 1:
        worth = f"; the same seed is worth {ratios[0] ** 2:.1f} times as many matches" if ratios[0] > 1 else ""
        return f"Had each match had a seed of its own, the interval would be {wide}{worth}."
    narrower = sum(ratio > 1 for ratio in ratios)
    return (
        f"Pairing by seed narrows {narrower} of {whole(len(ratios), 'interval')}: had each match had a seed of its own,"
        f" they would be {wide}."
    )


def _with_luck(lineups: Lineups, wanted: pl.DataFrame) -> pl.DataFrame:
    if lineups.groups == len(lineups.lineup):
        return pl.DataFrame(schema=SCHEMA)  # every match has a seed of its own
    rename = {f"paired_difference{end}": f"side_difference{end}" for end in ("", "_low", "_high", "_p")}
    found = paired(lineups).rename(rename).filter(pl.col("groups") > 1)
    return found.join(wanted, on=["player", "other"]).with_columns(pl.lit("luck").alias("ground"))


def _at_tables(lineups: Lineups, wanted: pl.DataFrame) -> pl.DataFrame:
    """Return the differences of those who met at tables: twice what the better share is beyond ½."""
    found = head_to_head(lineups).join(wanted, on=["player", "other"])
    half = [(2 * pl.col(f"better_share{end}") - 1).alias(f"side_difference{end}") for end in ("", "_low", "_high")]
    return found.with_columns(
        *half,
        pl.col("better_share_p").alias("side_difference_p"),
        pl.lit("table").alias("ground"),
        pl.lit(None, pl.Float64).alias("narrowing"),
    )


def _apart(lineups: Lineups, wanted: pl.DataFrame) -> pl.DataFrame:
    """Return the differences of means, whatever the two have in common.

    Linearised over seeds: e = Σ (x − mean) / n of the one less that of the other in a seed, the variance
    G/(G−1) · Σ e² (Cochran 1977, section 6.3, for a difference of two ratios), tested as one mean of G seeds is.
    """
    met = lineups.met()
    parts = {side: _by_luck(lineups, met, side) for side in {*wanted["player"], *wanted["other"]}}
    found: list[tuple[object, ...]] = []
    for player, other in wanted.iter_rows():
        (n, x), (their_n, their_x) = parts[player], parts[other]
        mine, theirs = x.sum() / n.sum(), their_x.sum() / their_n.sum()
        moved = (x - mine * n) / n.sum() - (their_x - theirs * their_n) / their_n.sum()
        groups, difference = int(((n > 0) | (their_n > 0)).sum()), float(mine - theirs)
        test = mean_test(1, difference, groups, float((moved**2).sum()))
        found.append((player, other, "matches", groups, *test, None))
    return clipped(pl.DataFrame(found, schema=SCHEMA, orient="row"), "side_difference", DIFFERENCE)


def _by_luck(lineups: Lineups, met: Any, side: str) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return by seed how many seats a side had, and the sum of the shares of opponents that these finished ahead of."""
    seats = lineups.seats.filter((pl.col("player") == side) & pl.col("kept"))
    n, x = np.zeros(lineups.count), np.zeros(lineups.count)
    np.add.at(n, seats["match"].to_numpy(), 1)
    np.add.at(x, seats["match"].to_numpy(), seats["beaten"].to_numpy())
    return met @ n, met @ x


def _both_ways(frame: pl.DataFrame) -> pl.DataFrame:
    turned = frame.with_columns(
        pl.col("other").alias("player"),
        pl.col("player").alias("other"),
        -pl.col("side_difference"),
        (-pl.col("side_difference_high")).alias("side_difference_low"),
        (-pl.col("side_difference_low")).alias("side_difference_high"),
    )
    return pl.concat([frame, turned])


def short_versions(names: Sequence[str]) -> dict[str, str]:
    """Return versions, as in `trader 1:horizon=2:playouts=80`, by what tells them from others of the same player."""
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
        told = [setting for setting in rest if setting not in settings[first.rpartition(" ")[0]]]
        short[name] = " ".join([first, *told])
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def _player(side: str) -> str:
    return side.rpartition(BETWEEN)[0]


def _signed(value: float) -> str:
    return f"{100 * value:+.1f}".replace("-", "−")


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
