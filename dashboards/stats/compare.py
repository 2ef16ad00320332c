"""Compare sides: players, versions of players, or players in kinds of matches, and the differences between them.

Each side becomes its own player, so that every figure of players shows sides. Matches that two sides have in common
show which of them wins more (`differences.py`). Kinds of matches are tournaments, options or boards; in these a player
is compared with itself. For kinds of matches and versions, `alike.py` keeps what all sides have.
"""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Final, Literal

import polars as pl

from dashboards.stats.claims import COMPARED
from dashboards.stats.differences import Pair, differences, with_holm_over_pairs
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.paired import paired
from dashboards.stats.results import by_version

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
]

By = Literal["player", "version", "tournament", "option", "board"]
BY: Final[tuple[By, ...]] = ("player", "version", "tournament", "option", "board")
OF_MATCHES: Final = frozenset[By]({"tournament", "option", "board"})
"""Columns that distinguish matches, not players."""
BETWEEN: Final = " · "
"""Separator between a player and its tournament."""
VERSION: Final = re.compile(r"(.*? [^ :]+)((?::[^:=]+=.*)?)")
"""`player version`, and its settings; the name of a player may contain a colon."""
WON, AHEAD = "side_difference", "ahead_difference"
"""The yardstick is the difference in wins. The second is the difference in opponents finished ahead of."""


def by_sides(results: pl.DataFrame, by: By, sides: Sequence[str]) -> pl.DataFrame:
    """Return results in which each side is a player. Only its seats are `kept`; the others stay for their places.

    For kinds of matches, each player in each of them is a side, called `player · tournament`; results have a column of
    that name (`tournament`, `option` or `board`).
    """
    kept = pl.col("kept") if "kept" in results.columns else pl.lit(value=True)
    if by in OF_MATCHES:
        in_one = results.filter(pl.col(by).is_in(list(sides)))
        called = pl.concat_str("player", pl.lit(BETWEEN), by)
        return in_one.with_columns(called.alias("player"), kept.alias("kept"))
    named = by_version(results) if by == "version" else results
    return named.with_columns((kept & pl.col("player").is_in(list(sides))).alias("kept"))


def compared(results: pl.DataFrame | Lineups | Sequence[Lineups], by: By) -> pl.DataFrame:
    """Return one row for each two sides, with the one that wins more as `player`; largest difference first.

    `player, other, ground, groups, side_difference` with its bounds, `_p` and `_holm` (over all rows): the share of its
    seats that `player` wins, less that of `other`. `ahead_difference` with the same is another yardstick: the share of
    the opponents at its table that each finished ahead of. `ground` is the basis of both differences, `narrowing` the
    effect of the same seed (`paired.py`). For kinds of matches, a player is compared with itself. Several results are
    the matched ones of each two sides. Sides without any connection have no row.
    """
    parts = results if isinstance(results, Sequence) else [lineups_of(results)]
    held = pl.concat(_differences(part, by) for part in parts)
    for name in (WON, AHEAD):
        held = with_holm_over_pairs(held, name, COMPARED)
    return held.sort(WON, "player", "other", descending=[True, False, False])


def _differences(lineups: Lineups, by: By) -> pl.DataFrame:
    """Return the rows of `compared` for one of the results, without the corrections over all of them."""
    pairs, of_matches = pairs_of(lineups, by), by in OF_MATCHES
    found = differences(lineups, pairs, "win", WON, of_matches=of_matches).drop_nulls("ground")
    ahead = differences(lineups, pairs, "beaten", AHEAD, of_matches=of_matches).drop("ground", "groups")
    narrowed = paired(lineups, of_matches=of_matches).select("player", "other", "narrowing")
    found = found.join(ahead, on=["player", "other"]).join(narrowed, on=["player", "other"], how="left")
    narrowing = pl.when(pl.col("ground") == "luck").then("narrowing")
    return _better_first(found.with_columns(narrowing.alias("narrowing")))


def pairs_of(lineups: Lineups, by: By) -> list[Pair]:
    """Return each two sides that are compared."""
    sides = lineups.seats.filter("kept")["player"].unique().sort().to_list()
    return [(a, b) for a, b in combinations(sides, 2) if by not in OF_MATCHES or _player(a) == _player(b)]


def _better_first(frame: pl.DataFrame) -> pl.DataFrame:
    """Return pairs in which `player` wins more than `other`; the signs of all differences change with the order."""
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
    """Shorten versions, as in `trader 1:horizon=2:playouts=80`, to the settings that differ."""
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
