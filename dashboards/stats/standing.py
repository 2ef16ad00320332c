"""Win rate, places and seat advantage of players."""

from typing import Final

import numpy as np
import polars as pl

from dashboards.stats.claims import RISK, SEATS, WINS
from dashboards.stats.differences import differences
from dashboards.stats.intervals import corrected_by_holm, mean_test, shares
from dashboards.stats.ratings import pool_numbers, pools
from dashboards.stats.resampling import MANY, seat_tests
from dashboards.stats.results import Lineups, lineups_of
from dashboards.stats.words import opponents

__all__ = ["placement", "seat_effect", "win_share"]


NAME: Final = "win_share"
BOUNDS: Final = (NAME, f"{NAME}_low", f"{NAME}_high")
TESTS: Final = (f"{NAME}_p", f"{NAME}_holm")


def win_share(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return the standings: one row per player with its share of wins, compared with the best player of its pool.

    Columns: `player, played, groups, win_share`, its bounds, `expected_share, shared_seeds`, the p-values `win_share_p`
    and `win_share_holm`, `pool, against`.

    Rows are sorted by pool (`ratings.pools`), the largest pool first, and the best player of each pool first. `against`
    names the player's opponents. `played` counts seats: a player that sits twice at a table has played twice.
    `expected_share` is the player's share if all seats of its tables won equally often.

    `win_share_p` is the p-value of a comparison with the first row of the pool, over the matches that both have in
    common (`differences.py`). It is 1 if the first row does not win more in those matches, and null without common
    matches. `shared_seeds` is the number of common seeds. `win_share_holm` is corrected for all pairs of rows of a
    pool, as any row could have been first (Bonferroni). The correction includes pairs that are not shown and those of
    `differences.paired`: they share the risk allotted to wins. The first row of a pool has none of these three values.
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
    won = won.with_columns(pl.col("against").fill_null(""))  # if the player never met another
    won = won.sort("pool", NAME, "player", descending=[False, True, False])
    compared, pairs = list[tuple[str, str]](), 0
    for (number,), part in won.group_by(["pool"], maintain_order=True):
        first, *others = part["player"]
        compared += [(first, other) for other in others]
        hidden = sum(each == number for each in numbers.values()) - part.height
        pairs += part.height * (part.height - 1) // 2 + part.height * hidden
    found = differences(lineups, compared, "win", NAME)
    # The player with the highest share may win less than another in the matches they have in common.
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
    """Return `player, against`: the opponents of each player's seats marked `kept`, as text."""
    seats = lineups.seats.select("match", "player")
    met = lineups.seats.filter("kept").select("match", "player").join(seats, on="match", suffix="_other")
    others = met.filter(pl.col("player") != pl.col("player_other")).group_by("player")
    named = others.agg(pl.col("player_other").unique()).rows()
    rows = [(player, opponents(names)) for player, names in named]
    return pl.DataFrame(rows, schema={"player": pl.String, "against": pl.String}, orient="row")


def placement(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return `player, players, place, played, groups, place_share, place_share_low, place_share_high`.

    One row for each player, table size and place, including places never taken; sorted by these. Each of k tied seats
    has 1/k of each of the k places they occupy. So the shares of a player sum to 1, and its share of first places is
    its win share.
    """
    lineups = lineups_of(results)
    rows = lineups.seats.filter("kept")
    places = pl.concat(
        [
            pl.DataFrame(
                {"players": size, "to": list(range(1, size + 1))}, schema={"players": pl.Int64, "to": pl.Int64}
            )
            for size in sorted(rows["players"].unique())
        ]
        or [pl.DataFrame(schema={"players": pl.Int64, "to": pl.Int64})]
    )
    taken = (pl.col("to") >= pl.col("place")) & (pl.col("to") < pl.col("place") + pl.col("sharing"))
    spread = (
        rows.select("player", "match", "players", "place", "sharing")
        .join(places, on="players")
        .select("player", "match", "players", pl.col("to"), (taken / pl.col("sharing")).alias("part"))
        .rename({"to": "place"})
    )
    by = ["player", "players", "place"]
    return shares(lineups.sums(spread, by, "part"), by, "place_share", "played")


def seat_effect(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return one row per table size and seat, sorted by these.

    The columns `players, seat, played, groups, seat_share` and its bounds show how often the seat wins. `seat_effect`,
    with bounds, p-value (`_p`) and corrected p-value (`_holm`), is its wins minus the average wins of its players at
    tables of that size. So the seat of a strong player who always sits first does not appear strong (indirect
    standardisation). If seats rotate, the effect is the share minus 1/players. Its bounds are those of the share,
    shifted equally. The test relabels the seats in each seed (`resampling.py`), or is a t test if there are many seeds.
    It is corrected over all seats of a table size, shown or not, and for the risk allotted to seats (`claims.py`).
    """
    lineups = lineups_of(results)
    usual = lineups.sums(lineups.seats, ["player", "players"], "win").select(
        "player", "players", (pl.col("total") / pl.col("trials")).alias("usual")
    )
    rows = lineups.seats.join(usual, on=["player", "players"])
    rows = rows.with_columns((pl.col("win") - pl.col("usual")).alias("beyond"))
    kept, by = rows.filter("kept"), ["players", "seat"]
    won = shares(lineups.sums(kept, by, "win"), by, "seat_share", "played")
    expected = lineups.sums(kept, by, "usual").select(*by, (pl.col("total") / pl.col("trials")).alias("usual"))
    moved = [(pl.col(f"seat_share{end}") - pl.col("usual")).alias(f"seat_effect{end}") for end in ("", "_low", "_high")]
    effects = won.join(expected, on=by).with_columns(moved).drop("usual")
    tested = pl.concat([_tests(lineups, rows, size) for size in rows["players"].unique().sort()] or [_tested(0, [])])
    return effects.join(tested, on=by).sort(by)


def _tests(lineups: Lineups, rows: pl.DataFrame, size: int) -> pl.DataFrame:
    """Return `players, seat, seat_effect_p, seat_effect_holm` for all seats of one table size."""
    keys, n, beyond = lineups.by_group(rows.filter(players=size), ["seat"], "beyond")
    played = n.sum(axis=1) > 0
    n, beyond = n[played], beyond[played]
    if len(beyond) < MANY:
        alone, all_of_them = seat_tests(beyond)
    else:
        groups = len(beyond)
        squares = ((beyond - beyond.mean(axis=0)) ** 2).sum(axis=0)
        sums = zip(beyond.sum(axis=0), squares, strict=True)
        alone = np.array([mean_test(groups, total, groups, square)[-1] for total, square in sums])
        all_of_them = np.array(corrected_by_holm(alone.tolist()))
    all_of_them = np.minimum(1, all_of_them * RISK / SEATS)
    return _tested(size, [*zip(keys["seat"], alone.tolist(), all_of_them.tolist(), strict=True)])


def _tested(size: int, rows: list[tuple[int, float, float]]) -> pl.DataFrame:
    schema = {"players": pl.Int64, "seat": pl.Int64, "seat_effect_p": pl.Float64, "seat_effect_holm": pl.Float64}
    return pl.DataFrame([(size, *row) for row in rows], schema=schema, orient="row")
