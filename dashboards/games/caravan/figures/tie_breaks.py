"""What decided eliminations: that one seat had least, or which tie-break."""

from typing import Final

import polars as pl

from dashboards.charts.bars import counted
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import ELIMINATIONS, INFLUENCES, of_influence
from dashboards.games.figure import BY_OUTCOME, Figure, interval
from dashboards.stats.intervals import shares
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import bounds, percent, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import unit_sums
from dashboards.warehouse.where import SEED_GROUP, seats_where

__all__ = ["FIGURE", "METRICS", "tie_break_finding", "tie_breaks"]

NONE: Final = "none needed"


def tie_breaks(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, tie_break, eliminations, groups, tie_share` and its bounds: of each influence."""
    found = _sums(reader, where)
    return (
        shares(found, ["influence", "tie_break"], "tie_share", "of")
        .with_columns(found["total"].cast(pl.Int64).alias("eliminations"))
        .sort("influence", "eliminations", "tie_break", descending=[True, True, False])
        .select("influence", "tie_break", "eliminations", "groups", "tie_share", "tie_share_low", "tie_share_high")
    )


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, tie_break` with how many of the eliminations by that influence it decided."""
    condition, values = seats_where(where)
    amounts = f"""select e.influence, coalesce(e.tie_break, '{NONE}') as tie_break, {SEED_GROUP} as unit, count(*) as x
        from {ELIMINATIONS} where {condition} group by all"""
    trials = (
        f"select e.influence, {SEED_GROUP} as unit, count(*) as n from {ELIMINATIONS} where {condition} group by all"
    )
    return unit_sums(reader, amounts, trials, ["influence", "tie_break"], ["influence"], values)


def tie_break_finding(frame: pl.DataFrame) -> str:
    """Say how often each influence needed a tie-break."""
    if frame.is_empty():
        return "Nobody was eliminated under these filters."
    said = []
    for influence in INFLUENCES[:2]:
        of_it = frame.filter(pl.col("influence") == influence)
        if of_it.is_empty():
            continue
        count = whole(of_it["eliminations"].sum(), f"{influence} elimination")
        none = of_it.filter(pl.col("tie_break") == NONE)
        if none.is_empty():
            said.append(f"Every one of {count} needed a tie-break.")
        else:
            row = none.row(0, named=True)
            said.append(
                f"Of {count}, {percent(row['tie_share'])} needed no tie-break{bounds(row, 'tie_share', percent)}."
            )
    return " ".join(said)


def draw_tie_breaks(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw bars of what decided eliminations."""
    rows = list(frame.iter_rows(named=True))
    called = {NONE: "no tie-break"}
    labels = [f"{row['influence']}: {called.get(row['tie_break'], row['tie_break'].replace('_', ' '))}" for row in rows]
    return counted(
        labels,
        frame["eliminations"].to_list(),
        [colours.influences[INFLUENCES.index(row["influence"])] for row in rows],
        said=[
            f"{name}: {row['eliminations']:,} eliminations, {row['tie_share']:.1%} (95% interval"
            f" {row['tie_share_low']:.1%} to {row['tie_share_high']:.1%})"
            for name, row in zip(labels, rows, strict=True)
        ],
        behind=rows,
    )


METRICS: Final = (
    Metric(
        "tie_share",
        "How often eliminations on the influence were decided this way.",
        "eliminations decided this way / eliminations on the influence",
        source_of(tie_breaks, f"interval: {KORN_GRAUBARD}"),
        "influence, tie_break",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    name="tie-breaks",
    title="What decided eliminations",
    section="why",
    count=tie_breaks,
    columns={
        "influence": "Least influence",
        "tie_break": "Tie broken by",
        "eliminations": "Eliminations",
        "groups": "Seeds",
        **interval("tie_share", "Share"),
    },
    finding=tie_break_finding,
    ignores=BY_OUTCOME,
    narrows=of_influence,
    draw=draw_tie_breaks,
    metrics=METRICS,
)
