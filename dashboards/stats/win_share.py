"""How often each player wins."""

from typing import Final

import polars as pl

from dashboards.stats.claims import RISK, WINS
from dashboards.stats.differences import Side, differences
from dashboards.stats.intervals import shares
from dashboards.stats.lineups import Lineups, lineups_of

__all__ = ["win_share"]

NAME: Final = "win_share"
BOUNDS: Final = (NAME, f"{NAME}_low", f"{NAME}_high")
TESTS: Final = (f"{NAME}_p", f"{NAME}_holm")


def win_share(results: pl.DataFrame | Lineups) -> pl.DataFrame:
    """Return `player, played, groups, win_share`, its bounds and `expected_share, shared_seeds, win_share_p, _holm`.

    The best comes first. `played` counts seats: a player that sits twice at a table has played twice. `expected_share`
    is what it would win if all seats of its tables were equally likely to. `_p`: how likely so large a difference from
    the first row is between equals, over what the two have in common (`differences.py`), and 1 if there the first row
    wins no more; `shared_seeds` is how many seeds both played. `_holm`: corrected for all pairs of rows, any of which
    could have been first (Bonferroni), and for those of rows and players that are not shown, which `paired.py` tests:
    both are one family in the share of a report's risk that wins have. The first row has none of the three.
    """
    lineups = lineups_of(results)
    rows = lineups.seats.filter("kept").with_columns((1 / pl.col("players")).alias("part"))
    expected = lineups.sums(rows, ["player"], "part").select(
        "player", (pl.col("total") / pl.col("trials")).alias("expected_share")
    )
    won = shares(lineups.sums(rows, ["player"], "win"), ["player"], NAME, "played")
    won = won.join(expected, on="player").sort(NAME, "player", descending=[True, False])
    names, others = won["player"].to_list(), lineups.seats["player"].n_unique() - won.height
    pairs = won.height * (won.height - 1) // 2 + won.height * others
    first = differences(lineups, [(names[0], other) for other in names[1:]], "win", NAME)
    met = [Side.of(lineups, name, "win").n > 0 for name in names]
    shared = pl.Series("shared_seeds", [int((met[0] & other).sum()) for other in met[1:]], pl.Int64)
    # who wins most of all its seats may win less than another over what the two have in common
    first = first.with_columns(pl.when(pl.col(NAME) > 0).then(f"{NAME}_p").otherwise(1.0).alias(f"{NAME}_p"))
    held = [min(1.0, p * pairs * RISK / WINS) for p in first[f"{NAME}_p"]]
    holm = pl.Series(f"{NAME}_holm", held, pl.Float64)
    first = first.select(pl.col("other").alias("player"), shared, f"{NAME}_p", holm)
    found = won.join(first, on="player", how="left", maintain_order="left")
    return found.select("player", "played", "groups", *BOUNDS, "expected_share", "shared_seeds", *TESTS)
