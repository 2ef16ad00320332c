"""How often Sherpas were sent back, by slides and by the Yeti."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bars import stacked_parts
from dashboards.charts.plotly.dots import number
from dashboards.charts.theme import Palette
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.games.summit.figures.shared import SEATS
from dashboards.stats.by_kind import in_order, means_of_seats, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, hundredths
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "falls"]

FALLS: Final = {
    "all": "f.slides + f.chases",
    "slide": "f.slides",
    "yeti_arrived": "f.chases_yeti_arrived",
    "climber_left": "f.chases_climber_left",
    "slid_to_yeti": "f.chases_slid",
}
"""Why a Sherpa was sent back: it slid, the Yeti came, its climber left the Yeti's field, it slid onto that."""
CALLED: Final = {
    "slide": "slid down",
    "yeti_arrived": "the Yeti came",
    "climber_left": "its climber left",
    "slid_to_yeti": "slid to the Yeti",
}


def falls(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, fall, played, groups, falls` and its bounds: how often its Sherpas were sent back in a match."""
    found = with_all_kinds(seat_sums(reader, SEATS, where, FALLS).rename({"kind": "fall"}), "fall", FALLS)
    return in_order(means_of_seats(found, ["player", "fall"], "falls"), "fall", FALLS)


def fall_finding(frame: pl.DataFrame) -> str:
    """Say whose Sherpas are sent back how often, in all, by slides and by the Yeti."""
    if frame.is_empty():
        return NOTHING
    texts = {
        "all": "{}'s Sherpas are sent back",
        "slide": "{}'s Sherpas slide down",
        "yeti_arrived": "The Yeti comes upon {}'s Sherpas",
    }
    return " ".join(
        told(
            frame.filter(fall=fall),
            "falls",
            "player",
            f"{text} most often: {{}} times a match",
            f"{text} {{}} times a match",
            hundredths,
        )
        for fall, text in texts.items()
    )


def draw_falls(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often Sherpas were sent back, and why."""
    return stacked_parts(frame, "fall", "falls", CALLED, colours.parts, colours, shown=number)


METRICS: Final = (
    Metric(
        "falls",
        "How often Sherpas of a seat are sent back in a match: down a slide; or by the Yeti, when it comes upon them,"
        " when their climber leaves its field, or when they slide onto it.",
        "number / played",
        source_of(falls, f"interval: {GROUPED}"),
        "player, fall",
        "times per player and match",
    ),
)
FIGURE: Final = Figure(
    "falls",
    "Sherpas sent back, and why",
    "why",
    falls,
    {"player": "Player", "fall": "Why", **OF_PLAYER, **interval("falls", "Times per match")},
    fall_finding,
    draw=draw_falls,
)
