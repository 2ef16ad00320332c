"""Supply cards played, and taken back in high camps."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.theme import Palette
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.games.summit.figures.shared import SEATS, draw_panels
from dashboards.stats.by_kind import in_order, means_of_seats, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING, hundredths
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "cards"]

CARDS: Final = {
    "played": "f.cards_played",
    "moved_by": "f.card_pips",
    "taken_back": "f.cards_taken_back",
    "declined": "f.cards_declined",
}
CALLED: Final = {
    "played": "Played",
    "moved_by": "Fields moved by",
    "taken_back": "Taken back",
    "declined": "Not taken back",
}


def cards(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, cards` and its bounds: supply cards played and taken back in a match."""
    found = with_all_kinds(seat_sums(reader, SEATS, where, CARDS), "kind", CARDS)
    return in_order(means_of_seats(found, ["player", "kind"], "cards"), "kind", CARDS)


def card_finding(frame: pl.DataFrame) -> str:
    """Say who plays how many supply cards, and takes how many back."""
    if frame.is_empty():
        return NOTHING
    texts = {
        "played": ("{} plays the most supply cards: {} a match", "{} plays {} supply cards a match"),
        "taken_back": ("{} takes the most of them back: {} a match", "{} takes {} supply cards back a match"),
    }
    return " ".join(told(frame.filter(kind=kind), "cards", "player", *text, hundredths) for kind, text in texts.items())


def draw_cards(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Supply cards: a panel for each thing that is done with them."""
    return draw_panels(frame, "kind", "cards", CALLED, colours, most=4)


METRICS: Final = (
    Metric(
        "cards",
        "How many supply cards a seat plays in a match, by how much it moves by them, how many it takes back in high"
        " camps, and how often it might and does not.",
        "number / played",
        source_of(cards, f"interval: {GROUPED}"),
        "player, kind",
        "per player and match",
    ),
)
FIGURE: Final = Figure(
    "cards",
    "Supply cards",
    "why",
    cards,
    {"player": "Player", "kind": "What", **OF_PLAYER, **interval("cards", "Per match")},
    card_finding,
    is_wide=True,
    draw=draw_cards,
)
