"""Matched comparison: the seats of two tournaments, options, boards or versions that can be compared fairly.

A player may win more in the spring tournament than in the autumn one for reasons other than strength. Its seats may
have been better, its opponents weaker, or its mix of options and boards different. So only conditions that occur on all
sides are compared, and each side is weighted to the same mix of conditions.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from dashboards.stats.compare import OF_MATCHES, By
from dashboards.stats.results import complete, numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["alike", "is_reweighted", "left_out"]

SEPARATOR: Final = "\n"
"""Separator between the names of players at a table; no name contains a line break."""
WITH_VERSION: Final = pl.concat_str("player", pl.col("version").fill_null(""), separator=" ")
WHO: Final[dict[By, pl.Expr]] = {"option": WITH_VERSION, "board": WITH_VERSION}
"""Expression that identifies a player, by kind of comparison; for other kinds, the name alone identifies a player."""
COUNTED: Final = {"M": ["who"], "m": ["who", "kind"], "N": ["who", "side"], "n": ["who", "side", "kind"]}
"""Columns by which seats are counted for each number in the weight formula m·N / (M·n) (see `alike`)."""


def alike(results: pl.DataFrame, by: By) -> pl.DataFrame:
    """Return the matches with a seat that has counterparts on every other side; such seats are `kept`, with a `weight`.

    `results` (see `results.py`) have a column named after the comparison: `tournament`, `option` or `board`. If
    versions are compared, the sides are the kept seats' versions. The optional column `conditions` has board and
    options in words, except the one that is compared.

    Two seats of a player are alike if conditions, seat and opponents are the same. Opponents must have the same
    version, unless versions are compared. If options or boards are compared, the player must have the same version too.
    A player that appears on one side only is not compared. If a side is the only version of its player, it is compared
    with other players over all of its matches.

    Weights are those of direct standardisation (Rothman, Greenland, Lash 2008, Modern Epidemiology, chapter 3). On all
    sides together, a player has M seats, m of them of one kind; on one side it has N and n. Each of these n seats has
    the weight m·N / (M·n), so that every side has the overall mix. If all mixes are equal, all weights are 1.
    """
    rows = _described(results, by).drop("weight")
    at, times = _lineups(rows)
    found = _kinds(rows[times["row"]].with_columns(times["match", "times"]), by)
    of_who, of_kind = (pl.col("side").filter("kept").n_unique().over(over) for over in ("who", ["kind", "who"]))
    is_alike = (of_kind == of_who) & (of_who >= (2 if by in OF_MATCHES else 1))
    found = found.with_columns((pl.col("kept") & is_alike).alias("kept"))
    counts = [
        pl.when("kept").then("times").otherwise(0).sum().over(over).cast(pl.Int64).alias(name)
        for name, over in COUNTED.items()
    ]
    weight = pl.when("kept").then(pl.col("m") * pl.col("N") / (pl.col("M") * pl.col("n"))).otherwise(1.0)
    found = found.with_columns(counts).with_columns(
        weight.alias("weight"), pl.col("kept").any().over("match").alias("any")
    )
    columns = found.select("kept", "weight", "any")[at]
    return rows.drop("kept", "side").with_columns(columns["kept", "weight"]).filter(columns["any"])


def _lineups(rows: pl.DataFrame) -> "tuple[NDArray[np.int64], pl.DataFrame]":
    """Map each row to the row in the same position of a sample match of its lineup; also return `row, match, times`.

    All matches of a lineup have the same kinds of seats, and there are few lineups (`results.Lineups`). In the second
    frame, `row` is a row of a sample match, `match` the number of that match, and `times` how many matches have its
    lineup.
    """
    code = rows["seat"].to_numpy().astype(np.int64) * 2 + rows["kept"].to_numpy()
    for name in ("player", "version", "side", "conditions"):
        values = rows[name].fill_null("")
        names = pl.Enum(values.unique(maintain_order=True))
        code = code * len(names.categories) + values.cast(names).to_physical().to_numpy()
    match = rows["match"]
    starts = np.flatnonzero((match != match.shift(1)).fill_null(value=True).to_numpy())
    sizes = np.diff(np.append(starts, rows.height))
    lineup, examples = numbered(code, starts, sizes)
    number = np.repeat(np.arange(len(examples)), sizes[examples])
    first = np.cumsum(sizes[examples]) - sizes[examples]
    within = np.arange(rows.height) - np.repeat(starts, sizes)
    row = np.repeat(starts[examples] - first, sizes[examples]) + np.arange(len(number))
    times = np.bincount(lineup, minlength=len(examples))[number]
    return np.repeat(first[lineup], sizes) + within, pl.DataFrame({"row": row, "match": number, "times": times})


def is_reweighted(found: pl.DataFrame) -> bool:
    """Return whether the mix of kinds of seats differed between sides, so that the weights are not all equal."""
    return bool(((found["weight"] - 1).abs() > 1e-9).any())


def left_out(results: pl.DataFrame, found: pl.DataFrame, by: By) -> list[tuple[str, str, int]]:
    """Count the matches in `results` that are missing in `found`: return `side, why, matches`, most matches first.

    With a single side, nothing is left out. The reason (`why`) is the conditions if no other side played under them,
    else the players at the table.
    """
    described = _described(results, by)
    if described.filter("kept")["side"].n_unique() < 2:
        return []
    out = described.join(found.select("match"), on="match", how="anti", maintain_order="left")
    shared = described.filter("kept").group_by("conditions").agg(pl.col("side").n_unique().alias("sides"))
    tables = out.group_by("match", maintain_order=True).agg(
        pl.col("conditions").first(),
        pl.col("side").filter("kept").first(),
        pl.col("player").sort().str.join(", ").alias("table"),
    )
    why = pl.when(pl.col("sides") > 1).then("table").otherwise("conditions").alias("why")
    counted = tables.filter(pl.col("side").is_not_null()).join(shared, on="conditions", how="left").select("side", why)
    counts = counted.group_by("side", "why").len().sort("len", "side", "why", descending=[True, False, False])
    return list(counts.iter_rows())


def _described(results: pl.DataFrame, by: By) -> pl.DataFrame:
    """Return results sorted by match and seat, with `side` and `conditions`; all unknown conditions count as equal."""
    side = WITH_VERSION if by == "version" else pl.col(by)
    rows = complete(results).sort("match", "seat").with_columns(side.alias("side"))
    return rows if "conditions" in rows.columns else rows.with_columns(pl.lit("").alias("conditions"))


def _kinds(rows: pl.DataFrame, by: By) -> pl.DataFrame:
    """Return rows with `who` (the player compared) and the `kind` of each seat: its conditions, seat and opponents."""
    called = pl.when("kept").then("player").otherwise(WITH_VERSION) if by == "version" else WITH_VERSION
    rows = rows.with_columns(
        called.alias("called"),
        WHO.get(by, pl.col("player")).alias("who"),
        pl.int_range(pl.len()).over("match").alias("at"),
    )
    tables = rows.group_by("match", maintain_order=True).agg(pl.col("called").str.join(SEPARATOR).alias("table"))
    rows = rows.join(tables, on="match", how="left", maintain_order="left")
    rows = rows.join(_opponents(tables["table"].unique()), on=["table", "at"], how="left", maintain_order="left")
    kind = pl.concat_str("conditions", pl.col("seat").cast(pl.String), "opponents", separator=SEPARATOR)
    return rows.with_columns(kind.alias("kind")).drop("called", "at", "table", "opponents")


def _opponents(tables: Iterable[str]) -> pl.DataFrame:
    """Return `table, at, opponents`: for each position at each table, the other players, in a fixed order."""
    rows = []
    for table in tables:
        names = table.split(SEPARATOR)
        rows += [(table, at, SEPARATOR.join(sorted(names[:at] + names[at + 1 :]))) for at in range(len(names))]
    return pl.DataFrame(rows, schema={"table": pl.String, "at": pl.Int64, "opponents": pl.String}, orient="row")
