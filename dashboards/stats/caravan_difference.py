"""Caravan: how the traffic of two selections differs, place by place; winners and losers are two such selections."""

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Final

import polars as pl

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.queries_traffic import PLACES, Sample
from dashboards.stats.caravan_board import ground_of
from dashboards.stats.intervals import corrected_by_holm, t_quantile
from dashboards.stats.sampled import difference_sums, trials_of
from dashboards.stats.table import interval
from dashboards.stats.words import interval as in_points
from dashboards.stats.words import told_apart

__all__ = ["DIFFERENCES", "DIFFERENCE_COLUMNS", "difference_finding", "road_difference", "village_difference"]


def village_difference(queries: Queries, first: Filter, second: Filter) -> pl.DataFrame:
    """Return `village, level, groups, first_share, second_share, share_difference`, its bounds, `_p` and `_holm`.

    Shares of arrivals on the board that the first selection names or used most; the difference is first less second.
    """
    return _difference(queries, first, second, "arrivals")


def road_difference(queries: Queries, first: Filter, second: Filter) -> pl.DataFrame:
    """Return the same of journeys: `village_a, village_b, road` in place of village and level."""
    return _difference(queries, first, second, "journeys")


DIFFERENCES: Final[dict[str, Callable[[Queries, Filter, Filter], pl.DataFrame]]] = {
    "villages": village_difference,
    "roads": road_difference,
}
"""By the name of the figure whose two selections they compare."""

_SHARES: Final = {
    "groups": "Lucks",
    "first_share": "First",
    "second_share": "Second",
    **interval("share_difference", "Difference"),
    "share_difference_p": "p",
    "share_difference_holm": "p (Holm)",
}
DIFFERENCE_COLUMNS: Final[dict[str, Mapping[str, str]]] = {
    "villages": {"village": "Village", "level": "Level", **_SHARES},
    "roads": {"village_a": "From", "village_b": "To", "road": "Road", **_SHARES},
}


def difference_finding(frame: pl.DataFrame) -> str:
    """Say where the two selections differ most, and in how many places they are told apart."""
    if frame.is_empty() or frame["share_difference"].is_null().all():
        return "One of the two selections has no traffic, so there is nothing to compare."
    most = frame.sort(pl.col("share_difference").abs(), descending=True, maintain_order=True).row(0, named=True)
    name = f"village {most['village']}" if "village" in frame.columns else f"the {most['road']} road {_between(most)}"
    apart = frame.filter(pl.col("share_difference_holm") <= 0.05).height
    said = f"They differ most at {name}: {in_points(most, 'share_difference')} of all traffic, first less second"
    if not apart:
        return f"{said}. No place is told apart (Holm over {frame.height}, 5%)."
    own = "" if told_apart(most, "share_difference") else ", which is not told apart itself"
    return f"{said}{own}. {apart} of {frame.height} places are told apart (Holm, 5%)."


def _difference(queries: Queries, first: Filter, second: Filter, what: str) -> pl.DataFrame:
    ground = ground_of(queries, first)
    places = ground.villages if what == "arrivals" else ground.roads
    by = list(PLACES[what].by)
    bound = max(queries.luck_sample(where, ground.digest).bound for where in (first, second))
    sides, shares = [], []
    for where, name in ((first, "first_share"), (second, "second_share")):
        amounts = queries.place_amounts(what, where, ground.digest, Sample(0, 0, bound))
        amounts = amounts.with_columns(pl.col(by).cast(pl.Int64))
        sides.append((amounts, trials_of(amounts)))
        place = PLACES[what]
        totals = queries.place_totals([place.column], place.table, by, where, ground.digest)
        totals = totals.with_columns(pl.col(by).cast(pl.Int64))
        whole = int(totals[place.column].sum())
        counted = places.select(by).join(totals, on=by, how="left", maintain_order="left")
        shares.append(
            (counted[place.column].fill_null(0) / whole if whole else pl.Series([None] * counted.height)).alias(name)
        )
    spread = difference_sums(places, by, *sides)
    frame = places.with_columns(spread["groups"], *(column.cast(pl.Float64) for column in shares))
    frame = frame.with_columns((pl.col("first_share") - pl.col("second_share")).alias("share_difference"))
    scale = _scale(queries, first, second, ground.digest, sides)
    tests = [
        _test(difference, variance * scale, groups)
        for difference, variance, groups in zip(
            frame["share_difference"], spread["variance"], spread["groups"], strict=True
        )
    ]
    p_values = [p for _, _, p in tests]
    known = [p for p in p_values if p is not None]
    corrected = iter(corrected_by_holm(known))
    return frame.with_columns(
        pl.Series("share_difference_low", [low for low, _, _ in tests], dtype=pl.Float64),
        pl.Series("share_difference_high", [high for _, high, _ in tests], dtype=pl.Float64),
        pl.Series("share_difference_p", p_values, dtype=pl.Float64),
        pl.Series(
            "share_difference_holm", [None if p is None else next(corrected) for p in p_values], dtype=pl.Float64
        ),
    )


def _scale(
    queries: Queries, first: Filter, second: Filter, digest: str, sides: list[tuple[pl.DataFrame, pl.DataFrame]]
) -> float:
    """Return what the variance over sampled lucks is divided by for all: sampled / lucks, of the fewer ones."""
    parts = []
    for where, (_, trials) in zip((first, second), sides, strict=True):
        lucks = queries.luck_sample(where, digest).lucks
        parts.append(min(1.0, trials.height / lucks) if lucks else 1.0)
    return max(parts, default=1.0)


def _test(difference: float | None, variance: float, groups: int) -> tuple[float | None, float | None, float | None]:
    """Return low, high and p of a difference: t with one degree of freedom less than there are lucks."""
    from scipy.special import stdtr

    if difference is None or groups < 2:
        return None, None, None
    error = sqrt(variance)
    reach = t_quantile(groups) * error
    p = 2 * float(stdtr(groups - 1, -abs(difference) / error)) if error else float(difference == 0)
    return difference - reach, difference + reach, max(p, 2.0 ** (1 - min(groups, 1000)))


def _between(row: dict[str, object]) -> str:
    return f"{row['village_a']}\N{EN DASH}{row['village_b']}"
