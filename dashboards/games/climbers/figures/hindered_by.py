"""Who blocks whom."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Cell, Chart, Matrix
from dashboards.charts.colour import warming
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import SEATS
from dashboards.games.figure import Figure, interval
from dashboards.stats.claims import told
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, hundredths
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import column_sums
from dashboards.warehouse.where import SEED_GROUP, player_of, seats_where

__all__ = ["FIGURE", "METRICS", "hinderers"]


def hinderers(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, other, pairs, groups, hindered_by` and its bounds: how often the other hinders the player."""
    found = _sums(reader, where)
    rows = means(found, ["player", "other"], "hindered_by").with_columns(found["trials"].cast(pl.Int64).alias("pairs"))
    ends = [f"hindered_by{end}" for end in ("", "_low", "_high")]
    return rows.select("player", "other", "pairs", "groups", *ends).sort("player", "other")


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, other` with how often the other hindered the player; a trial is a pair of their seats."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    other, _ = player_of(reader, where, "o")
    base = f"""select {player} as player, {other} as other, {SEED_GROUP} as unit,
            count(*) as n, sum(f.hindered_by[o.seat + 1]) as times
        from {SEATS} f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)
        join dim_seats o on o.match_id = s.match_id and o.seat <> s.seat
        where {condition} group by all"""
    return column_sums(reader, base, ["player", "other"], "kind", {"times": "n"}, values | names).drop("kind")


def hinderer_finding(frame: pl.DataFrame) -> str:
    """Say who hinders whom how often."""
    if frame.is_empty():
        return NOTHING
    pairs = frame.sort("player", "other").with_columns(pl.format("{} hinders {}", "other", "player").alias("pair"))
    return told(
        pairs,
        "hindered_by",
        "pair",
        "{} most often: {} times a match at the same table",
        "{} {} times a match at the same table",
        hundredths,
    )


def draw_hinderers(frame: pl.DataFrame, colours: Palette) -> Chart:
    """How often the player of a row is hindered by that of a column."""
    cells = tuple(
        Cell(
            row["player"],
            row["other"],
            row["hindered_by"],
            f"{row['hindered_by']:.2f}",
            f"{row['player']} is hindered by {row['other']} {row['hindered_by']:.2f} times a match",
            row,
        )
        for row in frame.iter_rows(named=True)
    )
    most = max((cell.value for cell in cells), default=0) or 1.0
    players, others = (tuple(sorted(set(frame[side]))) for side in ("player", "other"))
    return Matrix(players, others, cells, warming(colours), 0.0, most, ("hindered", "by"))


METRICS: Final = (
    Metric(
        "hindered_by",
        "How often a block or disc of the other takes away a step that the player's climber might have taken just"
        " before, in a match that both sit in.",
        "number / pairs",
        source_of(hinderers, f"interval: {GROUPED}"),
        "player, other",
        "times per pair of players and match",
    ),
)
FIGURE: Final = Figure(
    "hindered-by",
    "Who blocks whom",
    "why",
    hinderers,
    {
        "player": "Player",
        "other": "By",
        "pairs": "Meetings",
        "groups": "Seeds",
        **interval("hindered_by", "Times per match"),
    },
    hinderer_finding,
    draw=draw_hinderers,
    metrics=METRICS,
)
