"""Blocks moved, and how."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import SEATS, draw_panels
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.stats.by_kind import in_order, means_of_seats
from dashboards.stats.claims import told
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "blocks"]

MOVED: Final = f"""(select match_id, seat, any_value(d.blocks_moved) as moved, any_value(d.blocks_turned) as turned,
    count(*) filter (p.to_level > p.from_level) as raised, count(*) filter (p.to_level < p.from_level) as lowered,
    coalesce(sum(p.shifted), 0) as shifted
    from {SEATS} d left join fct_climbers_placements p using (match_id, seat) group by match_id, seat)"""
BLOCKS: Final = {kind: f"f.{kind}" for kind in ("moved", "turned", "raised", "lowered", "shifted")}
"""Blocks moved; of these, those turned in place, and with tops higher or lower than before; climbers set aside."""
CALLED: Final = {
    "moved": "Moved",
    "turned": "Turned in place",
    "raised": "Moved higher",
    "lowered": "Moved lower",
    "shifted": "Climbers set aside",
}


def blocks(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, blocks` and its bounds: moved, turned, raised, lowered; shifted."""
    found = seat_sums(reader, MOVED, where, BLOCKS)
    return in_order(means_of_seats(found, ["player", "kind"], "blocks"), "kind", BLOCKS)


def block_finding(frame: pl.DataFrame) -> str:
    """Say who moves how many blocks, and sets how many of them higher."""
    if frame.is_empty():
        return NOTHING
    texts = {
        "moved": ("{} moves the most blocks: {} a match", "{} moves {} blocks a match"),
        "raised": (
            "{} sets the most blocks higher than before: {} a match",
            "{} sets {} blocks a match higher than before",
        ),
    }
    return " ".join(told(frame.filter(kind=kind), "blocks", "player", *text) for kind, text in texts.items())


def draw_blocks(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw a panel for each way in which blocks were moved, and for climbers set aside."""
    return draw_panels(frame, "blocks", CALLED, colours)


METRICS: Final = (
    Metric(
        "blocks",
        "How many blocks a seat moves in a match; of these, how many it turns where they lie, and sets so that their"
        " tops are higher or lower than before; how many climbers it sets aside to make room.",
        "number / played",
        source_of(blocks, f"interval: {GROUPED}"),
        "player, kind",
        "per player and match",
    ),
)
FIGURE: Final = Figure(
    "blocks",
    "Blocks moved",
    "why",
    blocks,
    {"player": "Player", "kind": "What", **OF_PLAYER, **interval("blocks", "Per match")},
    block_finding,
    is_wide=True,
    draw=draw_blocks,
)
