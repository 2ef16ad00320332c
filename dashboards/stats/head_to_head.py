"""Head-to-head results of pairs of players, and whether these depend on the other opponents."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from dashboards.stats.claims import HEAD_TO_HEAD, LINE_UPS, corrected
from dashboards.stats.differences import Pair, Score, Side, difference_of, with_holm_over_pairs
from dashboards.stats.intervals import mean_test, shares, unvaried
from dashboards.stats.resampling import flip_tests
from dashboards.stats.results import Lineups, lineups_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["head_to_head", "opponent_interaction"]


BY_SEATS: Final = ["players", "seat", "facing"]


def head_to_head(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return one row for each two players that shared a table, in both directions, sorted by player.

    Columns: `player, other, pairs, groups, better_share` and its bounds. A pair is two seats of these players at one
    table. `better_share` is the share of pairs in which `player` finished ahead of `other`; a tie counts half.
    `better_share_p` is the probability, between equal players, of a deviation from the usual share at least this large
    (`resampling.flip_tests`). `better_share_holm` is corrected for all pairs of players.

    When seats rotate, one player always sits the same number of seats before another, which matters in most games. So
    the usual share is how often the one seat finishes ahead of the other, whichever players sit there (indirect
    standardisation: Rothman, Greenland, Lash 2008, Modern Epidemiology, chapter 3). It is ½ if no other players had
    these two seats.
    """
    lineups = lineups_of(results)
    rows = lineups.seats.select("match", "player", "place", "kept", "players", "seat")
    others = rows.select("match", other="player", behind="place", facing="seat")
    every = rows.join(others, on="match").filter(pl.col("player") != pl.col("other"))
    better = (pl.col("place") < pl.col("behind")) + (pl.col("place") == pl.col("behind")) / 2
    every = every.with_columns(better.cast(pl.Float64).alias("better"))
    met = every.join(_usual(lineups, every), on=BY_SEATS).filter("kept")
    met = met.with_columns((pl.col("better") - pl.col("usual")).alias("beyond"))
    by = ["player", "other"]
    found = shares(lineups.sums(met, by, "better"), by, "better_share", "pairs")
    keys, _, beyond = lineups.by_group(met, by, "beyond")
    tests = keys.with_columns(pl.Series("better_share_p", flip_tests(beyond), pl.Float64))
    found = found.join(tests, on=by).sort(by)
    return with_holm_over_pairs(found, "better_share", HEAD_TO_HEAD)


def _usual(lineups: Lineups, every: pl.DataFrame) -> pl.DataFrame:
    """For each table size and two seats, return the share of matches in which the first seat finishes ahead."""
    pair = pl.concat_list(pl.min_horizontal("player", "other"), pl.max_horizontal("player", "other"))
    several = every.group_by(BY_SEATS).agg((pair.n_unique() > 1).alias("several"))
    usual = pl.when("several").then(pl.col("total") / pl.col("trials")).otherwise(0.5).alias("usual")
    return lineups.sums(every, BY_SEATS, "better").join(several, on=BY_SEATS).select(*BY_SEATS, usual)


END: Final = " "
"""Character after the list of the other players at a table; it keeps an empty list distinct from no list."""
LEAST_SEEDS: Final = 6
SCHEMA: Final = {
    "player": pl.String,
    "other": pl.String,
    "line_up": pl.String,
    "groups": pl.Int64,
    "side_difference": pl.Float64,
    "side_difference_low": pl.Float64,
    "side_difference_high": pl.Float64,
    "side_difference_p": pl.Float64,
    "interaction_p": pl.Float64,
}


def opponent_interaction(lineups: Lineups, pairs: Iterable[Pair], score: Score = "win") -> pl.DataFrame:
    """Return the difference of each pair by line-up (the other players at the table), for pairs with several.

    Columns: `player, other, line_up, groups, side_difference` with its bounds and p-value (`_p`). `interaction_p` is
    the probability of a deviation at least this large from all other line-ups, if the difference did not depend on
    them. `interaction_holm` is corrected for all rows. Line-ups of fewer than six seeds are left out.
    """
    tables = lineups.seats.group_by("match").agg("player").sort("match")["player"].to_list()
    rows: list[tuple[object, ...]] = []
    for pair in pairs:
        others = np.array([_without(pair, players) for players in tables])
        for name in sorted(set(others) - {""}) if len(set(others) - {""}) > 1 else ():
            here = _sides(lineups, pair, score, others == name)
            elsewhere = _sides(lineups, pair, score, (others != name) & (others != ""))
            if here and elsewhere:
                rows.append((*pair, name.removesuffix(END), *_row(lineups, here, elsewhere)))
    found = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    held = corrected(found["interaction_p"].to_list(), LINE_UPS)
    return unvaried(found, "side_difference").with_columns(pl.Series("interaction_holm", held, pl.Float64))


def _without(pair: Pair, players: Sequence[str]) -> str:
    """Return the names of the other players at a table; empty if neither of the pair sits there."""
    others = sorted(player for player in players if player not in pair)
    return "" if len(others) == len(players) else ", ".join(others) + END


def _sides(lineups: Lineups, pair: Pair, score: Score, only: "NDArray[np.bool_]") -> tuple[Side, Side] | None:
    """Return both sides restricted to the tables of a mask; `None` if too few seeds have both players."""
    one, other = (Side.of(lineups, player, score, only[lineups.lineup].astype(float)) for player in pair)
    common = (one.n > 0) & (other.n > 0)
    return (one.within(common), other.within(common)) if common.sum() >= LEAST_SEEDS else None


def _row(lineups: Lineups, here: tuple[Side, Side], elsewhere: tuple[Side, Side]) -> tuple[object, ...]:
    """Return groups, difference, its bounds and p-value, and the p-value of a test between `here` and `elsewhere`.

    The residual of a seed is its effect on one difference minus its effect on the other, in a t test over seeds.
    """
    _, groups, *found = difference_of(lineups, *here)
    contrast = here[0].mean - here[1].mean - (elsewhere[0].mean - elsewhere[1].mean)
    moved = _moved(*here) - _moved(*elsewhere)
    seeds = int(((here[0].n > 0) | (elsewhere[0].n > 0)).sum())
    return groups, *found, mean_test(1, contrast, seeds, float((moved**2).sum()))[-1]


def _moved(one: Side, other: Side) -> "NDArray[np.float64]":
    """Return each seed's contribution to the difference between two sides."""
    return one.moved(one.mean) - other.moved(other.mean)
