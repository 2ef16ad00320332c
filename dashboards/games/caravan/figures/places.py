"""Caravan figures by place: events in villages, in regions and on roads; supply and demand."""

from typing import Final

import polars as pl

from dashboards.charts.builders import percent_label
from dashboards.charts.chart import Cell, Chart, Matrix
from dashboards.charts.theme import Palette, diverging
from dashboards.games.figure import BY_ROUND, Defined, Figure
from dashboards.games.shared.place_counts import Also, Per, PlaceCounts, numbered
from dashboards.games.shared.places import board_context
from dashboards.games.shared.recent import counted_sample
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import place_totals
from dashboards.queries.where import cohorts_where, of_any_seat
from dashboards.stats.words import Metric, hundredths, plain, signed, source_of, whole
from himalaya_core.caravan.pieces import RANK, RESOURCES

__all__ = ["CONTESTED", "DELEGATIONS", "REGIONS", "ROADS", "STUPAS", "SUPPLY", "VILLAGES"]


VILLAGE: Final = {"village": "Village"}
LEVEL: Final = {"level": "Level"}
REGION: Final = {"region": "Region"}
VILLAGE_NAME: Final = "Village {village}, level {level}"
REGION_NAME: Final = "Region {region}"

ROADS: Final = PlaceCounts(
    name="roads",
    title="Journeys on roads",
    counted=Defined(
        "journeys", "Journeys", "How often the road was travelled, either way.", "number of journeys", "journeys"
    ),
    value=Defined(
        "journey_share",
        "Share",
        "What share of all journeys went along the road.",
        "journeys along the road / journeys along any",
    ),
    per=Per.ALL,
    keys={"village_a": "From", "village_b": "To"},
    about={"road": "Road"},
    called="{village_a}\N{EN DASH}{village_b}, {road}",
    most="The {road} road {village_a}\N{EN DASH}{village_b} is the busiest: it carries {1} of {of}",
    least="The {road} road {village_a}\N{EN DASH}{village_b} is the quietest: it carries {1} of {of}",
    plain="The {road} road {village_a}\N{EN DASH}{village_b} carries {1} of {of}",
    none="No road was travelled under these filters.",
    shown=percent_label,
    noun=("journey",),
)
VILLAGES: Final = PlaceCounts(
    name="villages",
    title="Arrivals in villages",
    counted=Defined(
        "arrivals",
        "Arrivals",
        "How often a caravan came to the village, setting out included.",
        "number of arrivals",
        "arrivals",
    ),
    value=Defined(
        "arrival_share",
        "Share",
        "What share of all arrivals were in the village.",
        "arrivals in the village / arrivals anywhere",
    ),
    per=Per.ALL,
    keys=VILLAGE,
    about=LEVEL,
    called="Village {village}",
    most="Village {village} is visited most: it has {1} of {of}",
    least="Village {village} is visited least: it has {1} of {of}",
    plain="Village {village} has {1} of {of}",
    none="No caravan arrived anywhere under these filters.",
    shown=percent_label,
    noun=("arrival",),
    also=Also(
        "agg_caravan_villages",
        (
            Defined(
                "collected",
                "Goods collected",
                "How many goods were taken in trades.",
                "number of trades that took a good",
                "goods",
            ),
            Defined(
                "delivered",
                "Deliveries",
                "How many orders were delivered.",
                "number of trades that delivered",
                "deliveries",
            ),
            Defined(
                "voided",
                "Trades voided",
                "How many planned trades came to nothing.",
                "number of voided trades",
                "trades",
            ),
            Defined("too_late", "Too late", "", "", ""),
        ),
    ),
)
STUPAS: Final = PlaceCounts(
    name="stupas",
    title="Stupas by village",
    counted=Defined("stupas", "Stupas", "How many stupas were placed in the village.", "number of stupas", "stupas"),
    value=Defined(
        "stupa_share",
        "Share of matches",
        "In what share of matches a stupa was placed in the village; it takes only one.",
        "stupas / matches",
    ),
    per=Per.MATCHES,
    keys=VILLAGE,
    about=LEVEL,
    called=VILLAGE_NAME,
    most="Village {village} (level {level}) gets a stupa most often: in {1} of {of}",
    least="Village {village} (level {level}) gets a stupa least often: in {1} of {of}",
    plain="Village {village} (level {level}) gets a stupa in {1} of {of}",
    none="No stupa was placed under these filters.",
    shown=percent_label,
)
CONTESTED: Final = PlaceCounts(
    name="contested",
    title="Contested villages",
    section="why",
    counted=Defined(
        "contests",
        "Rivals met",
        "How often a player ran into a rival in the village: two or more wanted the same goods or order in one round.",
        "number of (seat, round) in which two seats or more traded there, lacked goods for its order or came too late",
        "seats and rounds",
    ),
    value=Defined(
        "contests_per_match",
        "Per match",
        "How often players run into a rival in the village in a match.",
        "contests / matches",
        "per match",
    ),
    per=Per.MATCH,
    keys=VILLAGE,
    about=LEVEL,
    called=VILLAGE_NAME,
    most="In village {village}, players run into a rival most often: {1} times a match",
    least="In village {village}, players run into a rival least often: {1} times a match",
    plain="In village {village}, players run into a rival {1} times a match",
    none="No village was contested under these filters.",
    shown=hundredths,
    also=Also(
        "agg_caravan_villages",
        (
            Defined(
                "too_late",
                "Too late",
                "How many trades came too late: the seat could have made them, had another not taken the last goods or"
                " the order of that village earlier in the round.",
                "number of voided trades that were possible before another seat's; who lacks the goods for an order, or"
                " has collected there already, does not count",
                "trades",
            ),
        ),
    ),
    closing=lambda frame: f" In all, {whole(frame['too_late'].sum(), 'trade')} came too late.",
)
REGIONS: Final = PlaceCounts(
    name="regions",
    title="Regions that change hands",
    section="why",
    counted=Defined(
        "flips",
        "Flips",
        "How often the region passed to a seat from another, with or without a tie in between.",
        "number of rounds at the end of which a seat led the region and another had led it last",
        "flips",
    ),
    value=Defined(
        "flips_per_match",
        "Per match",
        "How often the region passes to a seat from another in a match.",
        "flips / matches",
        "flips per match",
    ),
    per=Per.MATCH,
    keys=REGION,
    called=REGION_NAME,
    most="Region {region} changes hands most often: {1} times a match",
    least="Region {region} changes hands least often: {1} times a match",
    plain="Region {region} changes hands {1} times a match",
    none="No region passed from one leader to another under these filters.",
    shown=hundredths,
    also=Also(
        "agg_caravan_regions",
        (
            Defined(
                "leads",
                "Rounds led",
                "Rounds that ended with a seat leading the region, with more delegations than any other seat.",
                "number of (match, round)",
                "rounds",
            ),
        ),
    ),
)
DELEGATIONS: Final = PlaceCounts(
    name="delegations",
    title="Delegations by region",
    counted=Defined(
        "delegations",
        "Delegations",
        "How many delegations were sent to the region.",
        "number of delegations",
        "delegations",
    ),
    value=Defined(
        "delegations_per_match",
        "Per match",
        "How many delegations are sent to the region in a match.",
        "delegations / matches",
        "delegations per match",
    ),
    per=Per.MATCH,
    keys=REGION,
    called=REGION_NAME,
    most="Region {region} receives the most delegations: {1} a match",
    least="Region {region} receives the fewest delegations: {1} a match",
    plain="Region {region} receives {1} delegations a match",
    none="No delegation was sent under these filters.",
    shown=plain,
)


AMOUNTS: Final = ("supplied", "demanded", "collected", "spent")


def supply(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, resource, matches` and goods per match: supplied, demanded, collected, spent.

    `supplied` and `demanded` are the goods and orders that refills brought, for all seats. `collected` and `spent` are
    what the filtered seats took and delivered there. All matches on the board count, even those without a filtered
    seat, because refills are stored per cohort of matches, not per match.
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

    Refills belong to matches, not to seats, so the filter's criteria for seats are ignored.
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
    """Return a sentence on goods supplied and collected per match, and supply minus demand of each resource."""
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
    """Draw supply minus demand of each good in each village, per match."""
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
