"""Fields gained and lost: by the climber, and by the Sherpas in each way."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.theme import Palette
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.games.summit.figures.shared import SEATS, draw_panels
from dashboards.stats.by_kind import in_order, means_of_seats, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.intervals import ANY
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "climbed"]

GAINS: Final = {
    "climber": "f.climber",
    "forward": "f.fields_forward",
    "along": "f.fields_along",
    "back": "-f.fields_back",
    "slid": "-f.fields_slid",
    "chased": "-f.fields_chased",
}
"""Fields of the climber; of Sherpas: by numbers, taken along, back by choice, down slides, from the Yeti."""
CALLED: Final = {
    "climber": "Climber",
    "forward": "Sherpas, by numbers",
    "along": "Going along",
    "back": "Going back",
    "slid": "Down slides",
    "chased": "From the Yeti",
}


def climbed(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, fields_climbed` and its bounds: fields gained and lost in a match."""
    found = with_all_kinds(seat_sums(reader, SEATS, where, GAINS), "kind", GAINS)
    return in_order(means_of_seats(found, ["player", "kind"], "fields_climbed", ANY), "kind", GAINS)


def climbed_finding(frame: pl.DataFrame) -> str:
    """Say how far climbers climb, and how much Sherpas gain by going along."""
    if frame.is_empty():
        return NOTHING
    climber = told(
        frame.filter(kind="climber"),
        "fields_climbed",
        "player",
        "{}'s climber climbs most: {} fields a match",
        "{}'s climber climbs {} fields a match",
    )
    along = told(
        frame.filter(kind="along"),
        "fields_climbed",
        "player",
        "{}'s Sherpas gain the most by going along: {} fields a match",
        "{}'s Sherpas gain {} fields a match by going along",
    )
    return f"{climber} {along}"


def draw_climbed(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Fields gained and lost: a panel for each way."""
    return draw_panels(frame, "kind", "fields_climbed", CALLED, colours, most=6)


METRICS: Final = (
    Metric(
        "fields_climbed",
        "How many fields a seat gains, or loses if negative, in a match: its climber; its Sherpas by dice and cards, by"
        " going along, by going back, down slides, chased by the Yeti.",
        "Σ fields / played",
        source_of(climbed, f"interval: {GROUPED}"),
        "player, kind",
        "fields per player and match",
    ),
)
FIGURE: Final = Figure(
    "climbed",
    "Fields gained and lost",
    "why",
    climbed,
    {"player": "Player", "kind": "How", **OF_PLAYER, **interval("fields_climbed", "Fields per match")},
    climbed_finding,
    is_wide=True,
    draw=draw_climbed,
)
