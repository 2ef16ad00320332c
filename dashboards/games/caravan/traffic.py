"""Caravan: where caravans went on one board, and what came of it there: stupas, delegations, contests, supply."""

from typing import Final

import polars as pl

from dashboards.games.caravan.queries import supply_totals
from dashboards.games.shared.board_context import ground_of
from dashboards.games.shared.by_place import numbered, parts_of_all, per_match
from dashboards.games.shared.recent import counted_sample
from dashboards.stats.intervals import means, shares
from dashboards.stats.words import NOTHING, mean, plain, rivals, share, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_totals
from dashboards.warehouse.where import of_any_seat

__all__ = [
    "contest_finding",
    "contested",
    "delegation_finding",
    "delegations",
    "region_finding",
    "regions",
    "road_finding",
    "roads",
    "stupa_finding",
    "stupas",
    "supply",
    "supply_finding",
    "village_finding",
    "villages",
]

RESOURCES: Final = ("salt", "barley", "tea", "jade", "gold")
DEEDS: Final = ("collected", "delivered", "voided", "too_late")


def villages(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, arrivals, groups, arrival_share`, its bounds, `collected, delivered, voided, too_late`.

    One row per village of the board, the most visited first. A trial of the share is an arrival anywhere.
    """
    ground = ground_of(reader, where)
    counted = parts_of_all(reader, where, ground, "arrivals", "arrival_share")
    deeds = place_totals(reader, DEEDS, "agg_villages", ["village"], where, ground.digest)
    counted = counted.join(numbered(deeds, ["village"]), on="village", how="left").with_columns(
        pl.col(DEEDS).fill_null(0)
    )
    return counted.sort("arrivals", "village", descending=[True, False])


def village_finding(frame: pl.DataFrame) -> str:
    """Say where caravans arrive most and least."""
    total = int(frame["arrivals"].sum())
    if not total:
        return "No caravan arrived anywhere under these filters."
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    return (
        f"Village {most['village']} is visited most: {share(most, 'arrival_share')} of {whole(total, 'arrival')}"
        f"{_rivals(frame, 'arrival_share')};"
        f" village {least['village']} least: {share(least, 'arrival_share')}"
        f"{_rivals(frame, 'arrival_share', least=True)}."
    )


def roads(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village_a, village_b, road, journeys, groups, journey_share` and its bounds, the most travelled first."""
    ground = ground_of(reader, where)
    counted = parts_of_all(reader, where, ground, "journeys", "journey_share")
    return counted.sort("journeys", "village_a", "village_b", descending=[True, False, False])


def road_finding(frame: pl.DataFrame) -> str:
    """Say which road is travelled most and least."""
    total = int(frame["journeys"].sum())
    if not total:
        return "No road was travelled under these filters."
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    return (
        f"The busiest road is {_road(most)}: {share(most, 'journey_share')} of {whole(total, 'journey')}"
        f"{_rivals(frame, 'journey_share')};"
        f" the quietest is {_road(least)}: {share(least, 'journey_share')}"
        f"{_rivals(frame, 'journey_share', least=True)}."
    )


def stupas(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, stupas, matches, groups, stupa_share` and its bounds, the most often built on first.

    In which share of the matches a seat of the filter placed a stupa there; no village takes two.
    """
    found = per_match(reader, where, "stupas")
    rows = shares(found.sums, ["village"], "stupa_share", "of").drop("of")
    return found.with_counts(rows, "stupas", "stupa_share").sort("stupas", "village", descending=[True, False])


def stupa_finding(frame: pl.DataFrame) -> str:
    """Say where stupas stand most and least often."""
    if not frame["stupas"].sum():
        return "No stupa was placed under these filters."
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    matches, others = whole(most["matches"], "match", "matches"), _rivals(frame, "stupa_share")
    return (
        f"Village {most['village']} (level {most['level']}) gets a stupa most often, in {share(most, 'stupa_share')} of"
        f" {matches}{others}; village {least['village']} (level {least['level']}) least often, in"
        f" {share(least, 'stupa_share')}{_rivals(frame, 'stupa_share', least=True)}."
    )


def delegations(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `region, delegations, matches, groups, delegations_per_match` and its bounds, most first."""
    found = per_match(reader, where, "delegations")
    rows = means(found.sums, ["region"], "delegations_per_match").drop("delegations_per_match_p")
    rows = found.with_counts(rows, "delegations", "delegations_per_match")
    return rows.sort("delegations", "region", descending=[True, False])


def delegation_finding(frame: pl.DataFrame) -> str:
    """Say which regions delegations go to."""
    if not frame["delegations"].sum():
        return "No delegation was sent under these filters."
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    return (
        f"Most delegations go to region {most['region']}: {mean(most, 'delegations_per_match')} a match"
        f"{_rivals(frame, 'delegations_per_match')}; fewest to"
        f" region {least['region']}: {mean(least, 'delegations_per_match')}"
        f"{_rivals(frame, 'delegations_per_match', least=True)}."
    )


def regions(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `region, flips, matches, groups, flips_per_match`, its bounds, `leads`: how often regions change hands.

    A flip: a seat of the filter leads the region where another had led last. `leads` counts seats of the filter that
    led it at the end of a round.
    """
    found = per_match(reader, where, "flips")
    rows = means(found.sums, ["region"], "flips_per_match").drop("flips_per_match_p")
    rows = found.with_counts(rows, "flips", "flips_per_match")
    leads = place_totals(reader, ["leads"], "agg_regions", ["region"], where, found.ground.digest)
    rows = rows.join(numbered(leads, ["region"]), on="region", how="left").with_columns(pl.col("leads").fill_null(0))
    return rows.sort("flips", "region", descending=[True, False])


def region_finding(frame: pl.DataFrame) -> str:
    """Say which region changes hands most."""
    if frame.is_empty():
        return NOTHING
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    if not most["flips"]:
        return "No region passed from one leader to another under these filters."
    return (
        f"Region {most['region']} changes hands most: {mean(most, 'flips_per_match', 2)} times a match"
        f"{_rivals(frame, 'flips_per_match')}; region"
        f" {least['region']} least: {mean(least, 'flips_per_match', 2)}"
        f"{_rivals(frame, 'flips_per_match', least=True)}."
    )


def contested(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, contests, matches, groups, contests_per_match`, its bounds, `too_late`, most first.

    A contest: a seat of the filter and another went in one round for what lay in the village.
    """
    found = per_match(reader, where, "contests")
    rows = means(found.sums, ["village"], "contests_per_match").drop("contests_per_match_p")
    rows = found.with_counts(rows, "contests", "contests_per_match")
    late = place_totals(reader, ["too_late"], "agg_villages", ["village"], where, found.ground.digest)
    rows = rows.join(numbered(late, ["village"]), on="village", how="left").with_columns(
        pl.col("too_late").fill_null(0)
    )
    return rows.sort("contests", "village", descending=[True, False])


def contest_finding(frame: pl.DataFrame) -> str:
    """Say which village is contested most."""
    if not frame["contests"].sum():
        return "No village was contested under these filters."
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    late = int(frame["too_late"].sum())
    return (
        f"Village {most['village']} is contested most: by {mean(most, 'contests_per_match', 2)} seats a match"
        f"{_rivals(frame, 'contests_per_match')}; village"
        f" {least['village']} least: by {mean(least, 'contests_per_match', 2)}"
        f"{_rivals(frame, 'contests_per_match', least=True)}. In all,"
        f" {whole(late, 'trade')} came too late."
    )


def supply(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `village, level, resource, matches` and goods a match: supplied, demanded, collected, spent.

    `supplied` and `demanded` are what refills brought as goods and on orders, whoever plays; `collected` and `spent`
    what the seats of the filter took there, and gave in deliveries there. The matches are all on the board, also those
    without such a seat: what came is known by cohorts of matches, not match by match.
    """
    ground = ground_of(reader, where)
    every = of_any_seat(where)
    matches = counted_sample(reader, every, ground.digest).matches
    by = ["village", "resource"]
    rows = ground.places["village"].join(pl.DataFrame({"resource": list(RESOURCES)}), how="cross")
    came = supply_totals(reader, every, ground.digest)
    went = place_totals(reader, ["collected", "spent"], "agg_goods", by, where, ground.digest)
    went = went.with_columns(pl.col("resource").cast(pl.String))
    amounts = ["supplied", "demanded", "collected", "spent"]
    rows = rows.join(numbered(came, ["village"]), on=by, how="left").join(
        numbered(went, ["village"]), on=by, how="left"
    )
    kind = pl.col("resource").replace_strict(list(RESOURCES), list(range(len(RESOURCES))), return_dtype=pl.Int64)
    each = [(pl.col(name).fill_null(0) / max(matches, 1)).alias(f"{name}_per_match") for name in amounts]
    return rows.sort("village", kind).select(
        "village", "level", "resource", pl.lit(matches, pl.Int64).alias("matches"), *each
    )


def supply_finding(frame: pl.DataFrame) -> str:
    """Say which resources come in surplus, and how much of what came was taken."""
    if frame.is_empty() or not frame["supplied_per_match"].sum():
        return "Nothing was supplied under these filters."
    sums = frame.group_by("resource", maintain_order=True).agg(pl.col("^.*_per_match$").sum())
    sums = sums.with_columns((pl.col("supplied_per_match") - pl.col("demanded_per_match")).alias("surplus"))
    most, least = (sums.sort("surplus", descending=down).row(0, named=True) for down in (True, False))
    came, taken = (plain(float(frame[f"{name}_per_match"].sum())) for name in ("supplied", "collected"))

    def of(row: dict[str, float]) -> str:
        supplied, demanded = plain(row["supplied_per_match"]), plain(row["demanded_per_match"])
        return f"{row['resource']} ({supplied} supplied and {demanded} demanded a match)"

    count = whole(frame["matches"][0], "match", "matches")
    return (
        f"Over {count}, what comes less what is wanted is most for {of(most)} and least for {of(least)}. In all,"
        f" {came} goods come a match, and the seats of the filter collect {taken}."
    )


def _rivals(frame: pl.DataFrame, name: str, *, least: bool = False) -> str:
    """Return `, not told apart from …` with a place whose interval overlaps that of the first, or of the last."""
    kind = next(kind for kind in ("village", "region", "road") if kind in frame.columns)
    named = _road_name() if kind == "road" else pl.format(f"{kind} {{}}", kind)
    return rivals(frame.with_columns(named.alias("place")), name, "place", least=least)


def _road_name() -> pl.Expr:
    return pl.format("the {} road {}\N{EN DASH}{}", "road", "village_a", "village_b")


def _road(row: dict[str, object]) -> str:
    return f"the {row['road']} road {row['village_a']}\N{EN DASH}{row['village_b']}"
