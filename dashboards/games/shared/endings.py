"""How matches ended, by size of the table, of any game whose endings are ways in which a whole match ends."""

from collections.abc import Mapping, Sequence

import polars as pl

from dashboards.charts.bars import stacked
from dashboards.charts.chart import Chart
from dashboards.stats.by_kind import in_order, with_all_kinds
from dashboards.stats.intervals import shares
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import unit_sums
from dashboards.warehouse.where import SEED_GROUP, with_such_a_seat

__all__ = ["draw_endings", "ending_shares"]


def ending_shares(
    reader: Reader, where: Filter, table: str, ending: str, endings: Mapping[str, str], name: str
) -> pl.DataFrame:
    """Return `players, ending, matches, of_matches, groups, {name}` and its bounds: of tables of each size.

    `ending` is SQL for the key of a match's ending, where the table of matches (`table`) is called `f`; `endings` are
    all there are, in order. A trial is a match.
    """
    condition, values = with_such_a_seat(where)
    base = f"""select m.players, {ending} as ending, {SEED_GROUP} as unit, count(*) as x
        from {table} f join dim_matches m using (match_id) where {condition} group by all"""
    trials = "select players, unit, sum(x) as n from base group by all"
    sums = unit_sums(reader, "from base", trials, ["players", "ending"], ["players"], values, base)
    found = with_all_kinds(sums, "ending", endings, "players")
    rows = shares(found, ["players", "ending"], name, "of_matches").with_columns(
        pl.col("of_matches").cast(pl.Int64), found["total"].cast(pl.Int64).alias("matches")
    )
    ends = [f"{name}{end}" for end in ("", "_low", "_high")]
    return in_order(rows, "ending", endings, "players").select(
        "players", "ending", "matches", "of_matches", "groups", *ends
    )


def draw_endings(frame: pl.DataFrame, endings: Mapping[str, str], hues: Sequence[str]) -> Chart:
    """Draw how matches of each size ended, as parts of a whole bar: a colour for each of the endings, in order."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    wide = named.pivot("ending", index=["row", "players", "of_matches"], values="matches", maintain_order=True)
    return stacked(wide, endings, hues, rows="row", part="ending", whole=wide["of_matches"])
