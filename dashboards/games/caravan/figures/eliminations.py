"""Who was eliminated, and by how little."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import Panel, interval_panels, middle_half, number, percent
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import ELIMINATIONS, INFLUENCES, of_influence
from dashboards.games.figure import BY_OUTCOME, Figure, interval
from dashboards.stats.claims import lead, told
from dashboards.stats.intervals import shares
from dashboards.stats.metric import TYPE_7, WILSON, Metric, source_of
from dashboards.stats.quartiles import quartiles
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import unit_sums
from dashboards.warehouse.where import SEATS, SEED_GROUP, player_of, seats_where

__all__ = ["FIGURE", "METRICS", "elimination_finding", "eliminations"]


def eliminations(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player, eliminations, played, groups, out_share`, its bounds, `margin_…`, `tied`.

    One row per influence and player who was eliminated by it. Margins are quartiles over its eliminations, `tied` how
    many of them a tie-break decided.
    """
    by = ["influence", "player"]
    found = _sums(reader, where)
    rows = shares(found, by, "out_share", "played").with_columns(
        pl.col("played").cast(pl.Int64), found["total"].cast(pl.Int64).alias("eliminations")
    )
    margins = _margins(reader, where)
    tied = margins.filter(pl.col("is_tied")).group_by(by).agg(pl.col("eliminations").sum().alias("tied"))
    ends = [f"out_share{end}" for end in ("", "_low", "_high")] + [
        f"margin_{end}" for end in ("lower", "median", "upper")
    ]
    return (
        rows.join(quartiles(margins, by, "margin", "eliminations", "margin"), on=by, how="left")
        .join(tied, on=by, how="left")
        .with_columns(pl.col("tied").fill_null(0))
        .sort("influence", "out_share", "player", descending=[True, True, False])
        .select(*by, "eliminations", "played", "groups", *ends, "tied")
    )


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player` with how many of the player's seats were eliminated so."""
    condition, values = seats_where(where)
    player = player_of(where, "s")
    amounts = f"""select e.influence, {player} as player, {SEED_GROUP} as unit, count(*) as x from {ELIMINATIONS}
        where {condition} group by all"""
    trials = f"""select {player} as player, {SEED_GROUP} as unit, count(*) as n from {SEATS}
        where {condition} group by all"""
    return unit_sums(reader, amounts, trials, ["influence", "player"], ["player"], values)


def _margins(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player, margin, is_tied, eliminations`: how many eliminations had exactly that margin."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""select e.influence, {player_of(where, "s")} as player, e.margin, e.tie_break is not null as is_tied,
                count(*) as eliminations
            from {ELIMINATIONS} where {condition} group by all""",
        values,
    )


def elimination_finding(frame: pl.DataFrame) -> str:
    """Say whom each influence eliminates how often, and by what margin."""
    if frame.is_empty():
        return "Nobody was eliminated under these filters; with three players nobody can be."
    said = []
    for influence in INFLUENCES[:2]:
        of_it = frame.filter(pl.col("influence") == influence)
        if of_it.height:
            first = lead(of_it, "out_share").first
            often = told(
                of_it,
                "out_share",
                "player",
                f"{{}} is eliminated for least {influence} influence most often: in {{}} of its seats",
                f"{{}} is eliminated for least {influence} influence in {{}} of its seats",
                percent,
                than="more often than",
            )
            said.append(
                f"{often} The median margin of {first['player']} is {first['margin_median']:g} (middle half"
                f" {first['margin_lower']:g} to {first['margin_upper']:g})."
            )
    return " ".join(said)


def draw_eliminations(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw how often each player was eliminated by each influence, and how little it was short of."""
    parts = []
    for influence in frame["influence"].unique(maintain_order=True):
        rows = frame.filter(pl.col("influence") == influence)
        parts += [
            Panel(f"Out: {influence}", rows, "out_share", percent, ".0%"),
            middle_half(Panel("Short by (median)", rows, "margin", number), "margin"),
        ]
    return interval_panels(parts, colours)


METRICS: Final = (
    Metric(
        "eliminations",
        "How many seats were eliminated in the final scoring.",
        "number of seats",
        source_of(eliminations),
        "influence, player or influence, tie_break",
        "seats",
    ),
    Metric(
        "out_share",
        "How often the player is eliminated for having least of the influence.",
        "eliminations by it / played",
        source_of(eliminations, f"interval: {WILSON}"),
        "influence, player",
        "share, 0 to 1",
    ),
    Metric(
        "margin",
        "By how much an eliminated seat had less than the next seat that was still in; 0 is a tie.",
        "least of the seats that were still in − its own, over its eliminations",
        source_of(eliminations, TYPE_7),
        "influence, player",
        "points",
    ),
    Metric(
        "tied",
        "How many of the eliminations were decided by a tie-break.",
        "number of eliminations with a tie-break",
        source_of(eliminations),
        "influence, player",
        "seats",
    ),
)
FIGURE: Final = Figure(
    name="eliminations",
    title="Who was eliminated, and by how little",
    section="why",
    count=eliminations,
    columns={
        "influence": "Least influence",
        "player": "Player",
        "eliminations": "Eliminations",
        "played": "Of seats",
        "groups": "Seeds",
        **interval("out_share", "Share"),
        "margin_lower": "Margin: lower quartile",
        "margin_median": "Median",
        "margin_upper": "Upper quartile",
        "tied": "By a tie-break",
    },
    finding=elimination_finding,
    ignores=BY_OUTCOME,
    is_wide=True,
    narrows=of_influence,
    draw=draw_eliminations,
)
