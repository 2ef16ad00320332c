"""Win rate of each player."""

from typing import Final

import polars as pl

from dashboards.stats.claims import RISK, WINS
from dashboards.stats.differences import differences
from dashboards.stats.intervals import shares
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.pools import pool_numbers, pools
from dashboards.stats.words import opponents

__all__ = ["win_share"]

NAME: Final = "win_share"
BOUNDS: Final = (NAME, f"{NAME}_low", f"{NAME}_high")
TESTS: Final = (f"{NAME}_p", f"{NAME}_holm")


def win_share(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return `player, played, groups, win_share`, its bounds, `expected_share, shared_seeds, _p, _holm, pool, against`.

    The best of the largest pool comes first, pool by pool (`pools.py`). `against`: the others at its tables. `played`
    counts seats: a player that sits twice at a table has played twice. `expected_share` is its share if all seats of
    its tables won equally often.

    `_p`: the probability between equals of so large a difference from the first row of the pool, over what the two have
    in common (`differences.py`). It is 1 if the first row wins no more there, and missing if they have nothing in
    common; `shared_seeds` is the number of common seeds. `_holm`: corrected for all pairs of rows of a pool, as any of
    these could have been first (Bonferroni). It is also corrected for pairs of rows and players that are not shown,
    tested by `paired.py`: both are one family in the share of a report's risk that wins have. The first row of a pool
    has none of the three.
    """
    lineups = lineups_of(results)
    rows = lineups.seats.filter("kept").with_columns((1 / pl.col("players")).alias("part"))
    expected = lineups.sums(rows, ["player"], "part").select(
        "player", (pl.col("total") / pl.col("trials")).alias("expected_share")
    )
    numbers = pool_numbers(pools(lineups.seats))
    pool = pl.col("player").replace_strict(numbers, default=None, return_dtype=pl.Int64).alias("pool")
    won = shares(lineups.sums(rows, ["player"], "win"), ["player"], NAME, "played").with_columns(pool)
    won = won.join(expected, on="player").join(_against(lineups), on="player", how="left")
    won = won.with_columns(pl.col("against").fill_null(""))  # if the player met no other
    won = won.sort("pool", NAME, "player", descending=[False, True, False])
    compared, pairs = list[tuple[str, str]](), 0
    for (number,), part in won.group_by(["pool"], maintain_order=True):
        first, *others = part["player"]
        compared += [(first, other) for other in others]
        hidden = sum(each == number for each in numbers.values()) - part.height
        pairs += part.height * (part.height - 1) // 2 + part.height * hidden
    found = differences(lineups, compared, "win", NAME)
    # the player with the highest share may win less than another over what the two have in common
    p = pl.when(pl.col(NAME) > 0).then(f"{NAME}_p").when(pl.col("ground").is_not_null()).then(1.0)
    found = found.select(
        pl.col("other").alias("player"),
        pl.when(pl.col("ground").is_in(["luck", "table"])).then("groups").otherwise(0).alias("shared_seeds"),
        p.alias(f"{NAME}_p"),
        (p * pairs * RISK / WINS).clip(upper_bound=1.0).alias(f"{NAME}_holm"),
    )
    found = won.join(found, on="player", how="left", maintain_order="left")
    return found.select(
        "player", "played", "groups", *BOUNDS, "expected_share", "shared_seeds", *TESTS, "pool", "against"
    )


def _against(lineups: Lineups) -> pl.DataFrame:
    """Return `player, against`: the others at tables of its kept seats, in words."""
    seats = lineups.seats.select("match", "player")
    met = lineups.seats.filter("kept").select("match", "player").join(seats, on="match", suffix="_other")
    others = met.filter(pl.col("player") != pl.col("player_other")).group_by("player")
    named = others.agg(pl.col("player_other").unique()).rows()
    rows = [(player, opponents(names)) for player, names in named]
    return pl.DataFrame(rows, schema={"player": pl.String, "against": pl.String}, orient="row")
