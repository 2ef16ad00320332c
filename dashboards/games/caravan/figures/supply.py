"""Supply of goods against demand, village by village."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Cell, Chart, Matrix
from dashboards.charts.colour import diverging
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_ROUND, Figure
from dashboards.games.shared.board_context import board_context
from dashboards.games.shared.by_place import numbered
from dashboards.games.shared.recent import counted_sample
from dashboards.stats.metric import Metric, source_of
from dashboards.stats.words import plain, signed, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_totals
from dashboards.warehouse.where import cohorts_where, of_any_seat
from himalaya_core.caravan.pieces import RANK, RESOURCES

__all__ = ["SUPPLY"]

AMOUNTS: Final = ("supplied", "demanded", "collected", "spent")


def supply(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, resource, matches` and goods a match: supplied, demanded, collected, spent.

    `supplied` and `demanded` are what refills brought as goods and on orders, for all seats; `collected` and `spent`
    what the seats of the filter took there, and gave in deliveries there. The matches are all on the board, also those
    without such a seat: what came is known by cohorts of matches, not match by match.
    """
    board = board_context(reader, where)
    matches = counted_sample(reader, of_any_seat(where), board.digest).matches
    by = ["village", "resource"]
    came = _refills(reader, where, board.digest)
    went = place_totals(reader, ["collected", "spent"], "agg_caravan_goods", by, where, board.digest)
    went = went.with_columns(pl.col("resource").cast(pl.String))
    rows = board.places["village"].join(pl.DataFrame({"resource": [*map(str, RESOURCES)]}), how="cross")
    for amounts in (came, went):
        rows = rows.join(numbered(amounts, ["village"]), on=by, how="left")
    rank = pl.col("resource").replace_strict(
        {str(resource): rank for resource, rank in RANK.items()}, return_dtype=pl.Int64
    )
    each = [(pl.col(name).fill_null(0) / max(matches, 1)).alias(f"{name}_per_match") for name in AMOUNTS]
    return rows.sort("village", rank).select(
        "village", "level", "resource", pl.lit(matches, pl.Int64).alias("matches"), *each
    )


def _refills(reader: Reader, where: Filter, board: str) -> pl.DataFrame:
    """Return `village, resource, supplied, demanded`: what refills brought, as goods and on orders.

    Refills belong to matches, not to seats: what the filter says of seats does not apply.
    """
    condition, values = cohorts_where(of_any_seat(where))
    return reader.frame(
        f"""select a.village, a.resource::varchar as resource, sum(a.supplied)::bigint as supplied,
                sum(a.demanded)::bigint as demanded
            from agg_caravan_supply a join dim_cohorts c using (cohort)
            where {condition} and c.board_sha256 = $board and a.round between $first and $last
            group by all order by 1, 2""",
        values | {"first": where.first, "last": where.last, "board": board},
    )


def supply_finding(frame: pl.DataFrame) -> str:
    """Say how much comes and is taken in a match, and by how much supply exceeds the demand for each resource."""
    if frame.is_empty() or not frame["supplied_per_match"].sum():
        return "Nothing was supplied under these filters."
    sums = frame.group_by("resource", maintain_order=True).agg(pl.col("^.*_per_match$").sum())
    came, wanted, taken = (plain(float(sums[f"{name}_per_match"].sum())) for name in AMOUNTS[:3])
    less = sums["supplied_per_match"] - sums["demanded_per_match"]
    surplus = ", ".join(f"{resource} {signed(more)}" for resource, more in zip(sums["resource"], less, strict=True))
    return (
        f"On average over {whole(frame['matches'][0], 'match', 'matches')}, {came} goods are supplied and {wanted}"
        f" demanded in a match, and the players counted collect {taken}. Supply minus demand: {surplus}."
    )


def draw_supply(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw how much more of each good came to each village than was demanded there in a match, with its sign."""
    cells = tuple(
        Cell(
            row["resource"],
            str(row["village"]),
            surplus := row["supplied_per_match"] - row["demanded_per_match"],
            signed(surplus),
            f"Village {row['village']}, {row['resource']}, per match: {row['supplied_per_match']:.2f} supplied,"
            f" {row['demanded_per_match']:.2f} demanded, {row['collected_per_match']:.2f} collected,"
            f" {row['spent_per_match']:.2f} delivered",
            "",
        )
        for row in frame.iter_rows(named=True)
    )
    most = max((abs(cell.value) for cell in cells), default=1.0)
    villages = tuple(str(village) for village in sorted(frame["village"].unique()))
    resources = tuple(frame["resource"].unique(maintain_order=True))
    return Matrix(resources, villages, cells, diverging(colours), -most, most, ("", "village"))


SUPPLY: Final = Figure(
    name="supply",
    title="Supply of goods against demand",
    section="where",
    count=supply,
    columns={
        "village": "Village",
        "level": "Level",
        "resource": "Resource",
        "matches": "Matches",
        "supplied_per_match": "Supplied per match",
        "demanded_per_match": "Demanded",
        "collected_per_match": "Collected",
        "spent_per_match": "Delivered",
    },
    finding=supply_finding,
    ignores=BY_ROUND,
    is_wide=True,
    draw=draw_supply,
    metrics=(
        Metric(
            "supplied_per_match",
            "How many goods refills bring to the village in a match, in the filter's rounds, for any players.",
            "cubes drawn / matches",
            source_of(supply),
            "village, resource",
            "goods per match",
        ),
        Metric(
            "demanded_per_match",
            "Goods demanded by the orders placed in the village in a match, in the filter's rounds. The players do not"
            " influence it.",
            "cubes on orders / matches",
            source_of(supply),
            "village, resource",
            "goods per match",
        ),
        Metric(
            "collected_per_match",
            "How many goods are taken in the village in a match, of all matches on the board.",
            "goods taken / matches",
            source_of(supply),
            "village, resource",
            "goods per match",
        ),
        Metric(
            "spent_per_match",
            "How many goods are given for deliveries in the village in a match, of all matches on the board.",
            "goods given / matches",
            source_of(supply),
            "village, resource",
            "goods per match",
        ),
    ),
)
